package mcpclient

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

const acceptBoth = "application/json, text/event-stream" // HTTP-02

var (
	errNoAnswer    = &InvalidResponseError{"the server took the request without an answer"}
	errStreamBroke = errors.New("the answer's stream ended before the answer")
)

// httpWait is a request that waits for its answer.
type httpWait struct {
	x          *exchange
	generation int           // of the session it was sent in
	signal     chan struct{} // holds at most one

	mu    sync.Mutex
	over  bool
	reply reply
	err   error
	after func(reply, error) // given up: gets what comes after all
}

func (w *httpWait) wake() {
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

// settle ends the wait; the first to do so wins.
func (w *httpWait) settle(r reply, err error) {
	w.mu.Lock()
	after := w.after
	if w.over {
		after = nil
	} else {
		w.over, w.reply, w.err = true, r, err
	}
	w.mu.Unlock()
	w.wake()
	if after != nil {
		after(r, err)
	}
}

func (w *httpWait) result() (r reply, err error, over bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reply, w.err, w.over
}

// wait returns the answer, or the error of the clock or the context. Progress is
// handed on here.
func (w *httpWait) wait(ctx context.Context) (reply, error) {
	var timer *time.Timer
	for {
		if r, err, over := w.result(); over {
			w.x.flush()
			return r, err
		}
		if ctx.Err() != nil {
			return reply{}, &CancelledError{context.Cause(ctx)}
		}
		at, err := w.x.next()
		if err != nil {
			return reply{}, err
		}
		var fire <-chan time.Time
		if !at.IsZero() {
			if timer == nil {
				timer = time.NewTimer(time.Until(at))
				defer timer.Stop()
			} else {
				timer.Reset(time.Until(at))
			}
			fire = timer.C
		}
		select {
		case <-w.signal:
		case <-fire:
		case <-ctx.Done():
		}
	}
}

func (t *httpTransport) roundTrip(ctx context.Context, x *exchange) (reply, error) {
	p, err := t.prepare(ctx, x)
	if err != nil {
		return reply{}, err
	}
	w := &httpWait{x: x, generation: p.generation, signal: make(chan struct{}, 1)}
	if err := t.enter(w); err != nil {
		return reply{}, &NotSentError{err}
	}
	x.begin(w.wake)
	// Leaving closes the stream, which on a modern connection is how a request is
	// cancelled (CANCEL-03).
	streamCtx, stop := context.WithCancel(t.ctx)
	leave := func() {
		stop()
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.pending, x.id)
	}
	var proof sentProof
	go func() {
		defer t.wg.Done()
		t.exchange(proof.watch(streamCtx), p, w, &proof)
	}()
	r, err := w.wait(ctx)
	var timeout *TimeoutError
	if errors.As(err, &timeout) {
		t.mu.Lock()
		timeout.Hint = strayHint(t.strayWhy)
		t.mu.Unlock()
	}
	switch gaveUp := err != nil && sentAfterAll(err); {
	case gaveUp && !proof.maybeArrived():
		leave()
		return reply{}, t.neverSent(w, &proof, err)
	case gaveUp && !x.modern && x.admit != nil:
		t.linger(w, leave)
	default:
		leave()
	}
	return r, err
}

// linger reads on for a while after a legacy call was given up: there the stream
// is no part of cancelling (CANCEL-12), and what comes on it tells what became
// of the call. It is short: many servers work on until the stream is closed.
func (t *httpTransport) linger(w *httpWait, leave func()) {
	timer := time.AfterFunc(lingerTime, leave)
	after := func(r reply, err error) {
		timer.Stop()
		leave()
		if err == nil {
			t.late(w.x.id, r.msg)
		}
	}
	w.mu.Lock()
	w.after = after
	over := w.over
	w.mu.Unlock()
	if over {
		after(w.reply, w.err)
	}
}

// enter files a request and counts its goroutine, unless the transport or the
// session has ended while the gate was asked.
func (t *httpTransport) enter(w *httpWait) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.failure != nil:
		return ErrClosed
	case t.generation != w.generation:
		return ErrSessionGone
	}
	t.pending[w.x.id] = w
	t.wg.Add(1)
	return nil
}

// neverSent judges giving up on a request that was not seen to go out: once the
// library is through with it the proof is final.
func (t *httpTransport) neverSent(w *httpWait, proof *sentProof, gaveUp error) error {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	for {
		if _, _, over := w.result(); over {
			if proof.maybeArrived() {
				return gaveUp
			}
			var c *CancelledError
			if errors.As(gaveUp, &c) {
				return &NotSentError{c.Cause}
			}
			return &NotSentError{gaveUp}
		}
		select {
		case <-w.signal:
		case <-timer.C:
			return gaveUp
		}
	}
}

// posting is a message with where and how it is going to be written.
type posting struct {
	generation int
	address    string
	headers    []Header
	frame      []byte
}

// prepare makes a posting and asks the gate about it. Its errors are that of the
// gate and those of before.
func (t *httpTransport) prepare(ctx context.Context, x *exchange) (posting, error) {
	generation, err := t.hold(ctx, x)
	if err != nil {
		return posting{}, err
	}
	p := posting{generation, t.address(), t.headers(x, acceptBoth), x.frame}
	if x.admit != nil {
		if err := x.admit(ctx, p.address, p.headers); err != nil {
			return posting{}, &RefusedError{err}
		}
	}
	return p, nil
}

// exchange posts a request and reads until its answer has come.
func (t *httpTransport) exchange(ctx context.Context, p posting, w *httpWait, proof *sentProof) {
	resp, err := t.send(ctx, p, proof)
	if err != nil {
		w.settle(reply{}, err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	if w.x.opening && !w.x.modern && resp.StatusCode < 300 {
		t.begin(resp)
	}
	if err := t.receive(ctx, resp, w); err != nil {
		w.settle(reply{}, &LostError{err})
	}
}

// send makes one POST, once.
func (t *httpTransport) send(ctx context.Context, p posting, proof *sentProof) (*http.Response, error) {
	req, err := newRequest(ctx, http.MethodPost, p.address, p.headers, p.frame)
	if err != nil {
		return nil, &NotSentError{plainError(err)}
	}
	resp, err := do(t.client, req)
	switch {
	case err != nil && !proof.maybeArrived():
		return nil, &NotSentError{plainError(err)}
	case err != nil:
		return nil, &LostError{plainError(err)}
	}
	return resp, nil
}
