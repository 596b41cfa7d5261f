package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"countersign/app/approval"
	"countersign/mcpclient"
	"countersign/store"
)

// Origins of calls.
const (
	OriginPerson = "person" // the person at the page
	OriginList   = "list"   // a call list that the person opened
)

// FieldError is a fault in a value, at the JSON Pointer of its field; an empty
// pointer means the value as a whole.
type FieldError struct{ Pointer, Message string }

// Tool is a tool as it was listed last.
type Tool struct {
	Name, Title string
	Raw         json.RawMessage // the tool object
	Hash        string          // its fingerprint
	Hidden      string          // why it cannot be called, or ""
}

// Conn is the running connection of a server.
type Conn struct {
	Client            *mcpclient.Client
	LaunchFingerprint string
}

// Deps is what the road needs of the rest of the program. All are required
// but Browser. The functions must be safe to call together.
type Deps struct {
	Store *store.Store
	// Server tells a server's name, and whether it is still configured.
	Server func(serverID string) (name string, ok bool)
	// Tool finds a tool in the newest list of a server, cached or live.
	Tool func(serverID, name string) (Tool, bool)
	// Conn gives the running connection, or an error worded for a person.
	Conn func(serverID string) (Conn, error)
	// Relist fetches the list of a server anew; Tool knows it afterwards.
	Relist func(ctx context.Context, serverID string) error
	// Checked makes sure that the newest list is what the server offers now, and
	// asks for it where it may not be. The time is zero, or when the list was
	// received that could not be checked since.
	Checked func(ctx context.Context, serverID string) (asOf time.Time)
	// Validate checks a value against a JSON Schema; a schema that cannot be
	// used is an error.
	Validate func(schema, value []byte) ([]FieldError, error)
	// Mask replaces known secrets.
	Mask func([]byte) (kept []byte, places int)
	// Deadline is how long a card waits; 0 means without end.
	Deadline func() time.Duration
	// Limits are the longest silence and the longest time in all of a server's
	// calls; 0 means the default.
	Limits func(serverID string) (idle, most time.Duration)
	// Roots gives the answer to a server's roots/list: the folders that the person
	// opened to it (ROOTS-02). Not ok: it was offered none.
	Roots func(serverID string) (result json.RawMessage, ok bool)
	// Judge decides a call by the rules, from its binding, tied to the launch that
	// runs now, and its arguments. unchecked: its definition could not be checked.
	Judge func(ctx context.Context, b approval.Binding, args []byte, unchecked bool) approval.Decision
	// Spend has a rule decide: commit writes the decision together with the event
	// that it is given, which may be nil. It reports false, and writes nothing,
	// where the rule does not stand any more.
	Spend func(ruleID string, commit func(*store.NewEvent) error) (bool, error)
	// Stands tells whether a rule that decided still could.
	Stands func(ruleID string) bool
	// Paused reports whether everything is paused: then nothing is sent.
	Paused func() bool
	// Trouble reports what a person must know and no caller waits for.
	Trouble func(text string, err error)
	// Changed tells that a call, the cards or the questions changed. It must
	// not call back into the road.
	Changed func(topic, callID string)
	Now     func() time.Time
}

// Topics of Deps.Changed.
const (
	TopicCalls     = "calls"
	TopicApprovals = "approvals"
	TopicQuestions = "questions"
	TopicProgress  = "progress"
)

// Road carries calls. Make one with New; it must not be copied.
type Road struct {
	deps Deps
	ctx  context.Context // ends with Close
	stop context.CancelCauseFunc
	wg   sync.WaitGroup

	mu     sync.Mutex // guards live and all fields of its values
	live   map[string]*call
	closed bool
	queue  []func() // what connections told, in order; see inOrder
	busy   bool     // somebody works at queue

	wait time.Duration // shortest pause before something is tried again
}

// call is what only memory holds of an open call.
type call struct {
	id string
	op sync.Mutex // held while a person's act on the call is carried out
	// side is held while a legacy question comes or goes, so that state and
	// questions go together. It is taken after op.
	side sync.Mutex

	serverID  string
	tool      string
	uri       string // of a read, "" for a tool call
	args      []byte // as they go on the wire
	binding   approval.Binding
	shown     time.Time // when the current revision came on screen
	decided   time.Time
	deadline  time.Time
	wait      *time.Duration // Proposal.Wait
	limit     time.Duration  // Proposal.Limit
	timer     *time.Timer
	cancel    context.CancelCauseFunc // of the send that is under way
	progress  *mcpclient.Progress
	questions []*Question
	inputs    json.RawMessage            // answers of the round that may be sent next
	state     *string                    // requestState that goes with them
	answers   map[string]json.RawMessage // legacy request id -> recorded result
	opened    map[string]bool            // addresses that the person opened for it
	waits     int                        // rounds in a row that asked for nothing
	stopped   bool                       // the person asked to stop: nothing more is sent
	after     *AftermathBody             // came before the end was recorded
}

