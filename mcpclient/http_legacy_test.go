package mcpclient

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLegacyHTTP(t *testing.T) {
	s := newWebServer(t, EraLegacy)
	s.session = "s-1"
	answers := make(chan string, 10)
	toStream := make(chan string, 10)
	s.handle = func(e *webExchange) {
		switch {
		case e.r.Method == "GET":
			e.event(`{"jsonrpc":"2.0","id":"p1","method":"ping"}`)
			for {
				select {
				case m := <-toStream:
					e.event("%s", m)
				case <-e.r.Context().Done():
					return
				}
			}
		case e.r.Method == "DELETE":
			e.w.WriteHeader(405)
		case e.msg.IsResponse():
			answers <- e.body
			e.w.WriteHeader(202)
		case e.tool() == "ask":
			e.event(`{"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://x.example.test"}}`)
			answer := <-answers
			e.event(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":%s}}`, e.msg.ID, answer)
		case e.tool() == "elsewhere":
			toStream <- `{"jsonrpc":"2.0","id":` + string(e.msg.ID) + `,"result":` + okResult + `}`
			e.event(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
			<-e.r.Context().Done()
		default:
			e.result(okResult)
		}
	}
	c, w, k := s.connect(t)
	t.Run("LEG-13 the stream of server messages stands before the first call", func(t *testing.T) {
		for range 20 { // else it would be a race
			s := newWebServer(t, EraLegacy)
			s.handle = func(e *webExchange) {
				switch {
				case e.r.Method == http.MethodGet:
					e.event(`{"jsonrpc":"2.0","method":"notifications/x"}`)
					<-e.r.Context().Done()
				case e.msg.Method == "tools/call" && len(s.seen("GET")) == 0:
					e.result(`{"content":[{"type":"text","text":"nobody listened"}],"isError":true}`)
				default:
					e.result(`{"content":[]}`)
				}
			}
			c, _, _ := s.connect(t)
			if out := mustCall(t, c, call("echo", `{}`)); out.IsError {
				t.Fatal("the call came before the stream")
			}
			_ = c.Close(context.Background())
		}
	})
	t.Run("LEG-12 LEG-13 LEG-17 a ping on the stream of server messages is answered by a POST", func(t *testing.T) {
		if got := wait(t, answers, "the answer"); got != `{"jsonrpc":"2.0","id":"p1","result":{}}` {
			t.Errorf("got %s", got)
		}
		if e := s.seen("GET")[0]; e.header.Get("Accept") != "text/event-stream" || e.header.Get("Mcp-Session-Id") != "s-1" {
			t.Errorf("GET with %v", e.header)
		}
	})
	mustCall(t, c, call("x", `{}`))
	t.Run("LEG-05 LEG-07 HDR-28 session and version are sent, modern headers are not", func(t *testing.T) {
		for _, method := range []string{"notifications/initialized", "tools/call"} {
			h := s.seen(method)[0].header
			if h.Get("Mcp-Session-Id") != "s-1" || h.Get("Mcp-Protocol-Version") != LegacyVersion || h.Get("Mcp-Method") != "" {
				t.Errorf("%s with %v", method, h)
			}
		}
		if h := s.seen("initialize")[0].header; h.Get("Mcp-Session-Id") != "" || h.Get("Mcp-Protocol-Version") != "" || h.Get("Mcp-Method") != "" {
			t.Errorf("initialize with %v", h)
		}
		if !hasHeader(k.sends[0].Headers, "Mcp-Session-Id", "s-1") {
			t.Errorf("the gate saw %v", k.sends[0].Headers)
		}
	})
	t.Run("a question belongs to the call whose stream it came on", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		other := call("elsewhere2", `{}`)
		other.ID = "call-2"
		r := start(ctx, c, Call{ID: "call-9", Attempt: 1, Tool: "ask", Arguments: []byte(`{}`)})
		e := wait(t, w.elicits, "the question")
		if !slices.Equal(e.CallIDs, []string{"call-9"}) || e.Mode != "url" || e.RequestID != "5" {
			t.Errorf("got %+v", e)
		}
		if err := c.AnswerElicitation(ctx, ElicitationAnswer{CallID: "call-9", RequestID: e.RequestID, Result: []byte(`{"action":"accept"}`)}); err != nil {
			t.Fatal(err)
		}
		got := wait(t, r, "the result")
		if got.err != nil || !strings.Contains(string(got.out.Raw), `"id":5,"result":{"action":"accept"}`) {
			t.Errorf("got %+v", got)
		}
		last := k.sends[len(k.sends)-1]
		if last.Kind != SendAnswer || !hasHeader(last.Headers, "Mcp-Session-Id", "s-1") {
			t.Errorf("asked %+v", last)
		}
		cancel()
	})
	t.Run("an answer on another stream finds its request", func(t *testing.T) {
		if out := mustCall(t, c, call("elsewhere", `{}`)); string(out.Raw) != okResult {
			t.Errorf("got %s", out.Raw)
		}
	})
	t.Run("LEG-18 a change on the stream", func(t *testing.T) {
		toStream <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
		wait(t, w.changed, "ToolsChanged")
	})
	t.Run("LEG-09 DELETE at the end, whatever is answered", func(t *testing.T) {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if d := s.seen("DELETE"); len(d) != 1 || d[0].header.Get("Mcp-Session-Id") != "s-1" {
			t.Errorf("got %v", d)
		}
	})
}

func TestInitializedAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer func(http.ResponseWriter)
	}{
		{"LEG-12 field-84 200 null", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("null"))
		}},
		{"LEG-12 field-84 200 empty", func(w http.ResponseWriter) { w.WriteHeader(200) }},
		{"LEG-12 field-85 204", func(w http.ResponseWriter) { w.WriteHeader(204) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newWebServer(t, "")
			s.handle = func(e *webExchange) {
				switch e.msg.Method {
				case "initialize":
					e.result(strings.Replace(initialized, "%s", "2025-03-26", 1))
				case "notifications/initialized":
					test.answer(e.w)
				case "tools/call":
					e.result(okResult)
				default:
					e.w.WriteHeader(404)
				}
			}
			c, _, _ := s.connect(t)
			mustCall(t, c, call("x", `{}`))
			if h := s.seen("tools/call")[0].header; h.Get("Mcp-Protocol-Version") != "" || h.Get("Mcp-Session-Id") != "" {
				t.Errorf("LEG-05 2025-03-26 has no version header: %v", h)
			}
		})
	}
}

