package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// resumeTries is how often in a row a stream may fail to be taken up again.
const resumeTries = 10

// refusedError: the server offers no stream, or not this one.
type refusedError struct{ cause error }

func (e *refusedError) Error() string { return "refused: " + e.cause.Error() }
func (e *refusedError) Unwrap() error { return e.cause }

// cursor is how far a legacy stream was read.
type cursor struct {
	id    string        // the last event's, "" for none (LEG-14)
	retry time.Duration // what the server wants waited, 0 for nothing (LEG-15)
	// news counts the events since the stream was opened, messages those of them
	// that bring something.
	news, messages int
}

// readEvents hands on each event of a stream until it ends or take says that it
// is enough, which alone gives nil.
func (t *httpTransport) readEvents(body io.Reader, at *cursor, take func(sseEvent) (enough bool)) error {
	events := newSSEReader(body, t.cfg.MaxMessageBytes)
	events.LastID = at.id
	at.news, at.messages = 0, 0
	for {
		ev, err := events.next()
		at.id = events.LastID
		if events.RetryMs >= 0 {
			at.retry = time.Duration(events.RetryMs) * time.Millisecond
		}
		if err != nil {
			return err
		}
		at.news++
		if len(ev.Data) > 0 {
			at.messages++
		}
		if take(ev) {
			return nil
		}
	}
}

// deliverEvent brings what an event holds to its place; w is nil on a stream of
// all. What cannot be used costs only itself, and an event without data only
// brings an id (LEG-16).
func (t *httpTransport) deliverEvent(ev sseEvent, w *httpWait) {
	switch {
	case ev.Type != "" && ev.Type != "message":
	case ev.Over != nil:
		t.deliverOver(ev.Over, w)
	case len(ev.Data) > 0:
		if err := t.deliver(ev.Data, http.StatusOK, w, false); err != nil {
			t.events.note("an event of the server's stream is no message: %v", err)
		}
	}
}

// deliverOver fails the request whose answer is over the limit, if that can be
// told.
func (t *httpTransport) deliverOver(over *ends, w *httpWait) {
	err := &TooLargeError{t.cfg.MaxMessageBytes}
	t.events.note("a message of the server was skipped: %v", err)
	id, known := jsonrpc.PeekID(over.Head, over.Tail)
	if !known && bytes.Contains(over.Head, []byte(`"method"`)) {
		return
	}
	if known {
		t.mu.Lock()
		w = t.pending[id]
		t.mu.Unlock()
	}
	if w != nil {
		w.settle(reply{}, &LostError{err})
	}
}

// receiveStream reads events until the answer has come, and no further
// (HTTP-06). A legacy stream that ends too early, after an event that had an id,
// is taken up again (LEG-14, LEG-16); a modern one is lost (HTTP-08, HTTP-09).
func (t *httpTransport) receiveStream(ctx context.Context, resp *http.Response, w *httpWait) error {
	take := func(ev sseEvent) bool {
		t.deliverEvent(ev, w)
		_, _, over := w.result()
		return over
	}
	var at cursor
	err := t.readEvents(resp.Body, &at, take)
	for tries := 1; err != nil; tries++ {
		if errors.Is(err, io.EOF) {
			err = errStreamBroke
		} else {
			err = fmt.Errorf("%w: %w", errStreamBroke, err)
		}
		if at.id == "" || w.x.modern {
			return err
		}
		_ = resp.Body.Close()
		if at.news > 0 {
			tries = 1
		}
		if !t.pause(ctx, w.generation, t.delay(tries, at.retry)) {
			return err
		}
		again, why := t.openStream(ctx, at.id)
		if why == nil {
			err = t.readEvents(again.Body, &at, take)
			_ = again.Body.Close()
			continue
		}
		if at.news = 0; tries >= resumeTries || errors.As(why, new(*refusedError)) {
			return fmt.Errorf("%w, and could not be taken up again: %w", err, why)
		}
	}
	return nil
}

// delay is how long to wait before the nth try in a row to open a stream.
func (t *httpTransport) delay(tries int, retry time.Duration) time.Duration {
	wait := t.tuning.streamFirst << min(tries-1, 20)
	if tries == 1 && retry > 0 {
		return retry
	}
	return max(jittered(min(wait, t.tuning.streamMost)), retry)
}

// pause waits and reports whether the session still stands.
func (t *httpTransport) pause(ctx context.Context, generation int, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case <-ctx.Done():
	case <-t.ended:
	case <-t.tuning.after(d):
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return ctx.Err() == nil && t.failure == nil && t.generation == generation
}

// openStream opens a legacy stream of events, from after an event on if one is
// named.
func (t *httpTransport) openStream(ctx context.Context, lastID string) (*http.Response, error) {
	headers := t.headers(&exchange{}, "text/event-stream")
	if lastID != "" {
		headers = append(headers, Header{"Last-Event-ID", lastID})
	}
	req, err := newRequest(ctx, http.MethodGet, t.url.Load().(string), headers, nil)
	if err != nil {
		return nil, &refusedError{err}
	}
	resp, err := do(t.streams, req)
	if err != nil {
		return nil, plainError(err)
	}
	if resp.StatusCode == http.StatusOK && mediaType(resp) == "text/event-stream" {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	err = httpError(resp)
	if resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented {
		return nil, err
	}
	return nil, &refusedError{err}
}

// keepStream holds the stream on which a legacy server sends what belongs to no
// request (LEG-13). A server that offers none is left in peace, be the refusal a
// 404, of which the next request will tell what it means; one that ends it again
// and again is asked with growing waits, and not for ever. answered is told when
// the server has answered for the first time.
func (t *httpTransport) keepStream(ctx context.Context, answered func()) {
	defer answered()
	t.mu.Lock()
	generation := t.generation
	t.mu.Unlock()
	take := func(ev sseEvent) bool {
		t.deliverEvent(ev, nil)
		return false
	}
	var at cursor
	stood := false
	for tries := 1; tries <= resumeTries; tries++ {
		resp, err := t.openStream(ctx, at.id)
		answered()
		switch {
		case err == nil:
			t.events.hears("")
			_ = t.readEvents(resp.Body, &at, take) // it ends in one way or another
			_ = resp.Body.Close()
			switch {
			case at.messages > 0:
				tries = 1
			case at.news > 0: // it wants to be polled, but not all the time
				tries = min(tries, resumeTries-1)
			}
		case errors.As(err, new(*refusedError)) && at.id == "":
			if stood {
				t.events.hears(fmt.Sprintf("the server's stream of messages ended, and a new one is %v", err))
			}
			return
		case errors.As(err, new(*refusedError)):
			at = cursor{} // perhaps it only does not know the event any more
		default:
			t.events.hears(fmt.Sprintf("the server's stream of messages is broken (%v) and is tried again", err))
		}
		stood = stood || err == nil
		if !t.pause(ctx, generation, t.delay(tries, at.retry)) {
			return
		}
	}
	t.events.hears(fmt.Sprintf("the server's stream of messages broke %d times in a row and is not tried again", resumeTries))
}
