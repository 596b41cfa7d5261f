package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"countersign/store"
)

// fullCall has every field set.
func fullCall() store.Call {
	state := "opaque"
	at := time.Date(2026, 1, 2, 3, 4, 5, 678901999, time.FixedZone("", 7200))
	return store.Call{ID: "id", State: "sent", Origin: "person", Method: "resources/read", OriginDetail: "page", ServerID: "s", ServerName: "Server", Tool: "t", ToolTitle: "Tool",
		DefinitionHash: "d", ParentID: "p", Revision: 2, ArgsPayload: "a", ArgsHash: "ah", LaunchFingerprint: "l", Decision: "approved", DecisionReason: "because", Rule: "rule",
		DecidedAt: at, ShownAt: at.Add(1), SentAt: at.Add(time.Hour), FinishedAt: at.Add(2), Deadline: at.Add(3 * time.Hour),
		Attempt: 3, Round: 4, Era: "modern", ResultPayload: "r", IsError: true, ErrorCode: -32603, ErrorText: "text", RequestState: &state,
		ArgsBytes: 1 << 40, ResultBytes: 7}
}

func TestEveryFieldOfACallIsKept(t *testing.T) {
	s, clock := openWithClock(t)
	full := fullCall()
	for v, i := reflect.ValueOf(full), 0; i < v.NumField(); i++ {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "Ordinal" && name != "Created" && name != "Updated" {
			t.Errorf("fullCall leaves %s empty", name)
		}
	}
	made := must(s.CreateCall(t.Context(), full, event("k", "id", 1)))(t)
	stamp := clock.at.Truncate(time.Microsecond)
	want := full
	want.Ordinal, want.Created, want.Updated = 1, stamp, stamp
	for _, at := range []*time.Time{&want.DecidedAt, &want.ShownAt, &want.SentAt, &want.FinishedAt, &want.Deadline} {
		*at = at.UTC().Truncate(time.Microsecond)
	}
	same(t, "as it was written", made, want)
	same(t, "as it is read", must(s.CallByID(t.Context(), "id"))(t), want)

	// Each field by itself, to its zero value and back.
	fixed := []string{"ID", "Ordinal", "Created", "Updated", "ServerID", "Tool", "Method"}
	for i := range reflect.TypeFor[store.Call]().NumField() {
		name := reflect.TypeFor[store.Call]().Field(i).Name
		clock.at = clock.at.Add(time.Second)
		changed := must(s.UpdateCall(t.Context(), "id", func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
			reflect.ValueOf(c).Elem().Field(i).SetZero()
			return event("k", "id", name), nil, nil
		}))(t)
		next := want
		next.Updated = clock.at.Truncate(time.Microsecond)
		if !slices.Contains(fixed, name) {
			reflect.ValueOf(&next).Elem().Field(i).SetZero()
		}
		same(t, "without "+name, changed, next)
		same(t, "read without "+name, must(s.CallByID(t.Context(), "id"))(t), next)
		must(s.UpdateCall(t.Context(), "id", func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
			*c = want
			return nil, nil, nil
		}))(t)
	}
}

func TestCreateCallTwice(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	addCall(t, s, store.Call{ID: "a"}, "", "")
	p := store.NewPayload([]byte("x"), []byte("x"), 0)
	if _, err := s.CreateCall(t.Context(), store.Call{ID: "a"}, event("k", "a", 2), p); err == nil {
		t.Error("the id was taken twice")
	}
	if got := must(s.Events(t.Context(), "a"))(t); len(got) != 1 {
		t.Errorf("%d events", len(got))
	}
	if _, err := s.PayloadBytes(t.Context(), p.Name); !isNotFound(err) {
		t.Errorf("its payload: %v", err)
	}
}

