package app_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

func demoGroup(t *testing.T, r *apptest.Rig) app.ToolGroup {
	t.Helper()
	groups, err := r.Tools.List(r.Token)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		if g.Server.ID == app.DemoServerID {
			return g
		}
	}
	t.Fatal("there is no demo server")
	return app.ToolGroup{}
}

// TestJourney is the main job: see tools, propose, approve, look at the
// result, find it in history, and find all of it again after a restart.
func TestJourney(t *testing.T) {
	r := apptest.Start(t)
	r.Running(app.DemoServerID)
	r.Until("every demo tool has its icon", func() bool {
		for _, tool := range demoGroup(t, r).Tools {
			if tool.Icon == "" {
				return false
			}
		}
		return true
	})
	g := demoGroup(t, r)
	if len(g.Tools) < 12 || g.Server.Era != "modern" || g.Server.Version != "2026-07-28" {
		t.Fatalf("%d tools, era %q, version %q", len(g.Tools), g.Server.Era, g.Server.Version)
	}
	icon := r.Get(g.Tools[0].Icon, "")
	if _, err := png.Decode(bytes.NewReader(icon.Body.Bytes())); err != nil || icon.Header().Get("Content-Type") != "image/png" {
		t.Fatalf("the icon: %v, %v", err, icon.Header())
	}
	card := r.Propose(app.DemoServerID, "weather", "{ \"city\" : \"Oslo\" }")
	if card.Args.Text != `{"city":"Oslo"}` || card.Server.Name != "Demo" || !card.Origin.Proven || !contains(card.Notes, "Never called before.") {
		t.Errorf("the card shows %+v", card)
	}
	r.Decide(card, true, "")
	d := r.State(card.Call.ID, "succeeded")
	if d.Result == nil || d.Result.Structured == nil || !strings.Contains(d.Result.Structured.Text, `"station":90071992547`) || len(d.Result.SchemaErrors) > 0 {
		t.Fatalf("the result is %+v", d.Result)
	}
	if d.Args.Text != `{"city":"Oslo"}` || d.Decision == nil || d.Decision.Verdict != "approved" || d.Call.DurationMs < 0 {
		t.Errorf("the record says %+v", d)
	}
	var kinds []string
	for _, e := range d.Timeline {
		kinds = append(kinds, e.Kind)
	}
	if got := strings.Join(kinds, " "); got != "call.proposed call.asked call.decided call.sent call.result" {
		t.Errorf("the timeline is %s", got)
	}
	head, err := r.Settings.Get(r.Token)
	if err != nil || head.HeadSize < 5 {
		t.Fatalf("the ledger holds %d events, %v", head.HeadSize, err)
	}
	afterRestart(t, r, card.Call.ID)
}

// afterRestart looks before any server has answered: the tools come from the
// cache, the history is whole.
func afterRestart(t *testing.T, r *apptest.Rig, call string) {
	if err := r.Servers.Stop(r.Token, app.DemoServerID); err != nil {
		t.Fatal(err)
	}
	r.Restart()
	g := demoGroup(t, r)
	if g.Freshness != "cached" || len(g.Tools) < 12 || g.Server.State != "stopped" || g.Received == "" {
		t.Errorf("after the restart: %s, %d tools, server %s", g.Freshness, len(g.Tools), g.Server.State)
	}
	r.Until("the icons are back", func() bool { return demoGroup(t, r).Tools[0].Icon != "" })
	page, err := r.Calls.History(r.Token, app.HistoryFilter{Text: "oslo"})
	if err != nil || len(page.Calls) != 1 || page.Calls[0].ID != call || page.Total != 1 {
		t.Fatalf("the history holds %+v, %v", page, err)
	}
	if d := r.Detail(call); d.Call.State != "succeeded" || d.Result == nil || len(d.Timeline) != 5 {
		t.Errorf("the call is now %+v", d.Call)
	}
	again, err := r.Calls.Again(r.Token, call)
	if err != nil || again.Call == nil || again.Call.State != "awaiting_approval" {
		t.Fatalf("running it again: %+v, %v", again, err)
	}
	_, err = r.Approvals.Decide(r.Token, app.DecideRequest{})
	if err == nil {
		t.Error("an empty answer counted")
	}
	card := r.Card(again.Call.ID)
	r.Look(card)
	_, err = r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: card.Revision, Hash: card.Hash, Approve: true})
	if codeOf(t, err) != app.CodeUnavailable {
		t.Errorf("approving while the server is stopped: %v", err)
	}
	if err := r.Servers.Start(r.Token, app.DemoServerID); err != nil {
		t.Fatal(err)
	}
	r.Running(app.DemoServerID)
	r.Decide(r.Card(card.Call.ID), true, "")
	r.State(card.Call.ID, "succeeded")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// TestOutcomes takes a call to each end that the demo server can bring about.
