package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// oldServer speaks HTTP+SSE of 2024-11-05: GET /sub/sse is the stream, messages
// are posted where its endpoint event says.
type oldServer struct {
	*webServer
	endpoint string // data of the event
	refuse   int    // status of a POST to the stream's address
	silent   bool   // calls are taken and not answered

	stream sync.Mutex
	events chan string // to the newest stream
	drop   chan struct{}
	opened int
}

func newOldServer(t *testing.T, endpoint string) *oldServer {
	o := &oldServer{webServer: newWebServer(t, ""), endpoint: endpoint, refuse: http.StatusNotFound}
	o.handle = o.serve
	return o
}

func (o *oldServer) serve(e *webExchange) {
	switch {
	case e.r.Method == http.MethodGet:
		o.serveStream(e)
	case e.r.URL.Path == "/sub/sse":
		e.w.WriteHeader(o.refuse)
	case e.header.Get("Mcp-Session-Id") != "" || e.header.Get("Mcp-Method") != "":
		o.t.Errorf("sent %v", e.header)
	default:
		e.w.WriteHeader(202)
		_, _ = e.w.Write([]byte("Accepted"))
		switch e.msg.Method {
		case "initialize":
			o.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, e.msg.ID, fmt.Sprintf(initialized, "2024-11-05"))
		case "tools/list":
			o.say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, e.msg.ID)
		case "tools/call":
			if !o.silent {
				o.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, e.msg.ID, okResult)
			}
		}
	}
}

func (o *oldServer) serveStream(e *webExchange) {
	events, drop := make(chan string, 16), make(chan struct{})
	o.stream.Lock()
	o.events, o.drop = events, drop
	o.opened++
	e.stream("event: endpoint\r\ndata: " + strings.ReplaceAll(o.endpoint, "N", fmt.Sprint(o.opened)) + "\r\n\r\n")
	o.stream.Unlock()
	for {
		select {
		case m := <-events:
			e.event("%s", m)
		case <-drop:
			return
		case <-e.r.Context().Done():
			return
		}
	}
}

func (o *oldServer) say(format string, args ...any) {
	o.stream.Lock()
	defer o.stream.Unlock()
	o.events <- fmt.Sprintf(format, args...)
}

// end closes the stream.
func (o *oldServer) end() {
	o.stream.Lock()
	defer o.stream.Unlock()
	close(o.drop)
}

func (o *oldServer) config(t *testing.T) (Config, *watcher, *keeper) {
	cfg, w, k := o.webServer.config(t)
	cfg.HTTP.URL = o.URL + "/sub/sse"
	return cfg, w, k
}

