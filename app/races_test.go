package app_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/app"
	"countersign/app/approval"
	"countersign/app/apptest"
)

// oneSend: a call is decided, sent and ended at most once each.
func oneSend(t *testing.T, d app.CallDetail) {
	t.Helper()
	sent, decided, ends := 0, 0, 0
	for _, e := range d.Timeline {
		switch e.Kind {
		case "call.sent":
			sent++
		case "call.decided":
			decided++
		case "call.result", "call.failed", "call.withdrawn", "call.expired", "call.refused", "call.interrupted":
			ends++
		}
	}
	if sent > decided || decided > 1 || ends > 1 {
		t.Errorf("%d decisions, %d sends, %d ends: %+v", decided, sent, ends, d.Timeline)
	}
}

// together runs all at once and waits for them.
func together(list ...func()) {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for _, fn := range list {
		wg.Go(func() { <-begin; fn() })
	}
	close(begin)
	wg.Wait()
}

// TestRacesOfOneCard has acts on one card meet. One wins; the record tells
// which; the server sees what the record says.
func TestRacesOfOneCard(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	decide := func(c app.CardView, approve bool) func() {
		return func() {
			_, _ = r.Approvals.Decide(r.Token, app.DecideRequest{CallID: c.Call.ID, Revision: c.Revision, Hash: c.Hash, Approve: approve})
		}
	}
	acted := func(fn func() error) func() { return func() { _ = fn() } }
	for name, race := range map[string]func(c app.CardView) []func(){
		"decided twice":       func(c app.CardView) []func() { return []func(){decide(c, true), decide(c, true), decide(c, true)} },
		"approved and denied": func(c app.CardView) []func() { return []func(){decide(c, true), decide(c, false)} },
		"edited and approved": func(c app.CardView) []func() {
			return []func(){decide(c, true), func() { _, _ = r.Approvals.Edit(r.Token, c.Call.ID, c.Revision, `{"edited":1}`) }}
		},
		"withdrawn and approved": func(c app.CardView) []func() {
			return []func(){decide(c, true), acted(func() error { return r.Calls.Withdraw(r.Token, c.Call.ID) })}
		},
		"stopped and approved": func(c app.CardView) []func() {
			stop := acted(func() error { return r.Calls.Cancel(r.Token, c.Call.ID) })
			return []func(){decide(c, true), stop, stop, stop}
		},
		"paused and approved": func(c app.CardView) []func() {
			return []func(){decide(c, true), acted(func() error { return r.Calls.Pause(r.Token, true) })}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := r.For(t)
			for range 8 {
				card := r.Propose(p.id, "do", acts(say(done)))
				r.Look(card)
				before := sends(t, p)
				together(race(card)...)
				_ = r.Calls.Pause(r.Token, false)
				d := r.State(card.Call.ID, append(finals, "awaiting_approval")...)
				oneSend(t, d)
				arrived, sent := sends(t, p)-before, strings.Count(kinds(d), "call.sent")
				if arrived > sent || sent == 1 && arrived == 0 && d.Call.State == "succeeded" {
					t.Errorf("%d arrived, %d on record, %s", arrived, sent, d.Call.State)
				}
				if d.Call.State == "awaiting_approval" {
					if err := r.Calls.Withdraw(r.Token, card.Call.ID); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

func kinds(d app.CallDetail) string {
	var list []string
	for _, e := range d.Timeline {
		list = append(list, e.Kind)
	}
	return strings.Join(list, " ")
}

// TestStopAtEachMoment stops a call where it stands: it ends, and nothing more
// is sent.
func TestStopAtEachMoment(t *testing.T) {
	const again = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s"}}`
	const ask = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"requestedSchema":{"type":"object"}}}}}}`
	r := apptest.Start(t)
	for _, era := range []string{"modern", "legacy"} {
		files := map[string]string{}
		if era == "legacy" {
			files["legacy"] = ""
		}
		p := newPuppet(t, r, files)
		for _, c := range []struct {
			name, era, at string
			acts          []apptest.Act
			sent          int
		}{
			{"sent", "", "sent", []apptest.Act{{Await: "never"}}, 1},
			{"between rounds", "modern", "input_required", []apptest.Act{say(ask)}, 1},
			{"between rounds without a question", "modern", "input_required", []apptest.Act{say(again)}, 1},
			{"while a question is open", "legacy", "input_required", []apptest.Act{say(askForm), {Await: "never"}}, 1},
			{"after the result", "", "succeeded", []apptest.Act{say(done)}, 1},
		} {
			if c.era != "" && c.era != era {
				continue
			}
			t.Run(era+" "+c.name, func(t *testing.T) {
				r := r.For(t)
				before := sends(t, p)
				id := p.begin(r, c.acts...)
				r.State(id, c.at)
				err := r.Calls.Cancel(r.Token, id)
				if c.at == "succeeded" {
					if codeOf(t, err) != app.CodeConflict {
						t.Errorf("a call that has ended was stopped: %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				r.State(id, "cancelled")
				if n := sends(t, p) - before; n != c.sent {
					t.Errorf("%d messages reached the server, want %d", n, c.sent)
				}
				r.Until("no question is left", func() bool {
					open, err := r.Questions.List(r.Token)
					return err == nil && len(open) == 0
				})
			})
		}
	}
}

// TestPausedBetweenRounds: while everything is paused a server that wants to
// be asked again waits, and the call goes on afterwards.
func TestPausedBetweenRounds(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	const ask = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"requestedSchema":{"type":"object"}}}}}}`
	id := p.begin(r, say(ask))
	q := r.Question(id)
	if err := r.Calls.Pause(r.Token, true); err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"accept", "decline", "cancel"} {
		_, err := r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: action, ContentText: "{}"})
		if codeOf(t, err) != app.CodeUnavailable {
			t.Errorf("%s while paused: %v", action, err)
		}
	}
	if got := r.Detail(id).Call.State; got != "input_required" {
		t.Fatalf("the call is %s", got)
	}
	if err := r.Servers.Stop(r.Token, p.id); err != nil {
		t.Fatal(err)
	}
	if err := r.Calls.Pause(r.Token, false); err != nil {
		t.Fatal(err)
	}
	r.Until("the server has stopped", func() bool {
		d, err := r.Servers.Get(r.Token, p.id)
		return err == nil && d.Server.State == "stopped"
	})
	_, err := r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: "accept", ContentText: "{}"})
	if codeOf(t, err) != app.CodeUnavailable {
		t.Errorf("answered without a server: %v", err)
	}
	if err := r.Servers.Start(r.Token, p.id); err != nil {
		t.Fatal(err)
	}
	r.Running(p.id)
	if errs := r.Answer(r.Question(id), "accept", "{}"); len(errs) > 0 {
		t.Fatal(errs)
	}
	r.Until("the answer arrives", func() bool { return sends(t, p) == 2 })
}

