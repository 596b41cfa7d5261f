package calls

import (
	"context"
	"errors"
	"time"

	"countersign/app/approval"
	"countersign/store"
)

// ByRule is who decided where a rule did.
const ByRule = "rule"

// judged is a decision of the rules, with what it was made of.
type judged struct {
	approval.Decision
	binding approval.Binding // tied to the launch that ran then
}

// judge gives the rules' decision on a call as it stands.
func (r *Road) judge(ctx context.Context, c *call) judged {
	b, args, unchecked, _ := r.Waiting(ctx, c.id)
	return judged{r.deps.Judge(ctx, b, args, unchecked), b}
}

// Waiting gives what a decision on a waiting call is made of; not ok where it
// waits no more.
func (r *Road) Waiting(ctx context.Context, id string) (b approval.Binding, args []byte, unchecked, ok bool) {
	c, ok := r.get(id)
	if !ok {
		return b, nil, false, false
	}
	r.mu.Lock()
	b, args, ok = c.binding, c.args, c.decided.IsZero()
	r.mu.Unlock()
	if conn, err := r.deps.Conn(c.serverID); err == nil {
		b.LaunchFingerprint = conn.LaunchFingerprint
	}
	return b, args, r.unchecked(ctx, c.serverID) != "", ok
}

// byRule carries out a decision of a rule on a call in a state. done is false, and
// nothing was done, where the rule or the server cannot serve it after all.
func (r *Road) byRule(ctx context.Context, c *call, d judged, from State) (row store.Call, done bool, err error) {
	now, b := r.deps.Now(), d.binding
	body := DecidedBody{Verdict: VerdictDenied, By: ByRule, Rule: d.Rule, RuleName: d.Name, Reason: d.Reason, Revision: b.Revision, Definition: b.DefinitionHash}
	to := Denied
	if d.Verdict == approval.Allow {
		to, body.Verdict = Approved, VerdictApproved
		if body.Launch, err = r.ready(c); err != nil {
			var not *UnavailableError
			if errors.As(err, &not) {
				err = nil // a person can still see to it
			}
			return row, false, err
		}
		if body.Launch != b.LaunchFingerprint {
			return row, false, nil
		}
	}
	ok, err := r.deps.Spend(d.Rule, func(spent *store.NewEvent) error {
		ch := change{to: to, from: []State{from}, row: func(row *store.Call) error {
			switch {
			case row.Revision != b.Revision || row.ArgsHash != b.ArgumentsHash:
				return &approval.AnswerError{Reason: "the card changed while it was decided"}
			case !row.Deadline.IsZero() && !now.Before(row.Deadline):
				return &approval.AnswerError{Reason: "the card's deadline has passed"}
			}
			row.Deadline = time.Time{}
			row.Decision, row.DecisionReason, row.DecidedAt, row.Rule = body.Verdict, body.Reason, now, d.Rule
			body.Arguments = row.ArgsPayload
			if to == Approved {
				row.LaunchFingerprint = body.Launch
			}
			return nil
		}, after: func() (events []store.NewEvent) {
			events = append(events, event(EventDecided, c.id, c.serverID, body))
			if spent != nil {
				events = append(events, *spent)
			}
			return events
		}}
		row, err = r.move(ctx, c.id, ch)
		return err
	})
	if err != nil || !ok {
		return row, false, err
	}
	if to == Approved {
		row, err = r.goes(ctx, c, row, body.Launch, now)
	}
	return row, true, err
}

// Settle has the rules decide waiting calls that they cover now, and gives those
// that were decided. What cannot be decided goes on waiting.
func (r *Road) Settle(ctx context.Context, ids []string) (settled []string) {
	for _, id := range ids {
		c, ok := r.get(id)
		if !ok {
			continue
		}
		c.op.Lock()
		d := r.judge(ctx, c)
		done := false
		if d.Verdict != approval.Ask {
			var err error
			if _, done, err = r.byRule(ctx, c, d, AwaitingApproval); err != nil && r.ctx.Err() == nil {
				var over *MoveError
				if !errors.As(err, &over) {
					r.deps.Trouble("A rule's decision could not be recorded; the call goes on waiting", err)
				}
			}
		}
		c.op.Unlock()
		if done {
			settled = append(settled, id)
		}
	}
	return settled
}
