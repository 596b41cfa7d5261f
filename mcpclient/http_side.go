package mcpclient

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// notify posts a message that has no answer; any 2xx is fine (HTTP-05).
func (t *httpTransport) notify(ctx context.Context, x *exchange) error {
	p, err := t.prepare(ctx, x)
	if err != nil {
		return err
	}
	limit := sideTime
	if x.clock != nil && x.clock.max > 0 {
		limit = x.clock.max
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	var proof sentProof
	resp, err := t.send(proof.watch(timed), p, &proof)
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
		if err := t.redirected(resp); !err.Followed {
			return &LostError{err}
		} else {
			return &NotSentError{err}
		}
	case resp.StatusCode == http.StatusNotFound && t.inSession(x):
		t.lose(p.generation, nil)
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
		t.post(&exchange{method: "notifications/cancelled", bound: true, frame: cancelledFrame(x.id, reason)})
	}
}
