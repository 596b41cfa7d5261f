package calls

import (
	"context"
	"errors"

	"countersign/store"
)

const reasonRedefined = "the tool's definition changed: the call was taken back and is proposed anew"

// Redefined looks through the cards of a server whose list changed: one whose
// tool has another definition now is withdrawn, and its arguments are proposed
// anew. A card whose tool is gone stays, and cannot be approved.
func (r *Road) Redefined(serverID string) {
	r.mu.Lock()
	var cards []*call
	for _, c := range r.live {
		if c.serverID == serverID && c.uri == "" && c.decided.IsZero() {
			cards = append(cards, c)
		}
	}
	r.mu.Unlock()
	for _, c := range cards {
		r.redefine(c)
	}
}

// redefine has a card proposed anew where its tool has another definition now.
func (r *Road) redefine(c *call) {
	if tool, ok := r.deps.Tool(c.serverID, c.tool); ok && tool.Hidden == "" && r.outdated(c, tool) {
		r.start(func() { r.withdrawAnew(c) })
	}
}

// outdated tells whether a call was made from another definition than the tool
// has now.
func (r *Road) outdated(c *call, tool Tool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return tool.Hash != c.binding.DefinitionHash
}

func (r *Road) withdrawAnew(c *call) {
	c.op.Lock()
	defer c.op.Unlock()
	_, err := r.anew(r.ctx, c, change{to: Withdrawn, from: []State{AwaitingApproval},
		row:    func(row *store.Call) error { row.DecisionReason = reasonRedefined; return nil },
		events: []store.NewEvent{event(EventWithdrawn, c.id, c.serverID, EndBody{State: string(Withdrawn), Reason: reasonRedefined})}})
	var over *MoveError
	if err != nil && !errors.As(err, &over) && r.ctx.Err() == nil {
		r.deps.Trouble("A call whose tool changed could not be proposed anew; it cannot be approved", err)
	}
}

// anew ends a call with ch and proposes its arguments anew, from the definition
// that its tool has now. The card of the new call shows what changed; arguments
// that do not fit any more can be edited there, and are not approved as they are.
// It does nothing where the definition is the same after all, and says so.
func (r *Road) anew(ctx context.Context, c *call, ch change) (done bool, err error) {
	tool, ok := r.deps.Tool(c.serverID, c.tool)
	if !ok || tool.Hidden != "" || !r.outdated(c, tool) {
		return false, nil
	}
	before, err := r.deps.Store.CallByID(ctx, c.id)
	if err != nil {
		return false, err
	}
	r.mu.Lock()
	args := c.args
	r.mu.Unlock()
	kept := r.payload(args)
	next, row := r.propose(before.ServerName, tool, Proposal{ServerID: c.serverID, Tool: c.tool, Origin: before.Origin,
		OriginDetail: before.OriginDetail, Wait: c.wait, Limit: c.limit, ParentID: c.id}, args, kept.WireName)
	row.ArgsPayload = kept.Name
	body := ProposedBody{Revision: 1, Origin: row.Origin, Detail: row.OriginDetail, ServerName: row.ServerName, Tool: c.tool, Definition: tool.Hash, Parent: c.id,
		Arguments: keptBytes(kept), Because: reasonRedefined, LimitMs: c.limit.Milliseconds()}
	ch.next = &successor{row, event(EventProposed, next.id, c.serverID, body), kept}
	next.op.Lock()
	defer next.op.Unlock()
	if err := r.enter(next, func() error { _, err := r.move(ctx, c.id, ch); return err }); err != nil {
		return false, err
	}
	_, err = r.decide(ctx, next)
	return true, err
}
