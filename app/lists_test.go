package app_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// recorderServer adds a server that writes down what reaches it.
func recorderServer(t *testing.T, r *apptest.Rig) (id, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "recorded")
	return r.AddServer(app.ServerDraft{Name: "Orders", Kind: "stdio", Command: self, Args: []string{"recorder", file}}), file
}

// openList has the person open a file with this text.
func openList(t *testing.T, r *apptest.Rig, name, text string) app.ListView {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Window.Choose(path)
	v, err := r.Lists.Open(r.Token)
	if err != nil {
		t.Fatalf("opening: %v", app.FormatError(err))
	}
	return v
}

func startList(t *testing.T, r *apptest.Rig, id string, req app.StartRequest) {
	t.Helper()
	if _, err := r.Lists.Start(r.Token, id, req); err != nil {
		t.Fatalf("starting: %v", app.FormatError(err))
	}
}

// listLines gives all lines of a list.
func listLines(t *testing.T, r *apptest.Rig, id string) []app.ListLine {
	t.Helper()
	page, err := r.Lists.Get(r.Token, id, 0, 500)
	if err != nil {
		t.Fatal(app.FormatError(err))
	}
	return page.Lines
}

// untilLines waits until the lines are in these states, in any of the forms.
func untilLines(t *testing.T, r *apptest.Rig, id string, states ...string) []app.ListLine {
	t.Helper()
	var lines []app.ListLine
	var got []string
	r.Until(fmt.Sprintf("the lines are %v", states), func() bool {
		lines, got = listLines(t, r, id), nil
		for _, l := range lines {
			got = append(got, l.State)
		}
		return slices.Equal(got, states)
	})
	return lines
}