func TestUpdateCallThatFails(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	before := addCall(t, s, store.Call{ID: "a", State: "one"}, "", "")
	no := errors.New("no")
	update := func(id string, events []store.NewEvent, err error) error {
		_, got := s.UpdateCall(t.Context(), id, func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
			c.State = "two"
			return events, nil, err
		})
		return got
	}
	if err := update("a", nil, no); err != no {
		t.Errorf("fn's error comes back as %v", err)
	}
	if err := update("a", []store.NewEvent{{Kind: "good"}, {Kind: "bad", Body: json.RawMessage("{")}}, nil); err == nil {
		t.Error("a bad event was taken")
	}
	if err := update("b", nil, nil); !isNotFound(err) {
		t.Errorf("no such call: %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = s.UpdateCall(t.Context(), "a", func(*store.Call) ([]store.NewEvent, []store.Payload, error) { panic("fn") })
	}()
	same(t, "the row", must(s.CallByID(t.Context(), "a"))(t), before)
	if got := must(s.Events(t.Context(), "a"))(t); len(got) != 1 {
		t.Errorf("%d events", len(got))
	}
	mustDo(t, update("a", event("k", "a", 2), nil)) // the writer is free
	mustVerify(t, s)
}

func TestOrdinalsAreNotUsedAgain(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for i := range 3 {
		addCall(t, s, store.Call{ID: fmt.Sprint(i)}, "", "")
	}
	writer, _ := s.Handles()
	must(writer.ExecContext(t.Context(), `DELETE FROM calls WHERE id = '2'`))(t)
	if c := addCall(t, s, store.Call{ID: "3"}, "", ""); c.Ordinal != 4 {
		t.Errorf("ordinal %d", c.Ordinal)
	}
}

func TestWhatIsClearedIsGoneFromTheFile(t *testing.T) {
	path := tempPath(t)
	s := mustOpen(t, path)
	for _, state := range []string{"a-short-request-state-0123456789", strings.Repeat("a-long-request-state-", 2000)} {
		id := state[:10]
		c := must(s.CreateCall(t.Context(), store.Call{ID: id, RequestState: &state}, event("k", id, 1)))(t)
		if *c.RequestState != state {
			t.Fatal("the state is not kept")
		}
		must(s.UpdateCall(t.Context(), id, func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
			c.RequestState = nil
			return event("k", id, 2), nil, nil
		}))(t)
	}
	mustClose(t, s)
	for name, content := range files(t, path) {
		for _, trace := range []string{"short-request-state", "long-request-state"} {
			if strings.Contains(content, trace) {
				t.Errorf("%s holds %s", name, trace)
			}
		}
	}
}

func TestOpenCalls(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for i, state := range []string{"sent", "done", "approved", "sent"} {
		addCall(t, s, store.Call{ID: fmt.Sprint(i), State: state}, "", "")
	}
	ids := func(states ...string) (out []string) {
		for _, c := range must(s.OpenCalls(t.Context(), states...))(t) {
			out = append(out, c.ID)
		}
		return out
	}
	same(t, "two states, oldest first", ids("approved", "sent"), []string{"0", "2", "3"})
	same(t, "no state", ids(), nil)
	same(t, "a state that no call is in", ids("lost"), nil)
}

