package servers

import (
	"math/rand/v2"
	"time"
)

const (
	firstWait   = time.Second
	longestWait = time.Minute
	// stableAfter is how long a server must have run for its failures before
	// that to be forgotten.
	stableAfter = time.Minute

	crashLimit  = 5 // this many crashes
	crashWindow = 2 * time.Minute

	// slowLimit is how often a start that failed without a crash is tried. More
	// than once, since the first start of a program may have had to download it.
	slowLimit = 3
)

// kind tells failures apart by what is done about them.
type kind int

const (
	final   kind = iota // needs a person
	crash               // the process ended by itself
	slow                // it runs, and does not become a server
	network             // it can't be reached
	renewal             // the server forgot the session, and it could not be begun anew (LEG-08)
)

// history is what a supervisor remembers of failures. Only its goroutine
// touches it.
type history struct {
	failures int // since it last ran stably
	slow     int // starts in a row that failed without a crash
	crashes  []time.Time
}

// note takes in a failure at the time now, of a server that had run for ran
// (0: it did not get to run). It gives the wait before the next try, or says
// to give up until a person acts.
func (h *history) note(k kind, now time.Time, ran time.Duration) (wait time.Duration, giveUp bool) {
	if ran > 0 {
		h.slow = 0
	}
	if ran >= stableAfter {
		h.failures = 0
	}
	switch k {
	case final:
		return 0, true
	case crash:
		h.crashes = append(h.crashes, now)
		for len(h.crashes) > 0 && now.Sub(h.crashes[0]) > crashWindow {
			h.crashes = h.crashes[1:]
		}
		if len(h.crashes) >= crashLimit {
			return 0, true
		}
	case slow:
		if h.slow++; h.slow >= slowLimit {
			return 0, true
		}
	case renewal:
		// A server that forgets sessions all the time gets the waits of one that
		// can't be reached.
		if ran > 0 && h.failures == 0 {
			h.failures++
			return 0, false
		}
	}
	wait = growing(h.failures, rand.Float64())
	h.failures++
	return wait, false
}

// growing gives 1 s, 2 s, 4 s ... 60 s for 0, 1, 2 ... failures before, plus up
// to a quarter (jitter is in [0,1)), so that servers that fell together do not
// rise together. It never exceeds longestWait.
func growing(failures int, jitter float64) time.Duration {
	wait := longestWait
	if failures < 6 {
		wait = firstWait << failures
	}
	return min(wait+time.Duration(jitter*float64(wait)/4), longestWait)
}