func report(t *testing.T, r *apptest.Rig, id, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	r.Window.Choose(path)
	if saved, err := r.Lists.Report(r.Token, id); err != nil || !saved {
		t.Fatalf("saving: %v %v", saved, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the report: %v, %v", info.Mode(), err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCallList takes a list through what can become of its lines: at most so
// many wait, none is sent without an approval, and the report tells each.
func TestCallList(t *testing.T) {
	r := apptest.Start(t)
	server, file := recorderServer(t, r)
	v := openList(t, r, "orders\u202e.jsonl", strings.Join([]string{
		`{"server":"Orders","tool":"record","arguments":{"n": 1.50},"id":"first"}`,
		`{"server":"Orders","tool":"record","arguments":{"n":2}}`,
		`{"server":"Orders"`,
		`{"server":"Nobody","tool":"record"}`,
		`{"server":"` + server + `","tool":"nothing"}`,
		`{"server":"` + server + `","tool":"record","arguments":{"n":3}}`,
		`{"server":"Orders","tool":"record","arguments":{"n":4}}`,
	}, "\n"))
	if v.Lines != 7 || v.Faults != 1 || v.Started || v.Format != "jsonl" {
		t.Fatalf("the preview: %+v", v)
	}
	if got, _ := apptest.Recorded(file); strings.Join(got, "") != "" || len(listLines(t, r, v.ID)) != 7 {
		t.Fatalf("opening sent %q", got)
	}
	startList(t, r, v.ID, app.StartRequest{AtOnce: 2})
	lines := untilLines(t, r, v.ID, "awaiting_approval", "awaiting_approval", "not_proposed", "ready", "ready", "ready", "ready")
	card := r.Card(lines[0].CallID)
	if card.Origin != (app.OriginView{Kind: "list", Text: "Call list orders[U+202E].jsonl, line 1", Proven: true}) || card.Deadline != "" {
		t.Errorf("the card says %+v, deadline %q", card.Origin, card.Deadline)
	}
	if d := r.Detail(lines[0].CallID); d.Timeline[0].Title != "Proposed by the call list orders[U+202E].jsonl, line 1" || !strings.Contains(d.Timeline[0].Detail, `"origin":"list"`) {
		t.Errorf("the record says %+v", d.Timeline[0])
	}
	r.Decide(card, true, "")
	untilLines(t, r, v.ID, "succeeded", "awaiting_approval", "not_proposed", "not_proposed", "not_proposed", "awaiting_approval", "ready")
	r.Decide(r.Card(lines[1].CallID), false, "=not this one")
	lines = untilLines(t, r, v.ID, "succeeded", "denied", "not_proposed", "not_proposed", "not_proposed", "awaiting_approval", "awaiting_approval")
	if err := r.Calls.Withdraw(r.Token, lines[5].CallID); err != nil {
		t.Fatal(err)
	}
	lines = untilLines(t, r, v.ID, "succeeded", "denied", "not_proposed", "not_proposed", "not_proposed", "withdrawn", "awaiting_approval")
	if !strings.Contains(lines[2].Reason, "not one JSON object") || lines[3].Reason != "There is no such server." || !strings.Contains(lines[4].Reason, "does not list this tool") {
		t.Errorf("the reasons: %+v", lines[2:5])
	}

	saved := strings.Split(strings.TrimSpace(report(t, r, v.ID, "r.jsonl")), "\n")
	type row struct {
		Line                           int
		ID, State, Reason, Error, Call string
		Result                         json.RawMessage
	}
	var rows []row
	for _, s := range saved {
		var x row
		if err := json.Unmarshal([]byte(s), &x); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, x)
	}
	if len(rows) != 7 || rows[0].ID != "first" || rows[0].State != "succeeded" || string(rows[0].Result) != `{"resultType":"complete","content":[{"type":"text","text":"recorded"}]}` ||
		rows[1].State != "denied" || rows[1].Reason != "=not this one" || rows[2].State != "not_proposed" || rows[2].Call != "" || rows[2].Error == "" || rows[6].State != "awaiting_approval" {
		t.Errorf("the report: %s", strings.Join(saved, "\n"))
	}
	table, err := csv.NewReader(strings.NewReader(report(t, r, v.ID, "r.csv"))).ReadAll()
	if err != nil || len(table) != 8 || table[2][7] != "'=not this one" || strings.Contains(fmt.Sprint(table), r.Dir) {
		t.Errorf("the table: %v %q", err, table)
	}

	if err := r.Lists.Close(r.Token, v.ID); err != nil {
		t.Fatal(err)
	}
	if d := r.State(lines[6].CallID, "withdrawn"); !strings.Contains(d.Timeline[len(d.Timeline)-1].Detail, "the list was closed") {
		t.Errorf("the end: %+v", d.Timeline)
	}
	if got, err := apptest.Recorded(file); err != nil || !slices.Equal(got, []string{`{"n":1.50}`}) {
		t.Errorf("the server got %q, %v", got, err)
	}
	if open, err := r.Lists.List(r.Token); err != nil || len(open) != 0 {
		t.Errorf("open: %+v %v", open, err)
	}
}

// TestCallListEnds: closing lets go on what runs, a deadline ends what waits,
// and a restart takes back what a list had waiting.
func TestCallListEnds(t *testing.T) {
	r := apptest.Start(t)
	_, file := recorderServer(t, r)
	line := func(args string) string { return `{"server":"Orders","tool":"record","arguments":` + args + "}\n" }
	t.Run("closed while one runs and one waits", func(t *testing.T) {
		r := r.For(t)
		v := openList(t, r, "a.jsonl", line(`{"slow":true}`)+line(`{}`)+line(`{}`))
		startList(t, r, v.ID, app.StartRequest{AtOnce: 2})
		lines := untilLines(t, r, v.ID, "awaiting_approval", "awaiting_approval", "ready")
		r.Decide(r.Card(lines[0].CallID), true, "")
		untilLines(t, r, v.ID, "sent", "awaiting_approval", "ready")
		if err := r.Lists.Close(r.Token, v.ID); err != nil {
			t.Fatal(err)
		}
		r.State(lines[1].CallID, "withdrawn")
		if d := r.Detail(lines[0].CallID); d.Call.State != "sent" {
			t.Errorf("the running call is %s", d.Call.State)
		}
		if err := r.Calls.Cancel(r.Token, lines[0].CallID); err != nil {
			t.Fatal(err)
		}
		r.State(lines[0].CallID, "cancelled")
		h, err := r.Calls.History(r.Token, app.HistoryFilter{})
		if err != nil || h.Total != 2 {
			t.Errorf("%d calls were proposed, %v", h.Total, err)
		}
	})
	t.Run("nobody answers", func(t *testing.T) {
		r := r.For(t)
		v := openList(t, r, "b.jsonl", line(`{"n":1}`)+line(`{"n":2}`))
		startList(t, r, v.ID, app.StartRequest{AtOnce: 1, DeadlineSeconds: 1})
		lines := untilLines(t, r, v.ID, "expired", "expired")
		if lines[0].CallID == lines[1].CallID {
			t.Error("both lines have one call")
		}
	})
	t.Run("the server is stopped meanwhile", func(t *testing.T) {
		r := r.For(t)
		v := openList(t, r, "c.jsonl", line(`{"slow":true}`)+line(`{}`))
		startList(t, r, v.ID, app.StartRequest{AtOnce: 1})
		lines := untilLines(t, r, v.ID, "awaiting_approval", "ready")
		r.Decide(r.Card(lines[0].CallID), true, "")
		untilLines(t, r, v.ID, "sent", "ready")
		r.Until("the call reached the server", func() bool {
			got, err := apptest.Recorded(file)
			return err == nil && len(got) == 2
		})
		if err := r.Servers.Stop(r.Token, r.Detail(lines[0].CallID).Call.ServerID); err != nil {
			t.Fatal(err)
		}
		untilLines(t, r, v.ID, "lost", "awaiting_approval")
	})
	r.Restart()
	h, err := r.Calls.History(r.Token, app.HistoryFilter{States: []string{"awaiting_approval"}})
	if open, lerr := r.Lists.List(r.Token); err != nil || lerr != nil || len(h.Calls) != 0 || len(open) != 0 {
		t.Errorf("after the restart %+v wait, %+v are open, %v %v", h.Calls, open, err, lerr)
	}
	if got, err := apptest.Recorded(file); err != nil || len(got) != 2 {
		t.Errorf("the server got %q, %v", got, err)
	}
}

// TestCallListRedefined: a line follows its call to the one that takes its
// place, and closing takes that one back.
func TestCallListRedefined(t *testing.T) {
	r := apptest.Start(t)
	tools := func(description string) string {
		return toolsOf(`{"name":"do","description":"` + description + `","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"on":{"type":"boolean"}},"required":["n"]}}`)
	}
	p := namedPuppet(t, r, "Puppet", map[string]string{"tools.json": tools("before")})
	v := openList(t, r, "rows.CSV", "n,on\n1,\nx,\n,TRUE\n2,FALSE\n")
	if v.Format != "csv" || !slices.Equal(v.Columns, []string{"n", "on"}) {
		t.Fatalf("the preview: %+v", v)
	}
	if _, err := r.Lists.Start(r.Token, v.ID, app.StartRequest{ServerID: p.id, Tool: "none", AtOnce: 1}); err == nil {
		t.Error("a tool that is not there is taken")
	}
	if _, err := r.Lists.Start(r.Token, v.ID, app.StartRequest{ServerID: p.id, Tool: "do", AtOnce: 33}); err == nil {
		t.Error("33 at once are taken")
	}
	startList(t, r, v.ID, app.StartRequest{ServerID: p.id, Tool: "do", AtOnce: 4})
	lines := untilLines(t, r, v.ID, "awaiting_approval", "not_proposed", "not_proposed", "awaiting_approval")
	if !strings.Contains(lines[1].Reason, "not a whole number") || !strings.Contains(lines[2].Reason, "do not fit the tool") {
		t.Errorf("the reasons: %+v", lines[1:3])
	}
	if args := r.Card(lines[3].CallID).Args.Text; args != `{"n":2,"on":false}` {
		t.Errorf("the arguments are %s", args)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "tools.json"), []byte(tools("after")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Tools.Refresh(r.Token, p.id); err != nil {
		t.Fatal(err)
	}
	var now []app.ListLine
	r.Until("both lines follow to new calls", func() bool {
		now = listLines(t, r, v.ID)
		return now[0].CallID != lines[0].CallID && now[3].CallID != lines[3].CallID && now[0].State == "awaiting_approval" && now[3].State == "awaiting_approval"
	})
	if card := r.Card(now[0].CallID); card.Redefined == nil || card.Origin.Text != "Call list rows.CSV, line 2" {
		t.Errorf("the new card: %+v", card.Origin)
	}
	if err := r.Lists.Close(r.Token, v.ID); err != nil {
		t.Fatal(err)
	}
	r.State(now[0].CallID, "withdrawn")
	r.State(now[3].CallID, "withdrawn")
	for _, got := range p.received(t) {
		if strings.Contains(got, "tools/call") {
			t.Errorf("the server got %s", got)
		}
	}
}

// TestCallListFiles: what is no list is refused, without its path.
func TestCallListFiles(t *testing.T) {
	r := apptest.Start(t)
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, empty, filepath.Join(dir, "gone.csv"), os.DevNull} {
		r.Window.Choose(path)
		if _, err := r.Lists.Open(r.Token); err == nil || strings.Contains(fmt.Sprint(app.FormatError(err)), dir) {
			t.Errorf("%s: %v", path, err)
		}
	}
	r.Window.Choose("")
	if v, err := r.Lists.Open(r.Token); err != nil || v.ID != "" {
		t.Errorf("nothing chosen: %+v %v", v, err)
	}
	v := openList(t, r, "x.csv", "a\n1\n")
	r.Window.Choose(filepath.Join(dir, "no", "report.csv"))
	if saved, err := r.Lists.Report(r.Token, v.ID); err == nil || saved || strings.Contains(fmt.Sprint(app.FormatError(err)), dir) {
		t.Errorf("a report in no folder: %v %v", saved, err)
	}
}
