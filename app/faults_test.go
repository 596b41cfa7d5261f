package app_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
	"countersign/app/calls"
)

// failOn makes the store refuse events of one kind, as a full disk would, until
// mend is called.
func failOn(t *testing.T, r *apptest.Rig, kind string) (mend func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(r.Dir, app.DatabaseName)+"?_busy_timeout=10000")
	if err != nil {
		t.Fatal(err)
	}
	do := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	do(`CREATE TRIGGER test_fail BEFORE INSERT ON events WHEN NEW.kind = '` + kind + `' BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
	return func() {
		t.Helper()
		do(`DROP TRIGGER test_fail`)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// noticed tells whether the person was told something with a text in it.
func noticed(t *testing.T, r *apptest.Rig, part string) bool {
	t.Helper()
	h, err := r.Settings.Hello(r.Token)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range h.Notices {
		if strings.Contains(n.Text, part) {
			return true
		}
	}
	return false
}

func sends(t *testing.T, p puppet) (n int) {
	t.Helper()
	for _, l := range p.received(t) {
		if strings.Contains(l, `"tools/call"`) || strings.Contains(l, `"action"`) {
			n++
		}
	}
	return n
}

// TestStoreFails has the record of each step of the road fail. Nothing may
// leave without its record, the person is told, and when writing works again
// the call goes on or ends: it never stays as it was for ever.
func TestStoreFails(t *testing.T) {
	const inputs = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object"}}}}}}`
	for _, c := range []struct {
		name, kind string
		legacy     bool
		acts       []apptest.Act
		sent       int      // messages that reached the server while writing failed
		after      []string // states once writing works again
	}{
		{"the decision", calls.EventDecided, false, []apptest.Act{say(done)}, 0, []string{"awaiting_approval"}},
		{"the send", calls.EventSent, false, []apptest.Act{say(done)}, 0, []string{"not_sent"}},
		{"the result", calls.EventResult, false, []apptest.Act{say(done)}, 1, []string{"succeeded"}},
		{"the loss", calls.EventFailed, false, []apptest.Act{{Exit: true}}, 1, []string{"lost"}},
		{"the question", calls.EventInputAsked, false, []apptest.Act{say(inputs)}, 1, []string{"lost"}},
		{"a legacy question", calls.EventInputAsked, true, []apptest.Act{say(askForm)}, 1, []string{"sent"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := apptest.Start(t)
			files := map[string]string{}
			if c.legacy {
				files["legacy"] = ""
			}
			p := newPuppet(t, r, files)
			card := r.Propose(p.id, "do", acts(c.acts...))
			r.Look(card)
			mend := failOn(t, r, c.kind)
			_, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: card.Revision, Hash: card.Hash, Approve: true})
			switch c.kind {
			case calls.EventDecided:
				if err == nil {
					t.Error("the decision was taken without its record")
				}
			case calls.EventSent: // the end of the call tells
				r.State(card.Call.ID, c.after...)
			default:
				r.Until("the person is told", func() bool { return noticed(t, r, "the disk is full") })
			}
			if n := sends(t, p); n != c.sent {
				t.Errorf("%d messages reached the server, want %d", n, c.sent)
			}
			mend()
			d := r.State(card.Call.ID, c.after...)
			sound(t, r, d.Call.ID)
			if d.Call.State == "sent" { // a person can still stop it
				if err := r.Calls.Cancel(r.Token, d.Call.ID); err != nil {
					t.Error(err)
				}
				r.State(card.Call.ID, "cancelled")
			}
		})
	}
}

// TestAnswersNeedTheirRecord has the records of an answer fail: the question
// is asked again, nothing is sent, and the second answer arrives once.
func TestAnswersNeedTheirRecord(t *testing.T) {
	const inputs = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object"}}}}}}`
	for _, c := range []struct {
		name, kind string
		legacy     bool
	}{
		{"modern, the answer", calls.EventInputAnswered, false},
		{"modern, the send", calls.EventSent, false},
		{"legacy, the answer", calls.EventInputAnswered, true},
		{"legacy, the send", calls.EventSent, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := apptest.Start(t)
			files, list := map[string]string{}, []apptest.Act{say(inputs)}
			if c.legacy {
				files["legacy"] = ""
				list = []apptest.Act{say(askForm), {Await: `"action"`}, say(done)}
			}
			p := newPuppet(t, r, files)
			id := p.begin(r, list...)
			q := r.Question(id)
			mend := failOn(t, r, c.kind)
			_, err := r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: "accept", ContentText: "{}"})
			if (err != nil) != (c.kind == calls.EventInputAnswered) {
				t.Fatal(err)
			}
			if err == nil {
				r.Until("the person is told", func() bool { return noticed(t, r, "the disk is full") })
			}
			if n := sends(t, p); n != 1 {
				t.Fatalf("%d messages reached the server, want the call alone", n)
			}
			mend()
			if errs := r.Answer(r.Question(id), "decline", ""); len(errs) > 0 {
				t.Fatal(errs)
			}
			if c.legacy {
				r.State(id, "succeeded")
			} else {
				r.Until("the answer arrives", func() bool { return sends(t, p) == 2 })
			}
			if n := sends(t, p); n != 2 {
				t.Errorf("%d messages reached the server, want the call and one answer", n)
			}
		})
	}
}

// TestStopsWithoutRecord: stopping is never held up by a record that cannot be
// written.
func TestStopsWithoutRecord(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	id := p.begin(r, apptest.Act{Await: "never"})
	r.State(id, "sent")
	mend := failOn(t, r, calls.EventCancelAsked)
	if err := r.Calls.Cancel(r.Token, id); err == nil {
		t.Error("nobody is told that the stop is not on record")
	}
	r.State(id, "cancelled")
	mend()
	mend = failOn(t, r, "settings.paused")
	if err := r.Calls.Pause(r.Token, true); err == nil {
		t.Error("nobody is told that the pause is not on record")
	}
	if h, err := r.Settings.Hello(r.Token); err != nil || !h.Paused {
		t.Errorf("not paused: %v", err)
	}
	mend()
	card := r.Propose(p.id, "do", acts(say(done)))
	r.Look(card)
	_, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: card.Revision, Hash: card.Hash, Approve: true})
	if codeOf(t, err) != app.CodeUnavailable {
		t.Errorf("approved while paused: %v", err)
	}
}
