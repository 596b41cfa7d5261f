package mcpclient

import (
	"sync"
	"time"
)

// clock holds the two time limits of one request (CANCEL-09, CANCEL-10). A limit
// of zero does not exist. All methods may be called together.
type clock struct {
	mu            sync.Mutex
	idle, max     time.Duration
	idleAt, endAt time.Time
	paused        int
	since         time.Time // of the first pause
}

// start sets both limits running.
func (k *clock) start(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.idleAt, k.endAt = now.Add(k.idle), now.Add(k.max)
	k.since = now
}

// progress restarts the idle limit.
func (k *clock) progress(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.idleAt = now.Add(k.idle)
	if k.paused > 0 {
		k.idleAt = k.since.Add(k.idle)
	}
}

// pause stops both limits until as many resumes have come.
func (k *clock) pause(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.paused++; k.paused == 1 {
		k.since = now
	}
}

func (k *clock) resume(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.paused--; k.paused == 0 {
		stood := now.Sub(k.since)
		k.idleAt, k.endAt = k.idleAt.Add(stood), k.endAt.Add(stood)
	}
}

// check returns when to check again (zero: nothing runs) or a TimeoutError.
func (k *clock) check(now time.Time) (time.Time, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.paused > 0 {
		return time.Time{}, nil
	}
	var at time.Time
	if k.max > 0 {
		if !now.Before(k.endAt) {
			return at, &TimeoutError{After: k.max}
		}
		at = k.endAt
	}
	if k.idle > 0 {
		if !now.Before(k.idleAt) {
			return at, &TimeoutError{Idle: true, After: k.idle}
		}
		if at.IsZero() || k.idleAt.Before(at) {
			at = k.idleAt
		}
	}
	return at, nil
}
