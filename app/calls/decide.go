package calls

import (
	"context"
	"fmt"
	"time"

	"countersign/app/approval"
	"countersign/store"
)

// Verdicts as they stand in the record.
const (
	VerdictApproved = "approved"
	VerdictDenied   = "denied"
)

// Shown reports that a revision of a card is on screen. The first report
// starts the clock that approval.MinOnScreen is measured by.
func (r *Road) Shown(id string, revision int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.live[id]
	if !ok {
		return store.ErrNotFound
	}
	if c.binding.Revision != revision {
		return &approval.AnswerError{Reason: fmt.Sprintf("revision %d of the card is open, not %d", c.binding.Revision, revision)}
	}
	if c.shown.IsZero() {
		c.shown = r.deps.Now()
	}
	return nil
}

// Decide takes a person's answer to a card. It refuses (approval.AnswerError)
// one for another revision or hash, or one that came too soon, and leaves the
// card waiting where the server cannot take the call now (UnavailableError).
// An approved call is sent at once; Decide does not wait for it.
func (r *Road) Decide(ctx context.Context, id string, a approval.Answer, reason string) (store.Call, error) {
	c, ok := r.get(id)
	if !ok {
		return store.Call{}, store.ErrNotFound
	}
	c.op.Lock()
	defer c.op.Unlock()
	now := r.deps.Now()
	r.mu.Lock()
	card := approval.Card{Revision: c.binding.Revision, Hash: c.binding.ArgumentsHash, Shown: c.shown, Deadline: c.deadline}
	r.mu.Unlock()
	if err := approval.CheckAnswer(card, a, now); err != nil {
		return store.Call{}, err
	}
	body := DecidedBody{Verdict: VerdictDenied, By: OriginPerson, Reason: r.masked(reason), Revision: card.Revision,
		Definition: c.binding.DefinitionHash, ShownMs: now.Sub(card.Shown).Milliseconds()}
	to := Denied
	if a.Approve {
		to, body.Verdict = Approved, VerdictApproved
		body.Unchecked = r.unchecked(ctx, c.serverID)
		launch, err := r.ready(c)
		if err != nil {
			return store.Call{}, err
		}
		body.Launch = launch
	}
	row, err := r.move(ctx, id, change{to: to, from: []State{AwaitingApproval}, row: func(row *store.Call) error {
		if row.Revision != card.Revision || row.ArgsHash != card.Hash {
			return &approval.AnswerError{Reason: "the card changed while it was answered"}
		}
		row.Decision, row.DecisionReason, row.DecidedAt, row.ShownAt = body.Verdict, body.Reason, now, card.Shown
		row.LaunchFingerprint, row.Deadline = body.Launch, time.Time{}
		body.Arguments = row.ArgsPayload
		return nil
	}, after: func() []store.NewEvent { return []store.NewEvent{event(EventDecided, id, c.serverID, body)} }})
	if err != nil || !a.Approve {
		return row, err
	}
	return r.goes(ctx, c, row, body.Launch, now)
}

// goes starts the sending of a call that was just approved.
func (r *Road) goes(ctx context.Context, c *call, row store.Call, launch string, decided time.Time) (store.Call, error) {
	r.mu.Lock()
	c.binding.LaunchFingerprint, c.decided = launch, decided
	if c.timer != nil {
		c.timer.Stop()
	}
	r.mu.Unlock()
	if !r.start(func() { r.send(c, 0) }) {
		return r.withdrawn(ctx, c, errClosing.Error())
	}
	return row, nil
}

// ready says whether an approval of the call could be used now, and gives the
// launch that it will be tied to.
func (r *Road) ready(c *call) (string, error) {
	if r.deps.Paused() {
		return "", &UnavailableError{"everything is paused: resume before approving"}
	}
	conn, err := r.deps.Conn(c.serverID)
	if err != nil {
		return "", &UnavailableError{err.Error()}
	}
	tool, ok := r.deps.Tool(c.serverID, c.tool)
	if !ok {
		return "", &UnavailableError{"the server does not list this tool any more: deny or withdraw the call"}
	}
	if tool.Hash != c.binding.DefinitionHash {
		return "", &UnavailableError{"the tool's definition changed since the call was proposed: read the new card"}
	}
	r.mu.Lock()
	args := c.args
	r.mu.Unlock()
	if len(r.schemaErrors(tool, args)) > 0 {
		return "", &UnavailableError{"the arguments do not fit the tool's definition any more: edit them, or deny the call"}
	}
	if tool.Hidden != "" {
		return "", &UnavailableError{tool.Hidden}
	}
	return conn.LaunchFingerprint, nil
}