// TestPagingByProperty compares any filter, over any calls, with a plain loop
// over all of them, while calls change between the pages.
func TestPagingByProperty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, err := store.Open(t.Context(), store.Options{Path: tempPath(t)})
		if err != nil {
			r.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		model := buildCalls(r, t, s)
		f := store.CallFilter{
			ServerID: rapid.SampledFrom([]string{"", "s0", "s1", "none"}).Draw(r, "server"),
			Tool:     rapid.SampledFrom([]string{"", "t0", "t1", "t2"}).Draw(r, "tool"),
			States:   rapid.SliceOfN(rapid.SampledFrom(states), 0, 4).Draw(r, "states"),
			Limit:    rapid.IntRange(1, 7).Draw(r, "limit"),
		}
		var want []store.Call
		for _, c := range slices.Backward(model) {
			if (f.ServerID == "" || c.ServerID == f.ServerID) && (f.Tool == "" || c.Tool == f.Tool) && (len(f.States) == 0 || slices.Contains(f.States, c.State)) {
				want = append(want, c)
			}
		}
		if n, err := s.CallCount(t.Context(), f); err != nil || n != int64(len(want)) {
			r.Fatalf("%d calls, %v, want %d", n, err, len(want))
		}
		var got []store.Call
		for {
			page, more, err := s.Calls(t.Context(), f)
			if err != nil {
				r.Fatal(err)
			}
			got = append(got, page...)
			if more != (len(got) < len(want)) || more && len(page) != f.Limit {
				r.Fatalf("page of %d at %d of %d says more %v", len(page), len(got), len(want), more)
			}
			if !more {
				break
			}
			f.Before = page[len(page)-1].Ordinal
			// A call that comes in meanwhile does not move the pages.
			if _, err := s.CreateCall(t.Context(), store.Call{ID: fmt.Sprint("late", f.Before), ServerID: "s0", Tool: "t0", State: "sent"}, nil); err != nil {
				r.Fatal(err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			r.Fatalf("got %v\nwant %v", ordinals(got), ordinals(want))
		}
		if err := s.Verify(t.Context()); err != nil {
			r.Fatal(err)
		}
	})
}

var states = []string{"proposed", "sent", "succeeded", "denied"}

// buildCalls makes calls and moves them at random; it gives the rows as the
// store should have them, oldest first.
func buildCalls(r *rapid.T, t *testing.T, s *store.Store) []store.Call {
	var model []store.Call
	for i := range rapid.IntRange(0, 30).Draw(r, "calls") {
		c, err := s.CreateCall(t.Context(), store.Call{
			ID:       fmt.Sprint(i),
			ServerID: rapid.SampledFrom([]string{"s0", "s1"}).Draw(r, "server"),
			Tool:     rapid.SampledFrom([]string{"t0", "t1", "t2"}).Draw(r, "tool"),
			State:    "proposed",
		}, event("made", fmt.Sprint(i), i))
		if err != nil {
			r.Fatal(err)
		}
		model = append(model, c)
	}
	if len(model) == 0 {
		return nil
	}
	for range rapid.IntRange(0, 30).Draw(r, "moves") {
		i := rapid.IntRange(0, len(model)-1).Draw(r, "which")
		to := rapid.SampledFrom(states).Draw(r, "to")
		c, err := s.UpdateCall(t.Context(), model[i].ID, func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
			if !reflect.DeepEqual(*c, model[i]) {
				return nil, nil, fmt.Errorf("the row is %+v, want %+v", *c, model[i])
			}
			c.State, c.SentAt = to, c.Created.Add(time.Second)
			return event("moved", c.ID, to), nil, nil
		})
		if err != nil {
			r.Fatal(err)
		}
		model[i] = c
	}
	return model
}

func ordinals(calls []store.Call) (out []int64) {
	for _, c := range calls {
		out = append(out, c.Ordinal)
	}
	return out
}

// TestFiltersWalkAnIndex looks at SQLite's plans: none may sort, none may read
// the table where an index is meant.
func TestFiltersWalkAnIndex(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for i := range 50 {
		addCall(t, s, store.Call{ID: fmt.Sprint(i), State: states[i%4], ServerID: "s", Tool: "t"}, "", "")
	}
	_, reader := s.Handles()
	for _, f := range []store.CallFilter{{}, {Tool: "t"}, {ServerID: "s"}, {ServerID: "s", Tool: "t"}, {States: states}, {States: states[:1]},
		{Tool: "t", States: states}, {ServerID: "s", States: states[:2]}} {
		query, args := store.PageQuery(f)
		plan := planOf(t, reader, query, args)
		if strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "SCAN calls") && (f.Tool != "" || f.ServerID != "" || f.States != nil) {
			t.Errorf("%+v: %s", f, plan)
		}
	}
}
