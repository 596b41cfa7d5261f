package calls

import (
	"context"
	"fmt"
	"testing"

	"countersign/app/approval"
)

// TestRecordedIsKnown: a call that stands in the record can be acted on, however
// soon it is found there.
func TestRecordedIsKnown(t *testing.T) {
	b := newBench(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 40 {
			if _, _, err := b.road.Propose(context.Background(), Proposal{ServerID: "s", Tool: "tool", Arguments: fmt.Appendf(nil, `{"n":%d}`, i), Origin: OriginPerson}); err != nil {
				t.Error(err)
			}
		}
	}()
	// The lock is held while the record is read: a call that is recorded before
	// it is known would stand there unknown.
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		b.road.mu.Lock()
		rows, err := b.st.OpenCalls(context.Background(), string(Proposed), string(AwaitingApproval))
		for _, row := range rows {
			if b.road.live[row.ID] == nil {
				t.Errorf("%s is recorded as %s and not known", row.ID, row.State)
			}
		}
		b.road.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	if rows, err := b.st.OpenCalls(context.Background(), string(AwaitingApproval)); err != nil || len(rows) != 40 {
		t.Errorf("%d cards, %v", len(rows), err)
	}
}

// TestEarlyAnswerWaits: an answer that comes while a call is still being decided
// waits for that, and is taken then.
func TestEarlyAnswerWaits(t *testing.T) {
	b := newBench(t)
	answered := make(chan error, 1)
	b.road.deps.Judge = func(_ context.Context, bound approval.Binding, _ []byte, _ bool) approval.Decision {
		rows, err := b.st.OpenCalls(context.Background(), string(Proposed))
		if err != nil || len(rows) != 1 {
			t.Errorf("%d proposals, %v", len(rows), err)
			return approval.Decision{Verdict: approval.Ask}
		}
		row := rows[0]
		if err := b.road.Shown(row.ID, row.Revision); err != nil {
			t.Error(err)
		}
		b.advance(approval.MinOnScreen)
		go func() {
			_, err := b.road.Decide(context.Background(), row.ID, approval.Answer{Revision: bound.Revision, Hash: bound.ArgumentsHash}, "no")
			answered <- err
		}()
		return approval.Decision{Verdict: approval.Ask}
	}
	row := b.propose(`{}`)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	if s := b.state(row.ID); s != Denied {
		t.Errorf("the call is %s", s)
	}
}

// TestRedefinedWhileProposed: a definition that changes before the card is there
// leaves no card of the old one.
func TestRedefinedWhileProposed(t *testing.T) {
	b := newBench(t)
	b.road.deps.Judge = func(context.Context, approval.Binding, []byte, bool) approval.Decision {
		b.set(func() { b.def = `{"name":"tool","description":"other","inputSchema":{"type":"object"}}` })
		return approval.Decision{Verdict: approval.Ask}
	}
	row := b.propose(`{"a":1}`)
	b.until("it is withdrawn", func() bool { return b.state(row.ID) == Withdrawn })
	b.until("it is proposed anew", func() bool {
		rows, err := b.st.OpenCalls(context.Background(), string(AwaitingApproval))
		if err != nil {
			t.Fatal(err)
		}
		return len(rows) == 1 && rows[0].ParentID == row.ID && rows[0].DefinitionHash != row.DefinitionHash
	})
}
