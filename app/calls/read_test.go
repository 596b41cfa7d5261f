package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"countersign/app/approval"
	"countersign/mcpclient"
	"countersign/store"
)

// clicked is a read that a person had begun, with its send at the gate.
func (b *bench) clicked(uri string) store.Call {
	b.t.Helper()
	args, err := readArguments(uri)
	if err != nil {
		b.t.Fatal(err)
	}
	kept := b.road.payload(args)
	c, row := b.road.propose("Server", Tool{}, Proposal{ServerID: "s", Tool: uri, Origin: OriginPerson, ParentID: "p"}, args, kept.WireName)
	c.uri, row.ArgsPayload, row.Method = uri, kept.Name, MethodRead
	if _, err := b.st.CreateCall(context.Background(), row, nil, kept); err != nil {
		b.t.Fatal(err)
	}
	b.road.mu.Lock()
	b.road.live[c.id] = c
	b.road.mu.Unlock()
	row, err = b.road.decideRead(context.Background(), c, "launch")
	if err != nil {
		b.t.Fatal(err)
	}
	return row
}

func readOf(id, uri string) mcpclient.Send {
	const meta = `{"progressToken":7}`
	text, _ := json.Marshal(uri)
	s := mcpclient.Send{Kind: mcpclient.SendRead, CallID: id, Attempt: 1, LaunchFingerprint: "launch", Era: mcpclient.EraModern,
		Method: MethodRead, URI: uri, Meta: json.RawMessage(meta), RequestID: "3"}
	s.Frame = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"_meta":%s,"uri":%s}}`, meta, text)
	return s
}

// TestGateOfReads lets out the one read that was clicked, once, and nothing else
// in its place.
func TestGateOfReads(t *testing.T) {
	const uri = `file:///notes/<é>"%2e`
	reframe := func(s *mcpclient.Send, old, new string) {
		s.Frame = []byte(strings.Replace(string(s.Frame), old, new, 1))
	}
	for _, c := range []struct {
		name string
		do   func(b *bench, s *mcpclient.Send)
		part string
	}{
		{"another address", func(_ *bench, s *mcpclient.Send) { *s = readOf(s.CallID, "file:///etc/passwd") }, "arguments"},
		{"an address that is only spelled alike", func(_ *bench, s *mcpclient.Send) { *s = readOf(s.CallID, `file:///notes/<é>"%2E`) }, "arguments"},
		{"a frame that says other than its description", func(_ *bench, s *mcpclient.Send) { reframe(s, "notes", "keys") }, "arguments"},
		{"a tool call in its place", func(_ *bench, s *mcpclient.Send) { *s = sendOf(s.CallID, `{}`) }, "method"},
		{"a call that says it is a read", func(_ *bench, s *mcpclient.Send) { reframe(s, "resources/read", "tools/call") }, "method"},
		{"a read that says it is a call", func(_ *bench, s *mcpclient.Send) { s.Kind = mcpclient.SendCall }, "arguments"},
		{"arguments with it", func(_ *bench, s *mcpclient.Send) { reframe(s, `"uri"`, `"arguments":{},"uri"`) }, "arguments"},
		{"the address twice", func(_ *bench, s *mcpclient.Send) { reframe(s, `"uri"`, `"uri":"a:b","uri"`) }, "twice"},
		{"another launch", func(_ *bench, s *mcpclient.Send) { s.LaunchFingerprint = "other" }, "started"},
		{"another attempt", func(_ *bench, s *mcpclient.Send) { s.Attempt = 2 }, "attempt"},
		{"too late", func(b *bench, _ *mcpclient.Send) { b.advance(approval.MaxToWire + time.Second) }, "30 seconds"},
		{"everything paused", func(b *bench, _ *mcpclient.Send) { b.set(func() { b.paused = true }) }, "paused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			row := b.clicked(uri)
			s := readOf(row.ID, uri)
			c.do(b, &s)
			err := b.road.Admit(context.Background(), s)
			if err == nil || !strings.Contains(err.Error(), c.part) {
				t.Fatalf("the gate said %v", err)
			}
			if got := b.state(row.ID); got != Refused {
				t.Errorf("the read is %s", got)
			}
		})
	}
	t.Run("the read that was clicked, once", func(t *testing.T) {
		b := newBench(t)
		row := b.clicked(uri)
		if err := b.road.Admit(context.Background(), readOf(row.ID, uri)); err != nil {
			t.Fatal(err)
		}
		if got := b.state(row.ID); got != Sent {
			t.Fatalf("the read is %s", got)
		}
		if err := b.road.Admit(context.Background(), readOf(row.ID, uri)); err == nil {
			t.Fatal("it was let out twice")
		}
	})
	t.Run("not for a call of a tool", func(t *testing.T) {
		b := newBench(t)
		row := b.approve(b.propose(`{"uri":"file:///x"}`))
		if err := b.road.Admit(context.Background(), readOf(row.ID, "file:///x")); err == nil || b.state(row.ID) != Refused {
			t.Fatalf("the gate said %v", err)
		}
	})
	t.Run("one that was not decided when the program ended is not sent", func(t *testing.T) {
		b := newBench(t)
		row := b.clicked(uri)
		next := b.newRoad()
		if err := next.Recover(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := b.state(row.ID); got != Withdrawn {
			t.Errorf("after a restart it is %s", got)
		}
	})
}
