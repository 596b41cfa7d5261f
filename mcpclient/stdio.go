package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// failureGrace is how long a failed write waits for the reason to be known.
const failureGrace = time.Second

// stdioTransport speaks to a child process, a message a line (STDIO-01).
type stdioTransport struct {
	child  *child
	conn   *jsonrpc.Conn
	path   string
	grace  time.Duration
	events *dispatcher
	// answered is set by the first message; a process that ends before it may
	// have been ended by the probe.
	answered atomic.Bool
	noisy    atomic.Bool // other things than messages came on stdout
	closing  atomic.Bool

	mu       sync.Mutex
	strayWhy string // what was wrong with the last answer that was no request's
}

// startStdio starts the child. Once start was called, incoming gets its requests
// and notifications, and late its answers to requests that were given up.
func startStdio(cfg *Config, events *dispatcher, incoming func(jsonrpc.Message), late func(int64, jsonrpc.Message)) (*stdioTransport, error) {
	t := &stdioTransport{path: cfg.Stdio.Path, grace: cfg.StopGrace, events: events}
	ch, err := startChild(cfg.Stdio, func(line string) { events.log("stderr", "info", line) })
	if err != nil {
		return nil, err
	}
	t.child = ch
	t.conn = jsonrpc.NewConn(jsonrpc.Options{
		In: ch.out, Out: ch.in, MaxMessage: cfg.MaxMessageBytes,
		Incoming: func(m jsonrpc.Message) {
			t.answered.Store(true)
			incoming(m)
		},
		Late: func(id int64, m jsonrpc.Message) {
			t.answered.Store(true)
			late(id, m)
		},
		Stray:   t.stray,
		Skipped: t.skipped,
		Note:    func(text string) { events.note("%s", text) },
		Ended: func(read error) error {
			err := ch.ended(read)
			if t.closing.Load() {
				return ErrClosed
			}
			return err
		},
	})
	return t, nil
}

func (t *stdioTransport) address() string       { return t.path }
func (t *stdioTransport) pid() int              { return t.child.cmd.Process.Pid }
func (t *stdioTransport) done() <-chan struct{} { return t.conn.Done() }
func (t *stdioTransport) err() error            { return t.conn.Err() }
func (t *stdioTransport) agreed(Era, string)    {}
func (t *stdioTransport) established()          {}
func (t *stdioTransport) start()                { t.conn.Start() }

// skipped logs a stdout line that is no message (STDIO-04).
func (t *stdioTransport) skipped(line []byte, reason error) {
	var long *jsonrpc.TooLongError
	if errors.As(reason, &long) {
		t.events.note("a line on stdout was dropped: %v; it begins %s", reason, clip(string(line), 200))
		return
	}
	switch {
	case jsonrpc.IsObject(line):
		t.events.note("a line on stdout is no message: %v", reason)
	case !t.noisy.Swap(true):
		t.events.note("the server writes other things than messages to its stdout; they were skipped, the first is %s", clip(string(line), 200))
	}
	if len(line) > maxLogLine+16 {
		line = line[:maxLogLine+16]
	}
	t.events.log("stdout", "info", string(line))
}

// stray notes an answer that belongs to no request.
func (t *stdioTransport) stray(_ jsonrpc.Message, why string) {
	t.answered.Store(true)
	t.mu.Lock()
	t.strayWhy = why
	t.mu.Unlock()
	t.events.note("an answer %s was ignored", why)
}

func (t *stdioTransport) hint() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strayHint(t.strayWhy)
}

// strayHint is what a person is told of answers that were no request's.
func strayHint(why string) string {
	if why == "" {
		return ""
	}
	return "meanwhile an answer " + why + " came"
}

func (t *stdioTransport) roundTrip(ctx context.Context, x *exchange) (reply, error) {
	p, err := t.conn.Expect(x.id, x.endless)
	if err != nil {
		return reply{}, fmt.Errorf("%s: %w", x.method, err)
	}
	defer p.Forget()
	x.begin(p.Wake)
	if err := t.write(ctx, x); err != nil {
		if sentAfterAll(err) {
			p.GiveUp()
		}
		return reply{}, err
	}
	msg, err := p.Wait(ctx, x.next)
	x.flush()
	if err == nil {
		t.answered.Store(true)
		return reply{msg: msg}, nil
	}
	p.GiveUp()
	var timeout *TimeoutError
	switch {
	case errors.As(err, &timeout):
		timeout.Hint = t.hint()
		return reply{}, timeout
	case ctx.Err() != nil && t.conn.Err() == nil:
		return reply{}, &CancelledError{context.Cause(ctx)}
	}
	return reply{}, &LostError{publicError(err)}
}

// publicError turns the JSON-RPC layer's errors into this package's.
func publicError(err error) error {
	var long *jsonrpc.TooLongError
	if errors.As(err, &long) {
		return &TooLargeError{long.Limit}
	}
	return err
}

func sentAfterAll(err error) bool {
	var timeout *TimeoutError
	var cancelled *CancelledError
	return errors.As(err, &timeout) || errors.As(err, &cancelled)
}

// write writes one frame, asking the gate under the write lock.
func (t *stdioTransport) write(ctx context.Context, x *exchange) error {
	var deadline time.Time
	if x.clock != nil {
		deadline, _ = x.clock.check(time.Now())
	}
	var admit func() error
	if x.admit != nil {
		admit = func() error { return x.admit(ctx, t.address(), nil) }
	}
	err := t.conn.Write(ctx, x.frame, deadline, admit)
	if err == nil {
		return nil
	}
	var refused *jsonrpc.AdmitError
	if errors.As(err, &refused) {
		return &RefusedError{refused.Reason}
	}
	var failed *jsonrpc.WriteError
	if !errors.As(err, &failed) {
		return fmt.Errorf("%s: %w", x.method, err)
	}
	cause := failed.Cause
	gaveUp := ctx.Err() != nil && errors.Is(cause, ctx.Err())
	late := errors.Is(cause, os.ErrDeadlineExceeded)
	if gaveUp {
		cause = context.Cause(ctx)
	} else if !late {
		select {
		case <-t.conn.Done():
			cause = fmt.Errorf("%w (%v)", t.conn.Err(), failed.Cause)
		case <-time.After(failureGrace):
		}
	}
	switch {
	case failed.Written == 0 && late:
		return &NotSentError{errors.New("the server does not read its input")}
	case failed.Written == 0:
		return &NotSentError{cause}
	case gaveUp:
		return &CancelledError{cause}
	case late:
		return &TimeoutError{Idle: x.clock.idle > 0, After: orDefault(x.clock.idle, x.clock.max), Hint: "the server did not read all of it"}
	}
	return &LostError{cause}
}

func (t *stdioTransport) notify(ctx context.Context, x *exchange) error {
	x.begin(nil)
	return t.write(ctx, x)
}

func (t *stdioTransport) post(x *exchange) {
	if !t.conn.Post(x.frame) {
		t.events.note("the server does not read its input; a message to it was dropped")
	}
}

// cancelled sends notifications/cancelled (STDIO-06, CANCEL-02).
func (t *stdioTransport) cancelled(x *exchange, reason string) {
	t.post(&exchange{method: "notifications/cancelled", frame: cancelledFrame(x.id, reason)})
}

func (t *stdioTransport) close(ctx context.Context) error {
	t.closing.Store(true)
	err := t.child.stop(ctx, t.grace)
	t.conn.Close(ErrClosed)
	return err
}
