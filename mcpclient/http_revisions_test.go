package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"countersign/mcpclient/jsonrpc"
)

// strictRevision is a server of one handshake revision that refuses whatever
// that revision does not allow a client to send.
type strictRevision struct {
	*webServer
	version string
	// onlyOwn: an initialize for any other version is an error that names the own.
	onlyOwn bool
	batch   chan string // what a call's batch asked, as answered
}

func newStrictRevision(t *testing.T, version string) *strictRevision {
	s := &strictRevision{webServer: newWebServer(t, ""), version: version, batch: make(chan string, 10)}
	s.session = "s-1"
	s.handle = s.serve
	return s
}

// allowed tells what is wrong with a request, or "".
func (s *strictRevision) allowed(e *webExchange) string {
	h := e.header
	opening := e.msg.Method == "initialize"
	version, session := h.Get("Mcp-Protocol-Version"), h.Get("Mcp-Session-Id")
	switch {
	case h.Get("Mcp-Method") != "" || h.Get("Mcp-Name") != "":
		return "modern headers"
	case opening && version+session != "":
		return "initialize with a version or a session"
	case !opening && session != s.session:
		return "no session"
	case !opening && s.version >= "2025-06-18" && version != s.version:
		return "version header " + version
	case s.version < "2025-06-18" && version != "":
		return "a version header that the revision does not have"
	case e.r.Method == http.MethodPost && !strings.HasPrefix(e.body, "{"):
		return "a batch"
	case e.r.Method != http.MethodPost && e.body != "":
		return "a body"
	case e.r.Method == http.MethodGet && h.Get("Accept") != "text/event-stream":
		return "GET accepts " + h.Get("Accept")
	case strings.Contains(e.body, "io.modelcontextprotocol/"):
		return "modern _meta"
	}
	return ""
}

func (s *strictRevision) serve(e *webExchange) {
	if e.msg.Method == "server/discover" {
		e.w.WriteHeader(400)
		return
	}
	if why := s.allowed(e); why != "" {
		s.t.Errorf("%s %s: %s", e.r.Method, e.msg.Method, why)
		e.w.WriteHeader(400)
		return
	}
	switch {
	case e.msg.Method == "initialize" && s.onlyOwn && !strings.Contains(e.body, `"protocolVersion":"`+s.version+`"`):
		e.json(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["1999-01-01",%q],"requested":"x"}}}`, e.msg.ID, s.version)
	case e.msg.Method == "initialize":
		e.w.Header().Set("Mcp-Session-Id", s.session)
		e.result(fmt.Sprintf(initialized, s.version))
	case e.r.Method == http.MethodGet:
		e.w.WriteHeader(405)
	case e.msg.Method == "tools/call":
		e.json(200, `[{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"in a batch"}},`+
			`{"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","id":%s,"result":%s}]`, e.msg.ID, okResult)
	default:
		if e.msg.Method == "" && e.r.Method == http.MethodPost {
			s.batch <- e.body
		}
		e.w.WriteHeader(202)
	}
}

func TestRevisionsOverHTTP(t *testing.T) {
	for _, version := range legacyVersions {
		t.Run("LEG-01 LEG-05 LEG-07 LEG-09 LEG-11 LEG-12 what is sent to a server of "+version, func(t *testing.T) {
			s := newStrictRevision(t, version)
			cfg, w, _ := s.config(t)
			c := mustConnect(t, cfg)
			if c.Info().Version != version {
				t.Errorf("speaks %s", c.Info().Version)
			}
			mustCall(t, c, call("x", `{}`))
			w.line("message", "in a batch")
			if got := wait(t, s.batch, "the answer"); got != `{"jsonrpc":"2.0","id":"p","result":{}}` {
				t.Errorf("answered %s", got)
			}
			if err := c.Close(context.Background()); err != nil || len(s.seen(http.MethodDelete)) != 1 {
				t.Errorf("%v, %d DELETE", err, len(s.seen(http.MethodDelete)))
			}
			ids := make(map[string]bool)
			for _, e := range s.seen(http.MethodPost) {
				if e.msg.IsRequest() && ids[string(e.msg.ID)] {
					t.Errorf("the id %s was used again", e.msg.ID)
				}
				ids[string(e.msg.ID)] = true
			}
		})
		t.Run("LEG-22 a server of "+version+" may send batches, and gets none", func(t *testing.T) {
			s := newStrictRevision(t, version)
			c, _, _ := s.connect(t)
			if out := mustCall(t, c, call("x", `{}`)); string(out.Raw) != okResult {
				t.Errorf("got %s", out.Raw)
			}
		})
		t.Run("LEG-06 an error that names "+version, func(t *testing.T) {
			s := newStrictRevision(t, version)
			s.onlyOwn = true
			cfg, _, _ := s.config(t)
			cfg.Roots = func() []Root { return nil }
			c := mustConnect(t, cfg)
			last := s.seen("initialize")[len(s.seen("initialize"))-1]
			capabilities, _ := jsonrpc.Get(last.msg.Params, "capabilities")
			if c.Info().Version != version || string(capabilities) != capabilitiesJSON(&cfg, version) {
				t.Errorf("speaks %s, declared %s", c.Info().Version, capabilities)
			}
		})
	}
	t.Run("LEG-02 a version that is not ours ends it", func(t *testing.T) {
		s := newStrictRevision(t, "2023-01-01")
		cfg, _, _ := s.config(t)
		if _, err := Connect(context.Background(), cfg); !errors.As(err, new(*VersionError)) || len(s.seen("notifications/initialized")) != 0 {
			t.Errorf("got %v", err)
		}
	})
}
