// Package approval decides. It is pure: the same facts give the same answer,
// nothing is read, written or waited for, and time is an argument.
//
// Two decisions live here: what happens to a proposal (Decide), and whether a
// person's answer or a send fits what was asked and approved (CheckAnswer,
// CheckSend). The road in app/calls carries them out and records them.
package approval

import (
	"fmt"
	"time"
)

// Verdict is what becomes of a proposal.
type Verdict string

// The verdicts. Deny beats Ask beats Allow; no matching rule means Ask.
const (
	Ask   Verdict = "ask"
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
)

// Decision is a verdict with the rule that spoke, or why none did.
type Decision struct {
	Verdict Verdict
	Rule    string // id of the rule that spoke; empty when none did
	Name    string // what the rule is called
	Reason  string // a clause for a person
}

// Binding is all that an approval is tied to. A yes for one binding is a yes
// for nothing else.
type Binding struct {
	ServerID          string // our own id, never what the server calls itself
	LaunchFingerprint string // of the running connection
	Tool              string
	DefinitionHash    string // fingerprint of the whole tool object
	Origin            string
	Revision          int
	ArgumentsHash     string // of the argument bytes as they go on the wire
}

// Difference names the first part in which two bindings differ, in words for
// a person, or "" when they are equal.
func (b Binding) Difference(other Binding) string {
	parts := []struct {
		name string
		same bool
	}{
		{"the server", b.ServerID == other.ServerID},
		{"how the server was started (command, arguments, folder, environment, or address and headers)", b.LaunchFingerprint == other.LaunchFingerprint},
		{"the tool", b.Tool == other.Tool},
		{"the tool's definition", b.DefinitionHash == other.DefinitionHash},
		{"who asked", b.Origin == other.Origin},
		{"the revision of the card", b.Revision == other.Revision},
		{"the arguments", b.ArgumentsHash == other.ArgumentsHash},
	}
	for _, p := range parts {
		if !p.same {
			return p.name
		}
	}
	return ""
}

const (
	// MinOnScreen is how long a revision must have been on screen before an
	// answer to it counts, so that a click meant for something else is not
	// an approval.
	MinOnScreen = 600 * time.Millisecond
	// MaxToWire is how long an approval waits to be written before it is void.
	MaxToWire = 30 * time.Second
	// MaxRounds is how many times one call may ask for input.
	MaxRounds = 20
	// MaxLife is how long after its approval a call may still send answers.
	MaxLife = 24 * time.Hour
)

// Answer is a person's answer to a card.
type Answer struct {
	Approve  bool
	Revision int    // of the card that was answered
	Hash     string // that the card showed
}

// Card is what stands open: the current revision, its hash, and when it came
// on screen by our own clock (zero: it has not).
type Card struct {
	Revision int
	Hash     string
	Shown    time.Time
	Deadline time.Time // zero: none
}

// AnswerError says why an answer does not count.
type AnswerError struct{ Reason string }

func (e *AnswerError) Error() string { return e.Reason }

// CheckAnswer says whether an answer counts for a card at a time. Errors are
// *AnswerError. now and Card.Shown must carry a monotonic reading, so that a
// changed wall clock makes nothing count sooner.
func CheckAnswer(c Card, a Answer, now time.Time) error {
	switch {
	case a.Revision != c.Revision:
		return &AnswerError{fmt.Sprintf("the card changed: revision %d was answered, %d is open", a.Revision, c.Revision)}
	case a.Hash != c.Hash:
		return &AnswerError{"the answer is for other arguments than the card shows"}
	case c.Shown.IsZero():
		return &AnswerError{"this revision has not been on screen"}
	case now.Sub(c.Shown) < MinOnScreen:
		return &AnswerError{fmt.Sprintf("the answer came sooner than %d ms after the card was shown", MinOnScreen.Milliseconds())}
	case !c.Deadline.IsZero() && !now.Before(c.Deadline):
		return &AnswerError{"the card's deadline has passed"}
	}
	return nil
}

// SendError says why a send is not let out.
type SendError struct {
	Part string // what differs, in words for a person
	Void bool   // the approval ran out: the call may ask again
}

func (e *SendError) Error() string {
	if e.Void {
		return e.Part
	}
	return e.Part + " is not what was approved"
}

// CheckSend says whether a first send fits its approval. Errors are
// *SendError. decided and now must carry a monotonic reading.
func CheckSend(approved, actual Binding, decided, now time.Time) error {
	if now.Sub(decided) > MaxToWire {
		return &SendError{Part: "the approval was not used within 30 seconds", Void: true}
	}
	if part := approved.Difference(actual); part != "" {
		return &SendError{Part: part}
	}
	return nil
}
