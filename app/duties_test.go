package app_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// TestDefinitionDuties: how a tool's definition is taken and told.
func TestDefinitionDuties(t *testing.T) {
	r := apptest.Start(t)
	const any2020 = `{"type":"object","$defs":{"A":{"$anchor":"a","type":"string"}},"properties":{"x":{"$ref":"#/$defs/A"},"y":{"$ref":"#a"}},"anyOf":[{"required":["x"]},{"required":["y"]}],"if":{"required":["x"]},"then":{"properties":{"x":{"minLength":2}}}}`
	p := newPuppet(t, r, map[string]string{"tools.json": toolsOf(
		`{"name":"all","title":"Title","description":"Does it","icons":[],"inputSchema":`+any2020+`,"outputSchema":{"type":"array","items":{"type":"integer"}},"annotations":{"title":"Other","readOnlyHint":true,"destructiveHint":false},"_meta":{"a/b":[1.0,9007199254740993]},"x":{"y":null}}`,
		`{"name":"annotated","annotations":{"title":"From annotations"},"inputSchema":{"type":"object","additionalProperties":false}}`,
		`{"name":"bare","inputSchema":{"type":"object"}}`,
		`{"name":"Naïve name/with spaces and 日本語","inputSchema":{"type":"object"}}`,
		`{"name":"`+strings.Repeat("n", 300)+`","inputSchema":{"type":"object"}}`,
		`{"name":"BARE","inputSchema":{"type":"object"}}`,
		`{"name":"null schema","inputSchema":null}`)})
	tool := func(name string) app.ToolDetail {
		t.Helper()
		d, err := r.Tools.Get(r.Token, p.id, name)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	t.Run("TOOL-01 every part is kept, byte for byte", func(t *testing.T) {
		if d := tool("all"); !strings.Contains(d.Raw, `"_meta":{"a/b":[1.0,9007199254740993]},"x":{"y":null}`) || d.Summary.Description != "Does it" {
			t.Errorf("kept as %s", d.Raw)
		}
	})
	t.Run("TOOL-02 any keyword beside the root type, and null as no schema", func(t *testing.T) {
		r := r.For(t)
		if d := tool("all"); d.SchemaProblem != "" || d.InputSchema != any2020 {
			t.Errorf("read as %q: %s", d.SchemaProblem, d.InputSchema)
		}
		for args, good := range map[string]bool{`{"x":"ab"}`: true, `{"x":"a"}`: false, `{}`: false, `{"y":"a"}`: true} {
			errs, err := r.Tools.Validate(r.Token, p.id, "all", args)
			if err != nil || (len(errs) == 0) != good {
				t.Errorf("%s: %v, %v", args, errs, err)
			}
		}
		if d := tool("null schema"); d.Summary.Hidden != "" || d.Summary.Problem == "" {
			t.Errorf("without a schema: %+v", d.Summary)
		}
	})
	t.Run("TOOL-03 RES-07 RES-08 an output of any type, held against its schema", func(t *testing.T) {
		r := r.For(t)
		for structured, good := range map[string]bool{`[1,2]`: true, `["x"]`: false, `null`: false} {
			card := r.Propose(p.id, "all", `{"x":"ab","acts":[{"say":`+quoted(`{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"t"}],"structuredContent":`+structured+`}}`)+`}]}`)
			r.Decide(card, true, "")
			d := r.State(card.Call.ID, "succeeded")
			if (len(d.Result.SchemaErrors) == 0) != good || d.Result.Structured == nil || d.Result.Structured.Text != structured || len(d.Result.Blocks) != 1 {
				t.Errorf("%s: %+v", structured, d.Result)
			}
		}
	})
	t.Run("TOOL-04 field-19 no arguments, in both forms", func(t *testing.T) {
		for _, name := range []string{"annotated", "bare"} {
			if errs, err := r.Tools.Validate(r.Token, p.id, name, `{}`); err != nil || len(errs) != 0 {
				t.Errorf("%s: %v, %v", name, errs, err)
			}
		}
	})
	t.Run("TOOL-05 field-34 names of any form, case by case", func(t *testing.T) {
		r := r.For(t)
		for _, name := range []string{"bare", "BARE", "Naïve name/with spaces and 日本語", strings.Repeat("n", 300)} {
			card := r.Propose(p.id, name, acts(say(done)))
			r.Decide(card, true, "")
			if d := r.State(card.Call.ID, finals...); d.Call.State != "succeeded" {
				t.Errorf("%.40s: %s", name, d.Call.Summary)
			}
			if sent := p.received(t); !strings.Contains(sent[len(sent)-1], `"name":`+quoted(name)) {
				t.Errorf("%.40s was sent as %.200s", name, sent[len(sent)-1])
			}
		}
	})
	t.Run("TOOL-07 the title, else the annotation's, else the name", func(t *testing.T) {
		for name, title := range map[string]string{"all": "Title", "annotated": "From annotations", "bare": ""} {
			if got := tool(name).Summary.Title; got != title {
				t.Errorf("%s is called %q", name, got)
			}
		}
	})
	t.Run("TOOL-08 TOOL-09 annotations are claims, and silence claims nothing", func(t *testing.T) {
		r := r.For(t)
		if got := tool("all").Summary.Annotations; len(got) != 2 || got[0].Claim != "readOnlyHint: true" {
			t.Errorf("told as %+v", got)
		}
		if got := tool("bare").Summary.Annotations; len(got) != 0 {
			t.Errorf("told as %+v", got)
		}
		if card := r.Propose(p.id, "all", `{"x":"ab"}`); card.Call.State != "awaiting_approval" {
			t.Errorf("a read-only tool's call is %s", card.Call.State)
		}
	})
}

// TestSameNames: server and name are a tool's identity, whatever servers say of
// themselves.
func TestSameNames(t *testing.T) {
	r := apptest.Start(t)
	one, two := newPuppet(t, r, nil), newPuppet(t, r, nil)
	t.Run("TOOL-06 BASE-21 SEC-09 CALL-16 field-32 servers of one name with tools of one name stay apart", func(t *testing.T) {
		r := r.For(t)
		card := r.Propose(two.id, "do", acts(say(done)))
		r.Decide(card, true, "")
		r.State(card.Call.ID, "succeeded")
		if n, m := sends(t, one), sends(t, two); n != 0 || m != 1 {
			t.Errorf("%d and %d calls arrived", n, m)
		}
		for _, line := range append(one.received(t), two.received(t)...) {
			if strings.Contains(line, one.id) || strings.Contains(line, two.id) || strings.Contains(line, "Puppet") {
				t.Errorf("a server is told of our servers: %s", line)
			}
		}
	})
	t.Run("LIST-11 field-36 a change of one list leaves that of a server whose name begins the same", func(t *testing.T) {
		r := r.For(t)
		files := map[string]string{"legacy": "", "tools.json": toolsOf(`{"name":"do","inputSchema":{"type":"object"}}`)}
		pine, cone := namedPuppet(t, r, "pine", files), namedPuppet(t, r, "pine__cone", files)
		r.Until("both list their tools", func() bool { return len(groupOf(t, r, pine.id).Tools)+len(groupOf(t, r, cone.id).Tools) == 2 })
		if err := os.WriteFile(filepath.Join(pine.dir, "tools.json"), []byte(toolsOf(`{"name":"do","inputSchema":{"type":"object"}}`, `{"name":"new","inputSchema":{"type":"object"}}`)), 0o600); err != nil {
			t.Fatal(err)
		}
		r.State(pine.begin(r, say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), say(done)), "succeeded")
		r.Until("the new tool of pine is there", func() bool { return len(groupOf(t, r, pine.id).Tools) == 2 })
		if g := groupOf(t, r, cone.id); len(g.Tools) != 1 || g.Freshness != "live" {
			t.Errorf("pine__cone has %+v", g)
		}
		if d := r.State(cone.begin(r, say(done)), "succeeded"); d.Call.ServerID != cone.id {
			t.Errorf("%+v", d.Call)
		}
	})
}

