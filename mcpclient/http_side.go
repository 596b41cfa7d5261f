package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	streamFirst, streamMost = time.Second, 5 * time.Minute
	// streamTries is how often in a row a stream of server messages may bring
	// nothing before we do without.
	streamTries = 10
)

var errStreamRefused = errors.New("not offered")

// notify posts a message that has no answer; any 2xx is fine (HTTP-05).
func (t *httpTransport) notify(ctx context.Context, x *exchange) error {
	if err := t.err(); err != nil {
		return fmt.Errorf("%s: %w", x.method, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	headers := t.headers(x, acceptBoth)
	if x.admit != nil {
		if err := x.admit(ctx, headers); err != nil {
			return &RefusedError{err}
		}
	}
	limit := sideTime
	if x.clock != nil && x.clock.max > 0 {
		limit = x.clock.max
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	var proof sentProof
	resp, err := t.post1(proof.watch(timed), headers, x.frame, &proof)
	if err != nil {
		var lost *LostError
		switch {
		case !errors.As(err, &lost):
		case ctx.Err() != nil:
			return &CancelledError{context.Cause(ctx)}
		case timed.Err() != nil:
			return &TimeoutError{After: limit}
		}
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be used again
		return nil
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return &LostError{redirect(resp)}
	case resp.StatusCode == http.StatusNotFound && t.inSession(x):
		t.fail(ErrSessionGone)
		return &NotSentError{ErrSessionGone}
	}
	return &LostError{httpError(resp)}
}

// post queues a message for the side.
func (t *httpTransport) post(x *exchange) {
	select {
	case t.side <- x:
	default:
		t.events.note("the server is too slow; a message to it was dropped")
	}
}

func (t *httpTransport) sideLoop() {
	for {
		select {
		case <-t.ctx.Done():
			return
		case x := <-t.side:
			if err := t.notify(t.ctx, x); err != nil && t.ctx.Err() == nil {
				t.events.note("%s could not be sent: %v", x.method, bare(err))
			}
		}
	}
}

// cancelled: on a modern connection the closed stream says it all; a legacy
// server wants a notification (CANCEL-03, CANCEL-12).
func (t *httpTransport) cancelled(x *exchange, reason string) {
	if !x.modern {
		t.post(&exchange{method: "notifications/cancelled", frame: cancelledFrame(x.id, reason)})
	}
}

// keepStream holds the stream on which a legacy server sends what belongs to no
// request (LEG-13). A server that offers none is left in peace; one that ends
// it again and again is asked with growing waits.
func (t *httpTransport) keepStream() {
	wait := streamFirst
	for tries := 0; tries < streamTries; tries++ {
		messages, retry, err := t.stream()
		if t.ctx.Err() != nil || errors.Is(err, errStreamRefused) {
			return
		}
		if messages > 0 {
			tries, wait = 0, streamFirst
		}
		select {
		case <-t.ctx.Done():
			return
		case <-t.ended:
			return
		case <-time.After(max(jittered(wait), retry)): // LEG-15
		}
		wait = min(2*wait, streamMost)
	}
}

// stream opens the stream and reads it to its end.
func (t *httpTransport) stream() (messages int, retry time.Duration, err error) {
	req, err := t.request(t.ctx, http.MethodGet, t.headers(&exchange{}, "text/event-stream"), nil)
	if err != nil {
		return 0, 0, err
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return 0, 0, plainError(err)
	}
	defer func() { _ = resp.Body.Close() }()
	kind := mediaType(resp)
	switch {
	case resp.StatusCode == http.StatusNotFound && t.session.Load() != "":
		// Perhaps the session is gone, perhaps there is no such stream: the next
		// request will tell.
		return 0, 0, errStreamRefused
	case resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented:
		return 0, 0, httpError(resp)
	case resp.StatusCode != http.StatusOK || kind != "text/event-stream":
		return 0, 0, errStreamRefused
	}
	events := newSSEReader(resp.Body, t.cfg.MaxMessageBytes)
	for {
		ev, err := events.next()
		if events.RetryMs > 0 {
			retry = min(time.Duration(events.RetryMs)*time.Millisecond, streamMost)
		}
		if err != nil {
			return messages, retry, err
		}
		if len(ev.Data) == 0 || ev.Type != "" && ev.Type != "message" {
			continue
		}
		messages++
		if err := t.deliver(ev.Data, resp.StatusCode, nil, false); err != nil {
			t.events.note("an event of the server's stream is no message: %v", err)
		}
	}
}
