package mcpclient

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"countersign/mcpclient/jsonrpc"
)

// receive reads an HTTP answer. It returns an error when no answer of the server
// to the request was in it.
func (t *httpTransport) receive(ctx context.Context, resp *http.Response, w *httpWait) error {
	kind := mediaType(resp)
	gone := resp.StatusCode == http.StatusNotFound && t.inSession(w.x)
	if !gone && !w.x.opening {
		t.used.Store(true)
	}
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		err := t.redirected(resp)
		if !err.Followed {
			return err
		}
		w.settle(reply{}, &NotSentError{err})
		return nil
	case gone:
		t.lose(w.generation, w)
		return nil
	case resp.StatusCode >= 400:
		return t.receiveRefusal(resp, w)
	case t.isOld():
		return nil // the answer comes on the stream of all
	case kind == "text/event-stream":
		return t.receiveStream(ctx, resp, w)
	case resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent:
		return errNoAnswer
	case kind == "text/html":
		return httpError(resp)
	}
	return t.receiveJSON(resp, w) // whatever the type says
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
// server's answer (HTTP-11, VER-11), whatever its id (BASE-08).
func (t *httpTransport) receiveRefusal(resp *http.Response, w *httpWait) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a cut body is no JSON
	m, err := jsonrpc.Parse(bytes.TrimSpace(body))
	if err != nil || !m.IsResponse() || !jsonrpc.IsObject(m.Error) || resp.StatusCode == http.StatusUnauthorized {
		return newHTTPError(resp, body)
	}
	if !mayAnswer(&m, w.x.id) { // some frameworks put a word of their own there
		t.events.note("the error that answers request %d came with the id %s", w.x.id, clip(string(m.ID), 64))
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
	n, _, ok := jsonrpc.AnswerID(m.ID)
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
			if !w.x.opening {
				t.used.Store(true)
			}
			w.settle(reply{m, status}, nil)
			return
		}
	}
	why := "with the unknown id " + clip(string(m.ID), 64)
	t.mu.Lock()
	t.strayWhy = why
	t.mu.Unlock()
	t.events.note("an answer %s was ignored", why)
}
