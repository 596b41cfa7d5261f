package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// maxQuestions bounds a legacy server's open questions (ELIC-26).
const maxQuestions = 32

// question is a legacy server's elicitation/create that waits for an answer.
// Its fields are guarded by Client.mu.
type question struct {
	id        string // as JSON text
	calls     []*running
	answering bool
}

// lost takes a call that ended off the question and reports whether it was the
// last one.
func (q *question) lost(r *running) bool {
	i := slices.Index(q.calls, r)
	if i < 0 {
		return false
	}
	q.calls = slices.Delete(q.calls, i, i+1)
	return len(q.calls) == 0
}

// serverRequest answers ping at once (LEG-17), hands a question on, and refuses
// anything else. To a modern server nothing is answered (BASE-05, BASE-06).
func (c *Client) serverRequest(m jsonrpc.Message, on *exchange) {
	if c.eraNow() == EraModern {
		c.events.note("the server sent a request (%s), which this protocol version forbids; it was not answered", clip(m.Method, 64))
		return
	}
	switch m.Method {
	case "ping":
		c.respond(jsonrpc.AppendResult(nil, m.ID, []byte("{}")))
	case "roots/list":
		c.respond(c.rootsAnswer(m.ID))
	case "elicitation/create":
		if e := c.question(m, on); e != nil {
			c.respond(jsonrpc.AppendError(nil, m.ID, e))
		}
	default:
		c.events.log("protocol", "info", fmt.Sprintf("the server asked for %s, which we do not offer", clip(m.Method, 64)))
		c.respond(jsonrpc.AppendError(nil, m.ID, &jsonrpc.Error{
			Code: jsonrpc.CodeMethodNotFound, Message: "Method not found",
		}))
	}
}

func (c *Client) respond(frame []byte) {
	c.tr.post(&exchange{method: "response", bound: true, frame: withRoom(frame)})
}

// question opens one, or returns the error to answer with (LEG-20, ELIC-26).
func (c *Client) question(m jsonrpc.Message, on *exchange) *jsonrpc.Error {
	version := c.versionNow()
	if !c.cfg.Elicitation || c.events.to.Elicit == nil || version < "2025-06-18" {
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}
	}
	mode := "form"
	if raw, ok := jsonrpc.Get(m.Params, "mode"); ok {
		mode, _ = jsonrpc.String(raw)
	}
	if mode != "form" && (mode != "url" || version < LegacyVersion) { // ELIC-29
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Unsupported elicitation mode"}
	}
	q := &question{id: string(m.ID)}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.questions[q.id] != nil:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "The request id is in use"}
	case len(c.questions) >= maxQuestions || c.events.behind():
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Too many open questions"}
	}
	for _, r := range c.running {
		if on == nil || r.x == on {
			q.calls = append(q.calls, r)
		}
	}
	if len(q.calls) == 0 {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The question belongs to no running call"}
	}
	slices.SortFunc(q.calls, func(a, b *running) int { return int(a.x.id - b.x.id) })
	e := LegacyElicitation{RequestID: q.id, Params: json.RawMessage(m.Params), Mode: mode}
	if mode == "url" {
		e.ElicitationID = textAt(m.Params, "elicitationId")
		c.expectCompleteLocked(e.ElicitationID)
	}
	now := time.Now()
	for _, r := range q.calls {
		e.CallIDs = append(e.CallIDs, r.callID)
		r.x.clock.pause(now) // LEG-21
		r.x.poke()
	}
	c.questions[q.id] = q
	c.events.elicit(e)
	return nil
}

// closeLocked takes a question away and lets its calls' clocks run again.
func (c *Client) closeLocked(q *question) {
	delete(c.questions, q.id)
	now := time.Now()
	for _, r := range q.calls {
		r.x.clock.resume(now)
		r.x.poke()
	}
}

// dropQuestions takes away those that match; they can no longer be answered.
func (c *Client) dropQuestions(match func(*question) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.questions {
		if match(q) {
			c.closeLocked(q)
			c.events.elicitGone(q.id)
		}
	}
}

// AnswerElicitation answers a legacy question, after the gate's yes (SendAnswer).
// Each is answered at most once; after a RefusedError, a NotSentError or an
// error that is none of the types of CallTool it is still open. ErrNoElicitation:
// there is no such open question.
func (c *Client) AnswerElicitation(ctx context.Context, a ElicitationAnswer) error {
	if !spliceable(a.Result) {
		return errors.New("answer elicitation: the result is not one JSON object on one line")
	}
	c.mu.Lock()
	q := c.questions[a.RequestID]
	if q == nil || q.answering {
		c.mu.Unlock()
		return fmt.Errorf("answer elicitation: %w", ErrNoElicitation)
	}
	q.answering = true
	c.mu.Unlock()

	frame := jsonrpc.AppendResult(make([]byte, 0, 64+len(a.RequestID)+len(a.Result)), json.RawMessage(a.RequestID), a.Result)
	at := len(frame) - 1 - len(a.Result)
	x := &exchange{method: "answer elicitation", bound: true, frame: frame, clock: &clock{max: c.cfg.RequestTimeout}}
	x.admit = func(ctx context.Context, address string, h []Header) error {
		return c.admit(ctx, Send{
			Kind: SendAnswer, CallID: a.CallID, Attempt: a.Attempt, Round: a.Round,
			Address: address, Headers: h, Arguments: frame[at : at+len(a.Result) : at+len(a.Result)],
			RequestID: a.RequestID, Frame: frame,
		})
	}
	err := c.tr.notify(ctx, x)
	c.mu.Lock()
	defer c.mu.Unlock()
	q.answering = false
	if c.questions[q.id] == q && (err == nil || mayHaveArrived(err)) {
		c.closeLocked(q)
	}
	return err
}

// mayHaveArrived reports whether a send that failed was admitted and perhaps
// received.
func mayHaveArrived(err error) bool {
	var lost *LostError
	return errors.As(err, &lost) || sentAfterAll(err)
}
