package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEraOverHTTP(t *testing.T) {
	answer := func(status int, kind, body string) func(e *webExchange) {
		return func(e *webExchange) {
			if e.msg.Method != "server/discover" {
				e.w.WriteHeader(http.StatusBadRequest)
				return
			}
			e.w.Header().Set("Content-Type", kind)
			e.w.WriteHeader(status)
			_, _ = e.w.Write([]byte(body))
		}
	}
	const js = "application/json"
	tests := []struct {
		name   string
		probe  func(e *webExchange)
		legacy bool
		err    error // by type, when there is no fallback
		says   string
	}{
		{"VER-11 VER-13 400 with an empty body", answer(400, "", ""), true, nil, ""},
		{"VER-13 400 with a text", answer(400, "text/plain", "Missing session ID"), true, nil, ""},
		{"VER-13 404", answer(404, "text/plain", "not found"), true, nil, ""},
		{"VER-13 405", answer(405, "", ""), true, nil, ""},
		{"VER-13 406", answer(406, js, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable"},"id":null}`), true, nil, ""},
		{"GAP-14 200 with -32601", answer(200, js, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`), true, nil, ""},
		{"GAP-14 200 with another result", answer(200, js, `{"jsonrpc":"2.0","id":1,"result":{}}`), true, nil, ""},
		{"VER-14 GAP-13 404 with -32601 to server/discover", answer(404, js, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`), true, nil, ""},
		{"202 without an answer", answer(202, "", ""), true, nil, ""},
		{"500 of a framework", answer(500, "text/plain", "Internal Server Error"), true, nil, ""},
		{"VER-12 400 with -32022", answer(400, js, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}}}`), false, &VersionError{}, "2027-01-01"},
		{"VER-11 VER-12 400 with -32022 under an id of the framework's own", answer(400, js, `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25"]}}}`), false, &VersionError{}, "2025-11-25"},
		{"VER-12 400 with -32020", answer(400, js, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"header mismatch"}}`), false, &RPCError{}, "header mismatch"},
		{"VER-12 400 with -32021", answer(400, js, `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"needs sampling"}}`), false, &RPCError{}, "needs sampling"},
		{"401", answer(401, "", ""), false, &HTTPError{}, "sign-in"},
		{"403", answer(403, js, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"bad origin"}}`), true, nil, ""},
		{"403 without a message", answer(403, "", ""), false, &HTTPError{}, "403"},
		{"503", answer(503, "text/plain", "try later"), false, &HTTPError{}, "try later"},
		{"field-96 a web page", answer(200, "text/html; charset=utf-8", "<!doctype html>\n<title>Sign in</title>"), false, &HTTPError{}, "web page"},
		{"field-94 a redirect", func(e *webExchange) {
			http.Redirect(e.w, e.r, "/elsewhere", http.StatusMovedPermanently)
		}, false, &RedirectError{}, "/elsewhere"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newWebServer(t, "")
			s.handle = func(e *webExchange) {
				switch {
				case e.msg.Method == "server/discover":
					test.probe(e)
				case e.msg.Method == "initialize" && test.legacy:
					e.result(fmt.Sprintf(initialized, LegacyVersion))
				case e.msg.Method == "notifications/initialized":
					e.w.WriteHeader(202)
				default:
					e.w.WriteHeader(405)
				}
			}
			cfg, _, _ := s.config(t)
			c, err := Connect(context.Background(), cfg)
			if err == nil {
				defer c.Close(context.Background())
			}
			if test.legacy {
				if err != nil || c.Info().Era != EraLegacy || len(c.Info().Fallbacks) != 1 {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("got %v", err)
			}
			if want, got := fmt.Sprintf("%T", test.err), typeInChain(err, test.err); !got {
				t.Errorf("got %v, want a %s", err, want)
			}
			if len(s.seen("initialize")) != 0 {
				t.Error("initialize was sent")
			}
		})
	}
	t.Run("VER-01 a version that is refused and named as supported is asked once more", func(t *testing.T) {
		for refusals, good := range map[int]bool{1: true, 2: false} {
			s := newWebServer(t, "")
			left := refusals
			s.handle = func(e *webExchange) {
				if left--; left >= 0 {
					answer(400, js, `{"jsonrpc":"2.0","id":`+string(e.msg.ID)+`,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}`)(e)
					return
				}
				e.result(fmt.Sprintf(discovered, false))
			}
			cfg, _, _ := s.config(t)
			c, err := Connect(context.Background(), cfg)
			if err == nil {
				defer c.Close(context.Background())
			}
			if (err == nil) != good || len(s.seen("server/discover")) != 2 || len(s.seen("initialize")) != 0 {
				t.Errorf("%d refusals: %v, asked %d times", refusals, err, len(s.seen("server/discover")))
			}
		}
	})
	t.Run("VER-10 a server that does not answer the probe", func(t *testing.T) {
		s := newWebServer(t, "")
		s.handle = func(e *webExchange) {
			switch e.msg.Method {
			case "server/discover":
				<-e.r.Context().Done()
			case "initialize":
				e.result(fmt.Sprintf(initialized, LegacyVersion))
			default:
				e.w.WriteHeader(202)
			}
		}
		cfg, _, _ := s.config(t)
		cfg.ProbeTimeout = 50 * time.Millisecond
		if c := mustConnect(t, cfg); c.Info().Era != EraLegacy {
			t.Errorf("got %+v", c.Info())
		}
	})
}

