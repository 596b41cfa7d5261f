package mcpclient

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestOutside(t *testing.T) {
	s := newWebServer(t, EraLegacy)
	notices := make(chan string, 10)
	answers := make(chan string, 10)
	s.handle = func(e *webExchange) {
		switch {
		case e.r.Method == "GET":
			e.event(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"stream"}}`)
			for {
				select {
				case m := <-notices:
					e.event("%s", m)
				case <-e.r.Context().Done():
					return
				}
			}
		case e.msg.IsResponse() || e.msg.Method == "notifications/roots/list_changed":
			answers <- e.body
			e.w.WriteHeader(202)
		case e.tool() == "outside":
			e.json(200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"sign in first","data":{"elicitations":[
				{"mode":"url","elicitationId":"e-1","url":"https://x.example.test/in?a=1","message":"sign in"},
				{"mode":"url","elicitationId":"e-2"}, 5]}}}`, e.msg.ID)
		default:
			e.w.WriteHeader(405)
		}
	}
	cfg, w, _ := s.config(t)
	completed := make(chan string, 10)
	cfg.Events.ElicitComplete = func(id string) { completed <- id }
	cfg.Roots = func() []Root {
		return []Root{{URI: "file:///home/a%20b", Name: "a & b"}, {URI: "https://x.example.test/"}}
	}
	c := mustConnect(t, cfg)
	w.line("message", "stream")
	t.Run("ELIC-28 what is to be done outside is read from -32042", func(t *testing.T) {
		out := mustCall(t, c, call("outside", `{}`))
		if out.Kind != OutcomeError || out.RPCError.Code != -32042 || len(out.Elicitations) != 1 {
			t.Fatalf("got %+v", out)
		}
		e := out.Elicitations[0]
		if e.ElicitationID != "e-1" || e.URL != "https://x.example.test/in?a=1" || e.Message != "sign in" || !strings.Contains(string(e.Raw), `"mode":"url"`) {
			t.Errorf("got %+v", e)
		}
		if n := len(s.seen("tools/call")); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
	t.Run("ELIC-27 completion of unknown and finished ids is ignored", func(t *testing.T) {
		for _, id := range []string{`"foreign"`, `7`, `"e-1"`, `"e-1"`} {
			notices <- `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":` + id + `}}`
		}
		notices <- `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"after"}}`
		w.line("message", "after")
		if got := wait(t, completed, "the completion"); got != "e-1" || len(completed) != 0 {
			t.Errorf("got %s and %d more", got, len(completed))
		}
	})
	t.Run("ROOTS-02 ROOTS-03 roots/list is answered, with file URIs only", func(t *testing.T) {
		notices <- `{"jsonrpc":"2.0","id":"r","method":"roots/list"}`
		want := `{"jsonrpc":"2.0","id":"r","result":{"roots":[{"uri":"file:///home/a%20b","name":"a & b"}]}}`
		if got := wait(t, answers, "the answer"); got != want {
			t.Errorf("got %s", got)
		}
	})
	t.Run("ROOTS-07 a change is told", func(t *testing.T) {
		c.RootsChanged()
		if got := wait(t, answers, "the notice"); got != `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("ROOTS-07 LEG-04 not declared, not served", func(t *testing.T) {
		cfg, w, _ := s.config(t)
		c := mustConnect(t, cfg)
		w.line("message", "stream")
		c.RootsChanged()
		c.incoming(mustParse(t, `{"id":1,"method":"roots/list"}`), nil)
		if got := wait(t, answers, "the refusal"); !strings.Contains(got, "-32601") {
			t.Errorf("got %s", got)
		}
	})
}

// TestCapabilities: each revision has its own words for what a client can do.
func TestCapabilities(t *testing.T) {
	all := Config{Elicitation: true, Roots: func() []Root { return nil }}
	for version, want := range map[string]string{
		"2024-11-05": `{"roots":{"listChanged":true}}`,
		"2025-03-26": `{"roots":{"listChanged":true}}`,
		"2025-06-18": `{"elicitation":{},"roots":{"listChanged":true}}`,
		"2025-11-25": `{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}`,
		"2026-07-28": `{"elicitation":{"form":{},"url":{}},"roots":{}}`,
	} {
		t.Run("ELIC-29 ROOTS-01 LEG-19 "+version, func(t *testing.T) {
			if got := capabilitiesJSON(&all, version); got != want {
				t.Errorf("got %s", got)
			}
			if got := capabilitiesJSON(&Config{}, version); got != "{}" {
				t.Errorf("nothing served: %s", got)
			}
		})
	}
	t.Run("ELIC-29 an older server's questions", func(t *testing.T) {
		for version, refused := range map[string]string{"2025-03-26": "-32601", "2025-06-18": "-32602"} {
			answers := make(chan string, 10)
			s := newWebServer(t, "")
			s.handle = func(e *webExchange) {
				switch {
				case e.msg.Method == "initialize":
					e.result(fmt.Sprintf(initialized, version))
				case e.msg.Method == "tools/call":
					e.event(`{"id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://x.example.test"}}`)
					answer := <-answers
					e.event(`{"id":%s,"result":{"content":[],"structuredContent":%s}}`, e.msg.ID, answer)
				case e.r.Method == "POST" && e.msg.IsResponse():
					answers <- e.body
					e.w.WriteHeader(202)
				default:
					e.w.WriteHeader(400)
				}
			}
			s.handle = allowInitialized(s.handle)
			c, _, _ := s.connect(t)
			out, err := c.CallTool(context.Background(), call("ask", `{}`))
			if err != nil || !strings.Contains(string(out.Raw), refused) {
				t.Errorf("%s: got %+v (%v)", version, out, err)
			}
		}
	})
}

// allowInitialized takes notifications/initialized off a handler.
func allowInitialized(next func(*webExchange)) func(*webExchange) {
	return func(e *webExchange) {
		if e.msg.Method == "notifications/initialized" {
			e.w.WriteHeader(202)
			return
		}
		next(e)
	}
}
