package calls

import (
	"context"

	"countersign/mcpclient"
	"countersign/store"
)

// codeHeaderMismatch is the one error of a server that another attempt, made
// from a list that was fetched anew, can mend.
const codeHeaderMismatch = -32020

// repeat is what becomes of a call that its server did not run.
type repeat int

const (
	never    repeat = iota // what was answered stands
	another                // it goes out once more
	replaced               // it has ended, and another asks in its place
)

// again decides whether a call may go out once more under the approval that it
// has: only where its answer proves that the server did not run it, and not for
// a round of answers. It is approved again then, and the gate is asked about the
// new attempt as about the first: of the same call, launch, definition and bytes,
// and in time. The list is fetched anew before; where the definition changed
// meanwhile, the person is asked again.
func (r *Road) again(ctx context.Context, c *call, round int, client *mcpclient.Client, out *mcpclient.Outcome, err error) repeat {
	if client == nil || round > 0 || ctx.Err() != nil || !client.Unexecuted(out, err) {
		return never
	}
	var reason string
	switch {
	case err != nil:
		reason = err.Error()
	case out.RPCError.Code == codeHeaderMismatch && c.uri == "":
		reason = out.RPCError.Message
	default: // would only come again
		return never
	}
	if c.uri == "" {
		if r.deps.Relist(ctx, c.serverID) != nil {
			return never
		}
		if done, err := r.endAnew(ctx, c, reason); done || err != nil {
			if done {
				return replaced
			}
			return never
		}
	}
	body := EndBody{State: string(Approved), Reason: r.told(reason)}
	_, err = r.move(ctx, c.id, change{to: Approved, from: []State{Sent},
		events: []store.NewEvent{event(EventAgain, c.id, c.serverID, body)}})
	if err != nil {
		return never
	}
	return another
}

// endAnew ends a call that was not run, where its tool has another definition
// now, and proposes it anew.
func (r *Road) endAnew(ctx context.Context, c *call, reason string) (done bool, err error) {
	body := EndBody{State: string(NotSent), Reason: r.told(reason) + "; " + reasonRedefined}
	done, err = r.anew(ctx, c, change{to: NotSent, from: []State{Sent},
		row:    func(row *store.Call) error { row.ErrorText = body.Reason; return nil },
		events: []store.NewEvent{event(EventNotSent, c.id, c.serverID, body)}})
	if err != nil {
		r.deps.Trouble("A call whose tool changed could not be proposed anew", err)
	}
	return done, err
}