var errClosing = errors.New("the program was closed")

// New builds a road. Call Recover before anything else.
func New(deps Deps) *Road {
	ctx, stop := context.WithCancelCause(context.Background())
	return &Road{deps: deps, ctx: ctx, stop: stop, live: map[string]*call{}, wait: time.Second}
}

// Close cancels what is running, and waits for its end to be recorded or for
// ctx. Cards stay waiting in the store.
func (r *Road) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	for _, c := range r.live {
		if c.timer != nil {
			c.timer.Stop()
		}
	}
	r.mu.Unlock()
	r.stop(errClosing)
	done := make(chan struct{})
	go func() { r.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("calls still running: %w", ctx.Err())
	}
}

// start runs fn on a goroutine that Close awaits; false after Close.
func (r *Road) start(fn func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.wg.Go(fn)
	return true
}

// inOrder carries out fn after all that was handed to it before, on a
// goroutine that Close awaits.
func (r *Road) inOrder(fn func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.queue = append(r.queue, fn)
	if !r.busy {
		r.busy = true
		r.wg.Go(r.work)
	}
}

func (r *Road) work() {
	for {
		r.mu.Lock()
		if len(r.queue) == 0 {
			r.queue, r.busy = nil, false
			r.mu.Unlock()
			return
		}
		fn := r.queue[0]
		r.queue = r.queue[1:]
		r.mu.Unlock()
		fn()
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// get returns the memory of an open call.
func (r *Road) get(id string) (*call, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.live[id]
	return c, ok
}

// change is what a move does besides the state.
type change struct {
	to       State
	from     []State // when set, the only states it may start from
	row      func(*store.Call) error
	events   []store.NewEvent
	after    func() []store.NewEvent // made when row has run
	payloads []store.Payload
	next     *successor
}

// successor is a proposal that takes the place of a call, in the same
// transaction.
type successor struct {
	row   store.Call
	event store.NewEvent
	args  store.Payload
}

// move is the one function that changes a call's state: it checks the table,
// writes row, events and payloads in one transaction, then tells who watches.
func (r *Road) move(ctx context.Context, id string, ch change) (store.Call, error) {
	update := func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
		from := State(c.State)
		if err := check(from, ch.to); err != nil {
			return nil, nil, err
		}
		if len(ch.from) > 0 && !contains(ch.from, from) {
			return nil, nil, &MoveError{from, ch.to}
		}
		if ch.row != nil {
			if err := ch.row(c); err != nil {
				return nil, nil, err
			}
		}
		c.State = string(ch.to)
		if ch.to.Final() {
			c.FinishedAt = r.deps.Now()
			c.RequestState = nil
			c.Deadline = time.Time{}
		}
		events := ch.events
		if ch.after != nil {
			events = append(events, ch.after()...)
		}
		for i := range events {
			events[i].ServerID = c.ServerID
		}
		return events, ch.payloads, nil
	}
	var row store.Call
	var err error
	if ch.next == nil {
		row, err = r.deps.Store.UpdateCall(ctx, id, update)
	} else {
		row, _, err = r.deps.Store.ReplaceCall(ctx, id, update, ch.next.row, []store.NewEvent{ch.next.event}, ch.next.args)
	}
	if err != nil {
		return row, err
	}
	if ch.to.Final() {
		r.forget(id)
	}
	r.deps.Changed(TopicCalls, id)
	r.deps.Changed(TopicApprovals, id)
	if row.Method == MethodRead { // it is shown with the result that it belongs to
		r.deps.Changed(TopicCalls, row.ParentID)
	}
	return row, nil
}

// forget drops the memory of a call that has ended.
func (r *Road) forget(id string) {
	r.mu.Lock()
	c, ok := r.live[id]
	hadQuestions := false
	if ok {
		if c.timer != nil {
			c.timer.Stop()
		}
		hadQuestions = len(c.questions) > 0
		delete(r.live, id)
	}
	r.mu.Unlock()
	if ok && c.after != nil {
		r.inOrder(func() { r.recordAftermath(id, c.serverID, *c.after) })
	}
	if hadQuestions {
		r.deps.Changed(TopicQuestions, id)
	}
}

func contains(list []State, s State) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// payload masks bytes for keeping.
func (r *Road) payload(wire []byte) store.Payload {
	kept, places := r.deps.Mask(wire)
	return store.NewPayload(wire, kept, places)
}

// masked is a short text with known secrets replaced.
func (r *Road) masked(text string) string {
	kept, _ := r.deps.Mask([]byte(text))
	return string(kept)
}

// maxTold is the longest text of a server that stands in a row, in bytes.
const maxTold = 4 << 10

// told is a server's text as it stands in rows and events: masked, and cut
// where it is very long. The payload keeps all of it.
func (r *Road) told(text string) string {
	text = r.masked(text)
	if len(text) <= maxTold {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:maxTold], "") + "…"
}
