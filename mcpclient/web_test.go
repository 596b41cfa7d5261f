package mcpclient

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"countersign/mcpclient/jsonrpc"
)

// webServer is a scripted server on loopback.
type webServer struct {
	*httptest.Server
	t   *testing.T
	era Era
	// version is the legacy revision that is negotiated; empty for the newest.
	version string
	// session is given at initialize.
	session string
	// handle gets what is no handshake; for GET and DELETE too.
	handle func(*webExchange)

	mu       sync.Mutex
	rules    wireRules
	requests []*webExchange
}

// webExchange is one request and the way to answer it.
type webExchange struct {
	w      http.ResponseWriter
	r      *http.Request
	msg    jsonrpc.Message
	body   string
	header http.Header
}

func (e *webExchange) json(status int, format string, args ...any) {
	e.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	e.w.WriteHeader(status)
	_, _ = fmt.Fprintf(e.w, format, args...)
}

func (e *webExchange) result(result string) {
	e.json(200, `{"jsonrpc":"2.0","id":%s,"result":%s}`, e.msg.ID, result)
}

// headersFit holds the standard headers of a modern request against its body
// (HDR-01..HDR-03, HDR-05).
func (e *webExchange) headersFit() bool {
	meta, _ := jsonrpc.Get(e.msg.Params, "_meta")
	version := textAt(meta, metaVersion)
	name := e.header.Get("Mcp-Name")
	if inner, coded := strings.CutPrefix(name, sentinel); coded {
		plain, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, sentinelEnd))
		if err != nil {
			return false
		}
		name = string(plain)
	}
	want := ""
	switch e.msg.Method {
	case "tools/call":
		want = textAt(e.msg.Params, "name")
	case "resources/read":
		want = textAt(e.msg.Params, "uri")
	}
	return e.header.Get("Mcp-Protocol-Version") == version && e.header.Get("Mcp-Method") == e.msg.Method && name == want
}

// event writes one event of a stream; the first begins it.
func (e *webExchange) event(format string, args ...any) {
	e.w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(e.w, "event: message\r\ndata: "+format+"\r\n\r\n", args...)
	_ = http.NewResponseController(e.w).Flush()
}

func (e *webExchange) tool() string {
	raw, _ := jsonrpc.Get(e.msg.Params, "name")
	s, _ := jsonrpc.String(raw)
	return s
}

func newWebServer(t *testing.T, era Era) *webServer {
	t.Helper()
	s := &webServer{t: t, era: era}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *webServer) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	e := &webExchange{w: w, r: r, body: string(body), header: r.Header.Clone()}
	if r.Method == http.MethodPost {
		if e.msg, err = jsonrpc.Parse(body); err != nil {
			s.t.Errorf("the body is no message: %s", body)
		}
	}
	s.mu.Lock()
	s.requests = append(s.requests, e)
	if r.Method == http.MethodPost {
		s.rules.era = s.era
		if string(e.msg.ID) == "1" { // another client
			s.rules.ids = nil
		}
		if err := s.rules.check(e.body); err != nil {
			s.t.Errorf("%v: %s", err, body)
		}
		if err := sentFits(s.speaks(), body); err != nil {
			s.t.Errorf("%v: %s", err, body)
		}
	}
	s.mu.Unlock()
	if r.Method == http.MethodPost && s.era == EraModern && !e.headersFit() {
		s.t.Errorf("the headers %v do not fit %s", r.Header, body)
		e.json(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"header mismatch"}}`, e.msg.ID)
		return
	}
	switch {
	case e.msg.Method == "server/discover" && s.era == EraModern:
		e.result(fmt.Sprintf(discovered, false))
	case e.msg.Method == "server/discover" && s.era == EraLegacy:
		e.json(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`)
	case e.msg.Method == "initialize" && s.era == EraLegacy:
		if s.session != "" {
			w.Header().Set("Mcp-Session-Id", s.session)
		}
		e.result(fmt.Sprintf(initialized, s.speaks()))
	case e.msg.Method == "notifications/initialized" && s.era == EraLegacy:
		w.WriteHeader(http.StatusAccepted)
	case s.handle != nil:
		s.handle(e)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// speaks is the revision of the session.
func (s *webServer) speaks() string {
	switch {
	case s.version != "":
		return s.version
	case s.era == EraModern:
		return ModernVersion
	}
	return LegacyVersion
}

// seen lists the requests of a method ("GET", "DELETE", or JSON-RPC's).
func (s *webServer) seen(method string) (list []*webExchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.requests {
		if e.msg.Method == method || e.r.Method == method {
			list = append(list, e)
		}
	}
	return list
}

func (s *webServer) config(t *testing.T) (Config, *watcher, *keeper) {
	w, k := newWatcher(t), &keeper{}
	return Config{
		HTTP:              &HTTPConfig{URL: s.URL + "/mcp/?key=a%2Fb", Headers: []Header{{"X-Key", "k"}, {"X-Key", "l"}}},
		LaunchFingerprint: "launch-1", ClientInfo: Implementation{Name: "test", Version: "0"}, Elicitation: true,
		Gate: k, Events: w.events(), ProbeTimeout: patience,
	}, w, k
}

func (s *webServer) connect(t *testing.T) (*Client, *watcher, *keeper) {
	t.Helper()
	cfg, w, k := s.config(t)
	return mustConnect(t, cfg), w, k
}

// hasHeader reports whether a list has the header with the value.
func hasHeader(list []Header, name, value string) bool {
	return slices.ContainsFunc(list, func(h Header) bool { return strings.EqualFold(h.Name, name) && h.Value == value })
}
