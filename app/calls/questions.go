package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/mcpclient"
	"countersign/store"
)

// Question is something a server asks while it carries out a call: a form to
// fill or an address to open. A copy is safe to keep.
type Question struct {
	ID, CallID, ServerID string
	Key                  string // key of the input, or id of the legacy request
	Legacy               bool
	Mode                 string // "form" or "url"
	Message              string
	Schema               json.RawMessage // form: requestedSchema
	URL                  string          // url: the address as the server gave it
	Params               json.RawMessage
	Round, Index, Of     int
	Others               int // further running calls it may belong to (legacy stdio)
	Created              time.Time

	shown    time.Time
	answered bool
	result   json.RawMessage
}

// Questions lists what stands open, oldest first.
func (r *Road) Questions() []Question {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Question
	for _, c := range r.live {
		for _, q := range c.questions {
			if !q.answered {
				list = append(list, *q)
			}
		}
	}
	sortQuestions(list)
	return list
}

// QuestionShown reports that a question is on screen.
func (r *Road) QuestionShown(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, q := r.findLocked(id)
	if q == nil {
		return store.ErrNotFound
	}
	if q.shown.IsZero() {
		q.shown = r.deps.Now()
	}
	return nil
}

func (r *Road) findLocked(id string) (*call, *Question) {
	for _, c := range r.live {
		for _, q := range c.questions {
			if q.ID == id && !q.answered {
				return c, q
			}
		}
	}
	return nil, nil
}

// Question gives one open question.
func (r *Road) Question(id string) (Question, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, q := r.findLocked(id); q != nil {
		return *q, true
	}
	return Question{}, false
}

// inputRequired takes what a modern server asks for between two rounds.
func (r *Road) inputRequired(ctx context.Context, c *call, round int, out *mcpclient.Outcome) {
	questions, fault := readInputs(c, round, out, r.deps.Now())
	if fault != "" {
		kept := r.payload([]byte("{}"))
		r.end(ctx, c, ProtocolFailed, EventResult, EndBody{RequestID: out.RequestID, HTTP: out.HTTPStatus, Reason: fault}, &kept)
		return
	}
	body := InputAskedBody{Round: round, StateSize: -1}
	for _, in := range out.InputRequests {
		params, _ := r.deps.Mask(in.Params)
		body.Requests = append(body.Requests, AskedInput{Key: in.Key, Method: in.Method, Params: params})
	}
	var durable *string
	if out.RequestState != nil {
		body.StateSize = len(*out.RequestState)
		if _, places := r.deps.Mask([]byte(*out.RequestState)); places == 0 {
			durable = out.RequestState
		}
	}
	if _, err := r.move(ctx, c.id, change{to: InputRequired, row: func(row *store.Call) error { row.RequestState = durable; return nil },
		events: []store.NewEvent{event(EventInputAsked, c.id, c.serverID, body)}}); err != nil {
		r.deps.Trouble("A server's question could not be recorded", err)
		return
	}
	r.mu.Lock()
	c.questions, c.inputs, c.state = questions, nil, out.RequestState
	if len(questions) > 0 {
		c.waits = 0
	}
	r.mu.Unlock()
	if len(questions) == 0 {
		r.retryLater(c, round+1)
		return
	}
	r.deps.Changed(TopicQuestions, c.id)
}

// readInputs checks what is asked for; fault says why it cannot be served.
func readInputs(c *call, round int, out *mcpclient.Outcome, now time.Time) (list []*Question, fault string) {
	if !within(round) {
		return nil, fmt.Sprintf("the server asked for input more than %d times", approval.MaxRounds)
	}
	if len(out.InputRequests) == 0 && out.RequestState == nil {
		return nil, "the server asked for input, but not for which"
	}
	for i, in := range out.InputRequests {
		if in.Method != "elicitation/create" {
			return nil, fmt.Sprintf("the server asked for %s, which was not offered to it", in.Method)
		}
		q := newQuestion(c, in.Key, in.Params, now)
		q.Round, q.Index, q.Of = round, i+1, len(out.InputRequests)
		if q.Mode != "form" && q.Mode != "url" {
			return nil, fmt.Sprintf("the server asked in the mode %q, which was not offered to it", q.Mode)
		}
		list = append(list, q)
	}
	return list, ""
}

