package app_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"countersign/app"
	"countersign/app/apptest"
)

// whole is a draft that allows a tool whatever its arguments are.
func whole(serverID, tool string) app.RuleDraft {
	return app.RuleDraft{Name: "whole", Effect: "allow", ServerID: serverID, Level: "tool", Tool: tool}
}

// settled proposes a call and wants it decided by a rule, or asking.
func settled(r *apptest.Rig, serverID, args string, want string) app.CallDetail {
	r.T.Helper()
	d := r.Try(serverID, "record", args)
	if d.Call.State != want {
		r.T.Fatalf("%s is %s, want %s; %s", args, d.Call.State, want, titles(d))
	}
	return d
}

const (
	asks = "awaiting_approval"
	ran  = "succeeded"
)

func TestRules(t *testing.T) {
	r := apptest.Start(t)
	id, file := recorder(t, r)
	if _, err := r.Rules.Save(r.Token, whole(id, "record"), nil); err == nil || !strings.Contains(err.Error(), "Review") {
		t.Fatalf("a rule was made about a definition that nobody reviewed: %v", err)
	}
	r.Review(id)
	card := r.Propose(id, "record", `{"to":"notes/a.txt","n":1}`)
	d, err := r.Rules.Draft(r.Token, card.Call.ID)
	if err != nil || len(d.Where) != 2 || d.Where[0].Path != "/to" || d.Where[0].Op != "equals" || d.Where[0].Values[0] != `"notes/a.txt"` {
		t.Fatalf("%+v, %v", d, err)
	}
	d.Where[0] = app.RuleCondition{Path: "/to", Op: "glob", Text: "notes/**"}
	d.Where[1] = app.RuleCondition{Path: "/n", Op: "number", Max: "10"}
	other := r.Propose(id, "record", `{"to":"keys","n":1}`)
	view, err := r.Rules.Preview(r.Token, d)
	if err != nil || view.Problem != "" || len(view.Waiting) != 1 || view.Waiting[0].ID != card.Call.ID {
		t.Fatalf("%+v, %v", view, err)
	}
	rule := r.Save(d, card.Call.ID, other.Call.ID)
	if got := r.State(card.Call.ID, finals...); got.Call.State != ran || got.Decision == nil || got.Decision.By != "rule" || !strings.Contains(titles(got), "by the rule “Allow record”") {
		t.Fatalf("%+v\n%s", got.Decision, titles(got))
	}
	if got := r.Detail(other.Call.ID); got.Call.State != asks {
		t.Errorf("a call that it does not cover is %s", got.Call.State)
	}
	settled(r, id, `{"to":"notes/b/c.txt","n":2.50}`, ran)
	for _, args := range []string{`{"to":"notes/../keys","n":1}`, `{"to":"notes/a","n":11}`, `{"to":"notes/a","n":1,"also":true}`, `{"to":"notes/a"}`, `{"to":"notes/a\u200b","n":1}`} {
		settled(r, id, args, asks)
	}
	seen := recorded(t, file)
	if len(seen) != 2 || seen[`{"to":"notes/a.txt","n":1}`] != 1 || seen[`{"to":"notes/b/c.txt","n":2.50}`] != 1 {
		t.Errorf("the server saw %v", seen)
	}
	list, err := r.Rules.List(r.Token)
	if err != nil || len(list) != 1 || list[0].Uses != 2 || list[0].LastUse == "" || list[0].Stale != "" || list[0].Ended != "" {
		t.Fatalf("%+v, %v", list, err)
	}
	if c := r.Propose(id, "record", `{"to":"notes/a\u200b","n":1}`); !strings.Contains(c.Why, "would allow it, but a scan found") {
		t.Errorf("the card says %q", c.Why)
	}

	t.Run("paused, and revoked", func(t *testing.T) {
		r := r.For(t)
		const args = `{"to":"notes/p","n":1}`
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(app.FormatError(err))
			}
		}
		must(r.Rules.Pause(r.Token, rule.ID, true))
		settled(r, id, args, asks)
		must(r.Rules.Pause(r.Token, rule.ID, false))
		settled(r, id, args, ran)
		must(r.Calls.Pause(r.Token, true))
		settled(r, id, args, asks)
		must(r.Calls.Pause(r.Token, false))
		must(r.Rules.Revoke(r.Token, rule.ID))
		settled(r, id, args, asks)
		if err := r.Rules.Pause(r.Token, rule.ID, false); err == nil {
			t.Error("a revoked rule was taken up again")
		}
	})
	t.Run("a rule that denies beats one that allows", func(t *testing.T) {
		r := r.For(t)
		allow := r.Save(whole(id, "record"))
		deny := r.Save(app.RuleDraft{Name: "never", Effect: "deny", ServerID: id, Level: "conditions", Tool: "record",
			Where: []app.RuleCondition{{Path: "/to", Op: "prefix", Text: "/etc"}}})
		settled(r, id, `{"to":"/srv"}`, ran)
		if d := settled(r, id, `{"to":"/etc/x"}`, "denied"); d.Decision.Rule != "never" || len(recorded(t, file)) != 4 {
			t.Errorf("%+v, the server saw %v", d.Decision, recorded(t, file))
		}
		_ = r.Rules.Revoke(r.Token, allow.ID)
		_ = r.Rules.Revoke(r.Token, deny.ID)
	})
	t.Run("this exact call", func(t *testing.T) {
		r := r.For(t)
		card := r.Propose(id, "record", `{"x":1}`)
		exact := r.Save(app.RuleDraft{Name: "exact", Effect: "allow", ServerID: id, Level: "exact", Tool: "record", CallID: card.Call.ID}, card.Call.ID)
		r.State(card.Call.ID, ran)
		settled(r, id, `{"x":1}`, ran)
		settled(r, id, `{"x":1.0}`, asks)
		_ = r.Rules.Revoke(r.Token, exact.ID)
	})
	t.Run("for so many calls", func(t *testing.T) {
		r := r.For(t)
		d := whole(id, "record")
		d.Calls = 2
		limited := r.Save(d)
		settled(r, id, `{"c":1}`, ran)
		settled(r, id, `{"c":2}`, ran)
		settled(r, id, `{"c":3}`, asks)
		list, _ := r.Rules.List(r.Token)
		if list[0].ID != limited.ID || list[0].CallsLeft != 0 || list[0].Ended == "" {
			t.Errorf("%+v", list[0])
		}
	})
	t.Run("for so many minutes", func(t *testing.T) {
		r := r.For(t)
		d := whole(id, "record")
		d.Minutes = 10
		r.Save(d)
		settled(r, id, `{"m":1}`, ran)
		r.Advance(10 * time.Minute)
		settled(r, id, `{"m":2}`, asks)
	})
}

