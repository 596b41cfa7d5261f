package app_test

import (
	"slices"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// TestOddResults has a real server answer with what broke other hosts. Each call
// ends with what was sent laid out for the page, and kept as it came.
func TestOddResults(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, map[string]string{"tools.json": toolsOf(
		`{"name":"do","inputSchema":{"type":"object"}}`,
		`{"name":"typed","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}}`)})
	const png = `iVBORw0KGgo=`
	block := func(v app.ResultView, i int) app.BlockView {
		if i < len(v.Blocks) {
			return v.Blocks[i]
		}
		return app.BlockView{}
	}
	text := func(v app.ResultView, i int) string {
		if b := block(v, i); b.Text != nil {
			return b.Text.Text
		}
		return ""
	}
	noted := func(v app.ResultView, words string) bool {
		return slices.ContainsFunc(v.Notes, func(n string) bool { return strings.Contains(n, words) })
	}
	for _, c := range []struct {
		name, tool, result string
		state              string
		fits               func(app.ResultView) bool
	}{
		{"field-44 structured content alone", "do", `{"structuredContent":{"ship":"wren"}}`, "succeeded", func(v app.ResultView) bool {
			return v.Structured != nil && v.Structured.Text == `{"ship":"wren"}` && noted(v, "structured content only")
		}},
		{"field-45 an empty list", "do", `{"content":[]}`, "succeeded", func(v app.ResultView) bool { return len(v.Blocks) == 0 && noted(v, "empty") }},
		{"field-45 null as content", "do", `{"content":null}`, "succeeded", func(v app.ResultView) bool { return len(v.Blocks) == 0 && noted(v, "empty") }},
		{"field-45 nothing at all", "do", `{}`, "succeeded", func(v app.ResultView) bool { return len(v.Blocks) == 0 && noted(v, "empty") }},
		{"field-46 null as structured content", "do", `{"content":[{"type":"text","text":"hi"}],"structuredContent":null}`, "succeeded", func(v app.ResultView) bool {
			return text(v, 0) == "hi" && v.Structured == nil && len(v.SchemaErrors) == 0
		}},
		{"field-46 null as structured content that was promised", "typed", `{"content":[{"type":"text","text":"hi"}],"structuredContent":null}`, "succeeded", func(v app.ResultView) bool {
			return text(v, 0) == "hi" && len(v.Notes)+len(v.SchemaErrors) > 0
		}},
		{"field-49 an image alone", "do", `{"content":[{"type":"image","data":"` + png + `","mimeType":"image/png"}]}`, "succeeded", func(v app.ResultView) bool {
			b := block(v, 0)
			return b.Type == "image" && b.Size == 8 && b.Sniffed == "image/png" && b.Handle != "" && b.Problem == ""
		}},
		{"field-51 an error beside an output schema", "typed", `{"isError":true,"content":[{"type":"text","text":"quota used up"}],"structuredContent":{"error":"quota"}}`, "tool_failed", func(v app.ResultView) bool {
			return v.IsError && text(v, 0) == "quota used up" && len(v.SchemaErrors) == 0
		}},
		{"field-53 a data: prefix", "do", `{"content":[{"type":"image","data":"data:image/png;base64,` + png + `","mimeType":"image/png"},{"type":"text","text":"cap"}]}`, "succeeded", func(v app.ResultView) bool {
			return block(v, 0).Size == 8 && block(v, 0).Problem != "" && text(v, 1) == "cap"
		}},
		{"field-57 an address in place of bytes", "do", `{"content":[{"type":"image","mimeType":"image/png","data":"https://img.example.test/p.png"}]}`, "succeeded", func(v app.ResultView) bool {
			return text(v, 0) == "https://img.example.test/p.png" && block(v, 0).Handle == "" && strings.Contains(block(v, 0).Problem, "not opened")
		}},
		{"field-59 colour codes stay in what is kept", "do", `{"content":[{"type":"text","text":"\u001b[31mfail\u001b[0m"}]}`, "succeeded", func(v app.ResultView) bool { return text(v, 0) == "\x1b[31mfail\x1b[0m" }},
		{"field-61 lines", "do", `{"content":[{"type":"text","text":"row 1\nrow 2\n\ttab"}]}`, "succeeded", func(v app.ResultView) bool { return text(v, 0) == "row 1\nrow 2\n\ttab" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := r.For(t)
			d := r.Call(p.id, c.tool, acts(say(`{"jsonrpc":"2.0","id":$ID,"result":`+c.result+`}`)))
			if d.Call.State != c.state || d.Result == nil || !c.fits(*d.Result) {
				t.Errorf("it is %s: %+v", d.Call.State, d.Result)
			}
			if d.Result != nil && d.Result.Raw.Text != c.result {
				t.Errorf("kept as %s", d.Result.Raw.Text)
			}
		})
	}
}

// TestLongText: a text that is too long to show crosses the bridge as its beginning
// and a handle; all of it is kept, and given in windows.
func TestLongText(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	t.Run("field-62 twelve megabytes in one line", func(t *testing.T) {
		r := r.For(t)
		const size = 12 << 20
		d := r.State(p.begin(r, apptest.Act{Say: `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"a$BULKz"}]}}`, Bulk: size}), "succeeded")
		b := d.Result.Blocks[0].Text
		if b.Size != size+2 || len(b.Text) >= 1<<20 || b.Handle == "" || len(d.Result.Raw.Text) >= 1<<20 {
			t.Fatalf("across the bridge go %d of %d bytes, and %d of the raw ones", len(b.Text), b.Size, len(d.Result.Raw.Text))
		}
		if got := r.Get("/payload/"+b.Handle, r.Token).Body.String(); len(got) != size+2 || got[0] != 'a' || got[size+1] != 'z' {
			t.Errorf("the handle gives %d bytes", len(got))
		}
	})
}

// TestOldResults: results of old revisions are whole without what those lack, and
// what a server sends beyond its revision is shown all the same.
func TestOldResults(t *testing.T) {
	r := apptest.Start(t)
	for _, version := range []string{"2024-11-05", "2025-03-26"} {
		p := newPuppet(t, r, map[string]string{"legacy": "",
			"discover.json": `{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`})
		t.Run("RES-11 a server of "+version, func(t *testing.T) {
			r := r.For(t)
			answer := func(result string) app.ResultView {
				d := r.Call(p.id, "do", acts(say(`{"jsonrpc":"2.0","id":$ID,"result":`+result+`}`)))
				if d.Call.State != "succeeded" || d.Result.Raw.Text != result {
					t.Fatalf("%s: %+v", d.Call.State, d.Result)
				}
				return *d.Result
			}
			old := answer(`{"content":[{"type":"text","text":"t"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},{"type":"resource","resource":{"uri":"a:b","text":"r"}}]}`)
			if len(old.Blocks) != 3 || len(old.Notes)+len(old.SchemaErrors) != 0 || old.Structured != nil {
				t.Errorf("laid out as %+v", old)
			}
			newer := answer(`{"content":[{"type":"audio","data":"SUQz","mimeType":"audio/mpeg"},{"type":"resource_link","uri":"a:b","name":"n"}],"structuredContent":{"n":1.0}}`)
			if len(newer.Blocks) != 2 || newer.Blocks[0].Size != 3 || newer.Blocks[1].URI != "a:b" || newer.Structured == nil || newer.Structured.Text != `{"n":1.0}` {
				t.Errorf("laid out as %+v", newer)
			}
		})
	}
}