// TestCallDuties: what a person sees and decides before, while and after a call.
func TestCallDuties(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	t.Run("CALL-03 a denied call is never sent", func(t *testing.T) {
		r := r.For(t)
		card := r.Propose(p.id, "do", acts(say(done)))
		r.Decide(card, false, "no")
		if d := r.State(card.Call.ID, "denied"); sends(t, p) != 0 || d.Decision == nil || d.Decision.Reason != "no" {
			t.Errorf("%d were sent; %+v", sends(t, p), d.Decision)
		}
	})
	t.Run("CALL-06 CALL-07 the card shows who, what and the very arguments", func(t *testing.T) {
		r := r.For(t)
		card := r.Propose(p.id, "do", acts(say(done)))
		if card.Args.Text != acts(say(done)) || card.Server.ID != p.id || card.Call.Tool != "do" || card.InputSchema == "" || card.Hash == "" {
			t.Errorf("the card shows %+v", card)
		}
		before := len(p.received(t))
		r.Decide(card, true, "")
		r.State(card.Call.ID, "succeeded")
		sent := p.received(t)[before:]
		if !slices.ContainsFunc(sent, func(line string) bool { return strings.Contains(line, `"arguments":`+card.Args.Text) }) {
			t.Errorf("sent was %s", sent)
		}
	})
	t.Run("CALL-04 a call that runs is told everywhere", func(t *testing.T) {
		r := r.For(t)
		id := p.begin(r, apptest.Act{Await: "never"})
		r.State(id, "sent")
		running, err := r.Calls.Running(r.Token)
		if err != nil || !slices.ContainsFunc(running, func(c app.CallView) bool { return c.ID == id }) {
			t.Errorf("running are %+v, %v", running, err)
		}
		if err := r.Calls.Cancel(r.Token, id); err != nil {
			t.Fatal(err)
		}
		r.State(id, "cancelled")
	})
	t.Run("CALL-08 BASE-19 a time-out is ours, and all of it is on record", func(t *testing.T) {
		r := r.For(t)
		d, err := r.Servers.Get(r.Token, p.id)
		if err != nil {
			t.Fatal(err)
		}
		d.Draft.TimeoutSeconds = 1
		if res, err := r.Servers.Save(r.Token, d.Draft); err != nil || res.ID == "" {
			t.Fatal(res, err)
		}
		r.Until("the server runs again", func() bool {
			d, err := r.Servers.Get(r.Token, p.id)
			return err == nil && d.Server.State == "running"
		})
		id := p.begin(r, apptest.Act{Await: "never"})
		got := r.State(id, finals...)
		if got.Call.State != "timed_out" || got.Result != nil && got.Result.Error != nil {
			t.Errorf("it is %s, as if by the server: %+v", got.Call.State, got.Result)
		}
		if k := kinds(got); !strings.Contains(k, "call.proposed") || !strings.Contains(k, "call.decided") || !strings.Contains(k, "call.sent") {
			t.Errorf("on record: %s", k)
		}
	})
	t.Run("CALL-09 arguments that do not fit are not proposed", func(t *testing.T) {
		r := r.For(t)
		res, err := r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: app.DemoServerID, Tool: "weather", ArgsText: `{"city":7}`})
		if err != nil || res.Call != nil || len(res.Errors) == 0 {
			t.Errorf("got %+v, %v", res, err)
		}
	})
	t.Run("BASE-17 codes of a server mean nothing to us", func(t *testing.T) {
		r := r.For(t)
		for _, code := range []string{"-32000", "-32001", "-32002", "-32003", "-32004", "-32019", "0", "7"} {
			before := sends(t, p)
			d := r.State(p.begin(r, say(`{"jsonrpc":"2.0","id":$ID,"error":{"code":`+code+`,"message":"m"}}`)), finals...)
			if d.Call.State != "protocol_failed" || sends(t, p) != before+1 {
				t.Errorf("%s: %s after %d sends", code, d.Call.State, sends(t, p)-before)
			}
		}
	})
	t.Run("RES-09 RES-10 field-48 text and structure stand side by side, and what is unknown as what it is", func(t *testing.T) {
		r := r.For(t)
		const result = `{"content":[{"type":"text","text":"one"},{"type":"hologram","data":[1.0]},{"type":"text","text":"two"}],"structuredContent":{"n":1.0}}`
		d := r.State(p.begin(r, say(`{"jsonrpc":"2.0","id":$ID,"result":`+result+`}`)), "succeeded")
		if len(d.Result.Blocks) != 3 || d.Result.Structured == nil || d.Result.Structured.Text != `{"n":1.0}` || !strings.Contains(d.Result.Blocks[1].Raw, `[1.0]`) {
			b, _ := json.Marshal(d.Result)
			t.Errorf("shown as %s", b)
		}
		if !bytes.Contains([]byte(d.Result.Raw.Text), []byte(result)) {
			t.Errorf("kept as %s", d.Result.Raw.Text)
		}
	})
}

// TestLimitOfACall: the person's time limit for one call goes before those of the
// server, stands on its card, and outlives a restart.
func TestLimitOfACall(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	res, err := r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: p.id, Tool: "do", ArgsText: acts(), LimitSeconds: 1})
	if err != nil {
		t.Fatal(app.FormatError(err))
	}
	r.Restart()
	r.Running(p.id)
	card := r.Card(res.Call.ID)
	if !strings.Contains(strings.Join(card.Notes, " "), "at most 1 s.") {
		t.Errorf("the card says %q", card.Notes)
	}
	r.Decide(card, true, "")
	r.State(card.Call.ID, "timed_out")
	for _, bad := range []int{-1, 24*3600 + 1} {
		if _, err := r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: p.id, Tool: "do", ArgsText: `{}`, LimitSeconds: bad}); err == nil {
			t.Errorf("a limit of %d s was taken", bad)
		}
	}
}
