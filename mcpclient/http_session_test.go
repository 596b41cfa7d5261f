package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// forgetful is a legacy server with sessions that it can forget. It refuses what
// a client must not send: an unknown session id, and one at initialize.
type forgetful struct {
	*webServer
	sessions atomic.Int32 // how many were begun
	known    atomic.Value // string
	answer   atomic.Value // string: the result of initialize
}

func newForgetful(t *testing.T) *forgetful {
	f := &forgetful{webServer: newWebServer(t, "")}
	f.known.Store("")
	f.answer.Store(fmt.Sprintf(initialized, LegacyVersion))
	f.handle = func(e *webExchange) {
		id := e.header.Get("Mcp-Session-Id")
		switch {
		case e.msg.Method == "server/discover":
			e.w.WriteHeader(400)
		case e.msg.Method == "initialize" && (id != "" || e.header.Get("Mcp-Protocol-Version") != ""):
			e.w.WriteHeader(400)
		case e.msg.Method == "initialize":
			id = fmt.Sprintf("s-%d", f.sessions.Add(1))
			f.known.Store(id)
			e.w.Header().Set("Mcp-Session-Id", id)
			e.result(f.answer.Load().(string))
		case e.r.Method == http.MethodGet:
			e.w.WriteHeader(405)
		case id != f.known.Load():
			e.json(404, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"gone"},"id":null}`)
		case e.msg.Method == "notifications/initialized" || e.r.Method == http.MethodDelete:
			e.w.WriteHeader(202)
		case e.msg.Method == "tools/list":
			e.result(`{"tools":[]}`)
		default:
			e.result(okResult)
		}
	}
	return f
}

func TestSessionLost(t *testing.T) {
	gone := func(t *testing.T, c *Client, err error) {
		t.Helper()
		if !errors.As(err, new(*NotSentError)) || !errors.Is(err, ErrSessionGone) || !c.Unexecuted(nil, err) {
			t.Errorf("got %v", err)
		}
	}
	t.Run("LEG-08 LEG-11 field-88 a lost session is begun anew, and the call may be repeated", func(t *testing.T) {
		s := newForgetful(t)
		c, w, k := s.connect(t)
		mustCall(t, c, call("x", `{}`))
		s.known.Store("")
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		gone(t, c, err)
		again := call("x", `{}`)
		again.Attempt = 2
		mustCall(t, c, again)
		if n := len(s.seen("tools/call")); n != 3 || len(k.sends) != 3 || k.sends[2].Attempt != 2 || !hasHeader(k.sends[2].Headers, "Mcp-Session-Id", "s-2") {
			t.Errorf("sent %d times, asked %+v", n, k.sends)
		}
		if k.sends[1].RequestID == k.sends[2].RequestID {
			t.Error("LEG-11 an id was used again")
		}
		wait(t, w.changed, "ToolsChanged")
		w.line("protocol", "begun anew")
		if c.Err() != nil || s.sessions.Load() != 2 || len(s.seen("notifications/initialized")) != 2 {
			t.Errorf("%v, %d sessions", c.Err(), s.sessions.Load())
		}
		_ = c.Close(context.Background())
		if d := s.seen("DELETE"); len(d) != 1 || d[0].header.Get("Mcp-Session-Id") != "s-2" {
			t.Errorf("DELETE for %v", d)
		}
	})
	t.Run("LEG-08 a list is asked again by itself", func(t *testing.T) {
		s := newForgetful(t)
		c, _, _ := s.connect(t)
		mustCall(t, c, call("x", `{}`))
		s.known.Store("")
		if _, err := c.ListTools(context.Background()); err != nil {
			t.Error(err)
		}
	})
	t.Run("many calls at once begin one session", func(t *testing.T) {
		s := newForgetful(t)
		c, _, _ := s.connect(t)
		mustCall(t, c, call("x", `{}`))
		s.known.Store("")
		results := make([]chan callResult, 8)
		for i := range results {
			results[i] = start(context.Background(), c, call("x", `{}`))
		}
		for _, r := range results {
			if got := wait(t, r, "the end"); got.err != nil {
				gone(t, c, got.err)
			}
		}
		mustCall(t, c, call("x", `{}`))
		if s.sessions.Load() != 2 {
			t.Errorf("%d sessions", s.sessions.Load())
		}
	})
	t.Run("a session that never was of use is not begun for ever", func(t *testing.T) {
		s := newForgetful(t)
		c, _, _ := s.connect(t)
		s.known.Store("")
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		gone(t, c, err)
		wait(t, c.Done(), "the end")
		if _, err := c.CallTool(context.Background(), call("x", `{}`)); !errors.Is(err, ErrSessionGone) || c.Unexecuted(nil, err) {
			t.Errorf("got %v", err)
		}
		if n := len(s.seen("tools/call")); n != 1 || s.sessions.Load() != 1 {
			t.Errorf("sent %d times in %d sessions", n, s.sessions.Load())
		}
	})
	t.Run("a server that forgets all the time is given up", func(t *testing.T) {
		s := newForgetful(t)
		c, _, _ := s.connect(t)
		for range maxRenewals + 1 {
			mustCall(t, c, call("x", `{}`))
			s.known.Store("")
			_, err := c.CallTool(context.Background(), call("x", `{}`))
			gone(t, c, err)
		}
		wait(t, c.Done(), "the end")
		if s.sessions.Load() != 1+maxRenewals {
			t.Errorf("%d sessions", s.sessions.Load())
		}
	})
	t.Run("another server at the address is not taken for the same", func(t *testing.T) {
		s := newForgetful(t)
		c, _, _ := s.connect(t)
		mustCall(t, c, call("x", `{}`))
		s.answer.Store(strings.Replace(s.answer.Load().(string), `"name":"`, `"name":"other `, 1))
		s.known.Store("")
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		gone(t, c, err)
		wait(t, c.Done(), "the end")
		if !errors.Is(c.Err(), ErrSessionGone) || !strings.Contains(c.Err().Error(), "another one") {
			t.Errorf("got %v", c.Err())
		}
	})
	t.Run("LEG-10 a session id with other characters is not used", func(t *testing.T) {
		for _, id := range []string{"with space", "umläut", "tab\tin"} {
			s := newWebServer(t, EraLegacy)
			s.session = id
			s.handle = func(e *webExchange) { e.result(okResult) }
			c, w, _ := s.connect(t)
			mustCall(t, c, call("x", `{}`))
			w.line("protocol", "session id")
			if got := s.seen("tools/call")[0].header.Get("Mcp-Session-Id"); got != "" {
				t.Errorf("sent %q", got)
			}
		}
	})
}

func TestRedirects(t *testing.T) {
	for _, era := range []Era{EraModern, EraLegacy} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprintf("field-94 %d at the first message to a %s server", status, era), func(t *testing.T) {
				s := newWebServer(t, era)
				s.handle = func(e *webExchange) { e.result(okResult) }
				serve := s.Config.Handler
				s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == "/moved":
						serve.ServeHTTP(w, r)
					case r.Method != http.MethodPost:
						t.Errorf("%s to %s", r.Method, r.URL)
					default:
						w.Header().Set("Location", "/moved?key=b")
						w.WriteHeader(status)
					}
				})
				cfg, _, k := s.config(t)
				if status < 307 {
					_, err := Connect(context.Background(), cfg)
					var moved *RedirectError
					if !errors.As(err, &moved) || moved.Location != s.URL+"/moved?key=b" || moved.Followed || len(s.requests) != 0 {
						t.Errorf("got %v", err)
					}
					return
				}
				c := mustConnect(t, cfg)
				mustCall(t, c, call("x", `{}`))
				if k.sends[0].Address != s.URL+"/moved?key=b" || len(s.seen("tools/call")) != 1 {
					t.Errorf("asked %+v", k.sends)
				}
			})
		}
	}
	t.Run("field-94 a call that is redirected is a new attempt at the new address", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		s.handle = func(e *webExchange) {
			if e.r.URL.Path != "/moved" {
				http.Redirect(e.w, e.r, "/moved", http.StatusPermanentRedirect)
				return
			}
			e.result(okResult)
		}
		c, _, k := s.connect(t)
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		if !errors.As(err, new(*NotSentError)) || !c.Unexecuted(nil, err) || len(k.sends) != 1 {
			t.Fatalf("got %v", err)
		}
		again := call("x", `{}`)
		again.Attempt = 2
		mustCall(t, c, again)
		if k.sends[1].Address != s.URL+"/moved" || k.sends[0].Address == k.sends[1].Address || k.sends[0].RequestID == k.sends[1].RequestID {
			t.Errorf("asked %+v", k.sends)
		}
	})
	t.Run("SEC-12 field-94 nothing goes to another origin, to plain http or in circles", func(t *testing.T) {
		other := newWebServer(t, EraModern)
		for _, to := range []string{other.URL + "/mcp", "https://127.0.0.1:1/", "//elsewhere.example.test/", "http://user:pw@HOST/mcp", "", ":", "ftp://HOST/x"} {
			s := newWebServer(t, EraModern)
			to = strings.Replace(to, "HOST", strings.TrimPrefix(s.URL, "http://"), 1)
			s.handle = func(e *webExchange) {
				e.w.Header().Set("Location", to)
				e.w.WriteHeader(307)
			}
			c, _, _ := s.connect(t)
			_, err := c.CallTool(context.Background(), call("x", `{}`))
			if !errors.As(err, new(*LostError)) || !errors.As(err, new(*RedirectError)) || c.Unexecuted(nil, err) {
				t.Errorf("%q: %v", to, err)
			}
		}
		if len(other.requests) != 0 {
			t.Error("the other server got something")
		}
		s := newWebServer(t, EraModern)
		s.handle = func(e *webExchange) {
			http.Redirect(e.w, e.r, map[string]string{"/a": "/b"}[e.r.URL.Path]+"/a", http.StatusTemporaryRedirect)
		}
		s.era = ""
		cfg, _, _ := s.config(t)
		cfg.HTTP.URL = s.URL + "/a"
		if _, err := Connect(context.Background(), cfg); !errors.As(err, new(*RedirectError)) || len(s.requests) > 2*maxHops {
			t.Errorf("got %v after %d requests", err, len(s.requests))
		}
	})
}
