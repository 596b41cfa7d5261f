package calls

import (
	"context"
	"errors"
	"fmt"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/store"
)

// Proposal asks for a call. Proposing sends nothing.
type Proposal struct {
	ServerID, Tool string
	Arguments      []byte // JSON text of an object, as typed
	Origin         string
	OriginDetail   string         // which of that kind, a clause; not for OriginPerson
	Limit          time.Duration  // how long its answer is waited for at most; 0 as Deps.Limits says
	Wait           *time.Duration // how long its card waits, 0 without end; nil as Deps.Deadline says
	ParentID       string         // the call that is run again, or ""
}

// MaxArguments is the largest argument text that is taken, in bytes.
const MaxArguments = 16 << 20

// ErrNoTool means that the server's newest list has no such tool.
var ErrNoTool = errors.New("the server does not list this tool")

// UnavailableError says, in words for a person, why a tool cannot be called.
type UnavailableError struct{ Reason string }

func (e *UnavailableError) Error() string { return e.Reason }

// Propose makes the argument bytes, records the proposal, decides it, and
// leaves a card for a person. Field errors mean that nothing was proposed. An
// error with a row means that it was, and that the record could not be taken on
// to asking.
func (r *Road) Propose(ctx context.Context, p Proposal) (store.Call, []FieldError, error) {
	name, ok := r.deps.Server(p.ServerID)
	if !ok {
		return store.Call{}, nil, &UnavailableError{"this server is not configured any more"}
	}
	unchecked := r.unchecked(ctx, p.ServerID)
	tool, ok := r.deps.Tool(p.ServerID, p.Tool)
	if !ok {
		return store.Call{}, nil, ErrNoTool
	}
	if tool.Hidden != "" {
		return store.Call{}, nil, &UnavailableError{tool.Hidden}
	}
	args, errs := r.arguments(tool, p.Arguments)
	if len(errs) > 0 {
		return store.Call{}, errs, nil
	}
	kept := r.payload(args)
	c, row := r.propose(name, tool, p, args, kept.WireName)
	row.ArgsPayload = kept.Name
	body := ProposedBody{Revision: 1, Origin: p.Origin, Detail: p.OriginDetail, ServerName: name, Tool: p.Tool, Definition: tool.Hash, Arguments: keptBytes(kept), Parent: p.ParentID, Unchecked: unchecked, LimitMs: p.Limit.Milliseconds()}
	c.op.Lock()
	defer c.op.Unlock()
	if err := r.enter(c, func() error {
		_, err := r.deps.Store.CreateCall(ctx, row, []store.NewEvent{event(EventProposed, c.id, p.ServerID, body)}, kept)
		return err
	}); err != nil {
		return store.Call{}, nil, fmt.Errorf("recording the proposal: %w", err)
	}
	decided, err := r.decide(ctx, c)
	if err != nil {
		return row, nil, err
	}
	r.redefine(c) // the list may have changed before the call was known
	return decided, nil, nil
}

// enter makes a call known, and then records it: whoever finds it in the record
// can act on it. The caller holds c.op until it is decided, so that they wait.
func (r *Road) enter(c *call, record func() error) error {
	r.mu.Lock()
	r.live[c.id] = c
	r.mu.Unlock()
	err := record()
	if err != nil {
		r.forget(c.id)
	}
	return err
}

// propose makes the memory and the row of a new call. hash is that of the
// arguments on the wire.
func (r *Road) propose(serverName string, tool Tool, p Proposal, args []byte, hash string) (*call, store.Call) {
	c := &call{id: newID(), serverID: p.ServerID, tool: p.Tool, args: args, wait: p.Wait, limit: p.Limit, binding: approval.Binding{
		ServerID: p.ServerID, Tool: p.Tool, DefinitionHash: tool.Hash, Origin: p.Origin, Revision: 1, ArgumentsHash: hash,
	}}
	return c, store.Call{
		ID: c.id, State: string(Proposed), Origin: p.Origin, OriginDetail: p.OriginDetail, ServerID: p.ServerID, ServerName: serverName, Tool: p.Tool, ToolTitle: tool.Title,
		DefinitionHash: tool.Hash, ParentID: p.ParentID, Revision: 1, ArgsHash: hash, ArgsBytes: int64(len(args)),
	}
}

// unchecked has the definitions of a server checked, and gives the date of those
// that could not be, or "".
func (r *Road) unchecked(ctx context.Context, serverID string) string {
	asOf := r.deps.Checked(ctx, serverID)
	if asOf.IsZero() {
		return ""
	}
	return asOf.UTC().Format(time.RFC3339Nano)
}

// arguments makes the bytes that will go on the wire.
func (r *Road) arguments(tool Tool, text []byte) ([]byte, []FieldError) {
	if len(text) > MaxArguments {
		return nil, []FieldError{{"", fmt.Sprintf("the arguments are larger than %d MiB", MaxArguments>>20)}}
	}
	args, err := rawjson.Compact(text)
	if err != nil {
		return nil, []FieldError{{"", "the arguments cannot be sent: " + err.Error()}}
	}
	if len(args) == 0 || args[0] != '{' {
		return nil, []FieldError{{"", "arguments are a JSON object, in curly brackets"}}
	}
	return args, r.schemaErrors(tool, args)
}

// schemaErrors checks arguments against the tool's schema. A schema that
// cannot be used does not stop the person: the card says so.
func (r *Road) schemaErrors(tool Tool, args []byte) []FieldError {
	schema, ok := rawjson.Get(tool.Raw, "inputSchema")
	if !ok || string(schema) == "null" {
		return nil
	}
	errs, err := r.deps.Validate(schema, args)
	if err != nil {
		return nil
	}
	return errs
}

