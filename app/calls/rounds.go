package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"countersign/app/approval"
	"countersign/mcpclient"
	"countersign/store"
)

// maxInputs is how many things a modern server may ask for in one round.
const maxInputs = 100

// inputRequired takes what a modern server asks for between two rounds.
func (r *Road) inputRequired(c *call, round int, out *mcpclient.Outcome) {
	questions, fault := r.readInputs(c, round, out)
	if fault != "" {
		kept := r.payload([]byte("{}"))
		r.end(c, ProtocolFailed, EventResult, EndBody{RequestID: out.RequestID, HTTP: out.HTTPStatus, Reason: r.told(fault)}, &kept)
		return
	}
	body, durable := r.inputAsked(round, out)
	ctx, done := context.WithTimeout(context.Background(), recordLimit)
	defer done()
	ch := change{to: InputRequired, row: func(row *store.Call) error { row.RequestState = durable; return nil },
		events: []store.NewEvent{event(EventInputAsked, c.id, c.serverID, body)}}
	r.recordRoots(&ch, c, questions)
	if _, err := r.move(ctx, c.id, ch); err != nil {
		r.deps.Trouble("A server's question could not be recorded", err)
		r.end(c, Lost, EventFailed, EndBody{Reason: "what the server asked could not be recorded"}, nil)
		return
	}
	r.mu.Lock()
	c.questions, c.inputs, c.state = questions, nil, out.RequestState
	if len(questions) > 0 {
		c.waits = 0
	}
	stopped := c.stopped
	r.mu.Unlock()
	switch {
	case stopped:
		r.end(c, Cancelled, EventFailed, EndBody{Reason: errStopped.Error()}, nil)
	case len(questions) == 0:
		r.retryLater(c, round+1)
	case asksPerson(questions):
		r.deps.Changed(TopicQuestions, c.id)
	default: // the server is told of its folders, and goes on
		next, _ := r.collect(c, questions[0])
		r.start(func() { r.send(c, next) })
	}
}

// recordRoots adds the answers that were given without a question.
func (r *Road) recordRoots(ch *change, c *call, questions []*Question) {
	for _, q := range questions {
		if q.Mode != modeRoots {
			continue
		}
		kept := r.payload(q.result)
		body := InputAnsweredBody{Round: q.Round, Key: r.masked(q.Key), Action: modeRoots, Content: keptBytes(kept)}
		ch.events = append(ch.events, event(EventInputAnswered, c.id, c.serverID, body))
		ch.payloads = append(ch.payloads, kept)
	}
}

// asksPerson tells whether a person has to answer any of the questions.
func asksPerson(questions []*Question) bool {
	return slices.ContainsFunc(questions, func(q *Question) bool { return q.Mode != modeRoots })
}

// inputAsked is what is kept of a modern server's questions. A state that
// holds a secret is not kept: a restart then ends the call.
func (r *Road) inputAsked(round int, out *mcpclient.Outcome) (InputAskedBody, *string) {
	body := InputAskedBody{Round: round, StateSize: -1}
	for _, in := range out.InputRequests {
		body.Requests = append(body.Requests, r.asked(in.Key, in.Method, in.Params))
	}
	if out.RequestState == nil {
		return body, nil
	}
	body.StateSize = len(*out.RequestState)
	if _, places := r.deps.Mask([]byte(*out.RequestState)); places > 0 {
		return body, nil
	}
	return body, out.RequestState
}

// asked is one question as it is kept: without known secrets.
func (r *Road) asked(key, method string, params json.RawMessage) AskedInput {
	kept, _ := r.deps.Mask(params)
	a := AskedInput{Key: r.masked(key), Method: r.masked(method), Params: kept}
	a.KeyMasked = a.Key != key
	return a
}

