package calls

import (
	"context"
	"errors"

	"countersign/mcpclient"
	"countersign/store"
)

// Aftermath records what was heard of a call after it had been stopped or had
// run out of time. The call's end stays what it was. It returns at once.
func (r *Road) Aftermath(serverID string, a mcpclient.Aftermath) {
	body := AftermathBody{Heard: string(a.Kind), Attempt: a.Attempt, Round: a.Round, RequestID: a.RequestID,
		IsError: a.IsError, Bytes: a.Bytes}
	if a.RPCError != nil {
		body.Code, body.Reason = a.RPCError.Code, r.told(a.RPCError.Message)
	}
	r.mu.Lock()
	c, open := r.live[a.CallID]
	if open {
		c.after = &body // the end is recorded first
	}
	r.mu.Unlock()
	if !open {
		r.inOrder(func() { r.recordAftermath(a.CallID, serverID, body) })
	}
}

func (r *Road) recordAftermath(id, serverID string, body AftermathBody) {
	ctx, done := context.WithTimeout(context.Background(), recordLimit)
	defer done()
	row, err := r.deps.Store.CallByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return // removed from the history meanwhile
	}
	if err == nil && State(row.State) != Cancelled && State(row.State) != TimedOut {
		return // it ended in another way, which says more
	}
	if err == nil {
		err = r.deps.Store.Append(ctx, []store.NewEvent{event(EventAftermath, id, serverID, body)})
	}
	if err != nil {
		r.deps.Trouble("What became of a stopped call could not be recorded", err)
		return
	}
	r.deps.Changed(TopicCalls, id)
}
