package demoserver

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"countersign/mcpclient"
	"countersign/mcpclient/mcpserver"
)

// opener admits everything, and keeps what was sent.
type opener struct{ sent chan mcpclient.Send }

func (o opener) Admit(_ context.Context, s mcpclient.Send) error {
	s.Headers = slices.Clone(s.Headers)
	o.sent <- s
	return nil
}

// TestOurOwnClient lets Countersign's client do what a host does.
func TestOurOwnClient(t *testing.T) {
	for _, era := range []mcpclient.Era{mcpclient.EraModern, mcpclient.EraLegacy} {
		t.Run("stdio "+string(era), func(t *testing.T) {
			runOurs(t, era, mcpclient.Config{Stdio: &mcpclient.StdioConfig{Path: os.Args[0], Env: []string{childEnv + "=1", "GORACE=atexit_sleep_ms=0"}}})
		})
		t.Run("http "+string(era), func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			address, done := make(chan string, 1), make(chan error, 1)
			go func() { done <- New().ServeHTTP(ctx, "127.0.0.1:0", func(a string) { address <- a }) }()
			t.Cleanup(func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
			runOurs(t, era, mcpclient.Config{HTTP: &mcpclient.HTTPConfig{URL: "http://" + <-address + mcpserver.Path}})
		})
	}
}

// ours is a client and what it was told.
type ours struct {
	*mcpclient.Client
	t        *testing.T
	gate     opener
	tools    []json.RawMessage
	changed  chan bool
	asked    chan mcpclient.LegacyElicitation
	progress chan bool
}

func connectOurs(t *testing.T, era mcpclient.Era, cfg mcpclient.Config) *ours {
	o := &ours{t: t, gate: opener{make(chan mcpclient.Send, 100)}, changed: make(chan bool, 10),
		asked: make(chan mcpclient.LegacyElicitation, 10), progress: make(chan bool, 1000)}
	var closing atomic.Bool
	cfg.ClientInfo = mcpclient.Implementation{Name: "test", Version: "1"}
	cfg.Elicitation, cfg.Gate = true, o.gate
	cfg.Events = mcpclient.Events{
		ToolsChanged: func() { o.changed <- true },
		Elicit:       func(e mcpclient.LegacyElicitation) { o.asked <- e },
		Log: func(l mcpclient.LogLine) {
			stopped := l.Level == "info" && strings.Contains(l.Text, "was given up") // by the test itself
			if !closing.Load() && !stopped {                                         // then notices may still be under way
				t.Errorf("the log says %q", l.Text)
			}
		},
	}
	if era == mcpclient.EraLegacy {
		cfg.RememberedEra = era
	}
	c, err := mcpclient.Connect(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closing.Store(true)
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	o.Client = c
	if got := c.Info(); got.Era != era || got.ServerInfo.Name != "countersign-demo" {
		t.Fatalf("opened as %+v", got)
	}
	list, err := c.ListTools(t.Context())
	if err != nil || len(list.Tools) != 12 || len(list.Problems) > 0 || len(list.Warnings) > 0 {
		t.Fatalf("%v: %+v", err, list)
	}
	o.tools = list.Tools
	return o
}

// call makes a call of a tool as it is listed.
func (o *ours) call(tool, args string) mcpclient.Call {
	o.t.Helper()
	i := slices.IndexFunc(o.tools, func(d json.RawMessage) bool { return strings.HasPrefix(string(d), `{"name":"`+tool+`"`) })
	if reason := mcpclient.HiddenReason(o.tools[i]); reason != "" {
		o.t.Errorf("%s is hidden: %s", tool, reason)
	}
	return mcpclient.Call{ID: tool, Attempt: 1, Tool: tool, Arguments: []byte(args), Definition: o.tools[i],
		OnProgress: func(mcpclient.Progress) { o.progress <- true }}
}

func runOurs(t *testing.T, era mcpclient.Era, cfg mcpclient.Config) {
	o := connectOurs(t, era, cfg)
	for tool, args := range map[string]string{"weather": `{"city":" Łódź"}`, "mixed": `{}`, "big_text": `{"bytes":2000000}`, "table": `{}`} {
		if out, err := o.CallTool(t.Context(), o.call(tool, args)); err != nil || out.Kind != mcpclient.OutcomeComplete || out.IsError {
			t.Errorf("%s: %v, %+v", tool, err, out)
		}
		<-o.gate.sent
	}
	if out, err := o.CallTool(t.Context(), o.call("protocol_error", `{}`)); err != nil || out.RPCError == nil || out.RPCError.Code != -32603 {
		t.Errorf("protocol_error: %v, %+v", err, out)
	}
	o.answerForm(era)

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := o.CallTool(ctx, o.call("long_job", `{"steps":1000,"delay_ms":20}`))
		ended <- err
	}()
	<-o.progress
	cancel()
	var stopped *mcpclient.CancelledError
	if err := <-ended; !errors.As(err, &stopped) {
		t.Errorf("CANCEL-01 long_job ended with %v", err)
	}

	if _, err := o.CallTool(t.Context(), o.call("add_tool", `{"name":"fresh"}`)); err != nil {
		t.Error(err)
	}
	for grown := false; !grown; {
		<-o.changed
		list, err := o.ListTools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		grown = len(list.Tools) == 13
	}
}

// answerForm answers the form in the era's way.
func (o *ours) answerForm(era mcpclient.Era) {
	o.t.Helper()
	ask := o.call("ask_form", `{}`)
	const answer = `{"action":"accept","content":{"name":"Ada","pieces":2}}`
	ended := make(chan error, 1)
	if era == mcpclient.EraLegacy {
		go func() {
			e := <-o.asked
			ended <- o.AnswerElicitation(o.t.Context(), mcpclient.ElicitationAnswer{CallID: ask.ID, Attempt: 1, RequestID: e.RequestID, Result: json.RawMessage(answer)})
		}()
	}
	out, err := o.CallTool(o.t.Context(), ask)
	if era == mcpclient.EraModern {
		ended <- nil
		if err != nil || out.Kind != mcpclient.OutcomeInputRequired {
			o.t.Fatalf("%v, %+v", err, out)
		}
		ask.Round, ask.RequestState, ask.InputResponses = 1, out.RequestState, json.RawMessage(`{"`+out.InputRequests[0].Key+`":`+answer+`}`)
		out, err = o.CallTool(o.t.Context(), ask)
	}
	if err != nil || out.IsError || !strings.Contains(string(out.Raw), `{"received":{"name":"Ada","pieces":2}}`) {
		o.t.Errorf("ask_form: %v, %+v", err, out)
	}
	if err := <-ended; err != nil {
		o.t.Error(err)
	}
}