func TestServerStreamRefused(t *testing.T) {
	for _, status := range []int{400, 404, 405, 406, 501, 200} {
		t.Run(fmt.Sprintf("LEG-13 field-87 the stream of server messages is refused with %d", status), func(t *testing.T) {
			s := newWebServer(t, EraLegacy)
			refused := make(chan struct{}, 10)
			s.handle = func(e *webExchange) {
				if e.r.Method == "GET" {
					e.w.WriteHeader(status)
					refused <- struct{}{}
					return
				}
				e.result(okResult)
			}
			c, _, _ := s.connect(t)
			wait(t, refused, "the GET")
			mustCall(t, c, call("x", `{}`))
			_ = c.Close(context.Background()) // waits for the stream's goroutine, which has given up
			if n := len(s.seen("GET")); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

func TestSubscription(t *testing.T) {
	s := newWebServer(t, "")
	listens := make(chan *webExchange, 10)
	end := make(chan string, 10)
	s.handle = func(e *webExchange) {
		switch e.msg.Method {
		case "server/discover":
			e.result(strings.Replace(discovered, "%v", "true", 1))
		case "subscriptions/listen":
			e.event(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":{"toolsListChanged":true}}}`, e.msg.ID)
			listens <- e
			for how := range end {
				if how == "break" {
					return
				}
				e.event("%s", strings.ReplaceAll(how, "ID", string(e.msg.ID)))
			}
		default:
			e.result(`{"tools":[]}`)
		}
	}
	t.Cleanup(func() { close(end) })
	cfg, w, _ := s.config(t)
	c, err := connect(context.Background(), cfg, tuning{relistenFirst: time.Millisecond, relistenMost: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	first := wait(t, listens, "the listen")
	t.Run("SUB-01 only what is wanted", func(t *testing.T) {
		if !strings.Contains(first.body, `"notifications":{"toolsListChanged":true}`) || first.header.Get("Mcp-Method") != "subscriptions/listen" {
			t.Errorf("sent %s", first.body)
		}
	})
	t.Run("SUB-05 by the id of the listen, of the same type", func(t *testing.T) {
		for _, id := range []string{`"ID"`, "0", "null"} {
			end <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
		}
		w.line("protocol", "unknown subscription")
		end <- `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"marker"}}`
		w.line("message", "marker")
		if len(w.changed) != 0 {
			t.Error("a foreign notice was taken")
		}
		end <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":ID}}}`
		wait(t, w.changed, "ToolsChanged")
	})
	t.Run("SUB-02 SUB-14 types that were not asked for are dropped and logged", func(t *testing.T) {
		for _, method := range []string{"notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated"} {
			end <- `{"jsonrpc":"2.0","method":"` + method + `","params":{"uri":"a:b/c","_meta":{"io.modelcontextprotocol/subscriptionId":ID}}}`
			w.line("protocol", method+", which was not asked for")
		}
		if len(w.changed) != 0 {
			t.Error("one was taken for a change of the tools")
		}
	})
	t.Run("SUB-03 an acknowledgement of another subscription", func(t *testing.T) {
		end <- `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"ID"},"notifications":{}}}`
		w.line("protocol", "acknowledgement for an unknown subscription")
	})
	t.Run("SUB-04 less was granted than asked for", func(t *testing.T) {
		end <- `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":ID},"notifications":{}}}`
		w.line("protocol", "does not report changes of its tools")
	})
	for _, ending := range []struct{ ids, how string }{
		{"SUB-11 a broken stream", "break"},
		{"SUB-09 SUB-11 a result", `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":ID}}}`},
		{"SUB-10 SUB-11 GAP-01 a cancellation", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":ID}}`},
	} {
		t.Run(ending.ids+": listened for anew, and taken for a change", func(t *testing.T) {
			how := ending.how
			end <- how
			again := wait(t, listens, "the next listen")
			if string(again.msg.ID) == string(first.msg.ID) {
				t.Error("BASE-03 the id was used again")
			}
			wait(t, w.changed, "ToolsChanged")
			if how == "break" {
				if why := wait(t, w.deaf, "word that the stream broke"); !strings.Contains(why, "broke") {
					t.Errorf("told %q", why)
				}
				if why := wait(t, w.deaf, "word that the stream stands"); why != "" {
					t.Errorf("told %q", why)
				}
			}
			if how != "break" {
				end <- "break" // the former handler, if it still stands
			}
		})
	}
	if _, err := c.ListTools(context.Background()); err != nil {
		t.Error(err)
	}
	t.Run("SUB-08 ended by us: the stream is closed", func(t *testing.T) {
		end <- "break"
		last := wait(t, listens, "the next listen")
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		wait(t, last.r.Context().Done(), "the end of the stream")
	})
}

func TestSubscriptionAnew(t *testing.T) {
	t.Run("SUB-15 not to what the server does not report", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		s.handle = func(e *webExchange) { e.result(`{"tools":[]}`) }
		c, _, _ := s.connect(t)
		if _, err := c.ListTools(context.Background()); err != nil {
			t.Fatal(err)
		}
		_ = c.Close(context.Background()) // waits for whatever runs by itself
		if n := len(s.seen("subscriptions/listen")); n != 0 {
			t.Errorf("%d listens", n)
		}
	})
	t.Run("SUB-12 a new process is listened to anew", func(t *testing.T) {
		for range 2 {
			cfg, w, _ := stdioConfig(t, "modern")
			lines := recordTo(t, &cfg)
			c := mustConnect(t, cfg)
			wait(t, w.changed, "a notice")
			waitLine(t, lines, `"method":"subscriptions/listen"`)
			if err := c.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
	})
}
