package calls

import (
	"encoding/json"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/store"
)

// Question is something a server asks while it carries out a call: a form to
// fill or an address to open. A copy is safe to keep.
type Question struct {
	ID, CallID, ServerID string
	Key                  string // key of the input, or id of the legacy request
	Legacy               bool
	Mode                 string // "form", "url", ModeResume or modeRoots
	Message              string
	Schema               json.RawMessage // form: requestedSchema
	URL                  string          // url: the address as the server gave it
	Params               json.RawMessage
	Round, Index, Of     int
	Others               int  // further running calls it may belong to (legacy stdio)
	Opened               bool // url: this very address was opened before in this call
	Created              time.Time

	shown    time.Time
	answered bool
	result   json.RawMessage
}

// modeRoots marks what is answered without a person: with the folders that the
// person opened to the server before.
const modeRoots = "roots"

// ModeResume marks a question of our own: a server that asked for nothing but to
// be asked again was not, since the program was closed. "accept" asks it now,
// every other answer stops the call.
const ModeResume = "resume"

// Questions lists what stands open, oldest first.
func (r *Road) Questions() []Question {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Question
	for _, c := range r.live {
		for _, q := range c.questions {
			if !q.answered {
				list = append(list, q.copyLocked(c))
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
	if c, q := r.findLocked(id); q != nil {
		return q.copyLocked(c), true
	}
	return Question{}, false
}

func (q *Question) copyLocked(c *call) Question {
	out := *q
	out.Opened = q.URL != "" && c.opened[q.URL]
	return out
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
