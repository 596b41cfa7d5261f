package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

func toolsOf(items ...string) string {
	return `{"resultType":"complete","tools":[` + strings.Join(items, ",") + `],"ttlMs":0,"cacheScope":"private"}`
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func groupOf(t *testing.T, r *apptest.Rig, id string) app.ToolGroup {
	t.Helper()
	groups, err := r.Tools.List(r.Token)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		if g.Server.ID == id {
			return g
		}
	}
	t.Fatal("no such server")
	return app.ToolGroup{}
}

// TestHostileLists: no list of tools stops the program, the window or another
// server, and a bad item costs only itself.
func TestHostileLists(t *testing.T) {
	mega := strings.Repeat("M", 1<<20)
	const plain = `{"name":"do","inputSchema":{"type":"object"}}`
	var many []string
	for i := range 5000 {
		many = append(many, fmt.Sprintf(`{"name":"tool-%d","title":"T","description":%s,"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, i, quoted(strings.Repeat("d", 2000))))
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		tools int // that are listed
	}{
		{"megabytes in every text", map[string]string{"tools.json": toolsOf(plain,
			`{"name":"big","title":`+quoted(mega)+`,"description":`+quoted(mega)+`,"annotations":{"title":`+quoted(mega)+`,"readOnlyHint":true},"inputSchema":{"type":"object","description":`+quoted(mega)+`}}`)}, 2},
		{"megabytes about the server", map[string]string{"discover.json": `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"x":` + quoted(mega) + `},"instructions":` + quoted(mega) +
			`,"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":` + quoted(mega) + `,"title":` + quoted(mega) + `,"version":` + quoted(mega) + `}}}`}, 1},
		{"5,000 tools", map[string]string{"tools.json": toolsOf(append(many, plain)...)}, 5001},
		{"rows 12, 18, 19, 34 and 160: odd and equal names, odd schemas", map[string]string{"tools.json": toolsOf(plain, plain, `{"name":"do","title":"another","inputSchema":{}}`,
			`{"name":"","inputSchema":{"type":"object"}}`, `{"name":" ","inputSchema":{"type":"object"}}`, `{"name":"a/../b","inputSchema":null}`, `{"name":"🚲"}`,
			`{"name":`+quoted(strings.Repeat("n", 10<<10))+`,"inputSchema":{"type":"object"}}`, `{"name":7}`, `null`, `[]`, `"text"`, `{}`,
			`{"name":"read\u202edaer","title":"Safe\u200b\u001b[8m","description":"ok\u2066hidden\u2069","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}`,
			`{"name":"lone\ud800","inputSchema":{"type":"object"}}`, `{"name":"twice","name":"do2","inputSchema":{"type":"object"}}`,
			`{"name":"boolean","inputSchema":true}`, `{"name":"texts","inputSchema":"x","outputSchema":5,"annotations":[],"icons":{},"title":{},"description":[]}`,
			`{"name":"extra","inputSchema":{"type":"object","properties":{"extra":true,"never":false}}}`,
			`{"name":"synchronise_every_customer_record_between_all_regions_and_the_archive_copy_v2","inputSchema":{"type":"object"}}`)}, -1},
		{"icons", map[string]string{"tools.json": toolsOf(plain, `{"name":"i1","icons":[{"src":"javascript:alert(1)"},{"src":"file:///etc/passwd"},{"src":5},7,null,{"src":"data:image/svg+xml,<svg onload=alert(1)>"},{"src":"data:image/png;base64,AAAA"}],"inputSchema":{"type":"object"}}`,
			`{"name":"i2","icons":"x","inputSchema":{"type":"object"}}`, `{"name":"i3","icons":[`+strings.Repeat(`{"src":"data:image/png;base64,AAAA"},`, 3000)+`{}],"inputSchema":{"type":"object"}}`)}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := apptest.Start(t)
			p := newPuppet(t, r, c.files)
			g := groupOf(t, r, p.id)
			if c.tools >= 0 && len(g.Tools) != c.tools {
				t.Errorf("%d tools are listed, want %d; problems %.300v", len(g.Tools), c.tools, g.Problems)
			}
			names := map[string]bool{}
			for i, tool := range g.Tools {
				if len(g.Tools) > 1000 && i%100 != 0 {
					continue // each takes the same way
				}
				if names[tool.Name] {
					t.Errorf("two tools are called %q: one of them cannot be reached", tool.Name)
				}
				names[tool.Name] = true
				d, err := r.Tools.Get(r.Token, p.id, tool.Name)
				if err != nil {
					t.Errorf("%.40q: %v", tool.Name, app.FormatError(err))
				}
				if b, err := json.Marshal(d); err != nil || len(b) > maxCrossing {
					t.Errorf("%.40q carries %d bytes, %v", tool.Name, len(b), err)
				}
				if c.tools != 5001 && tool.Hidden == "" {
					card := r.Propose(p.id, tool.Name, acts(say(done)))
					r.Decide(card, true, "")
					if got := r.State(card.Call.ID, finals...).Call; got.State != "succeeded" {
						t.Errorf("a call of %.40q is %s: %s", tool.Name, got.State, got.Summary)
					}
				}
			}
			if d, err := r.Servers.Get(r.Token, p.id); err != nil || len(d.Instructions) > maxCrossing/4 {
				t.Errorf("%d bytes of instructions, %v", len(d.Instructions), err)
			}
			r.Propose(p.id, "do", "{}")
			crosses(t, r)
			r.Restart()
			crosses(t, r)
		})
	}
}