func TestHTTPAndSSE(t *testing.T) {
	for data, posted := range map[string]string{
		"/msg?sid=N": "/msg?sid=1", "msg?sid=N": "/sub/msg?sid=1", "BASE/msg?sid=N": "/msg?sid=1", "?sid=N": "/sub/sse?sid=1",
	} {
		t.Run("LEG-23 LEG-24 field-97 the endpoint "+data, func(t *testing.T) {
			o := newOldServer(t, "")
			o.endpoint = strings.Replace(data, "BASE", o.URL, 1)
			if strings.HasPrefix(posted, "/sub/sse") {
				o.handle = func(e *webExchange) {
					if e.r.URL.RawQuery != "" {
						e.r.URL.Path = "/msg"
					}
					o.serve(e)
				}
			}
			cfg, w, k := o.config(t)
			c := mustConnect(t, cfg)
			mustCall(t, c, call("x", `{}`))
			if k.sends[0].Address != o.URL+posted || c.Info().Version != "2024-11-05" || len(c.Info().Fallbacks) != 2 {
				t.Errorf("asked for %s; %+v", k.sends[0].Address, c.Info())
			}
			o.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			wait(t, w.changed, "ToolsChanged")
			if _, err := c.ListTools(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	for _, status := range []int{400, 404, 405} {
		t.Run(fmt.Sprintf("LEG-23 a POST refused with %d", status), func(t *testing.T) {
			o := newOldServer(t, "/msg?sid=N")
			o.refuse = status
			cfg, _, _ := o.config(t)
			cfg.RememberedEra = EraLegacy
			mustCall(t, mustConnect(t, cfg), call("x", `{}`))
		})
	}
	t.Run("LEG-23 not after any other refusal, and not after a modern error", func(t *testing.T) {
		for _, refuse := range []func(e *webExchange){
			func(e *webExchange) { e.w.WriteHeader(403) },
			func(e *webExchange) { e.w.WriteHeader(503) },
			func(e *webExchange) {
				e.json(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"x","data":{"supported":["2027-01-01"]}}}`, e.msg.ID)
			},
		} {
			s := newWebServer(t, "")
			s.handle = refuse
			cfg, _, _ := s.config(t)
			if _, err := Connect(context.Background(), cfg); err == nil || len(s.seen(http.MethodGet)) != 0 {
				t.Errorf("got %v", err)
			}
		}
	})
	t.Run("LEG-24 SEC-12 field-97 an endpoint on another origin is refused", func(t *testing.T) {
		other := newWebServer(t, "")
		for _, data := range []string{other.URL + "/msg", "//elsewhere.example.test/msg", "https://127.0.0.1/msg", "http://u:p@HOST/", "javascript:0", "%zz"} {
			o := newOldServer(t, "")
			o.endpoint = strings.Replace(data, "HOST", strings.TrimPrefix(o.URL, "http://"), 1)
			cfg, _, _ := o.config(t)
			if _, err := Connect(context.Background(), cfg); err == nil {
				t.Errorf("%q was taken", data)
			}
			if len(other.requests) != 0 {
				t.Fatalf("%q: something was sent", data)
			}
		}
	})
	t.Run("field-96 a web page is not taken for a stream", func(t *testing.T) {
		for _, get := range []func(e *webExchange){
			func(e *webExchange) {
				e.w.Header().Set("Content-Type", "text/html")
				_, _ = e.w.Write([]byte("<!doctype html>\n<title>Sign in</title>"))
			},
			func(e *webExchange) { e.stream("data: {}\n\n") },
			func(e *webExchange) { e.stream(": no event\n\n") },
		} {
			s := newWebServer(t, "")
			s.handle = func(e *webExchange) {
				if e.r.Method == http.MethodGet {
					get(e)
					return
				}
				e.w.WriteHeader(405)
			}
			cfg, _, _ := s.config(t)
			if _, err := Connect(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "405") {
				t.Errorf("got %v", err)
			}
		}
	})
}

func TestOldStreamDropped(t *testing.T) {
	t.Run("field-99 a dropped stream fails what waits, and is opened anew before more is sent", func(t *testing.T) {
		o := newOldServer(t, "/msg?sid=N")
		o.silent = true
		cfg, w, k := o.config(t)
		c := mustConnect(t, cfg)
		if _, err := c.ListTools(context.Background()); err != nil {
			t.Fatal(err)
		}
		r := start(context.Background(), c, call("x", `{}`))
		waitFor(t, func() bool { return len(o.seen("tools/call")) == 1 })
		o.end()
		if got := wait(t, r, "the end"); !errors.As(got.err, new(*LostError)) || c.Unexecuted(nil, got.err) {
			t.Errorf("got %v", got.err)
		}
		o.stream.Lock()
		o.silent = false
		o.stream.Unlock()
		mustCall(t, c, call("x", `{}`))
		if k.sends[1].Address != o.URL+"/msg?sid=2" || len(o.seen("initialize")) != 3 {
			t.Errorf("sent to %s, %d handshakes", k.sends[1].Address, len(o.seen("initialize")))
		}
		wait(t, w.changed, "ToolsChanged")
	})
	t.Run("field-99 a stream that drops after each handshake ends the connection", func(t *testing.T) {
		o := newOldServer(t, "/msg?sid=N")
		cfg, _, _ := o.config(t)
		c := mustConnect(t, cfg)
		o.end()
		wait(t, c.Done(), "the end")
		if !errors.Is(c.Err(), ErrSessionGone) {
			t.Errorf("got %v", c.Err())
		}
	})
	t.Run("a server that refuses the session when something is posted", func(t *testing.T) {
		o := newOldServer(t, "/msg?sid=N")
		o.handle = func(e *webExchange) {
			if e.msg.Method == "tools/call" && e.r.URL.RawQuery == "sid=1" {
				e.json(404, `{"error":"no such session"}`)
				return
			}
			o.serve(e)
		}
		cfg, _, _ := o.config(t)
		c := mustConnect(t, cfg)
		if _, err := c.ListTools(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.CallTool(context.Background(), call("x", `{}`)); !c.Unexecuted(nil, err) {
			t.Errorf("got %v", err)
		}
		mustCall(t, c, call("x", `{}`))
	})
}

func TestResolveEndpoint(t *testing.T) {
	for _, test := range []struct{ stream, ref, want string }{
		{"https://h.example.test/sub/sse", "/msg?sid=1", "https://h.example.test/msg?sid=1"},
		{"https://h.example.test/sub/sse", "https://H.example.test:443/msg#x", "https://H.example.test:443/msg"},
		{"https://h.example.test/sub/sse?k=1", "../m", "https://h.example.test/m"},
		{"https://h.example.test/sse", "http://h.example.test/msg", ""},
		{"https://h.example.test/sse", "https://h.example.test:444/msg", ""},
		{"https://h.example.test/sse", "https://h.example.test.evil.test/msg", ""},
	} {
		t.Run("LEG-24 field-97 "+test.ref, func(t *testing.T) {
			stream, err := url.Parse(test.stream)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := resolveEndpoint(stream, test.ref); got != test.want || (err == nil) != (test.want != "") {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}
