package calls

import (
	"context"

	"countersign/mcpclient"
	"countersign/store"
)

// codeHeaderMismatch is the one error of a server that another attempt, made
// from a list that was fetched anew, can mend.
const codeHeaderMismatch = -32020

// again decides whether a call may go out once more under the approval that it
// has: only where its answer proves that the server did not run it, and not for
// a round of answers. It is approved again then, and the gate is asked about the
// new attempt as about the first: of the same call, launch, definition and bytes,
// and in time. The list is fetched anew before, so that a definition that changed
// meanwhile is seen.
func (r *Road) again(ctx context.Context, c *call, round int, client *mcpclient.Client, out *mcpclient.Outcome, err error) bool {
	if client == nil || round > 0 || ctx.Err() != nil || !client.Unexecuted(out, err) {
		return false
	}
	var reason string
	switch {
	case err != nil:
		reason = err.Error()
	case out.RPCError.Code == codeHeaderMismatch:
		reason = out.RPCError.Message
	default: // would only come again
		return false
	}
	if r.deps.Relist(ctx, c.serverID) != nil {
		return false
	}
	body := EndBody{State: string(Approved), Reason: r.told(reason)}
	_, err = r.move(ctx, c.id, change{to: Approved, from: []State{Sent},
		events: []store.NewEvent{event(EventAgain, c.id, c.serverID, body)}})
	return err == nil
}