// TestRulesOutlive: what was remembered counts after a restart as it did before,
// but for what was for that run.
func TestRulesOutlive(t *testing.T) {
	r := apptest.Start(t)
	id, _ := recorder(t, r)
	r.Review(id)
	d := whole(id, "record")
	d.Calls = 2
	r.Save(d)
	settled(r, id, `{"a":1}`, ran)
	r.Restart()
	r.Running(id)
	settled(r, id, `{"a":2}`, ran)
	settled(r, id, `{"a":3}`, asks)
	d.Calls, d.UntilQuit = 0, true
	r.Save(d)
	settled(r, id, `{"a":4}`, ran)
	r.Restart()
	r.Running(id)
	settled(r, id, `{"a":5}`, asks)
}

// TestRuleOfAnotherLaunch: a rule is tied to how its server was started.
func TestRuleOfAnotherLaunch(t *testing.T) {
	r := apptest.Start(t)
	id, _ := recorder(t, r)
	r.Review(id)
	r.Save(whole(id, "record"))
	settled(r, id, `{"a":1}`, ran)
	got, err := r.Servers.Get(r.Token, id)
	if err != nil {
		t.Fatal(err)
	}
	got.Draft.Env = append(got.Draft.Env, app.Var{Name: "MORE", Value: "1"})
	r.AddServer(got.Draft)
	settled(r, id, `{"a":2}`, asks)
	if list, _ := r.Rules.List(r.Token); !strings.Contains(list[0].Stale, "settings changed") {
		t.Errorf("%+v", list[0])
	}
}

