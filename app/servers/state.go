package servers

import (
	"fmt"
	"reflect"
	"time"
)

// State is where a server stands.
type State string

// The states of a server.
const (
	Stopped   State = "stopped"   // not wanted, nothing runs
	Starting  State = "starting"  // being prepared or connected, or waiting for the next try (Status.NextTry)
	Running   State = "running"   // connected: Manager.Client gives the client
	Attention State = "attention" // wanted, nothing runs, and nothing is tried until a person acts
	Stopping  State = "stopping"  // being stopped; its process may still be there
)

// moves are the allowed changes of state. Staying where one is, with another
// reason, is always allowed.
var moves = map[State][]State{
	Stopped:   {Starting},
	Starting:  {Running, Attention, Stopping, Stopped},
	Running:   {Starting, Attention, Stopping},
	Attention: {Starting, Stopping, Stopped},
	Stopping:  {Stopped},
}

func allowed(from, to State) bool {
	if from == to {
		return true
	}
	for _, s := range moves[from] {
		if s == to {
			return true
		}
	}
	return false
}

// Codes of Status, for the states Attention, Starting with a NextTry and, where
// it says so, Running. A
// code of an AttentionError is handed on as it is.
const (
	CodeConsent  = "consent"   // the launch waits for a person's consent
	CodeCrashed  = "crashed"   // the process ended by itself
	CodeNotFound = "not_found" // the program is not there
	CodeConfig   = "config"    // the settings must change first
	CodeFailed   = "failed"    // anything else
	CodeDeaf     = "deaf"      // Running, but changes of its tools are not heard of
)

// Status is what is known of a server at one moment. Texts that came from the
// server (names, version, instructions, and the quoted end of Reason) are its
// claims and are not cleaned.
type Status struct {
	ServerID string
	State    State
	// Reason is a sentence for a person and Hint what to do about it; Code is
	// one of the Code constants. All three are empty while nothing is wrong.
	Reason, Hint, Code string
	// Since is when the state was entered; zero for a server never started.
	Since time.Time
	// The following are set while Running.
	Era, Version              string
	ServerName, ServerVersion string
	Instructions              string
	PID                       int
	Fallbacks                 []string
	// NextTry is when the next try begins; zero when none is waited for.
	NextTry time.Time
	// Fingerprint of the launch that is starting or running, or was last tried.
	Fingerprint string
}

// AttentionError is what Prepare returns when only a person can help. Reason
// is a whole sentence, Hint one too or empty.
type AttentionError struct{ Code, Reason, Hint string }

// Error gives the reason.
func (e *AttentionError) Error() string { return e.Reason }

// moveLocked is the one place where a supervisor's state changes. change fills
// in the rest of the new status, which starts out empty; nil leaves it so.
// A move outside the table is a mistake of this package, and panics.
func (s *supervisor) moveLocked(to State, change func(*Status)) {
	from := s.status
	if !allowed(from.State, to) {
		panic(fmt.Sprintf("servers: no move from %s to %s", from.State, to))
	}
	next := Status{ServerID: s.id, State: to, Since: time.Now()}
	if from.State == to {
		next.Since = from.Since
	}
	if change != nil {
		change(&next)
	}
	s.status = next
	s.broadcastLocked()
	if told := s.m.deps.OnState; told != nil && !reflect.DeepEqual(from, next) {
		s.queue = append(s.queue, func() { told(next) })
	}
}
