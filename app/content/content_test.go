package content

import (
	"strings"
	"testing"
)

const png = "iVBORw0KGgo=" // the first eight bytes of every PNG

func TestView(t *testing.T) {
	for _, c := range []struct {
		name, result string
		blocks       string // type:problem part, by block, separated by spaces; "-" for none
		check        func(t *testing.T, v ResultView)
	}{
		{"report 44: structured content alone", `{"structuredContent":{"ship":"wren"}}`, "", func(t *testing.T, v ResultView) {
			if !v.HasStructured || v.IsError || len(v.Notes) != 1 {
				t.Errorf("%+v", v)
			}
		}},
		{"report 45: empty", `{"content":[]}`, "", noted("empty")},
		{"report 45: null", `{"content":null}`, "", noted("empty")},
		{"report 45: nothing", `{}`, "", noted("empty")},
		{"report 46: structured null is none", `{"content":[{"type":"text","text":"hi"}],"structuredContent":null}`, "text:-", func(t *testing.T, v ResultView) {
			if v.HasStructured {
				t.Error("null counts")
			}
		}},
		{"RES-06 false and 0 are structured content", `{"structuredContent":false,"content":[]}`, "", func(t *testing.T, v ResultView) {
			if !v.HasStructured || string(v.Structured) != "false" {
				t.Errorf("%+v", v)
			}
		}},
		{"report 24: numbers stay as sent", `{"structuredContent":{"id":9007199254740993, "n":1.0}}`, "", func(t *testing.T, v ResultView) {
			if string(v.Structured) != `{"id":9007199254740993, "n":1.0}` {
				t.Errorf("%s", v.Structured)
			}
		}},
		{"report 48: unknown blocks stay, known ones show", `{"content":[{"type":"text","text":"kept"},{"type":"json","json":{"a":1}},{"type":"blob","data":"AA=="}]}`, "text:- json:known blob:known", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "kept" || string(v.Blocks[1].Raw) != `{"type":"json","json":{"a":1}}` {
				t.Errorf("%+v", v)
			}
		}},
		{"report 49: an image alone", `{"content":[{"type":"image","data":"` + png + `","mimeType":"image/png"}]}`, "image:-", func(t *testing.T, v ResultView) {
			if b := v.Blocks[0]; b.Size != 8 || b.Sniffed != "image/png" {
				t.Errorf("%+v", b)
			}
		}},
		{"report 51: isError", `{"isError":true,"content":[{"type":"text","text":"quota used up"}],"structuredContent":{"error":"quota"}}`, "text:-", func(t *testing.T, v ResultView) {
			if !v.IsError {
				t.Error("no error")
			}
		}},
		{"report 53: a data: prefix", `{"content":[{"type":"image","data":"data:image/png;base64,` + png + `","mimeType":"image/png"},{"type":"text","text":"cap"}]}`, "image:prefix text:-", func(t *testing.T, v ResultView) {
			if len(v.Blocks[0].Data) != 8 {
				t.Error("not decoded")
			}
		}},
		{"report 57: an address in place of bytes", `{"content":[{"type":"image","mimeType":"image/png","data":"https://img.example.test/p.png"}]}`, "image:not-opened", nil},
		{"bytes of another type", `{"content":[{"type":"image","mimeType":"image/png","data":"/9j/4A=="}]}`, "image:bytes-are-image/jpeg", nil},
		{"HTML as an image", `{"content":[{"type":"image","mimeType":"image/png","data":"PGh0bWw+"}]}`, "image:no-image", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Sniffed != "application/octet-stream" {
				t.Error(v.Blocks[0].Sniffed)
			}
		}},
		{"no Base64", `{"content":[{"type":"audio","data":"!!","mimeType":"audio/wav"}]}`, "audio:Base64", nil},
		{"URL Base64 without padding", `{"content":[{"type":"image","data":"_9j_4A","mimeType":"image/jpg"}]}`, "image:-", nil},
		{"wrong member types", `{"content":[{"type":"text","text":7},{"type":"image"},{"type":"resource"},{"type":"resource_link"},{},"x",null,7]}`,
			"text:protocol image:no-data resource:read resource_link:address :type :protocol :type :protocol", nil},
		{"RES-04 embedded resources", `{"content":[{"type":"resource","resource":{"uri":"a:b","mimeType":"text/html","text":"<b>"}},{"type":"resource","resource":{"uri":"a:c","blob":"AAE="}},{"type":"resource","resource":{"uri":"a:d"}}]}`,
			"resource:- resource:- resource:neither", func(t *testing.T, v ResultView) {
				if v.Blocks[0].Text != "<b>" || len(v.Blocks[1].Data) != 2 {
					t.Errorf("%+v", v)
				}
			}},
		{"RES-05 annotations", `{"content":[{"type":"text","text":"x","annotations":{"audience":["user"],"priority":0.5}}]}`, "text:-", func(t *testing.T, v ResultView) {
			if b := v.Blocks[0]; len(b.Audience) != 1 || b.Priority != "0.5" {
				t.Errorf("%+v", b)
			}
		}},
		{"content that is no list", `{"content":{"type":"text","text":"x"}}`, "text:-", noted("no list")},
		{"no object", `[1]`, "", noted("no JSON object")},
		{"an isError that is neither", `{"isError":"yes","content":[{"type":"text","text":"x"}]}`, "text:-", noted("isError")},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := View([]byte(c.result))
			var want []string
			if c.blocks != "" {
				want = strings.Split(c.blocks, " ")
			}
			if len(v.Blocks) != len(want) {
				t.Fatalf("%+v", v)
			}
			for i, w := range want {
				kind, part, _ := strings.Cut(w, ":")
				b := v.Blocks[i]
				part = strings.ReplaceAll(part, "-", " ")
				if b.Type != kind || (part == " ") != (b.Problem == "") || part != " " && !strings.Contains(b.Problem, part) {
					t.Errorf("block %d: type %q, problem %q, want %s", i, b.Type, b.Problem, w)
				}
				if len(b.Raw) == 0 {
					t.Errorf("block %d lost its bytes", i)
				}
			}
			if c.check != nil {
				c.check(t, v)
			}
		})
	}
}

func noted(part string) func(*testing.T, ResultView) {
	return func(t *testing.T, v ResultView) {
		if len(v.Notes) == 0 || !strings.Contains(v.Notes[0], part) {
			t.Errorf("%v says nothing about %q", v.Notes, part)
		}
	}
}

func FuzzView(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"image","data":"` + png + `"},{"type":"resource","resource":{"blob":"AA"}}],"structuredContent":[1]}`))
	f.Add([]byte(`{"content":[null,{"type":"text"}]}`))
	f.Fuzz(func(_ *testing.T, b []byte) { View(b) })
}
