package servers

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// orphanGrace is how long a process of an earlier run has to end when asked to.
const orphanGrace = time.Second

// MarkOf gives the mark of a running process; not ok where it has ended or where
// the system does not tell.
func MarkOf(pid int) (m Mark, ok bool) {
	proc := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(proc + "/stat")
	if err != nil || pid <= 1 {
		return Mark{}, false
	}
	// The name in it may hold anything: count from its last bracket.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(fields) < 20 {
		return Mark{}, false
	}
	executable, err := os.Readlink(proc + "/exe")
	if err != nil { // another's, or it has ended
		return Mark{}, false
	}
	return Mark{PID: pid, Start: string(fields[19]), Boot: strings.TrimSpace(string(boot)), Executable: executable}, true
}

// EndIfSame ends the process that a mark names, with its group, and reports
// whether it did. One that differs in anything is another's and stays.
func EndIfSame(m Mark) bool {
	fd, err := unix.PidfdOpen(m.PID, 0)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	// Looked at with the handle held: what is seen is what is ended.
	if now, ok := MarkOf(m.PID); !ok || now != m || unix.PidfdSendSignal(fd, 0, nil, 0) != nil {
		return false
	}
	leader := false
	if group, err := unix.Getpgid(m.PID); err == nil {
		leader = group == m.PID
	}
	if unix.PidfdSendSignal(fd, unix.SIGTERM, nil, 0) != nil {
		return false
	}
	if ended(fd, orphanGrace) {
		return true
	}
	if leader { // it lives, so the group is still its own
		_ = unix.Kill(-m.PID, unix.SIGKILL)
	}
	_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	return ended(fd, orphanGrace)
}

// ended waits until the process behind a handle has ended.
func ended(fd int, limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for {
		left := max(time.Until(deadline), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n == 1
		}
	}
}
