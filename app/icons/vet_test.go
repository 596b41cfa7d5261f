package icons_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"countersign/app/icons"
)

func code(t *testing.T, err error) icons.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	var refused *icons.RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("error is %T (%v), want *RefusedError", err, err)
	}
	return refused.Code
}

func dataURI(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

func TestVet(t *testing.T) {
	const own = "https://tools.example"
	some := []byte("some bytes; vetting does not look at them")
	tests := []struct {
		name   string
		icon   icons.Icon
		origin string
		want   icons.Code
	}{
		{"ICON-03 https of the own origin", icons.Icon{Src: "https://tools.example/a.png"}, own, ""},
		{"ICON-03 data PNG", icons.Icon{Src: dataURI("image/png", some)}, own, ""},
		{"ICON-03 data JPEG of a stdio server", icons.Icon{Src: dataURI("image/jpeg", some)}, "", ""},
		{"ICON-01 image/jpg is JPEG", icons.Icon{Src: dataURI("image/jpg", some), MIMEType: "image/jpeg"}, "", ""},
		{"scheme and type in capitals", icons.Icon{Src: "DATA:IMAGE/PNG;BASE64,AAAA"}, "", ""},
		{"data without padding", icons.Icon{Src: "data:image/png;base64,AA"}, "", ""},
		{"data percent-encoded and broken into lines", icons.Icon{Src: "data:image/png;base64,AA%2B\n /AA%3D%3D"}, "", ""},
		{"data with parameters", icons.Icon{Src: "data:image/png;name=a;base64,AAAA"}, "", ""},
		{"port written out", icons.Icon{Src: "https://TOOLS.example:443/a.png"}, own, ""},
		{"origin given as the server's whole address", icons.Icon{Src: "https://tools.example:8443/a"}, "https://tools.example:8443/mcp?x=1", ""},

		{"ICON-03 http", icons.Icon{Src: "http://tools.example/a.png"}, own, icons.CodeScheme},
		{"ICON-03 http of an http server", icons.Icon{Src: "http://tools.example/a.png"}, "http://tools.example", icons.CodeScheme},
		{"ICON-03 javascript", icons.Icon{Src: "javascript:alert(1)"}, own, icons.CodeScheme},
		{"ICON-03 file", icons.Icon{Src: "file:///etc/passwd"}, own, icons.CodeScheme},
		{"ICON-03 ftp", icons.Icon{Src: "ftp://tools.example/a.png"}, own, icons.CodeScheme},
		{"ICON-03 ws", icons.Icon{Src: "ws://tools.example/a"}, own, icons.CodeScheme},
		{"ICON-03 app scheme", icons.Icon{Src: "wails://wails/icon"}, own, icons.CodeScheme},
		{"ICON-03 blob", icons.Icon{Src: "blob:https://tools.example/1"}, own, icons.CodeScheme},
		{"ICON-03 leading space", icons.Icon{Src: " https://tools.example/a.png"}, own, icons.CodeScheme},

		{"ICON-06 other host", icons.Icon{Src: "https://cdn.example/a.png"}, own, icons.CodeOrigin},
		{"ICON-06 host below the own", icons.Icon{Src: "https://a.tools.example/a.png"}, own, icons.CodeOrigin},
		{"ICON-06 other port", icons.Icon{Src: "https://tools.example:444/a.png"}, own, icons.CodeOrigin},
		{"ICON-06 own host as user name", icons.Icon{Src: "https://tools.example@evil.example/a.png"}, own, icons.CodeOrigin},
		{"ICON-05 user name", icons.Icon{Src: "https://u:p@tools.example/a.png"}, own, icons.CodeOrigin},
		{"ICON-06 https server, icon from http server's host", icons.Icon{Src: "https://tools.example/a.png"}, "http://tools.example", icons.CodeOrigin},
		{"ICON-06 https icon of a stdio server", icons.Icon{Src: "https://tools.example/a.png"}, "", icons.CodeOrigin},

		{"ICON-07 SVG data", icons.Icon{Src: dataURI("image/svg+xml", some)}, own, icons.CodeType},
		{"ICON-07 SVG stated", icons.Icon{Src: "https://tools.example/a", MIMEType: "image/svg+xml"}, own, icons.CodeType},
		{"GIF data", icons.Icon{Src: dataURI("image/gif", some)}, own, icons.CodeType},
		{"WebP stated", icons.Icon{Src: "https://tools.example/a", MIMEType: "image/webp"}, own, icons.CodeType},
		{"HTML data", icons.Icon{Src: dataURI("text/html", some)}, own, icons.CodeType},
		{"data without a type", icons.Icon{Src: "data:;base64,AAAA"}, own, icons.CodeType},
		{"ICON-08 two claims that differ", icons.Icon{Src: dataURI("image/png", some), MIMEType: "image/jpeg"}, own, icons.CodeType},
		{"unreadable type", icons.Icon{Src: "https://tools.example/a", MIMEType: "/;;"}, own, icons.CodeType},

		{"ICON-02 oversized data", icons.Icon{Src: dataURI("image/png", make([]byte, icons.MaxBytes+1))}, own, icons.CodeSize},
		{"ICON-02 oversized text", icons.Icon{Src: "data:image/png;base64," + strings.Repeat("\n", 4*icons.MaxBytes)}, own, icons.CodeSize},
		{"ICON-02 long address", icons.Icon{Src: "https://tools.example/" + strings.Repeat("a", 4096)}, own, icons.CodeSize},
		{"data of the largest size", icons.Icon{Src: dataURI("image/png", make([]byte, icons.MaxBytes))}, own, ""},

		{"plain data", icons.Icon{Src: "data:image/png,%89PNG"}, own, icons.CodeMalformed},
		{"base64 as type", icons.Icon{Src: "data:base64,AAAA"}, own, icons.CodeMalformed},
		{"not Base64", icons.Icon{Src: "data:image/png;base64,!!!"}, own, icons.CodeMalformed},
		{"bad percent-encoding", icons.Icon{Src: "data:image/png;base64,AA%zz"}, own, icons.CodeMalformed},
		{"empty data", icons.Icon{Src: "data:image/png;base64,"}, own, icons.CodeMalformed},
		{"data without comma", icons.Icon{Src: "data:image/png;base64"}, own, icons.CodeMalformed},
		{"relative", icons.Icon{Src: "/icon.png"}, own, icons.CodeMalformed},
		{"empty", icons.Icon{}, own, icons.CodeMalformed},
		{"no host", icons.Icon{Src: "https:///a.png"}, own, icons.CodeMalformed},
		{"no slashes", icons.Icon{Src: "https:tools.example/a.png"}, own, icons.CodeMalformed},
		{"line break in the address", icons.Icon{Src: "https://tools.example/\na"}, own, icons.CodeMalformed},
		{"unreadable server address", icons.Icon{Src: "https://tools.example/a"}, "https://[", icons.CodeMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := icons.Vet(tt.icon, tt.origin)
			if got := code(t, err); got != tt.want {
				t.Fatalf("code %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

func TestPick(t *testing.T) {
	list := func(items ...string) json.RawMessage { return json.RawMessage("[" + strings.Join(items, ",") + "]") }
	item := func(path, rest string) string { return `{"src":"https://tools.example/` + path + `"` + rest + `}` }
	tests := []struct {
		name     string
		raw      json.RawMessage
		theme    string
		want     string // last path parts of what is picked, in order
		refusals int
	}{
		{"nothing", nil, "light", "", 0},
		{"null", json.RawMessage("null"), "light", "", 0},
		{"not a list", json.RawMessage(`{"src":"x"}`), "light", "", 1},
		{"ICON-09 nearest size", list(item("16", `,"sizes":["16x16"]`), item("512", `,"sizes":["512x512"]`), item("64", `,"sizes":["64x64"]`)), "light", "64 16 512", 0},
		{"ICON-09 one of several sizes", list(item("a", `,"sizes":["96x96"]`), item("b", `,"sizes":["16x16","48x48"]`)), "light", "b a", 0},
		{"ICON-09 drawing smaller is better than larger", list(item("a", `,"sizes":["32x32"]`), item("b", `,"sizes":["64x64"]`)), "light", "b a", 0},
		{"ICON-09 any and absent keep their order", list(item("a", ""), item("b", `,"sizes":["any"]`), item("c", `,"sizes":["48x48"]`)), "light", "c a b", 0},
		{"ICON-09 theme before size", list(item("a", `,"sizes":["48x48"],"theme":"light"`), item("b", `,"sizes":["256x256"],"theme":"dark"`), item("c", "")), "dark", "b c a", 0},
		{"sizes as one string", list(item("a", `,"sizes":"512x512"`), item("b", `,"sizes":"16x16 48x48"`)), "light", "b a", 0},
		{"unreadable parts count as absent", list(item("a", `,"sizes":[7,"x","ax1","1xa"],"theme":9,"mimeType":null`)), "light", "a", 0},
		{"bad entries leave the good ones", list(`7`, `null`, `{}`, `{"src":7}`, item("a", ""), `{"src":"http://tools.example/b"}`), "light", "a", 5},
		{"ICON-02 too many", list(strings.Split(strings.Repeat(item("a", "")+"\n", 40), "\n")[:40]...), "light", strings.TrimSpace(strings.Repeat("a ", 32)), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sources, refusals := icons.Pick(tt.raw, tt.theme, "https://tools.example/mcp")
			var got []string
			for _, s := range sources {
				got = append(got, strings.TrimPrefix(s.Src(), "https://tools.example/"))
			}
			if strings.Join(got, " ") != tt.want || len(refusals) != tt.refusals {
				t.Fatalf("picked %q with refusals %v, want %q and %d", got, refusals, tt.want, tt.refusals)
			}
		})
	}
}
