package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/mcpclient/jsonrpc"
)

func TestGate(t *testing.T) {
	no := errors.New("not approved")
	t.Run("the gate is given the whole send and its bytes are the ones written", func(t *testing.T) {
		for _, child := range []string{"modern", "legacy"} {
			cfg, _, k := stdioConfig(t, child)
			lines := recordTo(t, &cfg)
			c := mustConnect(t, cfg)
			args := `{"z":9007199254740993,"a":1.0e0,"é":"\ud83d\ude00\/","s":" <&> "}`
			mustCall(t, c, Call{ID: "id-7", Attempt: 2, Tool: "echo", Arguments: []byte(args)})
			s := k.sends[0]
			if got := waitLine(t, lines, `"tools/call"`); got != string(s.Frame) {
				t.Errorf("written: %s\nasked:   %s", got, s.Frame)
			}
			if !strings.Contains(string(s.Frame), `"arguments":`+args) || string(s.Arguments) != args {
				t.Errorf("the arguments changed: %s", s.Frame)
			}
			if s.Kind != SendCall || s.CallID != "id-7" || s.Attempt != 2 || s.Round != 0 || s.Address != cfg.Stdio.Path ||
				s.LaunchFingerprint != "launch-1" || s.Era != c.Info().Era || s.Version != c.Info().Version ||
				s.Headers != nil || s.Method != "tools/call" || s.Tool != "echo" || s.InputResponses != nil || s.RequestState != nil {
				t.Errorf("asked: %+v", s)
			}
			var keys []string
			if err := jsonrpc.Members(s.Meta, func(k string, _ []byte) bool { keys = append(keys, k); return true }); err != nil {
				t.Error(err)
			}
			want := []string{"progressToken"}
			if child == "modern" {
				want = []string{metaVersion, metaClientInfo, metaCapabilities, "progressToken"}
			}
			if !slices.Equal(keys, want) {
				t.Errorf("_meta has %v, want %v", keys, want)
			}
		}
	})
	t.Run("a no, and no gate, write nothing", func(t *testing.T) {
		for name, gate := range map[string]Gate{"no": gateFunc(func(context.Context, Send) error { return no }), "none": nil} {
			cfg, _, _ := stdioConfig(t, "modern")
			cfg.Gate = gate
			lines := recordTo(t, &cfg)
			c := mustConnect(t, cfg)
			_, err := c.CallTool(context.Background(), call("echo", `{}`))
			var refused *RefusedError
			if !errors.As(err, &refused) || name == "no" && !errors.Is(err, no) || name == "none" && !errors.Is(err, ErrNoGate) {
				t.Errorf("%s: got %v", name, err)
			}
			if _, err := c.ListTools(context.Background()); err != nil { // the child has read all by now
				t.Fatal(err)
			}
			for _, l := range lines() {
				if strings.Contains(l, "tools/call") {
					t.Errorf("%s: written: %s", name, l)
				}
			}
		}
	})
	t.Run("a context that ended before is not asked about", func(t *testing.T) {
		c, _, k := connectStdio(t, "modern")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := c.CallTool(ctx, call("echo", `{}`))
		if err != context.Canceled || len(k.sends) != 0 {
			t.Errorf("got %v, asked %d times", err, len(k.sends))
		}
	})
	t.Run("what cannot stand in a frame is refused before the gate", func(t *testing.T) {
		c, _, k := connectStdio(t, "legacy")
		state := "s"
		for _, bad := range []Call{
			{Tool: "echo"},
			{Tool: "echo", Arguments: []byte("null")},
			{Tool: "echo", Arguments: []byte("[]")},
			{Tool: "echo", Arguments: []byte("{\n}")},
			{Tool: "echo", Arguments: []byte(`{"a":1},"name":"other"`)},
			{Tool: "echo", Arguments: []byte(`{"a":1`)},
			{Tool: "echo", Arguments: []byte("{\"a\":\"\x97\"}")},
			{Tool: "", Arguments: []byte(`{}`)},
			{Tool: "echo", Arguments: []byte(`{}`), InputResponses: []byte(`[]`)},
			{Tool: "echo", Arguments: []byte(`{}`), RequestState: &state},
		} {
			if _, err := c.CallTool(context.Background(), bad); err == nil {
				t.Errorf("%+v was sent", bad)
			}
		}
		if len(k.sends) != 0 {
			t.Errorf("asked %d times", len(k.sends))
		}
	})
}

