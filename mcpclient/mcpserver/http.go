package mcpserver

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Path is where the server is found over HTTP.
const Path = "/mcp"

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "MCP-Protocol-Version"
)

// closing is how long running answers may take to end when the server ends;
// settling is how long their last bytes may take after that. Connections that
// clients keep without a request are no reason to wait.
const (
	closing  = 2 * time.Second
	settling = 100 * time.Millisecond
)

// ServeHTTP listens on addr, which must be a loopback address, until ctx ends.
// ready is told the address that is listened on.
func (s *Server) ServeHTTP(ctx context.Context, addr string, ready func(address string)) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if !isLoopback(host) {
		return errors.New("only loopback addresses are served, such as 127.0.0.1:8931")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	base, cancel := context.WithCancel(ctx)
	defer cancel()
	h := newHTTPServer(s, base)
	server := &http.Server{Handler: h, BaseContext: func(net.Listener) context.Context { return base }, ReadHeaderTimeout: 10 * time.Second}
	ready(l.Addr().String())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-base.Done()
		select {
		case <-h.busy.close():
		case <-time.After(closing):
		}
		late, stop := context.WithTimeout(context.WithoutCancel(base), settling)
		defer stop()
		if server.Shutdown(late) != nil {
			_ = server.Close() // what would not end by itself
		}
	}()
	err = server.Serve(l)
	cancel()
	<-ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Handler serves the server over Streamable HTTP at Path. Only requests to and
// from loopback hosts are taken: a page of another origin must not reach it,
// nor one whose name was made to point here. Legacy calls end with ctx at the
// latest.
func (s *Server) Handler(ctx context.Context) http.Handler { return newHTTPServer(s, ctx) }

type httpServer struct {
	srv      *Server
	base     context.Context
	sessions *sessions
	busy     busy
}

// busy counts the requests that are being answered.
type busy struct {
	mu     sync.Mutex
	n      int
	closed chan struct{} // set by close; closed when n is zero
}

// enter is false once the server closes.
func (b *busy) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed != nil {
		return false
	}
	b.n++
	return true
}

func (b *busy) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n--; b.n == 0 && b.closed != nil {
		close(b.closed)
	}
}

// close lets nobody in any more, and gives what is closed when all have left.
// It is called once.
func (b *busy) close() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = make(chan struct{})
	if b.n == 0 {
		close(b.closed)
	}
	return b.closed
}

func newHTTPServer(s *Server, base context.Context) *httpServer {
	return &httpServer{srv: s, base: base, sessions: &sessions{byID: map[string]*httpSession{}}}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func loopbackOrigin(origin string) bool {
	_, rest, ok := strings.Cut(origin, "://")
	return ok && isLoopback(hostOf(rest))
}

func hostOf(hostPort string) string {
	if host, _, err := net.SplitHostPort(hostPort); err == nil {
		return host
	}
	return hostPort
}

// ServeHTTP takes a request.
func (h *httpServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.busy.enter() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	defer h.busy.leave()
	if origin := r.Header.Get("Origin"); origin != "" && !loopbackOrigin(origin) || !isLoopback(hostOf(r.Host)) {
		refuse(w, http.StatusForbidden, codeInvalidRequest, "Only loopback hosts and origins are served")
		return
	}
	if r.URL.Path != Path {
		http.NotFound(w, r)
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
		notAllowed(w)
	}
}

func notAllowed(w http.ResponseWriter) {
	w.Header().Set("Allow", "GET, POST, DELETE")
	w.WriteHeader(http.StatusMethodNotAllowed)
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that left is no matter
}

func refuse(w http.ResponseWriter, status, code int, text string) {
	write(w, status, failure(nil, &Error{Code: code, Message: text}))
}

func (h *httpServer) post(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, "application/json") || !accepts(r, "text/event-stream") { // HTTP-02
		refuse(w, http.StatusNotAcceptable, codeInvalidRequest, "Accept must list application/json and text/event-stream")
		return
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, codeInvalidRequest, "Content-Type must be application/json")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, codeInvalidRequest, "The message could not be read whole")
		return
	}
	m, fault := parse(body)
	if fault != nil {
		write(w, http.StatusBadRequest, failure(m.id, fault))
		return
	}
	id := r.Header.Get(sessionHeader)
	switch {
	case m.method == "initialize" && m.isRequest():
		h.open(w, r, m)
	case id != "" && !isModern(m):
		h.legacy(w, r, m, id)
	case m.isResponse(): // BASE-05
		refuse(w, http.StatusBadRequest, codeInvalidRequest, "Without a session nothing is asked, so there is nothing to answer")
	case !m.isRequest(): // there is none over HTTP (HTTP-05), but a client in wide use gives up when it is refused
		h.srv.note("a notification without a session: %s", m.method)
		w.WriteHeader(http.StatusAccepted)
	default:
		if e := h.srv.checkHeaders(r.Header, m); e != nil {
			write(w, http.StatusBadRequest, failure(m.id, e))
			return
		}
		respond(r.Context(), newSession(h.srv), m, &answer{w: w})
	}
}

func accepts(r *http.Request, want string) bool {
	for _, v := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(v, ",") {
			if t, _, err := mime.ParseMediaType(part); err == nil && (t == want || t == "*/*") {
				return true
			}
		}
	}
	return false
}

func isModern(m message) bool {
	meta, _ := members(m.params["_meta"])
	return meta[metaVersion] != nil
}

// respond runs a request and answers with one JSON object, or with a stream
// once there is more to say than that.
func respond(ctx context.Context, s *session, m message, out *answer) {
	s.serve(ctx, m, out)
	out.close()
}

// answer is an HTTP answer in the making. Safe to use together.
type answer struct {
	w http.ResponseWriter
	// legacy: errors of JSON-RPC have status 200, for 404 means that the
	// session is gone (LEG-08)
	legacy bool

	mu      sync.Mutex
	streams bool // the head of a stream was written
	done    bool
}

func (a *answer) send(frame []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.done { // else it is too late: the request has been answered
		a.event(frame)
	}
}

func (a *answer) finish(frame []byte, e *Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = true
	if a.streams {
		a.event(frame)
		return
	}
	status := http.StatusOK
	if e != nil && !a.legacy {
		status = statusOf(e)
	}
	write(a.w, status, frame)
}

// statusOf pairs error codes with statuses (HTTP-11).
func statusOf(e *Error) int {
	if e.status != 0 {
		return e.status
	}
	switch e.Code {
	case codeHeaderMismatch, codeMissingFeature, codeWrongVersion, codeInvalidRequest:
		return http.StatusBadRequest
	case codeMethodNotFound:
		return http.StatusNotFound
	}
	return http.StatusOK
}

// event writes a frame to the stream, and its head first where needed. The
// comment is one that clients must pass over (HTTP-07).
func (a *answer) event(frame []byte) {
	if !a.streams {
		a.streams = true
		a.w.Header().Set("Content-Type", "text/event-stream")
		a.w.Header().Set("Cache-Control", "no-store")
		a.w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(a.w, ": this stream is open\n\n")
	}
	if frame != nil {
		_, _ = io.WriteString(a.w, "event: message\ndata: ")
		_, _ = a.w.Write(frame)
		_, _ = io.WriteString(a.w, "\n\n")
	}
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}

// close ends the answer. A request that was cancelled has no response: its
// stream just ends.
func (a *answer) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.done && !a.streams {
		a.event(nil)
	}
	a.done = true
}
