package app_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"countersign/app"
	"countersign/app/apptest"
)

// Parts of JSON that a decoder and encoder between would change or lose.
var (
	oddNumbers = []string{"0", "-0", "1.0", "1e400", "-1E+2", "0.10", "9007199254740993", "123456789012345678901234567890.5"}
	oddPieces  = []string{"", "a", "é", `\u00e9`, `\/`, "/", `\n`, `\"`, `\\`, `\u0000`, "😀", `\ud83d\ude00`, `\ud800`, "<b>&amp;", "\u2028", "\u202e", `\u001b[31m`, "e\u0301"}
	oddSpaces  = []string{"", "", "", " ", "  ", "\t"}
)

func jsonText(t *rapid.T) string {
	return `"` + strings.Join(rapid.SliceOfN(rapid.SampledFrom(oddPieces), 0, 6).Draw(t, "text"), "") + `"`
}

// jsonValue writes any JSON value, with keys twice and spaces anywhere.
func jsonValue(t *rapid.T, depth int) string {
	space := func() string { return rapid.SampledFrom(oddSpaces).Draw(t, "space") }
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom(oddNumbers).Draw(t, "number")
	case 1, 2:
		return jsonText(t)
	case 3:
		return rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "word")
	case 4:
		var items []string
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			items = append(items, space()+jsonValue(t, depth-1)+space())
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		members = append(members, space()+jsonText(t)+space()+":"+space()+jsonValue(t, depth-1))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// wireResult is a result as a server wrote it, with its parts.
type wireResult struct {
	text, structured string
	blocks           []string
}

func drawResult(t *rapid.T) wireResult {
	var w wireResult
	for range rapid.IntRange(0, 4).Draw(t, "blocks") {
		kind := rapid.SampledFrom([]string{"text", "hologram", "image"}).Draw(t, "type")
		member := map[string]string{"text": "text", "hologram": "rays", "image": "data"}[kind]
		w.blocks = append(w.blocks, `{"`+member+`": `+jsonValue(t, 2)+`,"type":"`+kind+`","x":`+jsonValue(t, 2)+`}`)
	}
	w.structured = jsonValue(t, 6)
	parts := rapid.Permutation([]string{
		`"content" :[` + strings.Join(w.blocks, ", ") + `]`, `"structuredContent":` + w.structured, `"isError":false`,
		`"_meta":{"a/b": ` + jsonValue(t, 3) + `}`, `"later":` + jsonValue(t, 3),
		`"bulk":"` + strings.Repeat(`é\u00e9`, rapid.SampledFrom([]int{0, 200_000}).Draw(t, "bulk")) + `"`,
	}).Draw(t, "order")
	w.text = "{" + strings.Join(parts, ", ") + "}"
	return w
}

// TestKeptBytes: whatever a real server sends as a result, what is kept, shown raw
// and handed to the page by handle are the bytes that crossed the wire.
func TestKeptBytes(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	// all gives the bytes as the page has them: whole, or by their handle.
	all := func(t *testing.T, v app.BytesView) string {
		t.Helper()
		if v.Handle == "" {
			return v.Text
		}
		got := r.Get("/payload/"+v.Handle, r.Token).Body.String()
		if int64(len(got)) != v.Size || !strings.HasPrefix(got, v.Text) {
			t.Errorf("the handle gives %d bytes of %d", len(got), v.Size)
		}
		return got
	}
	t.Run("RES-06 RES-10 field-24 field-48 random results, byte for byte", func(t *testing.T) {
		r := r.For(t)
		seed := rand.IntN(1 << 30)
		draw := rapid.Custom(drawResult)
		for n := range 20 {
			w := draw.Example(seed + n)
			d := r.State(p.begin(r, say(`{"jsonrpc":"2.0","id":$ID,"result":`+w.text+`}`)), finals...)
			if d.Call.State != "succeeded" {
				t.Fatalf("seed %d: it is %s (%s) after\n%.5000s", seed+n, d.Call.State, d.Call.Summary, w.text)
			}
			if got := all(t, d.Result.Raw); got != w.text {
				t.Errorf("seed %d: sent\n%.5000s\nkept\n%.5000s", seed+n, w.text, got)
			}
			switch s := d.Result.Structured; {
			case w.structured == "null":
			case s == nil:
				t.Errorf("seed %d: structured content is lost: %s", seed+n, w.structured)
			case all(t, *s) != w.structured:
				t.Errorf("seed %d: sent\n%s\nshown\n%s", seed+n, w.structured, s.Text)
			}
			if len(d.Result.Blocks) != len(w.blocks) {
				t.Fatalf("seed %d: %d blocks of %d", seed+n, len(d.Result.Blocks), len(w.blocks))
			}
			for i, b := range d.Result.Blocks {
				if b.Raw != w.blocks[i] {
					t.Errorf("seed %d: sent\n%s\nshown\n%s", seed+n, w.blocks[i], b.Raw)
				}
			}
		}
		crosses(t, r)
	})
}