// TestQuestionsComeAndGo: questions that are withdrawn, asked twice, asked in
// heaps or after the call are shown or not as they stand at the server.
func TestQuestionsComeAndGo(t *testing.T) {
	const gone = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q0","reason":"never mind"}}`
	r := apptest.Start(t)
	p := newPuppet(t, r, map[string]string{"legacy": ""})
	open := func() int {
		list, err := r.Questions.List(r.Token)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	t.Run("withdrawn at once", func(t *testing.T) {
		r := r.For(t)
		id := p.begin(r, say(askForm), say(gone), say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`), apptest.Act{Await: `"id":"p"`}, apptest.Act{Await: "never"})
		r.Until("the question is gone", func() bool { return strings.Contains(kinds(r.Detail(id)), "call.input_gone") })
		d := r.State(id, "sent")
		if n := open(); n != 0 {
			t.Errorf("%d questions are open; %s", n, kinds(d))
		}
		if err := r.Calls.Cancel(r.Token, id); err != nil {
			t.Fatal(err)
		}
		r.State(id, "cancelled")
	})
	t.Run("one id twice, and a hundred", func(t *testing.T) {
		r := r.For(t)
		id := p.begin(r, say(askForm), say(askForm), apptest.Act{Say: strings.ReplaceAll(askForm, "q$N", "h$N"), Times: 100}, apptest.Act{Await: `"h99"`}, apptest.Act{Await: "h31"},
			say(`{"jsonrpc":"2.0","id":"p2","method":"ping"}`), apptest.Act{Await: `"id":"p2"`}, say(done))
		d := r.State(id, finals...)
		if d.Call.State != "succeeded" {
			t.Errorf("the call is %s: %s", d.Call.State, d.Call.Summary)
		}
		r.Until("no question is left", func() bool { return open() == 0 })
		if n := strings.Count(kinds(d), "call.input_asked"); n > 40 {
			t.Errorf("%d questions were taken in", n)
		}
	})
	t.Run("after the call", func(t *testing.T) {
		r := r.For(t)
		id := p.begin(r, say(done), say(askForm), apptest.Act{Await: `"q0","error"`})
		r.State(id, "succeeded")
		if n := open(); n != 0 {
			t.Errorf("%d questions are open", n)
		}
	})
	t.Run("answered while others come and go", func(t *testing.T) {
		r := r.For(t)
		id := p.begin(r, apptest.Act{Say: askForm, Times: 6}, say(gone), apptest.Act{Await: `"q5","result"`}, say(done))
		// q0 may be gone before it is seen, while it is answered, or after it.
		r.Until("the call ends", func() bool {
			list, err := r.Questions.List(r.Token)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range list {
				_ = r.Questions.Shown(r.Token, q.ID)
				r.Advance(approval.MinOnScreen)
				_, _ = r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: "accept", ContentText: "{}"})
			}
			return slices.Contains(finals, r.Detail(id).Call.State)
		})
		if d := r.Detail(id); d.Call.State != "succeeded" {
			t.Errorf("the call is %s: %s", d.Call.State, kinds(d))
		}
	})
}

// TestCloseInTheMiddle closes the program while calls stand in every state:
// each is recorded as what it is, and the next start agrees.
func TestCloseInTheMiddle(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	legacy := newPuppet(t, r, map[string]string{"legacy": ""})
	const again = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s"}}`
	const ask = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"requestedSchema":{"type":"object"}}}}}}`
	waiting := r.Propose(p.id, "do", acts(say(done))).Call.ID
	sent := p.begin(r, apptest.Act{Await: "never"})
	polling := p.begin(r, say(again))
	asked := p.begin(r, say(ask))
	question := legacy.begin(r, say(askForm), apptest.Act{Await: "never"})
	for id, state := range map[string]string{sent: "sent", polling: "input_required", asked: "input_required", question: "input_required"} {
		r.State(id, state)
	}
	var late []app.CardView
	for range 6 {
		c := r.Propose(p.id, "do", acts(apptest.Act{Await: "never"}))
		r.Look(c)
		late = append(late, c)
	}
	list := []func(){r.Close}
	for _, c := range late {
		list = append(list, func() {
			_, _ = r.Approvals.Decide(r.Token, app.DecideRequest{CallID: c.Call.ID, Revision: c.Revision, Hash: c.Hash, Approve: true})
		})
	}
	together(list...)
	r.Open()
	for id, states := range map[string]string{waiting: "awaiting_approval", sent: "cancelled", polling: "cancelled", asked: "input_required", question: "cancelled"} {
		if d := r.Detail(id); d.Call.State != states {
			t.Errorf("the call is %s, want %s: %s", d.Call.State, states, kinds(d))
		}
	}
	for _, c := range late {
		d := r.Detail(c.Call.ID)
		oneSend(t, d)
		if s := d.Call.State; s == "approved" || s == "sent" || s == "interrupted" {
			t.Errorf("a call that was approved during the close is %s: %s", s, kinds(d))
		}
	}
}

// TestExpiryLooksAgain: a card whose expiry cannot be recorded expires later.
func TestExpiryLooksAgain(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	if _, err := r.Settings.Set(r.Token, app.SettingsChange{ApprovalDeadlineSeconds: 1, Theme: "system"}); err != nil {
		t.Fatal(err)
	}
	mend := failOn(t, r, "call.expired")
	card := r.Propose(p.id, "do", "{}")
	r.Advance(2 * time.Second)
	r.Until("the person is told", func() bool { return noticed(t, r, "the disk is full") })
	mend()
	r.State(card.Call.ID, "expired")
}
