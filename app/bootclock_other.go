//go:build !linux

package app

import "time"

// bootClock is not there: the wall's clock alone counts.
func bootClock() (time.Duration, string, bool) { return 0, "", false }