// typeInChain reports whether err wraps an error of the type of like.
func typeInChain(err, like error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if fmt.Sprintf("%T", err) == fmt.Sprintf("%T", like) {
			return true
		}
	}
	return false
}

func TestModernHeaders(t *testing.T) {
	s := newWebServer(t, EraModern)
	s.session = "unused"
	s.handle = func(e *webExchange) {
		e.w.Header().Set("Mcp-Session-Id", "must be ignored")
		e.result(okResult)
	}
	c, _, k := s.connect(t)
	def := `{"name":"gé","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"Region"}}}}`
	out := mustCall(t, c, Call{ID: "x", Attempt: 1, Tool: "gé", Arguments: []byte(`{"r":" b "}`), Definition: []byte(def)})
	if out.HTTPStatus != 200 {
		t.Errorf("status %d", out.HTTPStatus)
	}
	mustCall(t, c, Call{ID: "x", Attempt: 1, Round: 1, Tool: "gé", Arguments: []byte(`{"r":" b "}`), Definition: []byte(def), InputResponses: []byte(`{}`)})
	for i, e := range append(s.seen("server/discover"), s.seen("tools/call")...) {
		want := map[string]string{
			"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
			"Mcp-Protocol-Version": ModernVersion, "Mcp-Method": e.msg.Method,
			"Mcp-Name": "=?base64?Z8Op?=", "Mcp-Param-Region": "=?base64?IGIg?=", "Mcp-Session-Id": "", "User-Agent": "countersign",
		}
		if i == 0 {
			want["Mcp-Name"], want["Mcp-Param-Region"] = "", ""
		}
		t.Run(fmt.Sprintf("HTTP-01 HTTP-02 HTTP-03 HTTP-10 HDR-01 HDR-02 HDR-03 HDR-05 HDR-06 HDR-27 field-93 request %d", i), func(t *testing.T) {
			for name, value := range want {
				if got := e.header.Get(name); got != value {
					t.Errorf("%s is %q, want %q", name, got, value)
				}
			}
			if got := e.header.Values("X-Key"); !slices.Equal(got, []string{"k", "l"}) {
				t.Errorf("X-Key is %q", got)
			}
			if !e.msg.IsRequest() || e.body[0] != '{' {
				t.Errorf("the body is no single request: %s", e.body)
			}
			if e.r.URL.RequestURI() != "/mcp/?key=a%2Fb" {
				t.Errorf("the address became %s", e.r.URL.RequestURI())
			}
		})
	}
	t.Run("the gate saw what was sent", func(t *testing.T) {
		e, asked := s.seen("tools/call")[0], k.sends[0]
		if e.body != string(asked.Frame) || asked.Address != s.URL+"/mcp/?key=a%2Fb" {
			t.Errorf("sent %s, asked %s", e.body, asked.Frame)
		}
		for name, values := range e.header {
			if name == "Content-Length" || name == "Accept-Encoding" {
				continue
			}
			for _, v := range values {
				if !hasHeader(asked.Headers, name, v) {
					t.Errorf("the gate did not see %s: %s", name, v)
				}
			}
		}
		if v := e.header.Get("Accept-Encoding"); v != "" {
			t.Errorf("Accept-Encoding: %s", v)
		}
	})
	t.Run("HDR-14 GAP-17 a call that cannot be mirrored is not sent", func(t *testing.T) {
		n := len(k.sends)
		for _, args := range []string{`{"r":5}`} {
			if _, err := c.CallTool(context.Background(), Call{Tool: "x", Arguments: []byte(args), Definition: []byte(def)}); err == nil {
				t.Error("sent")
			}
		}
		if len(k.sends) != n {
			t.Error("the gate was asked")
		}
	})
	t.Run("HTTP-10 no DELETE, no GET", func(t *testing.T) {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if len(s.seen("GET"))+len(s.seen("DELETE")) != 0 {
			t.Error("there were some")
		}
	})
}

