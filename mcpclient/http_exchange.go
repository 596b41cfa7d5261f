package mcpclient

import (
	"context"
	"errors"
	"fmt"
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
	x      *exchange
	signal chan struct{} // holds at most one

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
	if err := t.err(); err != nil {
		return reply{}, fmt.Errorf("%s: %w", x.method, err)
	}
	if err := ctx.Err(); err != nil {
		return reply{}, err
	}
	headers := t.headers(x, acceptBoth)
	if x.admit != nil {
		if err := x.admit(ctx, headers); err != nil {
			return reply{}, &RefusedError{err}
		}
	}
	w := &httpWait{x: x, signal: make(chan struct{}, 1)}
	if !t.enter(w) {
		return reply{}, &NotSentError{ErrClosed} // closed while the gate was asked
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
		t.exchange(proof.watch(streamCtx), headers, w, &proof)
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

// enter files a request and counts its goroutine, unless the transport has
// ended.
func (t *httpTransport) enter(w *httpWait) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure != nil {
		return false
	}
	t.pending[w.x.id] = w
	t.wg.Add(1)
	return true
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

// exchange posts a request and reads until its answer has come.
func (t *httpTransport) exchange(ctx context.Context, headers []Header, w *httpWait, proof *sentProof) {
	resp, err := t.post1(ctx, headers, w.x.frame, proof)
	if err != nil {
		w.settle(reply{}, err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	if w.x.opening && !w.x.modern && resp.StatusCode < 300 {
		t.session.Store(sessionID(resp)) // LEG-07
	}
	if err := t.receive(resp, w); err != nil {
		w.settle(reply{}, &LostError{err})
	}
}

// post1 sends one POST, once.
func (t *httpTransport) post1(ctx context.Context, headers []Header, frame []byte, proof *sentProof) (*http.Response, error) {
	req, err := t.request(ctx, http.MethodPost, headers, frame)
	if err != nil {
		return nil, &NotSentError{plainError(err)}
	}
	resp, err := t.client.Do(req)
	switch {
	case err != nil && !proof.maybeArrived():
		return nil, &NotSentError{plainError(err)}
	case err != nil:
		return nil, &LostError{plainError(err)}
	}
	return resp, nil
}

// sessionID returns a well-formed session id (LEG-10), or "".
func sessionID(resp *http.Response) string {
	id := resp.Header.Get("Mcp-Session-Id")
	for i := 0; i < len(id); i++ {
		if id[i] < 0x21 || id[i] > 0x7E {
			return ""
		}
	}
	return id
}