// TestDefinitionChanges: an approval counts for the definition that the card
// showed, and for a server as it was started, or not at all.
func TestDefinitionChanges(t *testing.T) {
	t.Run("SEC-13 a changed tool needs a fresh approval", definitionChanges)
}

func definitionChanges(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	approve := func(card app.CardView) error {
		_, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: card.Revision, Hash: card.Hash, Approve: true})
		return err
	}
	card := r.Propose(p.id, "do", acts(say(done)))
	r.Look(card)
	list := toolsOf(`{"name":"do","description":"now it deletes","inputSchema":{"type":"object"}}`)
	if err := os.WriteFile(filepath.Join(p.dir, "tools.json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Tools.Refresh(r.Token, p.id); err != nil {
		t.Fatal(err)
	}
	// It is taken back before the answer comes, or after.
	if approve(card) == nil {
		t.Error("approved for another definition")
	}
	r.State(card.Call.ID, "withdrawn")
	if n := sends(t, p); n != 0 {
		t.Errorf("%d messages were sent", n)
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"stopped", func() error { return r.Servers.Stop(r.Token, p.id) }},
		{"removed", func() error { return r.Servers.Remove(r.Token, p.id) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := r.For(t)
			card := r.Propose(p.id, "do", acts(say(done)))
			r.Look(card)
			before := sends(t, p)
			if err := c.do(); err != nil {
				t.Fatal(err)
			}
			r.Until("the server is gone", func() bool {
				d, err := r.Servers.Get(r.Token, p.id)
				return err != nil || d.Server.State == "stopped"
			})
			if err := approve(card); codeOf(t, err) != app.CodeUnavailable {
				t.Errorf("approved: %v", err)
			}
			if n := sends(t, p) - before; n != 0 {
				t.Errorf("%d messages were sent", n)
			}
			if got := r.Card(card.Call.ID); got.Call.State != "awaiting_approval" {
				t.Errorf("the card is %s", got.Call.State)
			}
			if c.name == "stopped" {
				if err := r.Servers.Start(r.Token, p.id); err != nil {
					t.Fatal(err)
				}
				r.Running(p.id)
				r.Look(card)
				if err := approve(card); err != nil {
					t.Error(err)
				}
				r.State(card.Call.ID, "succeeded")
			}
		})
	}
}
