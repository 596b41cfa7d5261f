package app_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// recorder adds a recording server and gives its id and file.
func recorder(t *testing.T, r *apptest.Rig) (id, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "recorded")
	return r.AddServer(app.ServerDraft{Name: "Recorder", Kind: "stdio", Command: self, Args: []string{"recorder", file}}), file
}

func recorded(t *testing.T, file string) map[string]int {
	t.Helper()
	lines, err := apptest.Recorded(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, l := range lines {
		seen[l]++
	}
	return seen
}

// TestEqualBytes: of two calls with equal bytes of which one was approved, one
// arrives, and the other stays where it was.
func TestEqualBytes(t *testing.T) {
	r := apptest.Start(t)
	id, file := recorder(t, r)
	const args = `{"same":1}`
	first, second := r.Propose(id, "record", args), r.Propose(id, "record", args)
	r.Look(first)
	r.Decide(second, true, "")
	r.State(second.Call.ID, "succeeded")
	if got := recorded(t, file)[args]; got != 1 {
		t.Fatalf("the server saw %d calls, want 1", got)
	}
	if got := r.Detail(first.Call.ID).Call.State; got != "awaiting_approval" {
		t.Fatalf("the other call is %s", got)
	}
	if first.Hash == second.Hash {
		t.Error("two cards of equal bytes have one hash: an answer to one could count for the other")
	}
}

// TestOnlyApprovedSends drives a recording server through random proposals,
// edits, approvals, denials, cancellations and restarts: it sees each approved
// revision once, and nothing else ever.
func TestOnlyApprovedSends(t *testing.T) {
	seeds, steps := uint64(2), 40
	if os.Getenv("COUNTERSIGN_SOAK") != "" {
		seeds, steps = 50, 200
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("CALL-02 CALL-05 SEC-08 seed %d", seed), func(t *testing.T) { randomRun(t, seed, steps) })
	}
}

func randomRun(t *testing.T, seed uint64, steps int) {
	rng := rand.New(rand.NewPCG(seed, 7))
	r := apptest.Start(t)
	id, file := recorder(t, r)
	approved := map[string]int{} // argument bytes -> times approved
	var open []string            // cards that wait
	n := 0
	args := func() string {
		n++
		return fmt.Sprintf(`{"n":%d,"pad":[1.0,9007199254740993]}`, rng.IntN(4)) // equal bytes are likely
	}
	for range steps {
		switch k := rng.IntN(10); {
		case k < 3 || len(open) == 0:
			open = append(open, r.Propose(id, "record", args()).Call.ID)
		case k == 9:
			r.Restart()
			r.Running(id)
		default:
			i := rng.IntN(len(open))
			card := r.Card(open[i])
			switch k {
			case 3, 4, 5:
				open = append(open[:i], open[i+1:]...)
				approved[card.Args.Text]++
				r.Decide(card, true, "")
				r.State(card.Call.ID, "succeeded")
			case 6:
				open = append(open[:i], open[i+1:]...)
				r.Decide(card, false, "not now")
			case 7:
				r.Look(card)
				if _, err := r.Approvals.Edit(r.Token, card.Call.ID, card.Revision, args()); err != nil {
					t.Fatal(err)
				}
				// The answer to what was on screen before must not count.
				_, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: card.Revision, Hash: card.Hash, Approve: true})
				if codeOf(t, err) != app.CodeRefused {
					t.Fatalf("an answer to an older revision: %v", err)
				}
			case 8:
				open = append(open[:i], open[i+1:]...)
				if err := r.Calls.Withdraw(r.Token, card.Call.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	r.Close()
	seen := recorded(t, file)
	for args, times := range approved {
		if seen[args] != times {
			t.Errorf("%s was approved %d times and arrived %d times", args, times, seen[args])
		}
		delete(seen, args)
	}
	for args, times := range seen {
		t.Errorf("%s arrived %d times without approval", args, times)
	}
}

// TestAnswersThatDoNotCount tries to approve in every way that must not work.
func TestAnswersThatDoNotCount(t *testing.T) {
	r := apptest.Start(t)
	id, file := recorder(t, r)
	card := r.Propose(id, "record", `{"x":1}`)
	decide := func(revision int, hash string) string {
		_, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: revision, Hash: hash, Approve: true})
		if err == nil {
			t.Fatalf("revision %d, hash %q was approved", revision, hash)
		}
		return codeOf(t, err)
	}
	if got := decide(card.Revision, card.Hash); got != app.CodeRefused {
		t.Errorf("a card that was never shown: %s", got)
	}
	if err := r.Approvals.Shown(r.Token, card.Call.ID, card.Revision); err != nil {
		t.Fatal(err)
	}
	if got := decide(card.Revision, card.Hash); got != app.CodeRefused {
		t.Errorf("a click within 600 ms: %s", got)
	}
	r.Look(card)
	for _, wrong := range []struct {
		revision int
		hash     string
	}{{card.Revision + 1, card.Hash}, {0, card.Hash}, {card.Revision, ""}, {card.Revision, "0" + card.Hash[1:] + "x"}} {
		if got := decide(wrong.revision, wrong.hash); got != app.CodeRefused {
			t.Errorf("%v: %s", wrong, got)
		}
	}
	if err := r.Calls.Pause(r.Token, true); err != nil {
		t.Fatal(err)
	}
	if got := decide(card.Revision, card.Hash); got != app.CodeUnavailable {
		t.Errorf("while everything is paused: %s", got)
	}
	if err := r.Calls.Pause(r.Token, false); err != nil {
		t.Fatal(err)
	}
	r.Decide(card, true, "")
	r.State(card.Call.ID, "succeeded")
	if got := decide(card.Revision, card.Hash); got != app.CodeNotFound && got != app.CodeConflict {
		t.Errorf("a second answer: %s", got)
	}
	if seen := recorded(t, file); seen[`{"x":1}`] != 1 || len(seen) != 1 {
		t.Errorf("the server saw %v", seen)
	}
}