func newQuestion(c *call, key string, params json.RawMessage, now time.Time) *Question {
	q := &Question{ID: newID(), CallID: c.id, ServerID: c.serverID, Key: key, Params: params, Created: now, Mode: "form", Index: 1, Of: 1}
	if mode, ok := rawjson.GetText(params, "mode"); ok {
		q.Mode = mode
	}
	q.Message, _ = rawjson.GetText(params, "message")
	q.Schema, _ = rawjson.Get(params, "requestedSchema")
	q.URL, _ = rawjson.GetText(params, "url")
	return q
}

// retryLater sends the next round of a call whose server only wants to be
// asked again, with growing waits.
func (r *Road) retryLater(c *call, round int) {
	r.mu.Lock()
	wait := min(time.Second<<min(c.waits, 5), 30*time.Second)
	c.waits++
	ctx, cancel := context.WithCancelCause(r.ctx)
	c.cancel = cancel
	r.mu.Unlock()
	r.start(func() {
		defer cancel(nil)
		select {
		case <-ctx.Done():
			rec, done := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
			defer done()
			r.end(rec, c, Cancelled, EventFailed, EndBody{Reason: context.Cause(ctx).Error()}, nil)
		case <-time.After(wait):
			r.send(c, round)
		}
	})
}

// Answer gives a person's answer: action is "accept", "decline" or "cancel";
// content is the form's value, for accept in form mode. It is recorded before
// it is sent. Field errors mean that nothing was sent.
func (r *Road) Answer(ctx context.Context, id, action string, content []byte) ([]FieldError, error) {
	r.mu.Lock()
	c, q := r.findLocked(id)
	r.mu.Unlock()
	if q == nil {
		return nil, store.ErrNotFound
	}
	c.op.Lock()
	defer c.op.Unlock()
	if err := r.ReadyToAnswer(id); err != nil {
		return nil, err
	}
	if r.deps.Paused() && action == "accept" {
		return nil, &UnavailableError{"everything is paused: resume before answering"}
	}
	result, errs, err := r.answerBytes(q, action, content)
	if err != nil || len(errs) > 0 {
		return errs, err
	}
	if err := r.recordAnswer(ctx, c, q, action, result); err != nil {
		return nil, err
	}
	r.deps.Changed(TopicQuestions, c.id)
	if q.Legacy {
		r.start(func() { r.answerLegacy(c, q, result) })
		return nil, nil
	}
	if round, all := r.collect(c, q); all {
		r.start(func() { r.send(c, round) })
	}
	return nil, nil
}

// ReadyToAnswer says whether an answer to a question would count now: it must
// be open, and have been on screen for approval.MinOnScreen.
func (r *Road) ReadyToAnswer(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, q := r.findLocked(id)
	if q == nil {
		return store.ErrNotFound
	}
	if q.shown.IsZero() || r.deps.Now().Sub(q.shown) < approval.MinOnScreen {
		return &approval.AnswerError{Reason: "the answer came before the question could be read"}
	}
	return nil
}

// answerBytes makes the bytes of an ElicitResult, once.
func (r *Road) answerBytes(q *Question, action string, content []byte) (json.RawMessage, []FieldError, error) {
	switch action {
	case "decline", "cancel":
		return json.RawMessage(`{"action":"` + action + `"}`), nil, nil
	case "accept":
	default:
		return nil, nil, &approval.AnswerError{Reason: fmt.Sprintf("%q is no answer", action)}
	}
	if q.Mode == "url" {
		return json.RawMessage(`{"action":"accept"}`), nil, nil
	}
	value, err := rawjson.Compact(content)
	if err != nil {
		return nil, []FieldError{{"", "the answer cannot be sent: " + err.Error()}}, nil
	}
	if len(value) == 0 || value[0] != '{' {
		return nil, []FieldError{{"", "the answer is a JSON object"}}, nil
	}
	errs, err := r.deps.Validate(q.Schema, value)
	if err != nil {
		return nil, nil, &UnavailableError{"the server's form cannot be used: " + err.Error()}
	}
	if len(errs) > 0 {
		return nil, errs, nil
	}
	return json.RawMessage(`{"action":"accept","content":` + string(value) + `}`), nil, nil
}

