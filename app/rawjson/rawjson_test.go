package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCompact(t *testing.T) {
	for _, c := range []struct{ name, in, out, err string }{
		{"numbers keep their text", ` { "a" : 1.0 , "b":[9007199254740993, -0, 1e400] } `, `{"a":1.0,"b":[9007199254740993,-0,1e400]}`, ""},
		{"strings keep their escapes and spaces", "{\"a\":\"x \\u0041  y\\/\"}\n", `{"a":"x \u0041  y\/"}`, ""},
		{"empty containers", "[ { } , [ ] ]", `[{},[]]`, ""},
		{"a surrogate pair is whole", `"\ud83d\ude00"`, `"\ud83d\ude00"`, ""},
		{"duplicate keys", `{"a":1,"a":2}`, "", "stands twice"},
		{"duplicate keys behind an escape", `{"a":1,"\u0061":2}`, "", "stands twice"},
		{"equal keys in two objects are fine", `[{"a":1},{"a":2}]`, `[{"a":1},{"a":2}]`, ""},
		{"lone high surrogate", `{"a":"\ud83d"}`, "", "surrogate"},
		{"lone low surrogate", `"\ude00x"`, "", "surrogate"},
		{"reversed pair", `"\ude00\ud83d"`, "", "surrogate"},
		{"lone surrogate in a name", `{"\ud83d":1}`, "", "surrogate"},
		{"invalid UTF-8", "\"\xff\"", "", "UTF-8"},
		{"overlong UTF-8", "\"\xc0\xaf\"", "", "UTF-8"},
		{"raw control character", "\"a\nb\"", "", "control"},
		{"trailing text", `{} x`, "", "behind"},
		{"two values", `1 2`, "", "behind"},
		{"leading zero", `01`, "", "behind"},
		{"bare point", `1.`, "", "digits"},
		{"trailing comma", `[1,]`, "", "not a JSON value"},
		{"trailing comma in object", `{"a":1,}`, "", "name"},
		{"comment", `{/*x*/}`, "", "name"},
		{"NaN", `NaN`, "", "not a JSON value"},
		{"nothing", ``, "", "ends early"},
		{"byte order mark", "\ufeff{}", "", "not a JSON value"},
		{"cut short", `{"a":[1`, "", "missing"},
		{"too deep", strings.Repeat("[", MaxDepth+1), "", "nested deeper"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Compact([]byte(c.in))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one about %q", err, c.err)
				}
				return
			}
			if err != nil || string(got) != c.out {
				t.Fatalf("got %s, %v; want %s", got, err, c.out)
			}
		})
	}
}

func TestFingerprint(t *testing.T) {
	fp := func(s string) string {
		t.Helper()
		f, err := Fingerprint([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	same := [][2]string{
		{`{"a":1,"b":{"c":[1,2]}}`, ` { "b" : {"c":[1, 2]}, "a":1}`},
		{`{"a":"A"}`, `{"a":"\u0041"}`},
	}
	for _, c := range same {
		if fp(c[0]) != fp(c[1]) {
			t.Errorf("%s and %s differ", c[0], c[1])
		}
	}
	differ := []string{`{}`, `[]`, `null`, `"null"`, `1`, `1.0`, `"1"`, `{"a":1}`, `{"a":[1]}`, `[1,2]`, `[2,1]`, `[[1],2]`,
		`{"a":1,"b":2}`, `{"a":1,"a":2}`, `{"a":2,"a":1}`, `{"ab":1}`, `"\ud83d"`, `"\\ud83d"`, `"\u0000raw:\"\\ud83d\""`, `[{"a":1},{"b":2}]`}
	seen := map[string]string{}
	for _, s := range differ {
		if other, ok := seen[fp(s)]; ok {
			t.Errorf("%s and %s have one fingerprint", s, other)
		}
		seen[fp(s)] = s
	}
}

func TestMembers(t *testing.T) {
	list, err := Members([]byte(` {"a": {"x":[1,{}]} ,"b":"\u0062","a":3}`))
	if err != nil || len(list) != 3 {
		t.Fatalf("%v %v", list, err)
	}
	if string(list[0].Value) != `{"x":[1,{}]}` || string(list[1].Value) != `"\u0062"` || string(list[2].Value) != "3" || list[2].Key != "a" {
		t.Fatalf("%s", list)
	}
	for _, bad := range []string{`[]`, `1`, ``, `{"a"}`, `{"a":1}x`} {
		if _, err := Members([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	if s, ok := GetText([]byte(`{"n":"é\n"}`), "n"); !ok || s != "é\n" {
		t.Errorf("%q %v", s, ok)
	}
}

// FuzzCompact holds the strict reader against the standard one: what it takes
// the standard library takes too, with the same meaning, and taking it twice
// changes nothing.
func FuzzCompact(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\ud83d\ude00",null]}`, `{"a":1,"a":2}`, `"\ud83d"`, "\"\xff\"", `[1e5,-0.1]`, `{"":{"":{}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := Compact(src)
		if _, ferr := Fingerprint(src); (ferr == nil) != json.Valid(src) && len(src) < 500 {
			t.Fatalf("%q: fingerprint says %v, encoding/json says %v", src, ferr, json.Valid(src))
		}
		if err != nil {
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, src); err != nil {
			t.Fatalf("%q is taken, but not JSON: %v", src, err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%q became %q, want %q", src, got, want.Bytes())
		}
	})
}
