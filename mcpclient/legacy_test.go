package mcpclient

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

type callResult struct {
	out *Outcome
	err error
}

func start(ctx context.Context, c *Client, k Call) chan callResult {
	r := make(chan callResult, 1)
	go func() {
		out, err := c.CallTool(ctx, k)
		r <- callResult{out, err}
	}()
	return r
}

func TestLegacyRequests(t *testing.T) {
	cfg, w, _ := stdioConfig(t, "legacy")
	lines := recordTo(t, &cfg)
	c := mustConnect(t, cfg)
	t.Run("LEG-01 LEG-03 the handshake", func(t *testing.T) {
		mustCall(t, c, call("echo", `{}`))
		all := lines()
		if !strings.Contains(all[1], `"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"test","version":"0"}}`) ||
			all[2] != `{"jsonrpc":"2.0","method":"notifications/initialized"}` {
			t.Errorf("sent %v", all)
		}
		if strings.Contains(all[3], "io.modelcontextprotocol") {
			t.Errorf("BASE-09 is for modern servers only: %s", all[3])
		}
	})
	for _, test := range []struct{ name, request, answer string }{
		{"LEG-17 field-106 ping", `{"jsonrpc":"2.0","id":"srv-1","method":"ping"}`, `{"jsonrpc":"2.0","id":"srv-1","result":{}}`},
		{"LEG-20 field-108 sampling", `{"id":9,"method":"sampling/createMessage","params":{}}`, `{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"Method not found"}}`},
		{"LEG-20 unknown", `{"id":10,"method":"x/unknown"}`, `{"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found"}}`},
		{"ELIC-26 unknown mode", `{"id":11,"method":"elicitation/create","params":{"mode":"smell"}}`, `{"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"Unsupported elicitation mode"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			mustCall(t, c, call("send", `{"line":`+quote(test.request)+`}`))
			waitLine(t, lines, test.answer)
		})
	}
	t.Run("LEG-20 a question outside any call", func(t *testing.T) {
		// It comes with a list, whose request is no call.
		c.incoming(mustParse(t, `{"id":12,"method":"elicitation/create","params":{"message":"m"}}`), nil)
		want := `{"jsonrpc":"2.0","id":12,"error":{"code":-32602,"message":"The question belongs to no running call"}}`
		waitLine(t, lines, want)
	})
	t.Run("LEG-18 field-40 changes are told without asking", func(t *testing.T) {
		mustCall(t, c, call("send", `{"line":"{\"method\":\"notifications/tools/list_changed\"}"}`))
		wait(t, w.changed, "ToolsChanged")
	})
	t.Run("LEG-22 a batch", func(t *testing.T) {
		mustCall(t, c, call("send", `{"line":"[{\"method\":\"notifications/tools/list_changed\"},{\"method\":\"notifications/message\",\"params\":{\"level\":\"warning\",\"data\":{\"x\":1}}}]"}`))
		wait(t, w.changed, "ToolsChanged")
		if l := w.line("message", `{"x":1}`); l.Level != "warning" {
			t.Errorf("got %+v", l)
		}
	})
}

func TestElicitation(t *testing.T) {
	t.Run("ELIC-26 a question passes the gate with its answer", func(t *testing.T) {
		c, w, k := connectStdio(t, "legacy")
		r := start(context.Background(), c, call("ask", `{}`))
		e := wait(t, w.elicits, "the question")
		if e.RequestID != `"q-1"` || e.Mode != "form" || !slices.Equal(e.CallIDs, []string{"call-1"}) || !strings.Contains(string(e.Params), "who?") {
			t.Errorf("got %+v", e)
		}
		answer := ElicitationAnswer{CallID: "call-1", Attempt: 1, Round: 1, RequestID: e.RequestID, Result: []byte(`{"action":"accept","content":{"n":1.0}}`)}
		if err := c.AnswerElicitation(context.Background(), answer); err != nil {
			t.Fatal(err)
		}
		got := wait(t, r, "the result")
		if got.err != nil || string(got.out.Raw) != `{"content":[],"structuredContent":`+string(answer.Result)+`}` {
			t.Errorf("got %+v", got)
		}
		s := k.sends[1]
		if s.Kind != SendAnswer || s.CallID != "call-1" || s.Attempt != 1 || s.Round != 1 || s.RequestID != `"q-1"` || s.Method != "" ||
			string(s.Arguments) != string(answer.Result) || string(s.Frame) != `{"jsonrpc":"2.0","id":"q-1","result":`+string(answer.Result)+`}` {
			t.Errorf("asked %+v", s)
		}
		if err := c.AnswerElicitation(context.Background(), answer); !errors.Is(err, ErrNoElicitation) {
			t.Errorf("a second answer: %v", err)
		}
	})
	t.Run("a refused answer is not written and the question stays open", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "legacy")
		no := true
		cfg.Gate = gateFunc(func(_ context.Context, s Send) error {
			if s.Kind == SendAnswer && no {
				return errors.New("no")
			}
			return nil
		})
		c := mustConnect(t, cfg)
		r := start(context.Background(), c, call("ask", `{}`))
		e := wait(t, w.elicits, "the question")
		answer := ElicitationAnswer{RequestID: e.RequestID, Result: []byte(`{"action":"decline"}`)}
		if err := c.AnswerElicitation(context.Background(), answer); !errors.As(err, new(*RefusedError)) {
			t.Errorf("got %v", err)
		}
		no = false
		if err := c.AnswerElicitation(context.Background(), answer); err != nil {
			t.Error(err)
		}
		if got := wait(t, r, "the result"); !strings.Contains(string(got.out.Raw), `{"action":"decline"}`) {
			t.Errorf("got %s", got.out.Raw)
		}
	})
	t.Run("LEG-21 the clock stands still while a person is asked", func(t *testing.T) {
		c, w, _ := connectStdio(t, "legacy")
		k := call("ask", `{}`)
		k.IdleTimeout, k.MaxTimeout = 500*time.Millisecond, 500*time.Millisecond
		r := start(context.Background(), c, k)
		e := wait(t, w.elicits, "the question")
		c.mu.Lock()
		for _, x := range c.running { // the person takes an hour
			x.x.clock.mu.Lock()
			x.x.clock.since = x.x.clock.since.Add(-time.Hour)
			x.x.clock.idleAt, x.x.clock.endAt = x.x.clock.idleAt.Add(-time.Hour), x.x.clock.endAt.Add(-time.Hour)
			x.x.clock.mu.Unlock()
			x.x.poke()
		}
		c.mu.Unlock()
		if err := c.AnswerElicitation(context.Background(), ElicitationAnswer{RequestID: e.RequestID, Result: []byte(`{"action":"cancel"}`)}); err != nil {
			t.Fatal(err)
		}
		if got := wait(t, r, "the result"); got.err != nil {
			t.Error(got.err)
		}
	})
	t.Run("CANCEL-13 the server takes a question back", func(t *testing.T) {
		c, w, _ := connectStdio(t, "legacy")
		ctx, cancel := context.WithCancel(context.Background())
		r := start(ctx, c, call("askandleave", `{}`))
		e := wait(t, w.elicits, "the question")
		if id := wait(t, w.gone, "ElicitGone"); id != e.RequestID {
			t.Errorf("got %s", id)
		}
		if err := c.AnswerElicitation(ctx, ElicitationAnswer{RequestID: e.RequestID, Result: []byte(`{}`)}); !errors.Is(err, ErrNoElicitation) {
			t.Errorf("got %v", err)
		}
		cancel()
		wait(t, r, "the end")
	})
	t.Run("a question goes with its last call", func(t *testing.T) {
		c, w, _ := connectStdio(t, "legacy")
		ctx, cancel := context.WithCancel(context.Background())
		r := start(ctx, c, call("ask", `{}`))
		wait(t, w.elicits, "the question")
		cancel()
		wait(t, r, "the end")
		wait(t, w.gone, "ElicitGone")
	})
	t.Run("a question goes with its connection", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "legacy")
		c := mustConnect(t, cfg)
		r := start(context.Background(), c, call("ask", `{}`))
		wait(t, w.elicits, "the question")
		_ = c.Close(context.Background())
		wait(t, r, "the end")
		wait(t, w.gone, "ElicitGone")
	})
	t.Run("not declared, not served", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "legacy")
		cfg.Elicitation = false
		c := mustConnect(t, cfg)
		out := mustCall(t, c, call("ask", `{}`))
		if !strings.Contains(string(out.Raw), "-32601") {
			t.Errorf("got %s", out.Raw)
		}
	})
}
