package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/store"
)

func TestEventBytes(t *testing.T) {
	at := time.Date(2026, 5, 6, 7, 8, 9, 123456789, time.FixedZone("", 3600))
	s := must(store.Open(t.Context(), store.Options{Path: tempPath(t), Now: func() time.Time { return at }}))(t)
	t.Cleanup(func() { mustClose(t, s) })
	prefix := func(seq int) string {
		return fmt.Sprintf(`{"v":1,"seq":%d,"time":"2026-05-06T06:08:09.123456Z","kind":"k"`, seq)
	}
	cases := []struct {
		name  string
		event store.NewEvent
		want  string
	}{
		{"raw JSON is kept byte by byte", store.NewEvent{Kind: "k", Body: json.RawMessage("{ \"a\" : 9007199254740993,\n\"b\":\"<&>\\u0041\" , \"a\":1.0}")},
			`,"body":` + "{ \"a\" : 9007199254740993,\n\"b\":\"<&>\\u0041\" , \"a\":1.0}}"},
		{"a value is marshalled without HTML escapes", store.NewEvent{Kind: "k", Body: map[string]string{"x": "<&>"}}, `,"body":{"x":"<&>"}}`},
		{"raw JSON within a value keeps its digits", store.NewEvent{Kind: "k", Body: struct{ N json.RawMessage }{json.RawMessage("9007199254740993")}}, `,"body":{"N":9007199254740993}}`},
		{"no body", store.NewEvent{Kind: "k"}, `,"body":null}`},
		{"call and server", store.NewEvent{Kind: "k", CallID: `c"1`, ServerID: "<s>", Body: 1}, `,"call":"c\"1","server":"<s>","body":1}`},
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			id := c.event.CallID
			if id == "" {
				id = fmt.Sprint("call-", i)
				c.event.CallID = id
				c.want = `,"call":"` + id + `"` + c.want
			}
			mustDo(t, s.Append(t.Context(), []store.NewEvent{c.event}))
			got := must(s.Events(t.Context(), id))(t)
			if len(got) != 1 || string(got[0].Stored) != prefix(i)+c.want {
				t.Fatalf("stored %s\nwant %s", got[0].Stored, prefix(i)+c.want)
			}
			if !json.Valid(got[0].Stored) || !got[0].Time.Equal(at.Truncate(time.Microsecond)) || got[0].Time.Location() != time.UTC || got[0].ServerID != c.event.ServerID {
				t.Errorf("event %+v", got[0])
			}
		})
	}
	mustVerify(t, s)
}

func TestEventsThatAreRefused(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for name, e := range map[string]store.NewEvent{
		"no kind":                    {},
		"half JSON":                  {Kind: "k", Body: json.RawMessage(`{"a":`)},
		"no JSON":                    {Kind: "k", Body: json.RawMessage(nil)},
		"a number that JSON has not": {Kind: "k", Body: math.NaN()},
		"an id of no text":           {Kind: "k", CallID: "\xff"},
	} {
		// The good one before it goes with it.
		if err := s.Append(t.Context(), []store.NewEvent{{Kind: "good"}, e}); err == nil {
			t.Errorf("%s was recorded", name)
		}
	}
	if size, root, err := s.Head(t.Context()); err != nil || size != 0 || root != sha256.Sum256(nil) {
		t.Errorf("head %d %x %v", size, root, err)
	}
}

// TestHead compares with the tree of RFC 6962, made by its own definition.
func TestHead(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	var leaves [][]byte
	for i := range 70 {
		mustDo(t, s.Append(t.Context(), event("k", "call", i)))
		if i%3 == 0 { // several in one transaction
			mustDo(t, s.Append(t.Context(), append(event("k", "call", "x"), event("k", "call", "y")...)))
		}
		leaves = leaves[:0]
		for seq, e := range must(s.Events(t.Context(), "call"))(t) {
			if e.Seq != int64(seq) {
				t.Fatalf("event %d has number %d", seq, e.Seq)
			}
			leaves = append(leaves, e.Stored)
		}
		size, root, err := s.Head(t.Context())
		mustDo(t, err)
		if size != int64(len(leaves)) || root != treeOf(leaves) {
			t.Fatalf("head %d %x, want %d %x", size, root, len(leaves), treeOf(leaves))
		}
	}
	mustVerify(t, s)
}