func TestOutcomes(t *testing.T) {
	r := apptest.Start(t)
	r.Running(app.DemoServerID)
	t.Run("denied", func(t *testing.T) {
		card := r.Propose(app.DemoServerID, "weather", `{"city":"Rome"}`)
		r.Decide(card, false, "wrong city")
		d := r.Detail(card.Call.ID)
		if d.Call.State != "denied" || d.Decision.Reason != "wrong city" || d.Call.SentAt != "" {
			t.Errorf("%+v", d)
		}
	})
	t.Run("withdrawn", func(t *testing.T) {
		card := r.Propose(app.DemoServerID, "weather", `{"city":"Rome"}`)
		if err := r.Calls.Withdraw(r.Token, card.Call.ID); err != nil {
			t.Fatal(err)
		}
		if got := r.Detail(card.Call.ID).Call.State; got != "withdrawn" {
			t.Error(got)
		}
	})
	t.Run("expired", func(t *testing.T) {
		if _, err := r.Settings.Set(r.Token, app.SettingsChange{Theme: "system", ApprovalDeadlineSeconds: 1}); err != nil {
			t.Fatal(err)
		}
		card := r.Propose(app.DemoServerID, "weather", `{"city":"Rome"}`)
		if card.Deadline == "" {
			t.Error("the card has no deadline")
		}
		if d := r.State(card.Call.ID, "expired", "denied"); d.Call.State != "expired" || d.Decision != nil {
			t.Errorf("%+v", d.Call)
		}
		if _, err := r.Settings.Set(r.Token, app.SettingsChange{Theme: "system"}); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("refused arguments", func(t *testing.T) {
		res, err := r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: app.DemoServerID, Tool: "weather", ArgsText: `{"city":"","colour":1}`})
		if err != nil || res.Call != nil || len(res.Errors) != 2 {
			t.Fatalf("%+v %v", res, err)
		}
		for _, bad := range []string{``, `[]`, `{"a":1,"a":2}`, `{"city":"\ud800"}`, "{\"city\":\"\xff\"}"} {
			res, err := r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: app.DemoServerID, Tool: "weather", ArgsText: bad})
			if err != nil || res.Call != nil || len(res.Errors) == 0 {
				t.Errorf("%q: %+v %v", bad, res, err)
			}
		}
	})
	t.Run("CALL-10 the tool's own failure", func(t *testing.T) {
		d := r.Call(app.DemoServerID, "tool_error", `{"message":"no paper"}`)
		if d.Call.State != "tool_failed" || !d.Result.IsError || d.Result.Blocks[0].Text.Text != "no paper" {
			t.Errorf("%+v", d)
		}
	})
	t.Run("CALL-10 a protocol error", func(t *testing.T) {
		d := r.Call(app.DemoServerID, "protocol_error", `{}`)
		if d.Call.State != "protocol_failed" || d.Result.Error == nil || d.Result.Error.Code != -32603 || !strings.Contains(d.Result.Error.Data, "9007199254740993") {
			t.Errorf("%+v", d.Result)
		}
	})
	t.Run("progress and cancel", func(t *testing.T) {
		card := r.Propose(app.DemoServerID, "long_job", `{"steps":1000,"delay_ms":20}`)
		r.Decide(card, true, "")
		r.Until("progress shows", func() bool {
			running, err := r.Calls.Running(r.Token)
			return err == nil && len(running) == 1 && running[0].Progress != nil && running[0].Progress.Progress >= 2 && running[0].Progress.Total == 1000
		})
		if err := r.Calls.Cancel(r.Token, card.Call.ID); err != nil {
			t.Fatal(err)
		}
		d := r.State(card.Call.ID, "cancelled")
		if !strings.Contains(d.Timeline[len(d.Timeline)-1].Title, "unknown") {
			t.Errorf("%+v", d.Timeline)
		}
	})
	t.Run("mixed content and bytes by handle", func(t *testing.T) { mixedContent(t, r) })
	t.Run("a large result comes by handle", func(t *testing.T) {
		d := r.Call(app.DemoServerID, "big_text", `{"bytes":1048576}`)
		text := d.Result.Blocks[0].Text
		if text.Handle == "" || text.Size != 1048576 || len(text.Text) > 8192 || d.Result.Raw.Handle == "" {
			t.Fatalf("%d bytes cross the bridge, handle %q", len(text.Text), text.Handle)
		}
		rec := r.Get("/payload/"+text.Handle+"?offset=1048000&length=1000", r.Token)
		if rec.Code != 200 || rec.Body.Len() != 576 {
			t.Errorf("the end of it: %d, %d bytes", rec.Code, rec.Body.Len())
		}
	})
	t.Run("LIST-11 a tool that was added", func(t *testing.T) {
		r.Call(app.DemoServerID, "add_tool", `{"name":"hello"}`)
		r.Until("the new tool is listed and marked", func() bool {
			for _, tool := range demoGroup(t, r).Tools {
				if tool.Name == "hello" {
					return tool.Change == "new"
				}
			}
			return false
		})
		if d := r.Call(app.DemoServerID, "hello", `{}`); d.Call.State != "succeeded" {
			t.Errorf("%+v", d.Call)
		}
	})
}

func mixedContent(t *testing.T, r *apptest.Rig) {
	d := r.Call(app.DemoServerID, "mixed", `{}`)
	if len(d.Result.Blocks) != 5 {
		t.Fatalf("%+v", d.Result)
	}
	for _, b := range d.Result.Blocks {
		if b.Problem != "" {
			t.Errorf("block %d: %s", b.Index, b.Problem)
		}
	}
	image := r.Get("/payload/"+d.Result.Blocks[1].Handle, r.Token)
	if image.Header().Get("Content-Type") != "image/png" || image.Header().Get("Content-Security-Policy") != "sandbox; default-src 'none'" ||
		image.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the image is served as %v", image.Header())
	}
	if got := d.Result.Blocks[2]; got.Type != "resource_link" || got.URI != "demo://guide" || got.Handle != "" {
		t.Errorf("the link is %+v", got)
	}
	audio := r.Call(app.DemoServerID, "tone", `{"milliseconds":100}`)
	if rec := r.Get("/payload/"+audio.Result.Blocks[0].Handle, r.Token); rec.Header().Get("Content-Type") != "audio/wav" {
		t.Errorf("the audio is served as %v", rec.Header())
	}
}
