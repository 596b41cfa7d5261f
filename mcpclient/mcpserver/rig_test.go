package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}`
	opening    = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`
	ready      = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// testServer has a tool for each thing that a tool can do. entered gets an
// item each time that wait begins.
func testServer(t *testing.T) (s *Server, entered chan string) {
	t.Helper()
	entered = make(chan string, 8)
	s = &Server{Info: json.RawMessage(`{"name":"test","version":"1"}`), Instructions: "try it"}
	add := func(name, schema string, run func(context.Context, *Call) (json.RawMessage, error)) {
		s.AddTool(Tool{Name: name, Definition: json.RawMessage(`{"name":"` + name + `","inputSchema":` + schema + `}`), Run: run})
	}
	text := func(t string) json.RawMessage {
		return encode(map[string]any{"content": []any{map[string]any{"type": "text", "text": t}}})
	}
	add("echo", `{"type":"object"}`, func(_ context.Context, c *Call) (json.RawMessage, error) { return text(string(c.Arguments)), nil })
	add("wait", `{"type":"object"}`, func(ctx context.Context, c *Call) (json.RawMessage, error) {
		c.Progress(1, 2, "<waiting>")
		entered <- "wait"
		<-ctx.Done()
		entered <- "ended"
		return nil, context.Cause(ctx)
	})
	ask := func(params string) func(ctx context.Context, c *Call) (json.RawMessage, error) {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			a, err := c.Ask(ctx, "q", json.RawMessage(params))
			if err != nil {
				return nil, err
			}
			return text(a.Action + string(a.Content)), nil
		}
	}
	add("ask", `{"type":"object"}`, ask(`{"message":"?","requestedSchema":{"type":"object","properties":{}}}`))
	add("visit", `{"type":"object"}`, ask(`{"mode":"url","message":"?","url":"https://example.com/"}`))
	add("fail", `{"type":"object"}`, func(context.Context, *Call) (json.RawMessage, error) {
		return nil, &Error{Code: -32603, Message: "own", Data: 7}
	})
	add("mirror", `{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"},"at":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"At-N"}}},"ok":{"type":"boolean","x-mcp-header":"Method"}}}`,
		func(context.Context, *Call) (json.RawMessage, error) { return text("mirrored"), nil })
	return s, entered
}

// call makes a modern tools/call. more begins with a comma, or is empty.
func call(id, tool, args, more string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + modernMeta + `,"name":"` + tool + `","arguments":` + args + more + `}}`
}

// brief is a frame in few words: its id, method, error code or text.
func brief(frame []byte) string {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
		Result *struct {
			ResultType string
			Content    []struct{ Text string }
		}
		Error *struct{ Code json.Number }
	}
	if err := json.Unmarshal(frame, &m); err != nil {
		return "unreadable: " + string(frame)
	}
	out := string(m.ID)
	switch {
	case m.Error != nil:
		return out + " " + m.Error.Code.String()
	case m.Method != "":
		return strings.TrimSpace(out + " " + m.Method)
	case m.Result != nil && len(m.Result.Content) > 0:
		return out + " " + m.Result.Content[0].Text
	case m.Result != nil && m.Result.ResultType != "":
		return out + " " + m.Result.ResultType
	}
	return out + " ok"
}

// peer is a client on the other end of a stdio server.
type peer struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Reader
	notes func() string
	done  chan error
}

func stdioPeer(t *testing.T, s *Server) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	var mu sync.Mutex
	var notes strings.Builder
	s.Log = func(n string) {
		mu.Lock()
		defer mu.Unlock()
		notes.WriteString(n + "\n")
	}
	p := &peer{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	p.notes = func() string {
		mu.Lock()
		defer mu.Unlock()
		return notes.String()
	}
	go func() {
		p.done <- s.ServeStdio(t.Context(), inR, outW)
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		_, _ = io.Copy(io.Discard, p.out)
		if err := <-p.done; err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(p.in, l+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// raw gives the next frame.
func (p *peer) raw() []byte {
	p.t.Helper()
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	return bytes.TrimSpace(line)
}

func (p *peer) want(wants ...string) {
	p.t.Helper()
	for _, w := range wants {
		if frame := p.raw(); brief(frame) != w {
			p.t.Fatalf("got %s\nwant %s", frame, w)
		}
	}
}

// web is the server over HTTP.
type web struct {
	t   *testing.T
	url string
}

func httpPeer(t *testing.T, s *Server) web {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	server := httptest.NewServer(s.Handler(ctx))
	t.Cleanup(func() { cancel(); server.Close() })
	return web{t, server.URL + Path}
}

// headers are "Name: value" lines; a name alone removes the header.
func (w web) request(ctx context.Context, method, body string, headers ...string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, ok := strings.Cut(h, ": ")
		switch {
		case !ok:
			r.Header.Del(name)
		case name == "Host":
			r.Host = value
		default:
			r.Header.Add(name, value)
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// post gives the status and the frames of the answer in brief.
func (w web) post(body string, headers ...string) (int, []string) {
	w.t.Helper()
	res := w.request(w.t.Context(), http.MethodPost, body, headers...)
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		if len(b) == 0 {
			return res.StatusCode, nil
		}
		return res.StatusCode, []string{brief(b)}
	}
	var out []string
	for l := range strings.SplitSeq(string(b), "\n") {
		if data, ok := strings.CutPrefix(l, "data: "); ok {
			out = append(out, brief([]byte(data)))
		}
	}
	return res.StatusCode, out
}

// nextEvent reads a stream up to its next frame.
func nextEvent(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	for {
		l, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(strings.TrimSpace(l), "data: "); ok {
			return brief([]byte(data))
		}
	}
}
