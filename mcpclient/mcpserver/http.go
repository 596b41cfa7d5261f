package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Handler serves the server over Streamable HTTP at the path /mcp. Only
// requests from loopback origins are taken (a web page of another origin must
// not reach it).
func (s *Server) Handler() http.Handler {
	h := &httpServer{srv: s, sessions: map[string]*httpSession{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", h.serve)
	return mux
}

type httpServer struct {
	srv *Server

	mu       sync.Mutex
	sessions map[string]*httpSession // legacy
}

// httpSession is a legacy client; events go to its GET stream.
type httpSession struct {
	*session
	events chan []byte
	stop   func()
}

func (h *httpServer) serve(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); origin != "" && !loopbackOrigin(origin) {
		write(w, http.StatusForbidden, failure(nil, &Error{Code: -32600, Message: "foreign origin"}))
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		h.stream(w, r)
	case http.MethodDelete:
		h.end(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func loopbackOrigin(origin string) bool {
	_, rest, _ := strings.Cut(origin, "://")
	host, _, err := net.SplitHostPort(rest)
	if err != nil {
		host = rest
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func (h *httpServer) post(w http.ResponseWriter, r *http.Request) {
	accept := r.Header.Get("Accept")
	if !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") {
		write(w, http.StatusNotAcceptable, failure(nil, &Error{Code: -32600, Message: "Accept must list application/json and text/event-stream"}))
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxLine))
	var m message
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	if err != nil || m.Version != "2.0" {
		write(w, http.StatusBadRequest, failure(nil, &Error{Code: -32700, Message: "not a JSON-RPC message"}))
		return
	}
	if m.Method == "initialize" {
		h.open(w, r, m)
		return
	}
	if id := r.Header.Get("Mcp-Session-Id"); id != "" {
		h.legacy(w, r, m, id)
		return
	}
	if m.Method == "" || m.ID == nil {
		write(w, http.StatusBadRequest, failure(nil, &Error{Code: -32600, Message: "only requests are taken here"}))
		return
	}
	if e := checkHeaders(r.Header, m); e != nil {
		write(w, http.StatusBadRequest, failure(m.ID, e))
		return
	}
	newSession(h.srv, nil).respond(w, r.Context(), m)
}

// checkHeaders holds the mirrored headers against the body.
func checkHeaders(header http.Header, m message) *Error {
	var p request
	_ = json.Unmarshal(m.Params, &p)
	var version string
	_ = json.Unmarshal(p.Meta[metaPrefix+"protocolVersion"], &version)
	mismatch := func(name string) *Error {
		return &Error{Code: -32020, Message: "the header " + name + " does not mirror the body"}
	}
	if version != "" && header.Get("MCP-Protocol-Version") != version {
		return mismatch("MCP-Protocol-Version")
	}
	if header.Get("Mcp-Method") != m.Method {
		return mismatch("Mcp-Method")
	}
	name := ""
	switch m.Method {
	case "tools/call", "prompts/get":
		name = p.Name
	case "resources/read":
		name = p.URI
	default:
		return nil
	}
	if decodeHeader(header.Get("Mcp-Name")) != name {
		return mismatch("Mcp-Name")
	}
	return nil
}

func decodeHeader(v string) string {
	inner, ok := strings.CutPrefix(v, "=?base64?")
	if inner, end := strings.CutSuffix(inner, "?="); ok && end {
		if b, err := base64.StdEncoding.DecodeString(inner); err == nil {
			return string(b)
		}
	}
	return v
}

func (h *httpServer) open(w http.ResponseWriter, r *http.Request, m message) {
	var b [16]byte
	_, _ = rand.Read(b[:])
	id := hex.EncodeToString(b[:])
	hs := &httpSession{events: make(chan []byte, 64)}
	hs.session = newSession(h.srv, nil)
	hs.stop = h.srv.watch(func() {
		select {
		case hs.events <- notification("notifications/tools/list_changed", map[string]any{}):
		default: // nobody reads: the client asks when it wants to know
		}
	})
	h.mu.Lock()
	h.sessions[id] = hs
	h.mu.Unlock()
	w.Header().Set("Mcp-Session-Id", id)
	hs.respond(w, r.Context(), m)
}

func (h *httpServer) find(id string) (*httpSession, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.sessions[id]
	return s, ok
}

func (h *httpServer) legacy(w http.ResponseWriter, r *http.Request, m message, id string) {
	hs, ok := h.find(id)
	if !ok {
		write(w, http.StatusNotFound, failure(nil, &Error{Code: -32001, Message: "no such session"}))
		return
	}
	if m.Method == "" || m.ID == nil {
		hs.take(m)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	// A dropped connection is no cancellation in this era (CANCEL-12).
	hs.respond(w, context.WithoutCancel(r.Context()), m)
}

// stream is the legacy GET stream.
func (h *httpServer) stream(w http.ResponseWriter, r *http.Request) {
	hs, ok := h.find(r.Header.Get("Mcp-Session-Id"))
	if !ok {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	out := &answer{w: w, streams: true}
	out.begin()
	for {
		select {
		case <-r.Context().Done():
			return
		case f := <-hs.events:
			out.event(f)
		}
	}
}

func (h *httpServer) end(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	hs, ok := h.find(id)
	if !ok {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	hs.stop()
	h.mu.Lock()
	delete(h.sessions, id)
	h.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// respond runs a request and answers with one JSON object, or with a stream
// once there is more to say than that.
func (s *session) respond(w http.ResponseWriter, ctx context.Context, m message) {
	out := &answer{w: w, id: m.ID}
	s.serve(ctx, m, out.send)
}

// answer is an HTTP answer in the making. Safe to call together.
type answer struct {
	w  http.ResponseWriter
	id json.RawMessage

	mu      sync.Mutex
	streams bool
	begun   bool
}

func (a *answer) send(frame []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Error  *struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	last := json.Unmarshal(frame, &m) == nil && m.Method == ""
	if last && !a.streams {
		status := http.StatusOK
		if m.Error != nil {
			status = statusOf(m.Error.Code)
		}
		write(a.w, status, frame)
		return
	}
	a.streams = true
	a.begin()
	a.event(frame)
}

// statusOf pairs error codes with statuses (HTTP-11).
func statusOf(code int) int {
	switch code {
	case -32020, -32021, -32022:
		return http.StatusBadRequest
	case -32601:
		return http.StatusNotFound
	}
	return http.StatusOK
}

func (a *answer) begin() {
	if a.begun {
		return
	}
	a.begun = true
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("Cache-Control", "no-store")
	a.w.WriteHeader(http.StatusOK)
	a.flush()
}

func (a *answer) event(frame []byte) {
	_, _ = a.w.Write(append(append([]byte("event: message\ndata: "), frame...), "\n\n"...))
	a.flush()
}

func (a *answer) flush() {
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}

// ServeHTTP listens on addr, which must be a loopback address, until ctx ends.
// ready is told the address that is listened on.
func (s *Server) ServeHTTP(ctx context.Context, addr string, ready func(address string)) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return errors.New("only loopback addresses are served, such as 127.0.0.1:8931")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	base, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{Handler: s.Handler(), BaseContext: func(net.Listener) context.Context { return base }}
	ready(l.Addr().String())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-base.Done()
		_ = server.Close()
	}()
	err = server.Serve(l)
	cancel()
	<-ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
