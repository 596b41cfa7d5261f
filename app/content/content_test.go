package content

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

const png = "iVBORw0KGgo=" // the first eight bytes of every PNG

func TestView(t *testing.T) {
	for _, c := range []struct {
		name, result string
		blocks       string // type:problem part, by block, separated by spaces; "-" for none
		check        func(t *testing.T, v ResultView)
	}{
		{"field-44 structured content alone", `{"structuredContent":{"ship":"wren"}}`, "", func(t *testing.T, v ResultView) {
			if !v.HasStructured || v.IsError || len(v.Notes) != 1 {
				t.Errorf("%+v", v)
			}
		}},
		{"field-45 empty", `{"content":[]}`, "", noted("empty")},
		{"field-45 null", `{"content":null}`, "", noted("empty")},
		{"field-45 nothing", `{}`, "", noted("empty")},
		{"field-46 structured null is none", `{"content":[{"type":"text","text":"hi"}],"structuredContent":null}`, "text:-", func(t *testing.T, v ResultView) {
			if v.HasStructured || !v.StructuredNull || v.Structured != nil || len(v.Notes) != 1 {
				t.Errorf("null counts: %+v", v)
			}
		}},
		{"RES-06 false and 0 are structured content", `{"structuredContent":false,"content":[]}`, "", func(t *testing.T, v ResultView) {
			if !v.HasStructured || string(v.Structured) != "false" {
				t.Errorf("%+v", v)
			}
		}},
		{"field-24 numbers stay as sent", `{"structuredContent":{"id":9007199254740993, "n":1.0}}`, "", func(t *testing.T, v ResultView) {
			if string(v.Structured) != `{"id":9007199254740993, "n":1.0}` {
				t.Errorf("%s", v.Structured)
			}
		}},
		{"field-48 unknown blocks stay, known ones show", `{"content":[{"type":"text","text":"kept"},{"type":"json","json":{"a":1}},{"type":"blob","data":"AA=="}]}`, "text:- json:known blob:known", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "kept" || string(v.Blocks[1].Raw) != `{"type":"json","json":{"a":1}}` {
				t.Errorf("%+v", v)
			}
		}},
		{"field-49 an image alone", `{"content":[{"type":"image","data":"` + png + `","mimeType":"image/png"}]}`, "image:-", func(t *testing.T, v ResultView) {
			if b := v.Blocks[0]; b.Size != 8 || b.Sniffed != "image/png" {
				t.Errorf("%+v", b)
			}
		}},
		{"field-51 isError", `{"isError":true,"content":[{"type":"text","text":"quota used up"}],"structuredContent":{"error":"quota"}}`, "text:-", func(t *testing.T, v ResultView) {
			if !v.IsError {
				t.Error("no error")
			}
		}},
		{"field-53 a data: prefix", `{"content":[{"type":"image","data":"data:image/png;base64,` + png + `","mimeType":"image/png"},{"type":"text","text":"cap"}]}`, "image:prefix text:-", func(t *testing.T, v ResultView) {
			if len(v.Blocks[0].Data) != 8 {
				t.Error("not decoded")
			}
		}},
		{"field-57 an address in place of bytes", `{"content":[{"type":"image","mimeType":"image/png","data":"https://img.example.test/p.png"}]}`, "image:not-opened", nil},
		{"bytes of another type", `{"content":[{"type":"image","mimeType":"image/png","data":"/9j/4A=="}]}`, "image:bytes-are-image/jpeg", nil},
		{"HTML as an image", `{"content":[{"type":"image","mimeType":"image/png","data":"PGh0bWw+"}]}`, "image:no-image", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Sniffed != "application/octet-stream" {
				t.Error(v.Blocks[0].Sniffed)
			}
		}},
		{"no Base64", `{"content":[{"type":"audio","data":"!!","mimeType":"audio/wav"}]}`, "audio:Base64", nil},
		{"URL Base64 without padding", `{"content":[{"type":"image","data":"_9j_4A","mimeType":"image/jpg"}]}`, "image:-", nil},
		{"wrong member types", `{"content":[{"type":"text","text":7},{"type":"image"},{"type":"resource"},{"type":"resource_link"},{},"x",null,7]}`,
			"text:not-a-text image:no-data resource:missing resource_link:address :type :bare-text :no-object :no-object", nil},
		{"one odd member costs itself", `{"content":[{"type":"text","text":"kept","annotations":7,"mimeType":[]},{"type":"resource_link","uri":"a:b","name":7,"size":"big","title":"T"}]}`,
			"text:mimeType-is-not resource_link:size-is-no", func(t *testing.T, v ResultView) {
				if v.Blocks[0].Text != "kept" || v.Blocks[1].URI != "a:b" || v.Blocks[1].Title != "T" {
					t.Errorf("%+v", v)
				}
			}},
		{"RES-02 text, image and audio by their members", `{"content":[{"type":"text","text":"t"},{"type":"image","data":"` + png + `","mimeType":"image/png"},{"type":"audio","data":"SUQz","mimeType":"audio/mpeg"}]}`,
			"text:- image:- audio:-", func(t *testing.T, v ResultView) {
				if a, b, c := v.Blocks[0], v.Blocks[1], v.Blocks[2]; a.Text != "t" || b.MIME != "image/png" || len(b.Data) != 8 || c.MIME != "audio/mpeg" || string(c.Data) != "ID3" {
					t.Errorf("%+v", v)
				}
			}},
		{"RES-02 what lacks a member costs its block alone", `{"content":[{"type":"text"},{"type":"image","mimeType":"image/png"},{"type":"audio","data":null,"mimeType":"audio/mpeg"},{"type":"image","data":"` + png + `"}]}`,
			"text:no-text image:no-data audio:no-data image:-", func(t *testing.T, v ResultView) {
				if b := v.Blocks[3]; b.MIME != "" || b.Sniffed != "image/png" {
					t.Errorf("%+v", b)
				}
			}},
		{"RES-03 a link", `{"content":[{"type":"resource_link","uri":"file:///etc/passwd","name":"n","title":"T","description":"d","mimeType":"text/plain","size":9007199254740993}]}`, "resource_link:-", func(t *testing.T, v ResultView) {
			if b := v.Blocks[0]; b.URI != "file:///etc/passwd" || b.Name != "n" || b.Title != "T" || b.Description != "d" || b.MIME != "text/plain" || b.Size != 9007199254740993 || b.Data != nil {
				t.Errorf("%+v", b)
			}
		}},
		{"member names are exact", `{"Content":[],"content":[{"type":"text","text":"a","Text":"b","TEXT":"c"}],"ISERROR":true}`, "text:-", func(t *testing.T, v ResultView) {
			if v.IsError || v.Blocks[0].Text != "a" {
				t.Errorf("%+v", v)
			}
		}},
		{"members that are there twice", `{"content":[{"type":"text","text":"a","text":"b"}],"isError":false,"isError":true}`, "text:twice", func(t *testing.T, v ResultView) {
			if !v.IsError || v.Blocks[0].Text != "b" || len(v.Notes) != 1 {
				t.Errorf("%+v", v)
			}
		}},
		{"field-69 bytes that are no UTF-8", "{\"content\":[{\"type\":\"text\",\"text\":\"a \x97 b\"}]}", "text:broken", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "a \ufffd b" || !strings.Contains(string(v.Blocks[0].Raw), "a \x97 b") {
				t.Errorf("%+v", v)
			}
		}},
		{"half a character", `{"content":[{"type":"text","text":"a\ud83d"}]}`, "text:broken", nil},
		{"field-61 text is text", `{"content":[{"type":"text","text":"row 1\nrow 2\n\ttab"}]}`, "text:-", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "row 1\nrow 2\n\ttab" {
				t.Errorf("%+v", v)
			}
		}},
		{"field-53 a data: address that is no Base64", `{"content":[{"type":"image","data":"data:image/svg+xml,<svg/>"}]}`, "image:not-Base64", nil},
		{"field-57 any address", `{"content":[{"type":"audio","data":"file:///a.wav"}]}`, "audio:not-opened", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "file:///a.wav" || v.Blocks[0].Data != nil {
				t.Errorf("%+v", v)
			}
		}},
		{"ICON-07 SVG is no image here", `{"content":[{"type":"image","mimeType":"image/svg+xml","data":"PHN2Zy8+"}]}`, "image:no-image", nil},
		{"Base64 in lines", `{"content":[{"type":"image","data":"iVBO\r\nRw0K\nGgo="}]}`, "image:-", nil},
		{"an empty image", `{"content":[{"type":"image","data":""}]}`, "image:empty", nil},
		{"text and bytes at once", `{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t","blob":"AAE="}}]}`, "resource:both", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "t" {
				t.Errorf("%+v", v)
			}
		}},
		{"content as a text", `{"content":"all done"}`, ":bare-text", func(t *testing.T, v ResultView) {
			if v.Blocks[0].Text != "all done" || len(v.Notes) != 1 {
				t.Errorf("%+v", v)
			}
		}},
		{"a block that is very deep", `{"content":[{"type":"text","text":"kept"},{"type":"x","y":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}]}`, "text:- x:known", nil},
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

