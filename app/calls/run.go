package calls

import (
	"context"
	"errors"
	"fmt"
	"time"

	"countersign/app/approval"
	"countersign/mcpclient"
	"countersign/store"
)

var errStopped = errors.New("stopped by the person")

// recordLimit bounds the writing of an outcome after the program was told to
// stop.
const recordLimit = 5 * time.Second

// relistLimit bounds a listing that nobody waits for.
const relistLimit = 2 * time.Minute

// Errors after which a list is looked at again.
const (
	codeNoMethod  = -32601
	codeBadParams = -32602
)

// send carries one round of a call to the server and its outcome back. It
// runs on a goroutine of its own and returns when the round is recorded.
func (r *Road) send(c *call, round int) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	r.mu.Lock()
	c.cancel, c.progress = cancel, nil
	if c.stopped {
		cancel(errStopped)
	}
	inputs, state := c.inputs, c.state
	r.mu.Unlock()
	out, client, err := r.transmit(ctx, c, round, inputs, state)
	switch r.again(ctx, c, round, client, out, err) {
	case another:
		out, _, err = r.transmit(ctx, c, round, inputs, state)
	case replaced:
		return
	case never:
	}
	if err != nil && errors.Is(err, context.Canceled) && context.Cause(ctx) != nil && unsent(err) {
		err = context.Cause(ctx)
	}
	r.mu.Lock()
	c.cancel = nil
	r.mu.Unlock()
	if err != nil {
		r.failed(c, round, err)
		return
	}
	r.arrived(c, round, out)
}

// unsent tells an error that says nothing of a send: the gate was not asked.
func unsent(err error) bool {
	var (
		lost      *mcpclient.LostError
		timeout   *mcpclient.TimeoutError
		cancelled *mcpclient.CancelledError
		refused   *mcpclient.RefusedError
	)
	return !errors.As(err, &lost) && !errors.As(err, &timeout) && !errors.As(err, &cancelled) && !errors.As(err, &refused)
}

