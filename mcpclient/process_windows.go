package mcpclient

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

func prepareGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
}

// processGroup is a job object: whatever the child starts is in it too.
type processGroup struct {
	process *os.Process
	job     windows.Handle // 0 when none could be made
}

type relative struct{}

func newGroup(p *os.Process) processGroup {
	g := processGroup{process: p}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		var h windows.Handle
		h, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, h)
			_ = windows.CloseHandle(h)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

// reap waits for the child, then closes the job and with it ends what is left.
func (g processGroup) reap(wait func() error) error {
	err := wait()
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
	return err
}

// terminate: there is no gentler way for a program without a console.
func (g processGroup) terminate([]relative) { g.kill(nil) }

func (g processGroup) kill([]relative) {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	_ = g.process.Kill()
}

func (g processGroup) sweepFamily([]relative) {}

func (g processGroup) descendants(known []relative) []relative { return known }

func signalName(*os.ProcessState) string { return "" }

// sealDescriptors does nothing here: handles are inherited by name only.
func sealDescriptors() {}