func TestHTTPAnswers(t *testing.T) {
	s := newWebServer(t, EraModern)
	id := func(e *webExchange) string { return string(e.msg.ID) }
	lost := func(says string) func(*testing.T, *Outcome, error) {
		return func(t *testing.T, _ *Outcome, err error) {
			if !errors.As(err, new(*LostError)) || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v", err)
			}
		}
	}
	fine := func(t *testing.T, out *Outcome, err error) {
		if err != nil || string(out.Raw) != okResult {
			t.Errorf("got %+v (%v)", out, err)
		}
	}
	failed := func(code int64, status int) func(*testing.T, *Outcome, error) {
		return func(t *testing.T, out *Outcome, err error) {
			if err != nil || out.Kind != OutcomeError || out.RPCError.Code != code || out.HTTPStatus != status {
				t.Errorf("got %+v (%v)", out, err)
			}
		}
	}
	tests := []struct {
		name   string
		answer func(*webExchange)
		check  func(*testing.T, *Outcome, error)
	}{
		{"HTTP-04 JSON", func(e *webExchange) { e.result(okResult) }, fine},
		{"HTTP-04 a stream", func(e *webExchange) { e.event(`{"id":%s,"result":%s}`, id(e), okResult) }, fine},
		{"HTTP-06 notifications first, and the stream left open", func(e *webExchange) {
			e.event(`{"method":"notifications/message","params":{"data":"x"}}`)
			_, _ = e.w.Write([]byte(": keep-alive\n\n"))
			e.event(`not json`)
			e.event(`{"id":%s,"result":%s}`, id(e), okResult)
			<-e.r.Context().Done()
		}, fine},
		{"JSON without a type", func(e *webExchange) {
			e.w.Header()["Content-Type"] = nil
			_, _ = fmt.Fprintf(e.w, `{"id":%s,"result":%s}`, id(e), okResult)
		}, fine},
		{"JSON under a wrong type", func(e *webExchange) {
			e.w.Header().Set("Content-Type", "text/plain")
			_, _ = fmt.Fprintf(e.w, "\n {\"id\":%s,\"result\":%s}\n", id(e), okResult)
		}, fine},
		{"LEG-22 a batch", func(e *webExchange) {
			e.json(200, `[{"method":"notifications/message","params":{}},{"id":%s,"result":%s}]`, id(e), okResult)
		}, fine},
		{"HTTP-11 400 with an error", func(e *webExchange) { e.json(400, `{"id":%s,"error":{"code":-32020,"message":"x"}}`, id(e)) }, failed(-32020, 400)},
		{"BASE-08 400 without id", func(e *webExchange) { e.json(400, `{"error":{"code":-32602,"message":"x"}}`) }, failed(-32602, 400)},
		{"HTTP-11 404 with -32601", func(e *webExchange) {
			e.json(404, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"x"}}`, id(e))
		}, failed(-32601, 404)},
		{"an error with 200", func(e *webExchange) { e.json(200, `{"id":%s,"error":{"code":-32603,"message":"x"}}`, id(e)) }, failed(-32603, 200)},
		{"HTTP-12 413", func(e *webExchange) { e.w.WriteHeader(413) }, lost("too large")},
		{"HTTP-12 431", func(e *webExchange) { e.w.WriteHeader(431) }, lost("headers are too large")},
		{"401", func(e *webExchange) { e.w.Header().Set("WWW-Authenticate", "Bearer"); e.w.WriteHeader(401) }, lost("sign-in")},
		{"502 of a proxy", func(e *webExchange) { e.w.WriteHeader(502) }, lost("502")},
		{"202", func(e *webExchange) { e.w.WriteHeader(202) }, lost("without an answer")},
		{"204", func(e *webExchange) { e.w.WriteHeader(204) }, lost("without an answer")},
		{"field-84 200 null", func(e *webExchange) { e.json(200, "null") }, lost("without an answer")},
		{"200 empty", func(e *webExchange) { e.json(200, "") }, lost("without an answer")},
		{"field-96 a page", func(e *webExchange) {
			e.w.Header().Set("Content-Type", "text/html")
			_, _ = e.w.Write([]byte("<html>"))
		}, lost("web page")},
		{"field-94 a redirect is handed back", func(e *webExchange) {
			http.Redirect(e.w, e.r, "https://new.example.test/mcp", http.StatusPermanentRedirect)
		}, lost("https://new.example.test/mcp")},
		{"broken JSON", func(e *webExchange) { e.json(200, `{"id":%s,"result":{`, id(e)) }, lost("cannot be read")},
		{"field-111 another id", func(e *webExchange) { e.json(200, `{"id":0,"result":{}}`) }, lost("another request")},
		{"HTTP-09 the stream breaks", func(e *webExchange) { e.event(`{"method":"notifications/message","params":{"data":"x"}}`) }, lost("ended before")},
		{"the connection breaks", func(e *webExchange) { panic(http.ErrAbortHandler) }, lost("EOF")},
		{"too large", func(e *webExchange) { e.result(`"` + strings.Repeat("x", 1<<20) + `"`) }, lost("larger")},
		{"too large, of unknown length", func(e *webExchange) {
			_ = http.NewResponseController(e.w).Flush()
			_, _ = e.w.Write([]byte(strings.Repeat("{", 1<<20+1)))
		}, lost("larger")},
		{"too large an event", func(e *webExchange) { e.event(`{"id":%s,"result":"%s"}`, id(e), strings.Repeat("x", 1<<20)) }, lost("larger")},
	}
	byName := make(map[string]func(*webExchange))
	for _, test := range tests {
		byName[test.name] = test.answer
	}
	s.handle = func(e *webExchange) { byName[e.tool()](e) }
	cfg, w, k := s.config(t)
	cfg.MaxMessageBytes = 1 << 20
	c := mustConnect(t, cfg)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := len(s.seen("tools/call"))
			out, err := c.CallTool(context.Background(), call(test.name, `{}`))
			test.check(t, out, err)
			if m := len(s.seen("tools/call")); m != n+1 {
				t.Errorf("it was sent %d times", m-n)
			}
		})
	}
	if len(k.sends) != len(tests) {
		t.Errorf("the gate was asked %d times for %d calls", len(k.sends), len(tests))
	}
	w.line("message", "x")
	w.line("protocol", "no message")
}

func TestNotSent(t *testing.T) {
	s := newWebServer(t, EraModern)
	c, _, k := s.connect(t)
	s.Close()
	_, err := c.CallTool(context.Background(), call("echo", `{}`))
	if !errors.As(err, new(*NotSentError)) || len(k.sends) != 1 {
		t.Errorf("got %v", err)
	}
	if strings.Contains(err.Error(), "key=") {
		t.Errorf("the address is in the message: %v", err)
	}
	t.Run("field-100 a certificate that is not trusted is named", func(t *testing.T) {
		tls := httptest.NewTLSServer(http.NotFoundHandler())
		defer tls.Close()
		_, err := Connect(context.Background(), Config{HTTP: &HTTPConfig{URL: tls.URL}})
		if err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("nobody accepts: giving up before anything was written", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		s := newWebServer(t, EraModern)
		cfg, _, _ := s.config(t)
		c := mustConnect(t, cfg)
		// The proxy's place is taken by a port that takes connections and never
		// speaks TLS.
		c.tr.(*httpTransport).url.Store("https://" + l.Addr().String())
		ctx, cancel := context.WithCancel(context.Background())
		admitted := make(chan struct{})
		c.cfg.Gate = gateFunc(func(context.Context, Send) error { close(admitted); return nil })
		r := start(ctx, c, call("echo", `{}`))
		<-admitted
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		cancel()
		if got := wait(t, r, "the end"); !errors.As(got.err, new(*NotSentError)) || !errors.Is(got.err, context.Canceled) {
			t.Errorf("got %v", got.err)
		}
	})
}