func TestModernFrames(t *testing.T) {
	cfg, w, _ := stdioConfig(t, "modern")
	lines := recordTo(t, &cfg)
	c := mustConnect(t, cfg)
	wait(t, w.changed, "the subscription")
	if _, err := c.ListTools(context.Background()); err != nil {
		t.Fatal(err)
	}
	mustCall(t, c, call("echo", `{}`))
	mustCall(t, c, call("echo", `{}`))
	ids := make(map[string]bool)
	for _, l := range lines() {
		m, err := jsonrpc.Parse([]byte(l))
		if err != nil {
			t.Fatal(err)
		}
		t.Run("BASE-09 BASE-10 BASE-11 BASE-13 BASE-22 BASE-23 ELIC-01 "+m.Method, func(t *testing.T) {
			meta, _ := jsonrpc.Get(m.Params, "_meta")
			_ = jsonrpc.Members(meta, func(key string, _ []byte) bool { // a closed list: none of our own, no trace
				if !strings.HasPrefix(key, "io.modelcontextprotocol/") && key != "progressToken" {
					t.Errorf("%s is sent", key)
				}
				return true
			})
			for key, want := range map[string]string{
				metaVersion:      `"2026-07-28"`,
				metaCapabilities: `{"elicitation":{"form":{},"url":{}}}`,
				metaClientInfo:   `{"name":"test","version":"0"}`,
			} {
				if got, _ := jsonrpc.Get(meta, key); string(got) != want {
					t.Errorf("%s is %s", key, got)
				}
			}
		})
		if ids[string(m.ID)] {
			t.Errorf("BASE-03 id %s was used twice", m.ID)
		}
		ids[string(m.ID)] = true
	}
}