// transmit makes one attempt, over the connection that it gives back.
func (r *Road) transmit(ctx context.Context, c *call, round int, inputs []byte, state *string) (*mcpclient.Outcome, *mcpclient.Client, error) {
	conn, err := r.deps.Conn(c.serverID)
	if err != nil {
		return nil, nil, &mcpclient.NotSentError{Cause: err}
	}
	// The headers of a send are made from this definition: it must be the one
	// that was approved, before the gate looks at the list once more.
	tool, ok := r.deps.Tool(c.serverID, c.tool)
	if c.uri == "" && (!ok || r.outdated(c, tool)) {
		return nil, nil, &mcpclient.NotSentError{Cause: errors.New("the tool's definition changed after the approval")}
	}
	row, err := r.deps.Store.CallByID(ctx, c.id)
	if err != nil {
		return nil, nil, &mcpclient.NotSentError{Cause: err}
	}
	attempt := row.Attempt
	if round == 0 {
		attempt++
	}
	idle, most := r.deps.Limits(c.serverID)
	if c.limit > 0 { // the person's word for this call goes before the server's settings
		idle, most = c.limit, c.limit
	}
	progress := func(p mcpclient.Progress) {
		r.mu.Lock()
		c.progress = &p
		r.mu.Unlock()
		r.deps.Changed(TopicProgress, c.id)
	}
	var out *mcpclient.Outcome
	if c.uri != "" {
		out, err = conn.Client.ReadResource(ctx, mcpclient.Read{
			ID: c.id, Attempt: attempt, Round: round, URI: c.uri,
			InputResponses: inputs, RequestState: state, IdleTimeout: idle, MaxTimeout: most, OnProgress: progress,
		})
	} else {
		out, err = conn.Client.CallTool(ctx, mcpclient.Call{
			ID: c.id, Attempt: attempt, Round: round, Tool: c.tool, Arguments: c.args, Definition: tool.Raw,
			InputResponses: inputs, RequestState: state, IdleTimeout: idle, MaxTimeout: most, OnProgress: progress,
		})
	}
	return out, conn.Client, err
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
func (r *Road) failed(c *call, round int, err error) {
	r.untilRecorded(func(ctx context.Context) error {
		row, readErr := r.deps.Store.CallByID(ctx, c.id)
		if readErr != nil {
			return readErr
		}
		r.mu.Lock()
		stopped := c.stopped
		r.mu.Unlock()
		to, over := afterFailure(State(row.State), round, stopped, err)
		switch {
		case over:
			return nil
		case to == InputRequired:
			r.reopen(c, round, err)
			return nil
		}
		return r.finish(ctx, c, to, EventFailed, EndBody{Reason: r.told(err.Error())}, nil)
	})
}

// afterFailure says what becomes of a call in a state whose round failed;
// over means that it is recorded already.
func afterFailure(state State, round int, stopped bool, err error) (to State, over bool) {
	var (
		refused   *mcpclient.RefusedError
		notSent   *mcpclient.NotSentError
		timeout   *mcpclient.TimeoutError
		cancelled *mcpclient.CancelledError
	)
	switch {
	case state.Final():
		return state, true
	case state == AwaitingApproval: // the gate has recorded its no
		return Withdrawn, !stopped
	case state == Approved && (stopped || errors.Is(err, errClosing)):
		return Withdrawn, false
	case state == Approved:
		return NotSent, false
	case state == InputRequired && round > 0 && (stopped || errors.Is(err, errClosing)):
		return Cancelled, false
	case state == InputRequired && round > 0 && (errors.As(err, &refused) || unsent(err)):
		return InputRequired, false // nothing of the answers was written
	case errors.As(err, &notSent) && round == 0:
		return NotSent, false
	case errors.As(err, &timeout):
		return TimedOut, false
	case errors.As(err, &cancelled):
		return Cancelled, false
	}
	return Lost, false
}

// end moves a call to its last state with its reason. A call that has ended
// meanwhile stays as it is. What cannot be recorded now is tried again, for
// as long as the program runs.
func (r *Road) end(c *call, to State, kind string, body EndBody, result *store.Payload) {
	r.untilRecorded(func(ctx context.Context) error { return r.finish(ctx, c, to, kind, body, result) })
}

func (r *Road) finish(ctx context.Context, c *call, to State, kind string, body EndBody, result *store.Payload) error {
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
	return err
}

// untilRecorded carries out record until it succeeds, or the call has gone on
// without it. Only the first try happens before it returns.
func (r *Road) untilRecorded(record func(ctx context.Context) error) {
	try := func() error {
		ctx, done := context.WithTimeout(context.Background(), recordLimit)
		defer done()
		err := record(ctx)
		var over *MoveError
		if errors.As(err, &over) {
			return nil
		}
		return err
	}
	err := try()
	if err == nil {
		return
	}
	const lost = "A call's end could not be recorded; it will show as interrupted"
	again := r.start(func() {
		for wait := r.wait; ; wait = min(2*wait, 30*r.wait) {
			select {
			case <-time.After(wait):
				if try() == nil {
					return
				}
			case <-r.ctx.Done():
				if err := try(); err != nil {
					r.deps.Trouble(lost, err)
				}
				return
			}
		}
	})
	if again {
		r.deps.Trouble("A call's end could not be recorded; Countersign goes on trying", err)
	} else {
		r.deps.Trouble(lost, err)
	}
}

// arrived records an answer.
func (r *Road) arrived(c *call, round int, out *mcpclient.Outcome) {
	body := EndBody{RequestID: out.RequestID, HTTP: out.HTTPStatus}
	switch out.Kind {
	case mcpclient.OutcomeInputRequired:
		r.inputRequired(c, round, out)
	case mcpclient.OutcomeError:
		kept := r.payload(out.Raw)
		if out.RPCError != nil {
			body.Code, body.Reason = out.RPCError.Code, r.told(out.RPCError.Message)
		}
		r.end(c, ProtocolFailed, EventResult, body, &kept)
		if c.uri == "" {
			r.doubt(c.serverID, body.Code)
		}
	default:
		kept := r.payload(out.Raw)
		to := Succeeded
		if out.IsError && c.uri == "" {
			to = ToolFailed
		}
		r.end(c, to, EventResult, body, &kept)
	}
}

// doubt asks for the list anew after an error which says that the one the call
// was made from may be old (CALL-13). The call itself is over.
func (r *Road) doubt(serverID string, code int64) {
	if code != codeNoMethod && code != codeBadParams {
		return
	}
	r.start(func() {
		ctx, done := context.WithTimeout(r.ctx, relistLimit)
		defer done()
		_ = r.deps.Relist(ctx, serverID) // its failure stands on the server's page
	})
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
	// From here on nothing more is sent; that must not hang on the record.
	r.mu.Lock()
	c.stopped = true
	r.mu.Unlock()
	asked := event(EventCancelAsked, id, c.serverID, EndBody{State: row.State, Reason: "the person asked to stop"})
	recorded := r.deps.Store.Append(ctx, []store.NewEvent{asked})
	r.mu.Lock()
	cancel := c.cancel
	r.mu.Unlock()
	if cancel != nil {
		cancel(errStopped)
	} else if State(row.State) == InputRequired {
		// Between the rounds of a modern call nothing is in flight.
		r.end(c, Cancelled, EventFailed, EndBody{Reason: errStopped.Error()}, nil)
	}
	if recorded != nil {
		return row, fmt.Errorf("recording that the call is stopped: %w", recorded)
	}
	return r.deps.Store.CallByID(ctx, id)
}

// nextDeadline is the deadline of a card that starts to wait now.
func (r *Road) nextDeadline(c *call) time.Time {
	wait := r.deps.Deadline()
	if c.wait != nil {
		wait = *c.wait
	}
	if wait > 0 {
		return r.deps.Now().Add(wait)
	}
	return time.Time{}
}

// within reports whether the call may go on asking.
func within(round int) bool { return round < approval.MaxRounds }
