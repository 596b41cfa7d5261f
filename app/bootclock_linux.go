package app

import (
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

var bootID = sync.OnceValue(func() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
})

// bootClock reads the clock that counts from the start of the computer, sleep
// included, and which start that was.
func bootClock() (time.Duration, string, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil || bootID() == "" {
		return 0, "", false
	}
	return time.Duration(t.Nano()), bootID(), true
}
