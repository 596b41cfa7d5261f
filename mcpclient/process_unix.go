//go:build unix

package mcpclient

import (
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// prepareGroup makes the child the leader of a process group of its own.
func prepareGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// processGroup is a child and what it started.
type processGroup struct{ leader int }

func newGroup(p *os.Process) processGroup { return processGroup{p.Pid} }

// relative is a process told apart from a later one of the same number.
type relative struct {
	pid   int
	start string
}

func (g processGroup) terminate(family []relative) { g.signal(family, unix.SIGTERM) }

func (g processGroup) kill(family []relative) { g.signal(family, unix.SIGKILL) }

// signal reaches the whole group, and those of the family who left it.
func (g processGroup) signal(family []relative, sig unix.Signal) {
	_ = unix.Kill(-g.leader, sig)
	for _, r := range family {
		if r.alive() {
			_ = unix.Kill(r.pid, sig)
		}
	}
}

// sweep ends what is left of the group.
func (g processGroup) sweep() {
	if !g.hasMembers() {
		return
	}
	_ = unix.Kill(-g.leader, unix.SIGTERM)
	if !waitUntil(sweepTime, func() bool { return !g.hasMembers() }) {
		_ = unix.Kill(-g.leader, unix.SIGKILL)
		waitUntil(sweepTime, func() bool { return !g.hasMembers() })
	}
}

// sweepFamily ends descendants that outlived the group.
func (g processGroup) sweepFamily(family []relative) {
	anyAlive := func(sig unix.Signal) bool {
		found := false
		for _, r := range family {
			if r.alive() {
				found = true
				if sig != 0 {
					_ = unix.Kill(r.pid, sig)
				}
			}
		}
		return found
	}
	if !anyAlive(unix.SIGTERM) {
		return
	}
	if !waitUntil(sweepTime, func() bool { return !anyAlive(0) }) {
		anyAlive(unix.SIGKILL)
		waitUntil(sweepTime, func() bool { return !anyAlive(0) })
	}
}

// waitUntil polls: the system tells nobody of the end of a process that is not
// its own child.
func waitUntil(limit time.Duration, done func() bool) bool {
	for end := time.Now().Add(limit); ; time.Sleep(5 * time.Millisecond) {
		if done() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

func signalName(state *os.ProcessState) string {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