// TestRuleOfAnotherDefinition: the ways around a review that other programs had.
func TestRuleOfAnotherDefinition(t *testing.T) {
	r := apptest.Start(t)
	f := &forgetter{definition: "Notes.", modern: true}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	id := r.AddServer(app.ServerDraft{Name: "Rewritten", Kind: "http", URL: server.URL + "/mcp"})
	list := func(definition string) string {
		t.Helper()
		f.set(func() { f.definition = definition })
		if err := r.Tools.Refresh(r.Token, id); err != nil {
			t.Fatal(app.FormatError(err))
		}
		d, err := r.Tools.Get(r.Token, id, "note")
		if err != nil {
			t.Fatal(err)
		}
		return d.Summary.Change
	}
	try := func(want string) {
		t.Helper()
		if d := r.Try(id, "note", `{}`); d.Call.State != want {
			t.Fatalf("the call is %s, want %s; %s", d.Call.State, want, titles(d))
		}
	}
	if got := list("Notes."); got != "new" {
		t.Errorf("nobody reviewed it, and it is %q", got)
	}
	r.Review(id)
	r.Save(whole(id, "note"))
	try(ran)
	t.Run("changed after the review", func(t *testing.T) {
		if got := list("Deletes everything."); got != "changed" {
			t.Errorf("it is %q", got)
		}
		try(asks)
		d, err := r.Tools.Get(r.Token, id, "note")
		if err != nil || d.Redefined == nil || len(d.Redefined.Changes) != 1 || d.Redefined.Changes[0].Before != `"Notes."` {
			t.Errorf("the review shows %+v, %v", d.Redefined, err)
		}
	})
	t.Run("a review of a definition that is not there any more", func(t *testing.T) {
		err := r.Tools.Review(r.Token, id, []app.ReviewedTool{{Name: "note", Definition: "0000"}})
		if err == nil {
			t.Error("it was taken")
		}
	})
	t.Run("back again as it was reviewed", func(t *testing.T) {
		if got := list("Notes."); got != "" {
			t.Errorf("it is %q", got)
		}
		try(ran)
	})
	t.Run("changed three times within a minute", func(t *testing.T) {
		list("One.")
		if got := list("Two."); got != "held" {
			t.Fatalf("it is %q", got)
		}
		list("Notes.")
		if _, err := r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: id, Tool: "note", ArgsText: `{}`}); err == nil || !strings.Contains(err.Error(), "three times") {
			t.Errorf("a call was taken: %v", err)
		}
		r.Review(id)
		try(ran)
	})
}

