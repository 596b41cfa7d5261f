package calls

import "fmt"

// State is where a call stands on the road.
type State string

// The states of a call. Those from Denied on, but for Sent and
// InputRequired, are ends.
const (
	Proposed         State = "proposed"
	AwaitingApproval State = "awaiting_approval"
	Approved         State = "approved"
	Denied           State = "denied"
	Expired          State = "expired"
	Withdrawn        State = "withdrawn"
	Refused          State = "refused"  // the gate said no
	NotSent          State = "not_sent" // approved, proven not to have reached the server
	Sent             State = "sent"
	InputRequired    State = "input_required"
	Succeeded        State = "succeeded"
	ToolFailed       State = "tool_failed"
	ProtocolFailed   State = "protocol_failed"
	Cancelled        State = "cancelled"
	TimedOut         State = "timed_out"
	Lost             State = "lost" // sent, no answer can come, effect unknown
	Interrupted      State = "interrupted"
)

// moves is the whole of what may follow what.
var moves = map[State][]State{
	"": {Proposed},
	// From Proposed to Approved where proposing was the person's own decision.
	Proposed:         {AwaitingApproval, Approved, Denied, Withdrawn},
	AwaitingApproval: {AwaitingApproval, Approved, Denied, Expired, Withdrawn},
	Approved:         {Sent, Refused, NotSent, Withdrawn, AwaitingApproval},
	// From Sent back to Approved only where the server is proven not to have run
	// the call.
	Sent:          {Approved, InputRequired, Succeeded, ToolFailed, ProtocolFailed, Cancelled, TimedOut, Lost, NotSent, Interrupted},
	InputRequired: {InputRequired, Sent, Refused, NotSent, Succeeded, ToolFailed, ProtocolFailed, Cancelled, TimedOut, Lost, Interrupted},
}

// States lists every state, in the order of the road.
func States() []State {
	return []State{Proposed, AwaitingApproval, Approved, Denied, Expired, Withdrawn, Refused, NotSent,
		Sent, InputRequired, Succeeded, ToolFailed, ProtocolFailed, Cancelled, TimedOut, Lost, Interrupted}
}

// Final reports whether nothing follows the state.
func (s State) Final() bool { return len(moves[s]) == 0 }

// Running reports whether the server has the call, or waits for its inputs.
func (s State) Running() bool { return s == Approved || s == Sent || s == InputRequired }

// openStates are the states a call can be in when the program starts.
func openStates() []string {
	var open []string
	for _, s := range States() {
		if !s.Final() {
			open = append(open, string(s))
		}
	}
	return open
}

// MoveError is a move that the table does not have. It means that the call
// has gone on meanwhile, for instance was answered twice.
type MoveError struct{ From, To State }

func (e *MoveError) Error() string {
	return fmt.Sprintf("a call that is %s cannot become %s", e.From.Words(), e.To.Words())
}

// check returns a *MoveError unless the table has the move.
func check(from, to State) error {
	for _, s := range moves[from] {
		if s == to {
			return nil
		}
	}
	return &MoveError{from, to}
}

// Words names the state for a person.
func (s State) Words() string {
	switch s {
	case "":
		return "new"
	case AwaitingApproval:
		return "waiting for approval"
	case NotSent:
		return "not sent"
	case InputRequired:
		return "waiting for input"
	case ToolFailed:
		return "failed by the tool"
	case ProtocolFailed:
		return "failed by the protocol"
	case TimedOut:
		return "timed out"
	}
	return string(s)
}