func treeOf(leaves [][]byte) [32]byte {
	if len(leaves) == 1 {
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := treeOf(leaves[:k]), treeOf(leaves[k:])
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

func TestServerEvents(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for i := range 5 {
		mustDo(t, s.Append(t.Context(), []store.NewEvent{{Kind: "s", ServerID: "a", Body: i}, {Kind: "s", ServerID: "b"}, {Kind: "c", ServerID: "a", CallID: "call"}, {Kind: "n"}}))
	}
	got := must(s.ServerEvents(t.Context(), "a", 3))(t)
	if len(got) != 3 || !strings.HasSuffix(string(got[0].Stored), `"body":4}`) || !strings.HasSuffix(string(got[2].Stored), `"body":2}`) {
		t.Errorf("%d events, first %s", len(got), got[0].Stored)
	}
	for _, id := range []string{"", "nobody"} {
		if got := must(s.ServerEvents(t.Context(), id, 3))(t); len(got) != 0 {
			t.Errorf("server %q has %d events", id, len(got))
		}
		if got := must(s.Events(t.Context(), id))(t); len(got) != 0 {
			t.Errorf("call %q has %d events", id, len(got))
		}
	}
	if got := must(s.ServerEvents(t.Context(), "a", -1))(t); len(got) != 0 {
		t.Errorf("at most -1 gives %d", len(got))
	}
}

func TestRecordIsWrittenOnce(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	p := store.NewPayload([]byte("bytes"), []byte("bytes"), 0)
	mustDo(t, s.Append(t.Context(), append(event("k", "c", 1), event("k", "c", 2)...), p))
	writer, _ := s.Handles()
	for _, query := range []string{
		`UPDATE events SET stored = x'00'`,
		`UPDATE events SET kind = 'other' WHERE seq = 0`,
		`UPDATE OR REPLACE events SET seq = 1 WHERE seq = 0`,
		`DELETE FROM events`,
		`DELETE FROM events WHERE seq = 1`,
		`INSERT INTO events (seq, time, kind, stored) VALUES (0, 0, 'k', x'')`,
		`INSERT OR REPLACE INTO events (seq, time, kind, stored) VALUES (1, 0, 'k', x'')`,
		`REPLACE INTO events (seq, time, kind, stored) VALUES (0, 0, 'k', x'')`,
		`INSERT INTO events (seq, time, kind, stored) VALUES (0, 0, 'k', x'') ON CONFLICT (seq) DO UPDATE SET stored = excluded.stored`,
		`UPDATE tree SET hash = x'00'`,
		`DELETE FROM tree`,
		`DELETE FROM tree WHERE id = (SELECT max(id) FROM tree)`,
		`REPLACE INTO tree (id, hash) VALUES (0, zeroblob(32))`,
		`INSERT INTO tree (id, hash) VALUES (99, zeroblob(32))`,
		`UPDATE payloads SET bytes = x'00'`,
		`UPDATE payloads SET salt = x'00'`,
	} {
		if _, err := writer.ExecContext(t.Context(), query); err == nil {
			t.Errorf("%s was done", query)
		}
	}
	mustVerify(t, s)
	mustDo(t, s.Append(t.Context(), event("k", "c", 3)))
	mustVerify(t, s)
}

func TestVerifyNamesTheFault(t *testing.T) {
	cases := map[string]struct {
		do, want string
	}{
		"a changed byte":       {`UPDATE events SET stored = CAST(replace(CAST(stored AS TEXT), '"body":3', '"body":8') AS BLOB) WHERE seq = 3`, "event 3: its bytes"},
		"a changed column":     {`UPDATE events SET kind = 'other' WHERE seq = 4`, "event 4: its columns"},
		"a changed time":       {`UPDATE events SET time = time + 1 WHERE seq = 4`, "event 4: its columns"},
		"a call's event moved": {`UPDATE events SET call = 'other' WHERE seq = 2`, "event 2: its columns"},
		"a missing event":      {`DELETE FROM events WHERE seq = 5`, "event 5 is missing"},
		"a missing last event": {`DELETE FROM events WHERE seq = 9`, "event 9 is missing"},
		"two events swapped":   {`UPDATE events SET stored = (SELECT e.stored FROM events e WHERE e.seq = 1 - events.seq) WHERE seq IN (0, 1)`, "event 0"},
		"a changed node":       {`UPDATE tree SET hash = zeroblob(32) WHERE id = 2`, "event 1: its bytes do not fit node 2"},
		"a missing node":       {`DELETE FROM tree WHERE id = (SELECT max(id) FROM tree)`, "the log ends"},
		"an event too many":    {`INSERT INTO events (seq, time, kind, stored) VALUES (10, 0, 'k', CAST('{"v":1,"seq":10,"time":"1970-01-01T00:00:00Z","kind":"k"}' AS BLOB))`, "the log ends"},
		"a changed payload":    {`UPDATE payloads SET bytes = x'00'`, "payload"},
		"a changed part":       {`UPDATE payload_parts SET bytes = zeroblob(length(bytes)) WHERE part = 1`, "payload"},
		"a missing part":       {`DELETE FROM payload_parts WHERE part = 1`, "payload"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := mustOpen(t, tempPath(t))
			long := []byte(strings.Repeat("x", 2*store.PartSize+5))
			for i := range 10 {
				mustDo(t, s.Append(t.Context(), event("k", "c", i)))
			}
			mustDo(t, s.Append(t.Context(), nil, store.NewPayload(long, long, 0)))
			mustVerify(t, s)
			writer, _ := s.Handles()
			for _, trigger := range []string{"events_no_update", "events_no_delete", "events_append", "tree_no_update", "tree_no_delete", "payloads_no_update", "payload_parts_no_update"} {
				must(writer.ExecContext(t.Context(), `DROP TRIGGER `+trigger))(t)
			}
			must(writer.ExecContext(t.Context(), c.do))(t)
			if err := s.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("verifying gives %v, want %s", err, c.want)
			}
		})
	}
}

