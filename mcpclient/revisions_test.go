package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestEveryRevision drives a server of each revision through all that a host does,
// over HTTP; each message is held against the schema of that revision, and the
// version's header against its rules.
func TestEveryRevision(t *testing.T) {
	for _, version := range allVersions {
		t.Run("BASE-01 VER-21 LEG-04 LEG-05 everything sent fits "+version, func(t *testing.T) {
			era := EraLegacy
			if version == ModernVersion {
				era = EraModern
			}
			s := newWebServer(t, era)
			s.version = version
			asked := false
			s.handle = func(e *webExchange) {
				switch {
				case e.r.Method == http.MethodGet:
					e.w.WriteHeader(http.StatusMethodNotAllowed)
				case e.r.Method == http.MethodDelete || strings.HasPrefix(e.msg.Method, "notifications/") || e.msg.Method == "":
					e.w.WriteHeader(http.StatusAccepted)
				case e.msg.Method == "tools/list" && strings.Contains(e.body, `"cursor"`):
					e.result(`{"resultType":"complete","tools":[{"name":"b","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`)
				case e.msg.Method == "tools/list":
					e.result(`{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"","ttlMs":0,"cacheScope":"private"}`)
				case e.msg.Method == "tools/call" && e.tool() == "hang":
					<-e.r.Context().Done()
				case e.msg.Method == "tools/call" && e.tool() == "ask" && era == EraModern && !asked:
					asked = true
					e.result(`{"resultType":"input_required","requestState":"","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`)
				case e.msg.Method == "tools/call" && e.tool() == "ask" && era == EraLegacy:
					e.event(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
					e.event(`{"jsonrpc":"2.0","id":"u","method":"unheard/of"}`)
					e.event(`{"jsonrpc":"2.0","id":"r","method":"roots/list"}`)
					e.event(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
					s.until(e, `"q"`)
					e.event(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, e.msg.ID)
				default:
					e.result(`{"resultType":"complete","content":[]}`)
				}
			}
			cfg, w, _ := s.config(t)
			cfg.Roots = func() []Root { return []Root{{URI: "file:///home/a%20b", Name: "a b"}} }
			c := mustConnect(t, cfg)
			if got := c.Info().Version; got != version {
				t.Fatalf("negotiated %s", got)
			}
			list, err := c.ListTools(context.Background())
			if err != nil || names(list) != "a b" {
				t.Fatal(names(list), err)
			}
			mustCall(t, c, call("echo", `{"deep":{"a":[1,null,"x"]}}`))
			if version < "2025-06-18" { // ELIC-29: it knows no questions, and gets a no
				mustCall(t, c, call("ask", `{}`))
			} else {
				askOnce(t, c, w, era)
			}
			hang := call("hang", `{}`)
			hang.MaxTimeout = 20 * time.Millisecond
			if _, err := c.CallTool(context.Background(), hang); !errors.As(err, new(*TimeoutError)) {
				t.Error(err)
			}
			_ = c.Close(context.Background())
			s.headersOf(t, version)
		})
	}
}

// askOnce makes a call that asks, and answers it.
func askOnce(t *testing.T, c *Client, w *watcher, era Era) {
	t.Helper()
	answer := json.RawMessage(`{"action":"accept","content":{"n":9007199254740993,"s":["a"],"b":true}}`)
	k := call("ask", `{}`)
	if era == EraModern {
		out := mustCall(t, c, k)
		if out.Kind != OutcomeInputRequired {
			t.Fatalf("got %+v", out)
		}
		k.Round, k.RequestState, k.InputResponses = 1, out.RequestState, json.RawMessage(`{"q":`+string(answer)+`}`)
		mustCall(t, c, k)
		return
	}
	r := start(context.Background(), c, k)
	e := wait(t, w.elicits, "the question")
	if err := c.AnswerElicitation(context.Background(), ElicitationAnswer{CallID: k.ID, Attempt: 1, RequestID: e.RequestID, Result: answer}); err != nil {
		t.Fatal(err)
	}
	if got := wait(t, r, "the result"); got.err != nil {
		t.Fatal(got.err)
	}
}

// headersOf holds the version's header to the revision's rules: none before 2025-06-18,
// and none before a version is negotiated.
func (s *webServer) headersOf(t *testing.T, version string) {
	t.Helper()
	opened := version == ModernVersion
	for _, e := range append(s.seen(http.MethodPost), s.seen(http.MethodGet)...) {
		got := e.header.Get("Mcp-Protocol-Version")
		want := ""
		switch {
		case e.msg.Method == "server/discover":
			want = ModernVersion
		case e.msg.Method == "initialize":
		case opened || version >= "2025-06-18":
			want = version
		}
		if got != want {
			t.Errorf("%s %s with version %q, want %q", e.r.Method, e.msg.Method, got, want)
		}
	}
}

// until waits for an answer of ours with the id.
func (s *webServer) until(e *webExchange, id string) {
	for e.r.Context().Err() == nil {
		for _, other := range s.seen(http.MethodPost) {
			if other.msg.IsResponse() && string(other.msg.ID) == id {
				return
			}
		}
		select {
		case <-e.r.Context().Done():
		case <-time.After(time.Millisecond):
		}
	}
}
