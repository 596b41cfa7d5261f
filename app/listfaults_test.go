package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// TestCallListHalts: where the record cannot be written a list stops, and goes
// on when the person says so; no line is proposed twice.
func TestCallListHalts(t *testing.T) {
	for _, c := range []struct {
		kind   string
		before []string // the states of the lines while nothing can be written
	}{
		{"call.proposed", []string{"ready", "ready"}},
		{"call.asked", []string{"proposed", "ready"}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			r := apptest.Start(t)
			_, file := recorderServer(t, r)
			v := openList(t, r, "a.jsonl", strings.Repeat(`{"server":"Orders","tool":"record"}`+"\n", 2))
			mend := failOn(t, r, c.kind)
			req := app.StartRequest{AtOnce: 2}
			startList(t, r, v.ID, req)
			problem := func() string {
				page, err := r.Lists.Get(r.Token, v.ID, 0, 1)
				if err != nil {
					t.Fatal(err)
				}
				return page.List.Problem
			}
			r.Until("the list stops", func() bool { return strings.Contains(problem(), "the disk is full") })
			untilLines(t, r, v.ID, c.before...)
			mend()
			startList(t, r, v.ID, req)
			r.Until("the list goes on", func() bool { return listLines(t, r, v.ID)[1].State == "awaiting_approval" && problem() == "" })
			h, err := r.Calls.History(r.Token, app.HistoryFilter{})
			if err != nil || h.Total != 2 {
				t.Errorf("%d calls, %v", h.Total, err)
			}
			if err := r.Lists.Close(r.Token, v.ID); err != nil {
				t.Fatal(err)
			}
			for _, call := range h.Calls {
				r.State(call.ID, "withdrawn")
			}
			if got, err := apptest.Recorded(file); err != nil || strings.Join(got, "") != "" {
				t.Errorf("the server got %q, %v", got, err)
			}
		})
	}
}

// TestCallListAtOnce answers a long list as its calls come: never do more wait
// or run than was said, each line is sent once and only when approved, and the
// order of the file is kept.
func TestCallListAtOnce(t *testing.T) {
	r := apptest.Start(t)
	_, file := recorderServer(t, r)
	const lines, atOnce = 24, 3
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, `{"server":"Orders","tool":"record","arguments":{"n":%d}}`+"\n", i)
	}
	v := openList(t, r, "many.jsonl", text.String())
	startList(t, r, v.ID, app.StartRequest{AtOnce: atOnce})
	var approved []string
	for answered := 0; answered < lines; answered++ {
		var cards []app.CardView
		r.Until("a card waits", func() bool {
			var err error
			if cards, err = r.Approvals.List(r.Token); err != nil {
				t.Fatal(err)
			}
			return len(cards) > 0
		})
		open := 0
		for _, l := range listLines(t, r, v.ID) {
			if l.CallID != "" && !slices.Contains(finals, l.State) {
				open++
			}
		}
		if len(cards) > atOnce || open > atOnce {
			t.Fatalf("%d cards wait, %d are open", len(cards), open)
		}
		card := cards[answered%len(cards)]
		if answered%3 > 0 {
			approved = append(approved, card.Args.Text)
		}
		r.Decide(card, answered%3 > 0, "")
	}
	r.Until("all is done", func() bool {
		return !slices.ContainsFunc(listLines(t, r, v.ID), func(l app.ListLine) bool { return !slices.Contains(finals, l.State) })
	})
	got, err := apptest.Recorded(file)
	slices.Sort(got)
	slices.Sort(approved)
	if err != nil || !slices.Equal(got, approved) {
		t.Errorf("the server got %q, approved were %q, %v", got, approved, err)
	}
	for i, l := range listLines(t, r, v.ID) {
		if args := r.Detail(l.CallID).Args.Text; args != fmt.Sprintf(`{"n":%d}`, i) {
			t.Errorf("line %d has the arguments %s", l.Line, args)
		}
	}
}