// decide decides a proposal by the rules, and asks a person where they do not.
func (r *Road) decide(ctx context.Context, c *call) (store.Call, error) {
	d := r.judge(ctx, c)
	if d.Verdict != approval.Ask {
		row, done, err := r.byRule(ctx, c, d, Proposed)
		if done || err != nil {
			return row, err
		}
	}
	return r.ask(ctx, c, d.Decision)
}

// ask leaves a card for a person; d is why.
func (r *Road) ask(ctx context.Context, c *call, d approval.Decision) (store.Call, error) {
	deadline := r.nextDeadline(c)
	body := AskedBody{Verdict: string(approval.Ask), Rule: d.Rule, Reason: r.told(d.Reason)}
	if !deadline.IsZero() {
		body.Deadline = deadline.UTC().Format(time.RFC3339Nano)
	}
	row, err := r.move(ctx, c.id, change{to: AwaitingApproval,
		row:    func(row *store.Call) error { row.Deadline = deadline; return nil },
		events: []store.NewEvent{event(EventAsked, c.id, c.serverID, body)}})
	if err != nil {
		return row, fmt.Errorf("recording that the call asks: %w", err)
	}
	r.arm(c, deadline)
	return row, nil
}

// arm sets the card's deadline.
func (r *Road) arm(c *call, deadline time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.deadline = deadline
	if deadline.IsZero() || r.closed {
		return
	}
	c.timer = time.AfterFunc(deadline.Sub(r.deps.Now()), func() {
		r.start(func() { r.expire(c) })
	})
}

// errMoved: the deadline of a card lies further ahead than its timer knew.
var errMoved = errors.New("the deadline was moved")

// expire ends a card whose deadline has passed; one that has gone on
// meanwhile is left alone. Where the clock was set back, or the record cannot
// be written, the card is looked at again later.
func (r *Road) expire(c *call) {
	_, err := r.move(r.ctx, c.id, change{to: Expired, from: []State{AwaitingApproval},
		row: func(row *store.Call) error {
			if row.Deadline.IsZero() {
				return &MoveError{State(row.State), Expired}
			}
			if r.deps.Now().Before(row.Deadline) {
				return errMoved
			}
			return nil
		},
		events: []store.NewEvent{event(EventExpired, c.id, "", EndBody{State: string(Expired), Reason: "nobody answered before the deadline"})}})
	var over *MoveError
	if err == nil || errors.As(err, &over) {
		return
	}
	if !errors.Is(err, errMoved) && r.ctx.Err() == nil {
		r.deps.Trouble("A card ran out, which could not be recorded; Countersign goes on trying", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.live[c.id] != c {
		return
	}
	wait := r.wait
	if errors.Is(err, errMoved) {
		wait = max(c.deadline.Round(0).Sub(r.deps.Now().Round(0)), r.wait)
	}
	c.timer = time.AfterFunc(wait, func() { r.start(func() { r.expire(c) }) })
}

// Edit replaces the arguments of a waiting card: a new revision, which must
// come on screen before it can be answered.
func (r *Road) Edit(ctx context.Context, id string, revision int, text []byte) (store.Call, []FieldError, error) {
	c, ok := r.get(id)
	if !ok {
		return store.Call{}, nil, store.ErrNotFound
	}
	c.op.Lock()
	defer c.op.Unlock()
	tool, ok := r.deps.Tool(c.serverID, c.tool)
	if !ok {
		return store.Call{}, nil, ErrNoTool
	}
	args, errs := r.arguments(tool, text)
	if len(errs) > 0 {
		return store.Call{}, errs, nil
	}
	kept := r.payload(args)
	row, err := r.move(ctx, id, change{to: AwaitingApproval, from: []State{AwaitingApproval},
		row: func(row *store.Call) error {
			if row.Revision != revision {
				return &approval.AnswerError{Reason: fmt.Sprintf("the card changed: revision %d was edited, %d is open", revision, row.Revision)}
			}
			row.Revision++
			row.DefinitionHash, row.ArgsPayload, row.ArgsHash, row.ArgsBytes = tool.Hash, kept.Name, kept.WireName, int64(len(args))
			return nil
		},
		events: []store.NewEvent{event(EventRevised, id, c.serverID, ProposedBody{Revision: revision + 1, Origin: c.binding.Origin,
			Tool: c.tool, Definition: tool.Hash, Arguments: keptBytes(kept)})},
		payloads: []store.Payload{kept}})
	if err != nil {
		return row, nil, err
	}
	r.mu.Lock()
	c.args, c.shown = args, time.Time{}
	c.binding.Revision, c.binding.ArgumentsHash, c.binding.DefinitionHash = revision+1, kept.WireName, tool.Hash
	r.mu.Unlock()
	return row, nil, nil
}

// Withdraw takes a proposal back before it is answered.
func (r *Road) Withdraw(ctx context.Context, id, reason string) (store.Call, error) {
	return r.move(ctx, id, change{to: Withdrawn, from: []State{Proposed, AwaitingApproval},
		row:    func(row *store.Call) error { row.DecisionReason = reason; return nil },
		events: []store.NewEvent{event(EventWithdrawn, id, "", EndBody{State: string(Withdrawn), Reason: reason})}})
}

// withdrawn takes back a call that was approved and never began to be sent.
func (r *Road) withdrawn(ctx context.Context, c *call, reason string) (store.Call, error) {
	return r.move(ctx, c.id, change{to: Withdrawn, from: []State{Approved},
		row:    func(row *store.Call) error { row.ErrorText = reason; return nil },
		events: []store.NewEvent{event(EventWithdrawn, c.id, "", EndBody{State: string(Withdrawn), Reason: reason})}})
}