// TestWritersAndReaders lets all work at once and looks for contradictions.
func TestWritersAndReaders(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	ctx := t.Context()
	const writers, each = 4, 20
	var work sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			for i := range each {
				if err := writeCall(ctx, s, fmt.Sprintf("%d-%d", w, i), func(string) error { return nil }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	var reading sync.WaitGroup
	for range 3 {
		reading.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := lookAround(ctx, s); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	close(done)
	reading.Wait()
	mustVerify(t, s)
	if size, _, err := s.Head(ctx); err != nil || size != writers*each*2 {
		t.Errorf("%d events, %v", size, err)
	}
}

func lookAround(ctx context.Context, s *store.Store) error {
	page, _, err := s.Calls(ctx, store.CallFilter{Limit: 20})
	if err != nil {
		return err
	}
	for i, c := range page {
		if i > 0 && c.Ordinal != page[i-1].Ordinal-1 {
			return fmt.Errorf("after call %d comes %d", page[i-1].Ordinal, c.Ordinal)
		}
		if _, err := s.PayloadBytes(ctx, c.ArgsPayload); err != nil {
			return err
		}
	}
	return s.Verify(ctx)
}

func TestAppendThatFailsLeavesNothing(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	mustDo(t, s.Append(t.Context(), event("k", "c", 1)))
	// No page more: the disk is full, as far as SQLite can tell.
	writer, _ := s.Handles()
	pages := one[int](t, writer, `PRAGMA page_count`)
	must(writer.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)))(t)
	big := make([]byte, 1<<20)
	err := s.Append(t.Context(), event("k", "c", 2), store.NewPayload(big, big, 0))
	if err == nil || store.Damaged(err) {
		t.Fatalf("appending to a full file gives %v", err)
	}
	must(writer.ExecContext(t.Context(), `PRAGMA max_page_count = 1000000`))(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Append(cancelled, event("k", "c", 3)); err == nil {
		t.Error("a cancelled append was done")
	}
	mustDo(t, s.Append(t.Context(), event("k", "c", 4)))
	mustVerify(t, s)
	if got := must(s.Events(t.Context(), "c"))(t); len(got) != 2 || got[1].Seq != 1 {
		t.Errorf("%d events", len(got))
	}
}

// FuzzEventBytes looks for events whose columns and bytes tell differently,
// or whose body is not the one that was given.
func FuzzEventBytes(f *testing.F) {
	f.Add("call.made", "c1", "s1", `{"a":1}`)
	f.Add("\u2028<k>", "\x00", "\\\"", ` [1e400, "\ud83d\ude00"] `)
	f.Fuzz(func(t *testing.T, kind, call, server, body string) {
		stored, err := store.EventBytes(store.NewEvent{Kind: kind, CallID: call, ServerID: server, Body: json.RawMessage(body)})
		if err != nil {
			return // refused
		}
		if !json.Valid(stored) || !strings.HasSuffix(string(stored), `,"body":`+body+`}`) {
			t.Errorf("stored %s", stored)
		}
	})
}
