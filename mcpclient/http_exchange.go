package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"countersign/mcpclient/jsonrpc"
)

const acceptBoth = "application/json, text/event-stream" // HTTP-02

var (
	errNoAnswer    = &InvalidResponseError{"the server took the request without an answer"}
	errStreamBroke = errors.New("the answer's stream ended before the answer")
)

func newBytesReader(b []byte) io.Reader { return bytes.NewReader(b) }

// httpWait is a request that waits for its answer.
type httpWait struct {
	x      *exchange
	signal chan struct{} // holds at most one

	mu    sync.Mutex
	over  bool
	reply reply
	err   error
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
	if !w.over {
		w.over, w.reply, w.err = true, r, err
	}
	w.mu.Unlock()
	w.wake()
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
	t.mu.Lock()
	t.pending[x.id] = w
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		delete(t.pending, x.id)
		t.mu.Unlock()
	}()
	x.begin(w.wake)
	// Leaving closes the stream, which on a modern connection is how a request is
	// cancelled (CANCEL-03).
	streamCtx, stop := context.WithCancel(t.ctx)
	defer stop()
	var proof sentProof
	t.wg.Go(func() { t.exchange(proof.watch(streamCtx), headers, w, &proof) })
	r, err := w.wait(ctx)
	if err != nil && !proof.maybeArrived() && sentAfterAll(err) {
		stop()
		return reply{}, t.neverSent(w, &proof, err)
	}
	return r, err
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

// receive reads an HTTP answer. It returns an error when no answer of the server
// to the request was in it.
func (t *httpTransport) receive(resp *http.Response, w *httpWait) error {
	kind := mediaType(resp)
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return redirect(resp)
	case resp.StatusCode == http.StatusNotFound && t.inSession(w.x):
		w.settle(reply{}, &NotSentError{ErrSessionGone})
		t.fail(ErrSessionGone)
		return nil
	case resp.StatusCode >= 400:
		return t.receiveRefusal(resp, w)
	case kind == "text/event-stream":
		return t.receiveStream(resp, w)
	case resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent:
		return errNoAnswer
	case kind == "text/html":
		return httpError(resp)
	}
	return t.receiveJSON(resp, w) // whatever the type says
}

func (t *httpTransport) inSession(x *exchange) bool {
	return !x.modern && !x.opening && t.session.Load() != ""
}