func (r *Road) recordAnswer(ctx context.Context, c *call, q *Question, action string, result json.RawMessage) error {
	kept := r.payload(result)
	body := InputAnsweredBody{Round: q.Round, Key: q.Key, Action: action, Content: keptBytes(kept)}
	_, err := r.move(ctx, c.id, change{to: InputRequired, from: []State{InputRequired},
		events:   []store.NewEvent{event(EventInputAnswered, c.id, c.serverID, body)},
		payloads: []store.Payload{kept}})
	if err != nil {
		return fmt.Errorf("recording the answer: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	q.answered, q.result = true, result
	if q.Legacy {
		if c.answers == nil {
			c.answers = map[string]json.RawMessage{}
		}
		c.answers[q.Key] = result
	}
	return nil
}

// collect joins the answers of a round once all are there.
func (r *Road) collect(c *call, last *Question) (round int, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
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
	c.inputs, c.questions = b.Bytes(), nil
	return last.Round + 1, true
}

// Elicit takes a question that a legacy server asks in the middle of a call.
func (r *Road) Elicit(serverID string, e mcpclient.LegacyElicitation) {
	r.start(func() {
		c, others := r.asker(serverID, e.CallIDs)
		if c == nil {
			r.deps.Trouble("A server asked a question that belongs to no running call", errors.New(serverID))
			return
		}
		q := newQuestion(c, e.RequestID, e.Params, r.deps.Now())
		q.Legacy, q.Others = true, others
		params, _ := r.deps.Mask(e.Params)
		body := InputAskedBody{StateSize: -1, Requests: []AskedInput{{Key: e.RequestID, Method: "elicitation/create", Params: params, Legacy: true}}}
		if _, err := r.move(r.ctx, c.id, change{to: InputRequired, from: []State{Sent, InputRequired},
			events: []store.NewEvent{event(EventInputAsked, c.id, serverID, body)}}); err != nil {
			return // the call has ended meanwhile, and with it the question
		}
		r.mu.Lock()
		c.questions = append(c.questions, q)
		r.mu.Unlock()
		r.deps.Changed(TopicQuestions, c.id)
	})
}

// asker picks the call that a legacy question belongs to: the newest of those
// it can belong to.
func (r *Road) asker(serverID string, ids []string) (*call, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var best *call
	n := 0
	for _, id := range ids {
		if c, ok := r.live[id]; ok && c.serverID == serverID {
			n++
			if best == nil || c.id > best.id {
				best = c
			}
		}
	}
	return best, max(n-1, 0)
}

// ElicitGone removes a question that its server took back.
func (r *Road) ElicitGone(serverID, requestID string) {
	r.start(func() {
		r.mu.Lock()
		var c *call
		open := 0
		for _, live := range r.live {
			for i, q := range live.questions {
				if q.Legacy && q.Key == requestID && live.serverID == serverID && !q.answered {
					c = live
					live.questions = append(live.questions[:i:i], live.questions[i+1:]...)
					break
				}
			}
		}
		if c != nil {
			for _, q := range c.questions {
				if !q.answered {
					open++
				}
			}
		}
		r.mu.Unlock()
		if c == nil {
			return
		}
		to := Sent
		if open > 0 {
			to = InputRequired
		}
		_, _ = r.move(r.ctx, c.id, change{to: to, from: []State{InputRequired},
			events: []store.NewEvent{event(EventInputGone, c.id, serverID, InputAnsweredBody{Key: requestID, Action: "gone"})}})
		r.deps.Changed(TopicQuestions, c.id)
	})
}

func (r *Road) answerLegacy(c *call, q *Question, result json.RawMessage) {
	conn, err := r.deps.Conn(c.serverID)
	if err == nil {
		row, rerr := r.deps.Store.CallByID(r.ctx, c.id)
		if rerr != nil {
			err = rerr
		} else {
			err = conn.Client.AnswerElicitation(r.ctx, mcpclient.ElicitationAnswer{CallID: c.id, Attempt: row.Attempt, Round: row.Round, RequestID: q.Key, Result: result})
		}
	}
	if err != nil {
		r.deps.Trouble("An answer did not reach its server", err)
	}
}

// AddressOpened records that the person had an address of a question opened.
func (r *Road) AddressOpened(ctx context.Context, q Question) error {
	return r.deps.Store.Append(ctx, []store.NewEvent{event(EventAddressOpened, q.CallID, q.ServerID,
		InputAnsweredBody{Round: q.Round, Key: q.Key, Action: "open " + r.masked(q.URL)})})
}
