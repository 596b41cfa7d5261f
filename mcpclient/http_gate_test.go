package mcpclient

import (
	"context"
	"errors"
	"testing"
)

func TestGateOverHTTP(t *testing.T) {
	no := errors.New("not approved")
	for name, gate := range map[string]Gate{"no": gateFunc(func(context.Context, Send) error { return no }), "none": nil} {
		t.Run(name, func(t *testing.T) {
			s := newWebServer(t, EraModern)
			cfg, _, _ := s.config(t)
			cfg.Gate = gate
			c := mustConnect(t, cfg)
			_, err := c.CallTool(context.Background(), call("echo", `{}`))
			if !errors.As(err, new(*RefusedError)) {
				t.Errorf("got %v", err)
			}
			if n := len(s.seen("tools/call")); n != 0 {
				t.Errorf("sent %d times", n)
			}
		})
	}
	t.Run("an answer that is refused is not posted", func(t *testing.T) {
		s := newWebServer(t, EraLegacy)
		s.handle = func(e *webExchange) {
			if e.tool() != "ask" {
				e.w.WriteHeader(405)
				return
			}
			e.event(`{"id":1,"method":"elicitation/create","params":{}}`)
			<-e.r.Context().Done()
		}
		cfg, w, _ := s.config(t)
		cfg.Gate = gateFunc(func(_ context.Context, s Send) error {
			if s.Kind == SendAnswer {
				return no
			}
			return nil
		})
		c := mustConnect(t, cfg)
		ctx, cancel := context.WithCancel(context.Background())
		r := start(ctx, c, call("ask", `{}`))
		e := wait(t, w.elicits, "the question")
		n := len(s.seen(""))
		if err := c.AnswerElicitation(ctx, ElicitationAnswer{RequestID: e.RequestID, Result: []byte(`{"action":"accept"}`)}); !errors.Is(err, no) {
			t.Errorf("got %v", err)
		}
		if len(s.seen("")) != n {
			t.Error("something was posted")
		}
		cancel()
		wait(t, r, "the end")
		wait(t, w.gone, "ElicitGone")
	})
	t.Run("configured headers cannot replace the protocol's", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		s.handle = func(e *webExchange) { e.result(okResult) }
		cfg, w, _ := s.config(t)
		cfg.HTTP.Headers = []Header{{"mcp-name", "other"}, {"ACCEPT", "text/html"}, {"Host", "x"}, {"User-Agent", "mine"}, {"Authorization", "Bearer t"}}
		c := mustConnect(t, cfg)
		mustCall(t, c, call("echo", `{}`))
		h := s.seen("tools/call")[0].header
		if h.Get("Mcp-Name") != "echo" || len(h.Values("Mcp-Name")) != 1 || h.Get("Accept") != acceptBoth || h.Get("User-Agent") != "mine" || h.Get("Authorization") != "Bearer t" {
			t.Errorf("sent %v", h)
		}
		w.line("protocol", "mcp-name")
	})
}
