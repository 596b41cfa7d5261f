package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/mcpclient"
	"countersign/store"
)

// Recover brings the open calls of an earlier run to where a restart leaves
// them: what was on its way is interrupted, a yes does not outlive the
// program, and what waits for the person goes on waiting. Call it once,
// before anything else.
func (r *Road) Recover(ctx context.Context) error {
	rows, err := r.deps.Store.OpenCalls(ctx, openStates()...)
	if err != nil {
		return fmt.Errorf("reading the open calls: %w", err)
	}
	for _, row := range rows {
		if err := r.recoverOne(ctx, row); err != nil {
			return fmt.Errorf("taking up call %s: %w", row.ID, err)
		}
	}
	return nil
}

func (r *Road) recoverOne(ctx context.Context, row store.Call) error {
	const closed = "the program ended before the answer came: whether the server carried it out is not known"
	state := State(row.State)
	switch {
	case state == Sent, state == InputRequired && row.Era != string(mcpclient.EraModern):
		return r.interrupt(ctx, row, Interrupted, closed)
	case state == Approved, state == Proposed && row.Method != "":
		return r.interrupt(ctx, row, Withdrawn, "the program ended before the call was sent: an approval does not outlive it")
	case row.Origin != OriginPerson && state != InputRequired:
		return r.interrupt(ctx, row, Withdrawn, "the program ended, and with it the one who asked")
	}
	args, err := r.deps.Store.PayloadBytes(ctx, row.ArgsPayload)
	if err != nil || row.ArgsPayload != row.ArgsHash {
		reason := "its arguments held a secret, which is not kept: propose it again"
		if err != nil {
			reason = "its arguments could not be read: " + err.Error()
		}
		if state == InputRequired {
			return r.interrupt(ctx, row, Interrupted, reason)
		}
		return r.interrupt(ctx, row, Withdrawn, reason)
	}
	c := &call{id: row.ID, serverID: row.ServerID, tool: row.Tool, args: args, binding: approval.Binding{
		ServerID: row.ServerID, LaunchFingerprint: row.LaunchFingerprint, Tool: row.Tool, DefinitionHash: row.DefinitionHash,
		Origin: row.Origin, Revision: row.Revision, ArgumentsHash: row.ArgsHash}}
	if row.Method == MethodRead {
		c.uri, _ = rawjson.GetText(args, "uri")
	}
	if state == InputRequired {
		if !r.restoreQuestions(ctx, c, row) {
			return r.interrupt(ctx, row, Interrupted, "what the server asked for could not be kept: propose the call again")
		}
	}
	c.limit = r.LimitOf(ctx, row.ID)
	r.mu.Lock()
	r.live[row.ID] = c
	r.mu.Unlock()
	if state == Proposed {
		// Nothing of an earlier run is sent without a new act of the person.
		_, err := r.ask(ctx, c, approval.Decision{Reason: "the program was started anew"})
		return err
	}
	if state == AwaitingApproval {
		r.arm(c, row.Deadline)
	}
	return nil
}

func (r *Road) interrupt(ctx context.Context, row store.Call, to State, reason string) error {
	kind := EventInterrupted
	if to == Withdrawn {
		kind = EventWithdrawn
	}
	_, err := r.move(ctx, row.ID, change{to: to,
		row:    func(row *store.Call) error { row.ErrorText = reason; return nil },
		events: []store.NewEvent{event(kind, row.ID, row.ServerID, EndBody{State: string(to), Reason: reason})}})
	return err
}

// restoreQuestions asks again what a modern server had asked last.
func (r *Road) restoreQuestions(ctx context.Context, c *call, row store.Call) bool {
	events, err := r.deps.Store.Events(ctx, row.ID)
	if err != nil {
		return false
	}
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Kind != EventInputAsked {
			continue
		}
		var stored struct {
			Body InputAskedBody `json:"body"`
		}
		if json.Unmarshal(events[i].Stored, &stored) != nil {
			return false
		}
		body := stored.Body
		if (body.StateSize >= 0) != (row.RequestState != nil) {
			return false
		}
		c.state = row.RequestState
		if len(body.Requests) == 0 {
			q := newQuestion(c, "", nil, r.deps.Now())
			q.Mode, q.Round = ModeResume, body.Round
			c.questions = []*Question{q}
		}
		for n, in := range body.Requests {
			if in.KeyMasked || in.Method == "roots/list" { // which folders are open may have changed
				return false
			}
			q := newQuestion(c, in.Key, in.Params, r.deps.Now())
			q.Round, q.Index, q.Of = body.Round, n+1, len(body.Requests)
			c.questions = append(c.questions, q)
		}
		return true
	}
	return false
}

// LimitOf gives the time limit that a call was proposed with; 0 for none.
func (r *Road) LimitOf(ctx context.Context, id string) time.Duration {
	events, err := r.deps.Store.Events(ctx, id)
	if err != nil || len(events) == 0 {
		return 0
	}
	var stored struct {
		Body ProposedBody `json:"body"`
	}
	if json.Unmarshal(events[0].Stored, &stored) != nil {
		return 0
	}
	return time.Duration(stored.Body.LimitMs) * time.Millisecond
}

func sortQuestions(list []Question) {
	sort.SliceStable(list, func(a, b int) bool {
		if !list[a].Created.Equal(list[b].Created) {
			return list[a].Created.Before(list[b].Created)
		}
		return list[a].ID < list[b].ID
	})
}

// ShownAt tells when the current revision of a card came on screen.
func (r *Road) ShownAt(id string) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.live[id]; ok {
		return c.shown
	}
	return time.Time{}
}
