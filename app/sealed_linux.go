package app

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutForks runs fn while no child can be started, and then marks every
// descriptor but the standard ones close-on-exec.
func withoutForks(fn func()) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fn()
	// Where the kernel is too old for this, the pipe stays as the frame made it.
	_ = unix.CloseRange(3, 1<<32-1, unix.CLOSE_RANGE_CLOEXEC)
}
