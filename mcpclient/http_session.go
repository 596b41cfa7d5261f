package mcpclient

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// begin takes the session id from an answer to initialize (LEG-07).
func (t *httpTransport) begin(resp *http.Response) {
	id := resp.Header.Get("Mcp-Session-Id")
	for i := 0; i < len(id); i++ {
		if id[i] < 0x21 || id[i] > 0x7E { // LEG-10
			t.events.note("the server's session id holds characters that it may not; it is not used")
			id = ""
		}
	}
	t.session.Store(id)
}

// inSession reports whether a 404 to the message can mean that its session is
// gone.
func (t *httpTransport) inSession(x *exchange) bool {
	return !x.modern && !x.opening && (t.session.Load() != "" || t.isOld())
}

// hold waits while a session is begun anew and returns the generation of the one
// that stands.
func (t *httpTransport) hold(ctx context.Context, x *exchange) (generation int, err error) {
	for {
		t.mu.Lock()
		renewal, generation, failure := t.renewal, t.generation, t.failure
		t.mu.Unlock()
		switch {
		case failure != nil:
			return 0, fmt.Errorf("%s: %w", x.method, failure)
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case renewal == nil || x.early:
			return generation, nil
		case x.bound:
			return 0, fmt.Errorf("%s: %w", x.method, ErrSessionGone)
		}
		select {
		case <-renewal:
		case <-t.ended:
		case <-ctx.Done():
		}
	}
}

// maxRenewals in renewalSpan are begun; after that the connection ends.
const maxRenewals, renewalSpan = 3, time.Minute

// lose takes note that the server no longer knows a session. One that was of use
// is begun anew (LEG-08), if that does not happen all the time; else the
// connection ends, so that nothing goes round in circles. w, if any, is the
// request that was answered so; whoever waits for it finds the session renewed.
func (t *httpTransport) lose(generation int, w *httpWait) {
	over := !t.mayRenew(generation)
	if w != nil {
		w.settle(reply{}, &NotSentError{ErrSessionGone})
	}
	if over {
		t.fail(ErrSessionGone)
	}
}

// mayRenew starts the renewal of a session, unless there was one meanwhile, and
// reports false where that would be of no use.
func (t *httpTransport) mayRenew(generation int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure != nil || t.renewal != nil || t.generation != generation {
		return true
	}
	now := time.Now()
	t.renewals = append(slices.DeleteFunc(t.renewals, func(at time.Time) bool { return now.Sub(at) > renewalSpan }), now)
	if !t.standing || !t.used.Load() || len(t.renewals) > maxRenewals {
		return false
	}
	t.generation++
	t.renewal = make(chan struct{})
	t.used.Store(false)
	t.session.Store("")
	t.stopStream()
	t.wg.Go(t.renew) // close has not begun to wait: nothing has failed
	return true
}

// renew begins a lost session anew.
func (t *httpTransport) renew() {
	ctx, cancel := context.WithTimeout(t.ctx, t.cfg.RequestTimeout)
	defer cancel()
	var err error
	if t.isOld() {
		err = t.openOld(ctx)
	}
	if err == nil {
		err = t.anew(ctx)
	}
	if err != nil {
		t.fail(fmt.Errorf("%w, and it could not be begun anew: %w", ErrSessionGone, bare(err)))
		return // those that wait for the renewal see that
	}
	t.events.note("the server no longer knew the session; it was begun anew")
	t.mu.Lock()
	close(t.renewal)
	t.renewal = nil
	t.mu.Unlock()
	t.established()
}

// redirected judges a redirect. One that keeps method and origin is followed in
// so far as what comes next is sent there; this message is not.
func (t *httpTransport) redirected(resp *http.Response) *RedirectError {
	e := &RedirectError{Status: resp.StatusCode, Location: resp.Header.Get("Location")}
	from := resp.Request.URL
	to, err := from.Parse(e.Location)
	if err != nil || e.Location == "" {
		return e
	}
	e.Location = to.String()
	to.Fragment = ""
	if e.Status == http.StatusTemporaryRedirect || e.Status == http.StatusPermanentRedirect {
		e.Followed = sameOrigin(from, to) && t.move(from.String(), to.String())
	}
	return e
}

// maxHops bounds the redirects that one connection follows.
const maxHops = 5

// move makes to the address instead of from, unless that was done before.
func (t *httpTransport) move(from, to string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	current := &t.url
	if t.isOld() {
		current = &t.endpoint
	}
	if current.Load() != from {
		return current.Load() == to
	}
	if t.hops++; t.hops > maxHops {
		return false
	}
	current.Store(to)
	t.events.note("the server's address on its own host is now %s", to)
	return true
}
