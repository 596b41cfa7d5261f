package calls

import (
	"context"
	"errors"
	"testing"

	"countersign/mcpclient"
)

// TestStopBeforeGate stops a call that was approved and is not yet at the
// gate: it is never let out.
func TestStopBeforeGate(t *testing.T) {
	b := newBench(t)
	row := b.approve(b.propose(`{}`))
	if _, err := b.road.Cancel(context.Background(), row.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.road.Admit(context.Background(), sendOf(row.ID, `{}`)); !errors.Is(err, errStopped) {
		t.Errorf("the gate said %v", err)
	}
	b.release()
	b.until("the call is withdrawn", func() bool { return b.state(row.ID) == Withdrawn })
}

// TestAfterFailure: what is known of a send decides the state, never a guess.
func TestAfterFailure(t *testing.T) {
	gate := &mcpclient.RefusedError{Reason: errors.New("no")}
	unsent := &mcpclient.NotSentError{Cause: errors.New("no server")}
	lost := &mcpclient.LostError{Cause: errors.New("gone")}
	for _, c := range []struct {
		name    string
		state   State
		round   int
		stopped bool
		err     error
		want    State
		over    bool
	}{
		{"refused, on record", Refused, 0, false, gate, Refused, true},
		{"refused, not on record", Approved, 0, false, gate, NotSent, false},
		{"asks again", AwaitingApproval, 0, false, gate, Withdrawn, true},
		{"asks again, but was stopped", AwaitingApproval, 0, true, gate, Withdrawn, false},
		{"stopped before the gate", Approved, 0, true, errStopped, Withdrawn, false},
		{"closed before the gate", Approved, 0, false, errClosing, Withdrawn, false},
		{"no server", Approved, 0, false, unsent, NotSent, false},
		{"let out, and nothing written", Sent, 0, false, unsent, NotSent, false},
		{"let out in a later round, and nothing written", Sent, 1, false, unsent, Lost, false},
		{"a later round refused", InputRequired, 1, false, gate, InputRequired, false},
		{"a later round without a server", InputRequired, 1, false, unsent, InputRequired, false},
		{"a later round stopped", InputRequired, 1, true, errStopped, Cancelled, false},
		{"lost", Sent, 0, false, lost, Lost, false},
		{"lost while a question is open", InputRequired, 0, false, lost, Lost, false},
		{"too late", Sent, 0, false, &mcpclient.TimeoutError{}, TimedOut, false},
		{"stopped after the send", Sent, 0, true, &mcpclient.CancelledError{Cause: errStopped}, Cancelled, false},
		{"something else after the send", Sent, 0, false, errors.New("?"), Lost, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, over := afterFailure(c.state, c.round, c.stopped, c.err); got != c.want || over != c.over {
				t.Errorf("%s, %v", got, over)
			}
		})
	}
}

// TestAftermath: what is heard of a call stands after its end in the record,
// however early it was heard, and only where the call was given up.
func TestAftermath(t *testing.T) {
	heard := func(id string) mcpclient.Aftermath {
		return mcpclient.Aftermath{CallID: id, Attempt: 1, RequestID: "3", Kind: mcpclient.AfterAcknowledged,
			RPCError: &mcpclient.RPCError{Message: "Request cancelled"}}
	}
	for _, c := range []struct {
		name  string
		err   error
		early bool
		last  string
	}{
		{"CANCEL-07 heard before the end was recorded", &mcpclient.CancelledError{Cause: errStopped}, true, EventAftermath},
		{"CANCEL-07 heard later", &mcpclient.TimeoutError{}, false, EventAftermath},
		{"CANCEL-06 of a call that ended otherwise", &mcpclient.LostError{Cause: errors.New("gone")}, true, EventFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			row := b.approve(b.propose(`{}`))
			if err := b.road.Admit(context.Background(), sendOf(row.ID, `{}`)); err != nil {
				t.Fatal(err)
			}
			live, _ := b.road.get(row.ID)
			if c.early {
				b.road.Aftermath("s", heard(row.ID))
			}
			b.road.failed(live, 0, c.err)
			if !c.early {
				b.road.Aftermath("s", heard(row.ID))
			}
			b.road.Aftermath("s", heard("no such call"))
			done := make(chan struct{})
			b.road.inOrder(func() { close(done) })
			<-done
			events, err := b.st.Events(context.Background(), row.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := events[len(events)-1].Kind; got != c.last {
				t.Errorf("the last event is %s, want %s", got, c.last)
			}
		})
	}
}