// TestForeignTrust: what somebody else writes into the database is told, and makes
// calls ask at most.
func TestForeignTrust(t *testing.T) {
	r := apptest.Start(t)
	id, file := recorder(t, r)
	r.Review(id)
	d := whole(id, "record")
	d.Calls = 1
	r.Save(d)
	settled(r, id, `{"a":1}`, ran)
	settled(r, id, `{"a":2}`, asks)
	r.Close()
	db, err := sql.Open("sqlite3", filepath.Join(r.Dir, "countersign.db"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(`SELECT stored FROM events WHERE kind = 'trust.rule' ORDER BY seq`)
	if err != nil {
		t.Fatal(err)
	}
	var made []byte
	if !rows.Next() || rows.Scan(&made) != nil {
		t.Fatal("no rule was recorded")
	}
	_ = rows.Close()
	// The rule as it was made, with a call left, put at the end of the log as if it
	// belonged there; and one that is all invented.
	forge(t, db, made)
	invented := strings.Replace(string(made), `"calls":1`, `"calls":99`, 1)
	if invented == string(made) {
		t.Fatalf("the rule is not as this test expects: %s", made)
	}
	forge(t, db, []byte(invented))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r.Open()
	r.Running(id)
	settled(r, id, `{"a":3}`, asks)
	if got := recorded(t, file); len(got) != 1 {
		t.Errorf("the server saw %v", got)
	}
	list, err := r.Rules.List(r.Token)
	if err != nil || len(list) != 3 || !list[0].Foreign || !list[1].Foreign || list[2].CallsLeft != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	hello, err := r.Settings.Hello(r.Token)
	if err != nil || len(hello.Notices) == 0 || !strings.Contains(hello.Notices[len(hello.Notices)-1].Text, "did not write") {
		t.Errorf("%+v, %v", hello.Notices, err)
	}
}

// forge appends an event as somebody would who knows how the log is made.
func forge(t *testing.T, db *sql.DB, stored []byte) {
	t.Helper()
	var n, at int64
	if err := db.QueryRow(`SELECT count(*), max(time) FROM events`).Scan(&n, &at); err != nil {
		t.Fatal(err)
	}
	var e map[string]json.RawMessage
	if err := json.Unmarshal(stored, &e); err != nil {
		t.Fatal(err)
	}
	made := fmt.Sprintf(`{"v":1,"seq":%d,"time":%s,"kind":"trust.rule","server":%s,"body":%s}`, n,
		must(json.Marshal(time.UnixMicro(at).UTC())), e["server"], e["body"])
	if _, err := db.Exec(`INSERT INTO events (seq, time, kind, call, server, stored) VALUES (?, ?, 'trust.rule', '', ?, ?)`,
		n, at, strings.Trim(string(e["server"]), `"`), []byte(made)); err != nil {
		t.Fatal(err)
	}
	hashes, err := tlog.StoredHashes(n, []byte(made), tlog.HashReaderFunc(func(ids []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(ids))
		for i, id := range ids {
			var b []byte
			if err := db.QueryRow(`SELECT hash FROM tree WHERE id = ?`, id).Scan(&b); err != nil {
				return nil, err
			}
			copy(out[i][:], b)
		}
		return out, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hashes {
		if _, err := db.Exec(`INSERT INTO tree (id, hash) VALUES (?, ?)`, tlog.StoredHashIndex(0, n)+int64(i), h[:]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplay: a draft is held against what was decided, the unusual first.
func TestReplay(t *testing.T) {
	r := apptest.Start(t)
	id, _ := recorder(t, r)
	r.Review(id)
	for i := range 5 {
		r.Call(id, "record", fmt.Sprintf(`{"n":%d}`, i))
	}
	r.Decide(r.Propose(id, "record", `{"n":3}`), false, "")
	d := app.RuleDraft{Name: "some", Effect: "allow", ServerID: id, Level: "conditions", Tool: "record",
		Where: []app.RuleCondition{{Path: "/n", Op: "number", Min: "2"}}}
	if err := r.Rules.Replay(r.Token, d); err != nil {
		t.Fatal(app.FormatError(err))
	}
	var v app.ReplayView
	r.Until("the replay is over", func() bool {
		v = must(r.Rules.Replayed(r.Token))
		return !v.Running
	})
	if v.Done != 6 || v.Total != 6 || v.Matched != 4 || v.Rest != 2 || len(v.Unusual) != 4 || v.Unusual[0].Why != "You denied it." || v.Unusual[0].Args != `{"n":3}` || v.Unusual[1].Args != `{"n":4}` {
		t.Errorf("%+v", v)
	}
	if list := must(r.Rules.List(r.Token)); len(list) != 0 {
		t.Errorf("a draft became a rule: %+v", list)
	}
}