func TestOutcomes(t *testing.T) {
	c, _, _ := connectStdio(t, "modern")
	legacy, _, _ := connectStdio(t, "legacy")
	state := func(s string) *string { return &s }
	tests := []struct {
		name, result string
		kind         OutcomeKind
		isError      bool
		state        *string
		requests     int
		lost         bool
	}{
		{"BASE-15 no resultType is complete", `{"content":[]}`, OutcomeComplete, false, nil, 0, false},
		{"CALL-12 complete", `{"resultType":"complete","content":[]}`, OutcomeComplete, false, nil, 0, false},
		{"field-45 nothing at all", `{}`, OutcomeComplete, false, nil, 0, false},
		{"field-45 content null", `{"content":null}`, OutcomeComplete, false, nil, 0, false},
		{"CALL-10 isError", `{"isError":true,"content":[]}`, OutcomeComplete, true, nil, 0, false},
		{"isError of the wrong type is false", `{"isError":"true","content":[]}`, OutcomeComplete, false, nil, 0, false},
		{"BASE-16 CALL-12 MRTR-18 a task, which was not offered", `{"resultType":"task","content":[]}`, "", false, nil, 0, true},
		{"resultType null", `{"resultType":null}`, "", false, nil, 0, true},
		{"a result that is no object", `[1]`, "", false, nil, 0, true},
		{"CALL-12 MRTR-03 questions", `{"resultType":"input_required","inputRequests":{"b":{"method":"elicitation/create","params":{"x":1}},"a":7}}`, OutcomeInputRequired, false, nil, 2, false},
		{"MRTR-05 only a state", `{"resultType":"input_required","requestState":"s"}`, OutcomeInputRequired, false, state("s"), 0, false},
		{"MRTR-06 an empty state", `{"resultType":"input_required","requestState":""}`, OutcomeInputRequired, false, state(""), 0, false},
		{"MRTR-02 neither", `{"resultType":"input_required"}`, "", false, nil, 0, true},
		{"MRTR-02 both null", `{"resultType":"input_required","requestState":null,"inputRequests":null}`, "", false, nil, 0, true},
		{"a state that is no text", `{"resultType":"input_required","requestState":5}`, "", false, nil, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := c.CallTool(context.Background(), call("raw", `{"result":`+test.result+`}`))
			var lost *LostError
			if errors.As(err, &lost) != test.lost {
				t.Fatalf("got %v", err)
			}
			if test.lost {
				return
			}
			if out.Kind != test.kind || out.IsError != test.isError || string(out.Raw) != test.result || len(out.InputRequests) != test.requests ||
				(out.RequestState == nil) != (test.state == nil) || test.state != nil && *out.RequestState != *test.state {
				t.Errorf("got %+v", out)
			}
		})
	}
	t.Run("wire order and malformed questions", func(t *testing.T) {
		out := mustCall(t, c, call("raw", `{"result":`+tests[9].result+`}`))
		if r := out.InputRequests; r[0].Key != "b" || r[0].Method != "elicitation/create" || string(r[0].Params) != `{"x":1}` || r[1].Key != "a" || r[1].Method != "" {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("input_required on a legacy connection is invalid", func(t *testing.T) {
		_, err := legacy.CallTool(context.Background(), call("raw", `{"result":`+tests[9].result+`}`))
		if !errors.As(err, new(*LostError)) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("CALL-10 a protocol error", func(t *testing.T) {
		out := mustCall(t, c, call("nonesuch", `{}`))
		if out.Kind != OutcomeError || out.RPCError.Code != -32602 || out.RPCError.Message != "unknown tool" ||
			string(out.Raw) != `{"code":-32602,"message":"unknown tool"}` || out.RequestID == "" || out.Received.IsZero() {
			t.Errorf("got %+v", out)
		}
	})
	t.Run("field-24 numbers stay as they are", func(t *testing.T) {
		const result = `{"content":[],"structuredContent":{"id":9007199254740993,"n":[604512398877665431],"f":1.0}}`
		if out := mustCall(t, c, call("raw", `{"result":`+result+`}`)); string(out.Raw) != result {
			t.Errorf("got %s", out.Raw)
		}
	})
}

func TestRounds(t *testing.T) {
	cfg, w, k := stdioConfig(t, "modern")
	lines := recordTo(t, &cfg)
	c := mustConnect(t, cfg)
	wait(t, w.changed, "the subscription")
	first := mustCall(t, c, call("raw", `{"result":{"resultType":"input_required","requestState":"\ud800 \"\\\u0000é\/"}}`))
	k2 := call("echo", `{"a":1}`)
	k2.Round = 1
	k2.InputResponses = json.RawMessage(`{"q":{"action":"accept","content":{"n":1.0}}}`)
	k2.RequestState = first.RequestState
	second := mustCall(t, c, k2)
	all := lines()
	m, err := jsonrpc.Parse([]byte(all[len(all)-1]))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("MRTR-06 the state means the same to the character", func(t *testing.T) {
		raw, _ := jsonrpc.Get(m.Params, "requestState")
		if got, want := string(raw), `"\ud800 \"\\\u0000é/"`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("MRTR-10 MRTR-11 the responses are bare and to the byte", func(t *testing.T) {
		raw, _ := jsonrpc.Get(m.Params, "inputResponses")
		if string(raw) != string(k2.InputResponses) || string(k.sends[1].InputResponses) != string(raw) || k.sends[1].Round != 1 {
			t.Errorf("got %s, asked %s", raw, k.sends[1].InputResponses)
		}
	})
	t.Run("MRTR-08 MRTR-12 MRTR-13 BASE-25 a new id and token, the same params", func(t *testing.T) {
		if first.RequestID == second.RequestID || string(m.ID) != second.RequestID {
			t.Errorf("ids %s and %s", first.RequestID, second.RequestID)
		}
		meta, _ := jsonrpc.Get(m.Params, "_meta")
		if token, _ := jsonrpc.Get(meta, "progressToken"); string(token) != second.RequestID {
			t.Errorf("token %s", token)
		}
	})
	t.Run("MRTR-07 no state, none sent", func(t *testing.T) {
		mustCall(t, c, call("echo", `{}`))
		all := lines()
		if strings.Contains(all[len(all)-1], "requestState") || strings.Contains(all[len(all)-1], "inputResponses") {
			t.Errorf("sent %s", all[len(all)-1])
		}
	})
}

func TestTimeLimits(t *testing.T) {
	cfg, w, _ := stdioConfig(t, "modern")
	lines := recordTo(t, &cfg)
	c := mustConnect(t, cfg)
	wait(t, w.changed, "the subscription")
	for name, k := range map[string]Call{
		"idle": {IdleTimeout: 20 * time.Millisecond},
		"max":  {MaxTimeout: 20 * time.Millisecond},
	} {
		t.Run("CANCEL-01 CANCEL-09 STDIO-06 CANCEL-04 "+name, func(t *testing.T) {
			k.ID, k.Tool, k.Arguments = "x", "hang", []byte(`{}`)
			_, err := c.CallTool(context.Background(), k)
			var timeout *TimeoutError
			if !errors.As(err, &timeout) || timeout.Idle != (name == "idle") || timeout.After != 20*time.Millisecond {
				t.Fatalf("got %v", err)
			}
			mustCall(t, c, call("echo", `{}`))
			waitLine(t, lines, fmt.Sprintf(`"method":"notifications/cancelled","params":{"requestId":%d,"reason":"timed out"}`, c.nextID.Load()-1))
		})
	}
}

func TestCancel(t *testing.T) {
	cfg, w, _ := stdioConfig(t, "modern")
	lines := recordTo(t, &cfg)
	c := mustConnect(t, cfg)
	wait(t, w.changed, "the subscription") // it takes an id too
	ctx, cancel := context.WithCancelCause(context.Background())
	result := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, call("hang", `{}`))
		result <- err
	}()
	w.line("message", "hanging")
	why := errors.New("the person said so")
	cancel(why)
	var cancelled *CancelledError
	if err := wait(t, result, "the end"); !errors.As(err, &cancelled) || !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	id := c.nextID.Load()
	t.Run("CANCEL-02 STDIO-06 the server is told, by id", func(t *testing.T) { waitLine(t, lines, fmt.Sprintf(`"requestId":%d,`, id)) })
	t.Run("CANCEL-05 a late answer is ignored", func(t *testing.T) {
		mustCall(t, c, call("send", fmt.Sprintf(`{"line":"{\"id\":%d,\"result\":{}}"}`, id)))
		w.line("protocol", "late answer")
	})
}

func TestParallelCalls(t *testing.T) {
	t.Run("STDIO-05 BASE-24 answers find their calls", parallelCalls)
}

func parallelCalls(t *testing.T) {
	c, _, _ := connectStdio(t, "modern")
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 50 {
				args := fmt.Sprintf(`{"n":%d,"i":%d}`, n, i)
				out, err := c.CallTool(context.Background(), call("echo", args))
				if err != nil || !bytes.Contains(out.Raw, []byte(args)) {
					t.Errorf("%s: %v", args, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
