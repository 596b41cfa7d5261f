package calls

import (
	"context"
	"errors"
	"time"

	"countersign/app/approval"
	"countersign/mcpclient"
	"countersign/store"
)

var errStopped = errors.New("stopped by the person")

// recordLimit bounds the writing of an outcome after the program was told to
// stop.
const recordLimit = 5 * time.Second

// send carries one round of a call to the server and its outcome back. It
// runs on a goroutine of its own and returns when the round is recorded.
func (r *Road) send(c *call, round int) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	r.mu.Lock()
	c.cancel, c.progress = cancel, nil
	inputs, state := c.inputs, c.state
	r.mu.Unlock()
	out, err := r.transmit(ctx, c, round, inputs, state)
	r.mu.Lock()
	c.cancel = nil
	r.mu.Unlock()
	rec, done := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer done()
	if err != nil {
		r.failed(rec, c, err)
		return
	}
	r.arrived(rec, c, round, out)
}

func (r *Road) transmit(ctx context.Context, c *call, round int, inputs []byte, state *string) (*mcpclient.Outcome, error) {
	conn, err := r.deps.Conn(c.serverID)
	if err != nil {
		return nil, &mcpclient.NotSentError{Cause: err}
	}
	tool, _ := r.deps.Tool(c.serverID, c.tool)
	row, err := r.deps.Store.CallByID(ctx, c.id)
	if err != nil {
		return nil, &mcpclient.NotSentError{Cause: err}
	}
	attempt := row.Attempt
	if round == 0 {
		attempt++
	}
	return conn.Client.CallTool(ctx, mcpclient.Call{
		ID: c.id, Attempt: attempt, Round: round, Tool: c.tool, Arguments: c.args, Definition: tool.Raw,
		InputResponses: inputs, RequestState: state, IdleTimeout: r.deps.Timeout(c.serverID),
		OnProgress: func(p mcpclient.Progress) {
			r.mu.Lock()
			c.progress = &p
			r.mu.Unlock()
			r.deps.Changed(TopicProgress, c.id)
		},
	})
}

// Progress gives the newest progress of a running call, or nil.
func (r *Road) Progress(id string) *mcpclient.Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.live[id]; ok && c.progress != nil {
		p := *c.progress
		return &p
	}
	return nil
}

// failed records a round that brought no answer.
func (r *Road) failed(ctx context.Context, c *call, err error) {
	var (
		refused   *mcpclient.RefusedError
		notSent   *mcpclient.NotSentError
		lost      *mcpclient.LostError
		timeout   *mcpclient.TimeoutError
		cancelled *mcpclient.CancelledError
	)
	row, readErr := r.deps.Store.CallByID(ctx, c.id)
	if readErr != nil {
		r.deps.Trouble("A call's end could not be recorded", readErr)
		return
	}
	state := State(row.State)
	to := Lost
	switch {
	case errors.As(err, &refused):
		if state == Refused || state == AwaitingApproval {
			return // the gate has recorded its no
		}
		to = NotSent
	case errors.As(err, &notSent):
		to = NotSent
	case errors.As(err, &timeout):
		to = TimedOut
	case errors.As(err, &cancelled):
		to = Cancelled
	case errors.As(err, &lost):
		to = Lost
	case state == Approved && (errors.Is(err, context.Canceled) || errors.Is(err, errStopped) || errors.Is(err, errClosing)):
		to = Withdrawn
	case state == Approved:
		to = NotSent
	case state == InputRequired:
		to = Cancelled
	}
	r.end(ctx, c, to, EventFailed, EndBody{Reason: r.masked(err.Error())}, nil)
}

// end moves a call to its last state with its reason. A call that has ended
// meanwhile stays as it is.
func (r *Road) end(ctx context.Context, c *call, to State, kind string, body EndBody, result *store.Payload) {
	body.State = string(to)
	ch := change{to: to, row: func(row *store.Call) error {
		row.ErrorText, row.ErrorCode = body.Reason, body.Code
		row.IsError = to == ToolFailed
		if result != nil {
			row.ResultPayload, row.ResultBytes = result.Name, result.Size
		}
		return nil
	}}
	if result != nil {
		body.Result = keptBytes(*result)
		ch.payloads = []store.Payload{*result}
	}
	ch.events = []store.NewEvent{event(kind, c.id, c.serverID, body)}
	_, err := r.move(ctx, c.id, ch)
	var me *MoveError
	if err != nil && !errors.As(err, &me) {
		r.deps.Trouble("A call's end could not be recorded; it will show as interrupted", err)
	}
}

// arrived records an answer.
func (r *Road) arrived(ctx context.Context, c *call, round int, out *mcpclient.Outcome) {
	body := EndBody{RequestID: out.RequestID, HTTP: out.HTTPStatus}
	switch out.Kind {
	case mcpclient.OutcomeInputRequired:
		r.inputRequired(ctx, c, round, out)
	case mcpclient.OutcomeError:
		kept := r.payload(out.Raw)
		if out.RPCError != nil {
			body.Code, body.Reason = out.RPCError.Code, r.masked(out.RPCError.Message)
		}
		r.end(ctx, c, ProtocolFailed, EventResult, body, &kept)
	default:
		kept := r.payload(out.Raw)
		to := Succeeded
		if out.IsError {
			to = ToolFailed
		}
		r.end(ctx, c, to, EventResult, body, &kept)
	}
}

// Cancel stops a call: a card is withdrawn, a running call is cancelled at
// the server. What the server did until then is not known.
func (r *Road) Cancel(ctx context.Context, id string) (store.Call, error) {
	row, err := r.deps.Store.CallByID(ctx, id)
	if err != nil {
		return row, err
	}
	switch State(row.State) {
	case Proposed, AwaitingApproval:
		return r.Withdraw(ctx, id, "withdrawn by the person")
	case Approved, Sent, InputRequired:
	default:
		return row, &MoveError{State(row.State), Cancelled}
	}
	c, ok := r.get(id)
	if !ok {
		return row, store.ErrNotFound
	}
	asked := event(EventCancelAsked, id, c.serverID, EndBody{State: row.State, Reason: "the person asked to stop"})
	if err := r.deps.Store.Append(ctx, []store.NewEvent{asked}); err != nil {
		return row, err
	}
	r.mu.Lock()
	cancel := c.cancel
	r.mu.Unlock()
	if cancel != nil {
		cancel(errStopped)
		return row, nil
	}
	if State(row.State) == InputRequired {
		// Between the rounds of a modern call nothing is in flight.
		r.end(ctx, c, Cancelled, EventFailed, EndBody{Reason: errStopped.Error()}, nil)
	}
	return r.deps.Store.CallByID(ctx, id)
}

// nextDeadline is the deadline of a card that starts to wait now.
func (r *Road) nextDeadline() time.Time {
	if wait := r.deps.Deadline(); wait > 0 {
		return r.deps.Now().Add(wait)
	}
	return time.Time{}
}

// within reports whether the call may go on asking.
func within(round int) bool { return round < approval.MaxRounds }