func mediaType(resp *http.Response) string {
	header := resp.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(header, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

func redirect(resp *http.Response) error {
	where := resp.Header.Get("Location")
	if u, err := url.Parse(where); err == nil && where != "" {
		where = resp.Request.URL.ResolveReference(u).String()
	}
	return &RedirectError{Status: resp.StatusCode, Location: where}
}

// httpError keeps the start of an answer that is not MCP's.
func httpError(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // what could be read will do
	return newHTTPError(resp, body)
}

func newHTTPError(resp *http.Response, body []byte) error {
	return &HTTPError{
		Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"),
		Challenge: resp.Header.Get("WWW-Authenticate"),
		Body:      strings.ToValidUTF8(string(body[:min(len(body), 1<<10)]), "\uFFFD"),
	}
}

// receiveRefusal reads the body of a 4xx or 5xx: a JSON-RPC error in it is the
// server's answer (HTTP-11), with or without an id (BASE-08).
func (t *httpTransport) receiveRefusal(resp *http.Response, w *httpWait) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a cut body is no JSON
	m, err := jsonrpc.Parse(bytes.TrimSpace(body))
	if err != nil || !m.IsResponse() || !jsonrpc.IsObject(m.Error) || !mayAnswer(&m, w.x.id) {
		return newHTTPError(resp, body)
	}
	if resp.StatusCode == http.StatusUnauthorized {
		return newHTTPError(resp, body)
	}
	w.settle(reply{m, resp.StatusCode}, nil)
	return nil
}

// mayAnswer reports whether an answer that came in reply to the request with
// this id is its answer: the id fits, or it is an error without id.
func mayAnswer(m *jsonrpc.Message, id int64) bool {
	if !m.HasID() {
		return m.Error != nil
	}
	if n, ok := m.IntID(); ok {
		return n == id
	}
	s, _ := jsonrpc.String(m.ID)
	n, ok := jsonrpc.Int([]byte(s))
	return ok && n == id
}

// receiveJSON reads a body that is one message, or a batch of them (LEG-22).
func (t *httpTransport) receiveJSON(resp *http.Response, w *httpWait) error {
	body, err := readAll(resp, t.cfg.MaxMessageBytes)
	if err != nil {
		return err
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || jsonrpc.IsNull(body) {
		return errNoAnswer
	}
	if body[0] != '{' && body[0] != '[' {
		return newHTTPError(resp, body)
	}
	return t.deliver(body, resp.StatusCode, w, true)
}

// readAll reads a body up to a limit.
func readAll(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, &TooLargeError{limit}
	}
	var buf bytes.Buffer
	if resp.ContentLength > 0 {
		buf.Grow(int(min(resp.ContentLength, 64<<20)) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the answer: %w", err)
	case n > limit:
		return nil, &TooLargeError{limit}
	}
	return buf.Bytes(), nil
}

// receiveStream reads events until the answer has come, and no further
// (HTTP-06).
func (t *httpTransport) receiveStream(resp *http.Response, w *httpWait) error {
	events := newSSEReader(resp.Body, t.cfg.MaxMessageBytes)
	for {
		ev, err := events.next()
		if errors.Is(err, io.EOF) {
			return errStreamBroke
		}
		if err != nil {
			return fmt.Errorf("read the answer's stream: %w", err)
		}
		if len(ev.Data) == 0 || ev.Type != "" && ev.Type != "message" {
			continue
		}
		if err := t.deliver(ev.Data, resp.StatusCode, w, false); err != nil {
			t.events.note("an event of the answer's stream is no message: %v", err)
		}
		if _, _, over := w.result(); over {
			return nil
		}
	}
}

// deliver takes one received text apart and brings each message to its place. w
// is the request it was received for, nil on a stream of all. With only set, an
// error is returned unless that request got its answer.
func (t *httpTransport) deliver(body []byte, status int, w *httpWait, only bool) error {
	if len(body) > 0 && body[0] == '[' {
		var failed error
		err := jsonrpc.Elements(body, func(item []byte) bool {
			if err := t.deliver(item, status, w, false); err != nil {
				failed = err
			}
			return true
		})
		if err == nil {
			err = failed
		}
		return t.check(err, w, only)
	}
	m, err := jsonrpc.Parse(body)
	if err == nil && !utf8.Valid(body) {
		t.events.note("a message holds bytes that are not UTF-8; they are kept as they are")
	}
	switch {
	case err != nil:
		return fmt.Errorf("the answer cannot be read: %w", err)
	case m.Method != "":
		if w != nil && w.x.incoming != nil {
			w.x.incoming(m)
		} else {
			t.incoming(m)
		}
	case w != nil && mayAnswer(&m, w.x.id):
		if _, ok := m.IntID(); !ok {
			t.events.note("the answer to request %d came with the id %s", w.x.id, clip(string(m.ID), 64))
		}
		w.settle(reply{m, status}, nil)
		return nil
	default:
		t.deliverElsewhere(m, status)
	}
	return t.check(nil, w, only)
}

func (t *httpTransport) check(err error, w *httpWait, only bool) error {
	if err != nil || !only {
		return err
	}
	if _, _, over := w.result(); !over {
		return &InvalidResponseError{"the answer is for another request"}
	}
	return nil
}

// deliverElsewhere brings an answer that came on another stream to its request.
func (t *httpTransport) deliverElsewhere(m jsonrpc.Message, status int) {
	if id, ok := m.IntID(); ok {
		t.mu.Lock()
		w := t.pending[id]
		t.mu.Unlock()
		if w != nil {
			w.settle(reply{m, status}, nil)
			return
		}
	}
	t.events.note("an answer with the unknown id %s was ignored", clip(string(m.ID), 64))
}