// readInputs checks what is asked for; fault says why it cannot be served.
func (r *Road) readInputs(c *call, round int, out *mcpclient.Outcome) (list []*Question, fault string) {
	now := r.deps.Now()
	if !within(round) {
		return nil, fmt.Sprintf("the server asked for input more than %d times", approval.MaxRounds)
	}
	if len(out.InputRequests) == 0 && out.RequestState == nil {
		return nil, "the server asked for input, but not for which"
	}
	if len(out.InputRequests) > maxInputs {
		return nil, fmt.Sprintf("the server asked for %d inputs at once; %d is the most", len(out.InputRequests), maxInputs)
	}
	seen := map[string]bool{}
	for i, in := range out.InputRequests {
		roots, offered := json.RawMessage(nil), in.Method == "elicitation/create"
		if in.Method == "roots/list" {
			roots, offered = r.deps.Roots(c.serverID)
		}
		if !offered {
			return nil, fmt.Sprintf("the server asked for %s, which was not offered to it", in.Method)
		}
		if seen[in.Key] {
			return nil, "the server asked for two inputs under one key"
		}
		seen[in.Key] = true
		q := newQuestion(c, in.Key, in.Params, now)
		q.Round, q.Index, q.Of = round, i+1, len(out.InputRequests)
		if roots != nil {
			q.Mode, q.answered, q.result = modeRoots, true, roots
		} else if q.Mode != "form" && q.Mode != "url" {
			return nil, fmt.Sprintf("the server asked in the mode %q, which was not offered to it", q.Mode)
		}
		list = append(list, q)
	}
	return list, ""
}

// pause is how long a server is left alone that asked for nothing but to be asked
// again, after n such rounds in a row (MRTR-05).
func pause(first time.Duration, n int) time.Duration { return min(first<<min(n, 5), 30*first) }

// retryLater sends the next round of a call whose server only wants to be
// asked again, with growing waits. While everything is paused it goes on
// waiting.
func (r *Road) retryLater(c *call, round int) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	r.mu.Lock()
	wait := pause(r.wait, c.waits)
	c.waits++
	c.cancel = cancel
	if c.stopped {
		cancel(errStopped)
	}
	r.mu.Unlock()
	started := r.start(func() {
		defer cancel(nil)
		for {
			select {
			case <-ctx.Done():
				r.end(c, Cancelled, EventFailed, EndBody{Reason: context.Cause(ctx).Error()}, nil)
				return
			case <-time.After(wait):
				if !r.deps.Paused() {
					r.send(c, round)
					return
				}
			}
		}
	})
	if !started {
		cancel(nil)
		r.end(c, Cancelled, EventFailed, EndBody{Reason: errClosing.Error()}, nil)
	}
}

// collect joins the answers of a round once all are there. The questions stay
// until the gate has let the answers out.
func (r *Road) collect(c *call, last *Question) (round int, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last.Mode == ModeResume { // the only one of its round
		c.inputs = nil
		return last.Round + 1, true
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, q := range c.questions {
		if !q.answered {
			return 0, false
		}
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(q.Key)
		b.Write(key)
		b.WriteByte(':')
		b.Write(q.result)
	}
	b.WriteByte('}')
	c.inputs = b.Bytes()
	return last.Round + 1, true
}

// reopen asks the person again: the answers of a round were not let out, and
// nothing of them was written.
func (r *Road) reopen(c *call, round int, why error) {
	r.mu.Lock()
	asks := asksPerson(c.questions)
	if asks {
		c.inputs = nil
	}
	for _, q := range c.questions {
		if q.Mode != modeRoots {
			q.answered, q.result, q.shown = false, nil, time.Time{}
		}
	}
	r.mu.Unlock()
	var void *approval.SendError
	switch {
	case asks:
		r.deps.Trouble("Your answer was not sent, and is asked for again", why)
		r.deps.Changed(TopicQuestions, c.id)
	case errors.As(why, &void) && void.Void:
		r.retryLater(c, round)
	default:
		r.end(c, Lost, EventFailed, EndBody{Reason: r.told("the server could not be asked again: " + why.Error())}, nil)
	}
}
