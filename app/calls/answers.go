package calls

import (
	"context"
	"encoding/json"
	"fmt"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/store"
)

// Answer gives a person's answer: action is "accept", "decline" or "cancel";
// content is the form's value, for accept in form mode. It is recorded before
// it is sent. Field errors mean that nothing was sent.
func (r *Road) Answer(ctx context.Context, id, action string, content []byte) ([]FieldError, error) {
	c, done, err := r.takeQuestion(id)
	if err != nil {
		return nil, err
	}
	defer done()
	return r.answer(ctx, c, id, action, content)
}

// OpenAddress opens the address of a question with open and accepts the
// question. The opening is recorded first; two clicks open it once.
func (r *Road) OpenAddress(ctx context.Context, id string, open func(Question) error) error {
	c, done, err := r.takeQuestion(id)
	if err != nil {
		return err
	}
	defer done()
	q, err := r.answerable(c, id)
	if err != nil {
		return err
	}
	if err := r.deps.Store.Append(ctx, []store.NewEvent{event(EventAddressOpened, q.CallID, q.ServerID,
		InputAnsweredBody{Round: q.Round, Key: r.masked(q.Key), Action: "open " + r.told(q.URL)})}); err != nil {
		return fmt.Errorf("recording that the address is opened: %w", err)
	}
	if err := open(*q); err != nil {
		return err
	}
	r.mu.Lock()
	if c.opened == nil {
		c.opened = map[string]bool{}
	}
	c.opened[q.URL] = true
	r.mu.Unlock()
	_, err = r.answer(ctx, c, id, "accept", nil)
	return err
}

// takeQuestion begins a person's act on the call of a question; done ends it.
func (r *Road) takeQuestion(id string) (c *call, done func(), err error) {
	r.mu.Lock()
	c, q := r.findLocked(id)
	r.mu.Unlock()
	if q == nil {
		return nil, nil, store.ErrNotFound
	}
	c.op.Lock()
	return c, c.op.Unlock, nil
}

// answerable gives a question whose answer would count and could be sent now.
func (r *Road) answerable(c *call, id string) (*Question, error) {
	if err := r.ReadyToAnswer(id); err != nil {
		return nil, err
	}
	if r.deps.Paused() {
		return nil, &UnavailableError{"everything is paused: resume before answering"}
	}
	if _, err := r.deps.Conn(c.serverID); err != nil {
		return nil, &UnavailableError{err.Error()}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, q := r.findLocked(id); q != nil {
		return q, nil
	}
	return nil, store.ErrNotFound
}

func (r *Road) answer(ctx context.Context, c *call, id, action string, content []byte) ([]FieldError, error) {
	q, err := r.answerable(c, id)
	if err != nil {
		return nil, err
	}
	if q.Mode == ModeResume && action != "accept" {
		_, err := r.Cancel(ctx, c.id)
		return nil, err
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

// answerBytes makes the bytes of an ElicitResult, once.
func (r *Road) answerBytes(q *Question, action string, content []byte) (json.RawMessage, []FieldError, error) {
	switch action {
	case "decline", "cancel":
		return json.RawMessage(`{"action":"` + action + `"}`), nil, nil
	case "accept":
	default:
		return nil, nil, &approval.AnswerError{Reason: fmt.Sprintf("%.40q is no answer", action)}
	}
	if q.Mode == ModeResume {
		return nil, nil, nil
	}
	if q.Mode == "url" {
		return json.RawMessage(`{"action":"accept"}`), nil, nil
	}
	if len(content) > MaxArguments {
		return nil, []FieldError{{"", fmt.Sprintf("the answer is larger than %d MiB", MaxArguments>>20)}}, nil
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
		return nil, nil, &UnavailableError{r.told("the server's form cannot be used: " + err.Error())}
	}
	if len(errs) > 0 {
		return nil, errs, nil
	}
	return json.RawMessage(`{"action":"accept","content":` + string(value) + `}`), nil, nil
}

func (r *Road) recordAnswer(ctx context.Context, c *call, q *Question, action string, result json.RawMessage) error {
	c.side.Lock()
	defer c.side.Unlock()
	body := InputAnsweredBody{Round: q.Round, Key: r.masked(q.Key), Action: action}
	ch := change{to: InputRequired, from: []State{InputRequired}}
	if q.Mode == ModeResume {
		body.Action = ModeResume
	} else {
		kept := r.payload(result)
		body.Content, ch.payloads = keptBytes(kept), []store.Payload{kept}
	}
	ch.events = []store.NewEvent{event(EventInputAnswered, c.id, c.serverID, body)}
	_, err := r.move(ctx, c.id, ch)
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
