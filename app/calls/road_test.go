package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/mcpclient"
	"countersign/store"
	"countersign/store/storetest"
)

// bench is a road on a real store whose one server is never reached: the
// tests stand at the gate themselves.
type bench struct {
	t    *testing.T
	road *Road
	st   *store.Store

	mu       sync.Mutex
	ahead    time.Duration
	def      string
	launch   string
	paused   bool
	deadline time.Duration
	hold     chan struct{} // closed at the end: lets the sends give up
	free     sync.Once
}

// calledBy tells whether a method of the road is among those that are running here.
func calledBy(method string) bool {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "(*Road)."+method) {
			return true
		}
		if !more {
			return false
		}
	}
}

func (b *bench) release() { b.free.Do(func() { close(b.hold) }) }

func (b *bench) until(what string, ok func() bool) {
	b.t.Helper()
	for limit := time.Now().Add(20 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(limit) {
			b.t.Fatalf("waited in vain until %s", what)
		}
	}
}

const definition = `{"name":"tool","inputSchema":{"type":"object"}}`

func newBench(t *testing.T) *bench {
	b := &bench{t: t, st: storetest.Open(t), def: definition, launch: "launch", hold: make(chan struct{})}
	b.road = b.newRoad()
	t.Cleanup(func() {
		b.release()
		ctx, done := context.WithTimeout(context.Background(), 10*time.Second)
		defer done()
		if err := b.road.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Add(b.ahead)
}

func (b *bench) advance(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ahead += d
}

func (b *bench) set(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fn()
}

func (b *bench) newRoad() *Road {
	return New(Deps{
		Store:  b.st,
		Server: func(string) (string, bool) { return "Server", true },
		Tool: func(_, name string) (Tool, bool) {
			b.mu.Lock()
			defer b.mu.Unlock()
			hash, err := rawjson.Fingerprint([]byte(b.def))
			if err != nil {
				b.t.Error(err)
			}
			return Tool{Name: "tool", Raw: json.RawMessage(b.def), Hash: hash}, name == "tool"
		},
		Conn: func(string) (Conn, error) {
			if !calledBy("transmit") {
				b.mu.Lock()
				defer b.mu.Unlock()
				return Conn{LaunchFingerprint: b.launch}, nil
			}
			<-b.hold // asked to send: the test is at the gate meanwhile
			return Conn{}, errors.New("the test is over")
		},
		Relist:   func(context.Context, string) error { return nil },
		Checked:  func(context.Context, string) time.Time { return time.Time{} },
		Validate: func(_, _ []byte) ([]FieldError, error) { return nil, nil },
		Mask:     func(x []byte) ([]byte, int) { return x, 0 },
		Deadline: func() time.Duration { return b.deadline },
		Roots:    func(string) (json.RawMessage, bool) { return nil, false },
		Limits:   func(string) (time.Duration, time.Duration) { return 0, 0 },
		Judge: func(context.Context, approval.Binding, []byte, bool) approval.Decision {
			return approval.Decision{Verdict: approval.Ask}
		},
		Stands: func(string) bool { return true },
		Paused: func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.paused
		},
		Trouble: func(text string, err error) { b.t.Logf("%s: %v", text, err) },
		Changed: func(string, string) {}, Now: b.now,
	})
}

func (b *bench) propose(args string) store.Call {
	b.t.Helper()
	row, errs, err := b.road.Propose(context.Background(), Proposal{ServerID: "s", Tool: "tool", Arguments: []byte(args), Origin: OriginPerson})
	if err != nil || len(errs) > 0 {
		b.t.Fatal(errs, err)
	}
	return row
}

func (b *bench) approve(row store.Call) store.Call {
	b.t.Helper()
	if err := b.road.Shown(row.ID, row.Revision); err != nil {
		b.t.Fatal(err)
	}
	b.advance(approval.MinOnScreen)
	row, err := b.road.Decide(context.Background(), row.ID, approval.Answer{Approve: true, Revision: row.Revision, Hash: row.ArgsHash}, "")
	if err != nil {
		b.t.Fatal(err)
	}
	return row
}

func (b *bench) state(id string) State {
	b.t.Helper()
	row, err := b.st.CallByID(context.Background(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return State(row.State)
}

// sendOf is the send that an honest client makes of a call.
func sendOf(id, args string) mcpclient.Send {
	const meta = `{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	s := mcpclient.Send{Kind: mcpclient.SendCall, CallID: id, Attempt: 1, LaunchFingerprint: "launch", Era: mcpclient.EraModern,
		Method: "tools/call", Tool: "tool", Arguments: []byte(args), Meta: json.RawMessage(meta), RequestID: "3"}
	s.Frame = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":%s,"name":"tool","arguments":%s}}`, meta, args)
	return s
}

// TestGateRefuses tries to get every kind of other send past the gate.
func TestGateRefuses(t *testing.T) {
	const args = `{"a":1}`
	reframe := func(s *mcpclient.Send, old, new string) {
		s.Frame = []byte(strings.Replace(string(s.Frame), old, new, 1))
	}
	for _, c := range []struct {
		name string
		do   func(b *bench, s *mcpclient.Send)
		part string
		left State // what becomes of the call
	}{
		{"other arguments", func(_ *bench, s *mcpclient.Send) { *s = sendOf(s.CallID, `{"a":2}`) }, "arguments", Refused},
		{"same value, other bytes", func(_ *bench, s *mcpclient.Send) { *s = sendOf(s.CallID, `{"a":1.0}`) }, "arguments", Refused},
		{"a frame that says other than its description", func(_ *bench, s *mcpclient.Send) { reframe(s, `"a":1`, `"a":9`) }, "arguments", Refused},
		{"arguments twice in the frame", func(_ *bench, s *mcpclient.Send) { reframe(s, `"name"`, `"arguments":{},"name"`) }, "twice", Refused},
		{"another tool in the frame", func(_ *bench, s *mcpclient.Send) { reframe(s, `"name":"tool"`, `"name":"rm"`) }, "the tool", Refused},
		{"another tool in the description", func(_ *bench, s *mcpclient.Send) { s.Tool = "rm" }, "the tool", Refused},
		{"another method", func(_ *bench, s *mcpclient.Send) { reframe(s, `tools/call`, `resources/read`) }, "method", Refused},
		{"another launch", func(_ *bench, s *mcpclient.Send) { s.LaunchFingerprint = "other" }, "started", Refused},
		{"a changed definition", func(b *bench, _ *mcpclient.Send) {
			b.set(func() { b.def = `{"name":"tool","description":"new","inputSchema":{"type":"object"}}` })
		}, "definition", Refused},
		{"an unknown _meta key", func(_ *bench, s *mcpclient.Send) { s.Meta = json.RawMessage(`{"com.example/steal":1}`) }, "_meta", Refused},
		{"a parameter more", func(_ *bench, s *mcpclient.Send) { reframe(s, `"name"`, `"task":{},"name"`) }, "task", Refused},
		{"a member more", func(_ *bench, s *mcpclient.Send) { reframe(s, `"id":3`, `"id":3,"x":1`) }, "member x", Refused},
		{"a frame that is no JSON", func(_ *bench, s *mcpclient.Send) { s.Frame = []byte("{") }, "message", Refused},
		{"another attempt", func(_ *bench, s *mcpclient.Send) { s.Attempt = 2 }, "attempt", Refused},
		{"an approval that ran out", func(b *bench, _ *mcpclient.Send) { b.advance(approval.MaxToWire + time.Second) }, "30 seconds", AwaitingApproval},
		{"everything paused", func(b *bench, _ *mcpclient.Send) { b.set(func() { b.paused = true }) }, "paused", AwaitingApproval},
		{"another kind", func(_ *bench, s *mcpclient.Send) { s.Kind = mcpclient.SendRead }, "arguments", Refused},
		{"no such call", func(_ *bench, s *mcpclient.Send) { s.CallID = newID() }, "no open call", Approved},
		{"an answer that nobody gave", func(_ *bench, s *mcpclient.Send) { s.Kind = mcpclient.SendAnswer }, "answer", Approved},
		{"a round that was not asked for", func(_ *bench, s *mcpclient.Send) { s.Round = 1 }, "", Refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			row := b.approve(b.propose(args))
			s := sendOf(row.ID, args)
			c.do(b, &s)
			err := b.road.Admit(context.Background(), s)
			if err == nil || !strings.Contains(err.Error(), c.part) {
				t.Fatalf("the gate said %v", err)
			}
			if got := b.state(row.ID); got != c.left && c.name != "a round that was not asked for" {
				t.Errorf("the call is %s, want %s", got, c.left)
			}
			if got := b.state(row.ID); got == Sent {
				t.Error("the call counts as sent")
			}
		})
	}
}

// TestGateSpendsOnce lets the approved send out once, and not before it was
// approved.
func TestGateSpendsOnce(t *testing.T) {
	const args = `{"a":1,"b":[9007199254740993,1.0]}`
	b := newBench(t)
	row := b.propose(args)
	if err := b.road.Admit(context.Background(), sendOf(row.ID, args)); err == nil {
		t.Fatal("a call that waits was let out")
	}
	if got := b.state(row.ID); got != AwaitingApproval {
		t.Fatalf("the call is %s", got)
	}
	row = b.approve(row)
	if err := b.road.Admit(context.Background(), sendOf(row.ID, args)); err != nil {
		t.Fatal(err)
	}
	if got := b.state(row.ID); got != Sent {
		t.Fatalf("the call is %s", got)
	}
	for range 3 {
		if err := b.road.Admit(context.Background(), sendOf(row.ID, args)); err == nil {
			t.Fatal("an approval was spent twice")
		}
	}
}

// TestGateTogether has many senders at the gate at once: one gets out.
func TestGateTogether(t *testing.T) {
	const args = `{}`
	b := newBench(t)
	row := b.approve(b.propose(args))
	var wg sync.WaitGroup
	var mu sync.Mutex
	out := 0
	for range 20 {
		wg.Go(func() {
			if b.road.Admit(context.Background(), sendOf(row.ID, args)) == nil {
				mu.Lock()
				out++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if out != 1 {
		t.Fatalf("%d sends were let out", out)
	}
}

// TestRecover brings calls into every state that a killed program can leave
// and takes them up.
func TestRecover(t *testing.T) {
	for _, c := range []struct {
		left    State
		era     string
		origin  string
		want    State
		mention string
	}{
		{Proposed, "", OriginPerson, AwaitingApproval, ""},
		{Proposed, "", "gateway", Withdrawn, "who asked"},
		{AwaitingApproval, "", OriginPerson, AwaitingApproval, ""},
		{AwaitingApproval, "", "gateway", Withdrawn, "who asked"},
		{Approved, "", OriginPerson, Withdrawn, "does not outlive"},
		{Sent, "modern", OriginPerson, Interrupted, "not known"},
		{Sent, "legacy", OriginPerson, Interrupted, "not known"},
		{InputRequired, "legacy", OriginPerson, Interrupted, "not known"},
	} {
		t.Run(string(c.left)+" "+c.era+" "+c.origin, func(t *testing.T) {
			b := newBench(t)
			ctx := context.Background()
			row := b.propose(`{"a":1}`)
			_, err := b.st.UpdateCall(ctx, row.ID, func(x *store.Call) ([]store.NewEvent, []store.Payload, error) {
				x.State, x.Era, x.Origin = string(c.left), c.era, c.origin
				return []store.NewEvent{{Kind: "test.left", CallID: row.ID, Body: struct{}{}}}, nil, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			next := b.newRoad()
			t.Cleanup(func() { _ = next.Close(ctx) })
			if err := next.Recover(ctx); err != nil {
				t.Fatal(err)
			}
			got, err := b.st.CallByID(ctx, row.ID)
			if err != nil || State(got.State) != c.want || !strings.Contains(got.ErrorText, c.mention) {
				t.Fatalf("%+v %v", got, err)
			}
			if err := next.Admit(ctx, sendOf(row.ID, `{"a":1}`)); err == nil {
				t.Fatal("it was let out without a new act of the person")
			}
		})
	}
}

// TestExpiry ends a card whose deadline passes: expired, never denied.
func TestExpiry(t *testing.T) {
	b := newBench(t)
	b.deadline = 50 * time.Millisecond
	row := b.propose(`{}`)
	limit := time.After(20 * time.Second)
	for b.state(row.ID) == AwaitingApproval {
		select {
		case <-limit:
			t.Fatal("the card did not expire")
		default:
		}
	}
	if got := b.state(row.ID); got != Expired {
		t.Fatalf("the call is %s", got)
	}
	if _, err := b.road.Decide(context.Background(), row.ID, approval.Answer{Approve: true, Revision: 1, Hash: row.ArgsHash}, ""); err == nil {
		t.Fatal("an expired card was approved")
	}
}

// TestMoves walks the table: every state is named, can be reached, and none
// that has ended moves.
func TestMoves(t *testing.T) {
	reached := map[State]bool{}
	for from, tos := range moves {
		if from != "" && !contains(States(), from) {
			t.Errorf("%s is not listed", from)
		}
		for _, to := range tos {
			reached[to] = true
			if !contains(States(), to) {
				t.Errorf("%s is not listed", to)
			}
			if err := check(from, to); err != nil {
				t.Error(err)
			}
		}
	}
	for _, s := range States() {
		if !reached[s] {
			t.Errorf("nothing leads to %s", s)
		}
		if s.Words() == "" {
			t.Errorf("%s has no words", s)
		}
		for _, to := range States() {
			if s.Final() && check(s, to) == nil {
				t.Errorf("%s has ended but becomes %s", s, to)
			}
		}
	}
	for _, never := range [][2]State{{AwaitingApproval, Sent}, {Denied, Approved}, {Expired, Approved}, {Proposed, Sent}, {InputRequired, Approved}, {NotSent, Approved}, {Lost, Approved}} {
		if check(never[0], never[1]) == nil {
			t.Errorf("%s may become %s", never[0], never[1])
		}
	}
}