func TestManyBlocks(t *testing.T) {
	v := View([]byte(`{"content":[` + strings.Repeat(`{"type":"text","text":"x"},`, MaxBlocks+1) + `{"type":"text","text":"y"}]}`))
	if len(v.Blocks) != MaxBlocks || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "5002 blocks; the last 2") {
		t.Errorf("%d blocks, %v", len(v.Blocks), v.Notes)
	}
}

// TestLargeText is report 62: 12 MB, one line of 3 MB.
func TestLargeText(t *testing.T) {
	text := strings.Repeat("a", 3<<20) + strings.Repeat("line\n", 9<<20/5)
	raw, err := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := View(raw); len(v.Blocks) != 1 || v.Blocks[0].Text != text || v.Blocks[0].Problem != "" {
		t.Error("the text is another")
	}
}

func TestSniff(t *testing.T) {
	for head, want := range map[string]string{
		"\x89PNG\r\n\x1a\n": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a": "image/gif", "RIFF1234WEBPVP8 ": "image/webp",
		"RIFF1234WAVEfmt ": "audio/wav", "OggS": "audio/ogg", "ID3": "audio/mpeg", "\xff\xfb\x90": "audio/mpeg",
		"": "application/octet-stream", "<svg/>": "application/octet-stream", "<!doctype html>": "application/octet-stream", "%PDF-": "application/octet-stream", "RIFF": "application/octet-stream",
	} {
		if got := Sniff([]byte(head)); got != want {
			t.Errorf("%q: %s, want %s", head, got, want)
		}
	}
}

func FuzzView(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"image","data":"` + png + `"},{"type":"resource","resource":{"blob":"AA"}}],"structuredContent":[1]}`,
		`{"content":[null,{"type":"text"}]}`, `{"content":"x","isError":1,"structuredContent":null}`,
		`{"content":[{"type":"audio","data":"data:;base64,//8"},{"type":"resource_link","uri":"a","size":-1}],"content":[]}`,
		"{\"content\":[{\"type\":\"text\",\"text\":\"\x97\\ud800\"}]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v := View(b)
		if v.HasStructured == (v.Structured == nil) || !bytes.Contains(b, v.Structured) {
			t.Errorf("structured content %q of %q", v.Structured, b)
		}
		for _, block := range v.Blocks {
			if len(block.Raw) == 0 || !bytes.Contains(b, block.Raw) { // nothing is encoded anew
				t.Errorf("block %q of %q", block.Raw, b)
			}
			if !utf8.ValidString(block.Text + block.Type + block.URI + block.Name + block.Problem) {
				t.Errorf("broken text in %+v", block)
			}
		}
	})
}
