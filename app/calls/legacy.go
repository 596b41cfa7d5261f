package calls

import (
	"context"
	"errors"
	"time"

	"countersign/mcpclient"
	"countersign/store"
)

// Elicit takes a question that a legacy server asks in the middle of a call.
// Elicit and ElicitGone return at once and are carried out in their order.
func (r *Road) Elicit(serverID string, e mcpclient.LegacyElicitation) {
	r.inOrder(func() { r.elicit(serverID, e) })
}

func (r *Road) elicit(serverID string, e mcpclient.LegacyElicitation) {
	c, others := r.asker(serverID, e.CallIDs)
	if c == nil {
		return // the call has ended meanwhile, and with it the question
	}
	c.side.Lock()
	defer c.side.Unlock()
	q := newQuestion(c, e.RequestID, e.Params, r.deps.Now())
	q.Legacy, q.Others = true, others
	in := r.asked(e.RequestID, "elicitation/create", e.Params)
	in.Legacy = true
	if _, err := r.move(r.ctx, c.id, change{to: InputRequired, from: []State{Sent, InputRequired},
		events: []store.NewEvent{event(EventInputAsked, c.id, serverID, InputAskedBody{StateSize: -1, Requests: []AskedInput{in}})}}); err != nil {
		var over *MoveError
		if !errors.As(err, &over) && r.ctx.Err() == nil {
			r.deps.Trouble("A server's question could not be recorded, and is not shown: cancel its call", err)
		}
		return
	}
	r.mu.Lock()
	c.questions = append(c.questions, q)
	r.mu.Unlock()
	r.deps.Changed(TopicQuestions, c.id)
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

// ElicitGone removes a question that its server took back, or that can no
// longer be answered.
func (r *Road) ElicitGone(serverID, requestID string) {
	r.inOrder(func() { r.elicitGone(serverID, requestID) })
}

func (r *Road) elicitGone(serverID, requestID string) {
	c := r.askedBy(serverID, requestID)
	if c == nil {
		return
	}
	c.side.Lock()
	defer c.side.Unlock()
	to, open := r.dropQuestion(c, requestID)
	if !open {
		return
	}
	// Where the call has ended meanwhile there is nothing to note.
	_, _ = r.move(r.ctx, c.id, change{to: to, from: []State{InputRequired},
		events: []store.NewEvent{event(EventInputGone, c.id, serverID, InputAnsweredBody{Key: r.masked(requestID), Action: "gone"})}})
	r.deps.Changed(TopicQuestions, c.id)
}

func (r *Road) askedBy(serverID, requestID string) *call {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.live {
		for _, q := range c.questions {
			if q.Legacy && q.Key == requestID && c.serverID == serverID {
				return c
			}
		}
	}
	return nil
}

// dropQuestion forgets a legacy question and its answer, and tells the state
// that its call is in then. The caller holds c.side.
func (r *Road) dropQuestion(c *call, requestID string) (to State, was bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(c.answers, requestID)
	for i, q := range c.questions {
		if q.Legacy && q.Key == requestID {
			c.questions = append(c.questions[:i:i], c.questions[i+1:]...)
			was = true
			break
		}
	}
	if len(c.questions) > 0 {
		return InputRequired, was
	}
	return Sent, was
}

// answerLegacy sends a recorded answer. One that was not written is asked for
// again: the server still waits for it.
func (r *Road) answerLegacy(c *call, q *Question, result []byte) {
	err := r.transmitAnswer(c, q, result)
	if err == nil {
		return
	}
	var lost *mcpclient.LostError
	if errors.As(err, &lost) || errors.Is(err, mcpclient.ErrNoElicitation) || r.ctx.Err() != nil {
		r.elicitGone(c.serverID, q.Key) // the call's own end tells the rest
		return
	}
	c.side.Lock()
	r.mu.Lock()
	_, waits := c.answers[q.Key]
	if waits {
		delete(c.answers, q.Key)
		q.answered, q.result, q.shown = false, nil, time.Time{}
	}
	r.mu.Unlock()
	c.side.Unlock()
	r.deps.Trouble("An answer did not reach its server", err)
	r.deps.Changed(TopicQuestions, c.id)
}

func (r *Road) transmitAnswer(c *call, q *Question, result []byte) error {
	conn, err := r.deps.Conn(c.serverID)
	if err != nil {
		return err
	}
	ctx, done := context.WithTimeout(r.ctx, answerLimit)
	defer done()
	row, err := r.deps.Store.CallByID(ctx, c.id)
	if err != nil {
		return err
	}
	return conn.Client.AnswerElicitation(ctx, mcpclient.ElicitationAnswer{CallID: c.id, Attempt: row.Attempt, Round: row.Round, RequestID: q.Key, Result: result})
}

// answerLimit bounds the sending of an answer to a legacy question.
const answerLimit = time.Minute
