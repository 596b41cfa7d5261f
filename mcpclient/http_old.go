package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// HTTP+SSE of revision 2024-11-05: one stream brings everything, and its first
// event says where messages are posted.

var errStreamDropped = errors.New("the stream that brings the answers ended")

func (t *httpTransport) isOld() bool { return t.endpoint.Load() != "" }

// openOld opens the stream of an HTTP+SSE server and waits for the endpoint
// (LEG-23). ctx bounds the wait, not the stream.
func (t *httpTransport) openOld(ctx context.Context) error {
	streamCtx, stop := context.WithCancel(t.ctx)
	inTime := context.AfterFunc(ctx, stop)
	resp, err := t.openStream(streamCtx, "")
	if err != nil {
		stop()
		return err
	}
	t.mu.Lock()
	generation, failure := t.generation, t.failure
	found := make(chan error, 1)
	if t.stopStream = stop; failure == nil {
		t.wg.Go(func() {
			defer stop()
			defer func() { _ = resp.Body.Close() }()
			t.readOld(resp, generation, found)
		})
	}
	t.mu.Unlock()
	if failure != nil {
		stop()
		_ = resp.Body.Close()
		return failure
	}
	if err := <-found; err != nil {
		return err
	}
	if !inTime() {
		return context.Cause(ctx)
	}
	return nil
}

// readOld reads the stream to its end. found gets the endpoint's error or nil.
func (t *httpTransport) readOld(resp *http.Response, generation int, found chan<- error) {
	known := false
	var at cursor
	err := t.readEvents(resp.Body, &at, func(ev sseEvent) bool {
		switch {
		case !known && ev.Type == "endpoint":
			endpoint, err := resolveEndpoint(resp.Request.URL, string(ev.Data))
			if err == nil {
				t.endpoint.Store(endpoint)
				known = true
			}
			found <- err
			return err != nil
		case !known && ev.HasData:
			found <- errors.New("the first event of the stream is no endpoint")
			return true
		default:
			t.deliverEvent(ev, nil)
		}
		return false
	})
	if known {
		t.dropped(generation)
	} else if err != nil {
		found <- fmt.Errorf("the stream ended before its endpoint: %w", err)
	}
}

// dropped fails what waits for an answer, which cannot come any more; the stream
// is opened anew before anything else is sent.
func (t *httpTransport) dropped(generation int) {
	over := !t.mayRenew(generation)
	t.mu.Lock()
	var waiting []*httpWait
	for _, w := range t.pending {
		if w.generation == generation {
			waiting = append(waiting, w)
		}
	}
	t.mu.Unlock()
	for _, w := range waiting {
		w.settle(reply{}, &LostError{errStreamDropped})
	}
	if over {
		t.fail(ErrSessionGone)
	}
}

// resolveEndpoint resolves the data of an endpoint event against the address of
// its stream, and refuses another origin (LEG-24).
func resolveEndpoint(stream *url.URL, ref string) (string, error) {
	to, err := stream.Parse(strings.TrimSpace(ref))
	if err != nil {
		return "", errors.New("the server's endpoint is no URL")
	}
	if !sameOrigin(stream, to) {
		return "", fmt.Errorf("the server wants messages at %s://%s, which is another origin than its own", to.Scheme, to.Host)
	}
	to.Fragment, to.RawFragment = "", ""
	return to.String(), nil
}

// sameOrigin compares scheme, host and port, and refuses names and passwords in
// the second that the first has not.
func sameOrigin(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if p := u.Port(); p != "" {
			return p
		}
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b) &&
		(b.User == nil || a.User != nil && a.User.String() == b.User.String())
}
