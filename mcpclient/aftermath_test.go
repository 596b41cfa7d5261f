package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestAftermath: what is heard of a call after it was stopped is told once, and
// the call's own end stays what it was.
func TestAftermath(t *testing.T) {
	tests := []struct {
		name, then string
		kind       AftermathKind
		isError    bool
	}{
		{"CANCEL-06 finished all the same", `{"content":[]}`, AfterFinished, false},
		{"CANCEL-06 finished with the tool's error", `{"content":[],"isError":true}`, AfterFinished, true},
		{"CANCEL-07 acknowledged with an error", "error", AfterAcknowledged, false},
		{"MRTR-16 asked for input", `{"resultType":"input_required","requestState":"s"}`, AfterAsked, false},
		{"CANCEL-07 ignored: progress goes on", "progress", AfterIgnored, false},
		{"CANCEL-07 no word", "", AfterSilent, false},
	}
	for _, era := range []Era{EraModern, EraLegacy} {
		for _, test := range tests {
			t.Run(test.name+", "+string(era), func(t *testing.T) {
				cfg, w, _ := stdioConfig(t, string(era))
				told := make(chan Aftermath, 10)
				cfg.Events.Aftermath = func(a Aftermath) { told <- a }
				tuned := defaultTuning
				tuned.followGrace = 0
				if test.then == "progress" || test.then == "" {
					tuned.follow = 200 * time.Millisecond
				}
				c, err := connect(context.Background(), cfg, tuned)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = c.Close(context.Background()) }()
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				k := call("late", fmt.Sprintf(`{"then":%s}`, quote(test.then)))
				k.Attempt, k.Round = 2, 3
				result := make(chan error, 1)
				go func() {
					_, err := c.CallTool(ctx, k)
					result <- err
				}()
				w.line("message", "hanging")
				cancel()
				if err := wait(t, result, "the end"); !errors.As(err, new(*CancelledError)) {
					t.Fatal(err)
				}
				a := wait(t, told, "the aftermath")
				if a.Kind != test.kind || a.IsError != test.isError || a.CallID != "call-1" || a.Attempt != 2 || a.Round != 3 || a.RequestID == "" {
					t.Errorf("got %+v", a)
				}
				if (a.Kind == AfterFinished || a.Kind == AfterAsked) != (a.Bytes > 0) || (a.Kind == AfterAcknowledged) != (a.RPCError != nil) {
					t.Errorf("got %+v", a)
				}
				mustCall(t, c, call("echo", `{}`))
				if len(told) > 0 {
					t.Errorf("told again: %+v", <-told)
				}
			})
		}
	}
	t.Run("a connection that ends leaves nothing to be told", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "modern")
		told := make(chan Aftermath, 10)
		cfg.Events.Aftermath = func(a Aftermath) { told <- a }
		c := mustConnect(t, cfg)
		k := call("hang", `{}`)
		k.MaxTimeout = 10 * time.Millisecond
		if _, err := c.CallTool(context.Background(), k); !errors.As(err, new(*TimeoutError)) {
			t.Fatal(err)
		}
		if err := c.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(told) > 0 || len(c.followed) > 0 {
			t.Errorf("told %d, followed %d", len(told), len(c.followed))
		}
	})
}
