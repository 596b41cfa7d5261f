package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		kind     string // request, notification, response or error
		id       string
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":[1,2]}}`, "request", "1"},
		{"BASE-07 text id keeps its quotes", `{"id":"1","method":"a"}`, "request", `"1"`},
		{"notification", `{"method":"a"}`, "notification", ""},
		{"null id is none", `{"method":"a","id":null}`, "notification", "null"},
		{"result", `{"id":3,"result":null}`, "response", "3"},
		{"BASE-08 error without id", `{"error":{"code":-1,"message":"m"}}`, "response", ""},
		{"error null beside a result", `{"id":3,"result":{},"error":null}`, "response", "3"},
		{"unknown members", `{"x":{"id":9},"id":3,"result":{}}`, "response", "3"},
		{"white space", " {\t\"id\" : 3 , \"result\" : { } } ", "response", "3"},
		{"escaped key", `{"\u0069d":3,"result":{}}`, "response", "3"},
		{"number", `42`, "error", ""},
		{"array", `[{"id":1,"result":{}}]`, "error", ""},
		{"empty object", `{}`, "error", ""},
		{"id object", `{"id":{},"result":{}}`, "error", ""},
		{"method number", `{"id":1,"method":5}`, "error", ""},
		{"cut", `{"id":1,"result":{"a":"b`, "error", ""},
		{"trailing", `{"id":1,"result":{}} {}`, "error", ""},
		{"bad number", `{"id":1,"result":01}`, "error", ""},
		{"bad escape", `{"id":1,"result":"\x"}`, "error", ""},
		{"too deep", `{"id":1,"result":` + strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1) + `}`, "error", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := Parse([]byte(test.in))
			kind := "error"
			if err == nil {
				switch {
				case m.IsRequest():
					kind = "request"
				case m.IsNotification():
					kind = "notification"
				case m.IsResponse():
					kind = "response"
				}
			}
			if kind != test.kind || err == nil && string(m.ID) != test.id {
				t.Errorf("got %s with id %s (%v), want %s with id %s", kind, m.ID, err, test.kind, test.id)
			}
		})
	}
}

func TestBytesAreKept(t *testing.T) {
	t.Run("field-24 numbers, order and unknown members survive", func(t *testing.T) {
		const result = `{ "b":9007199254740993,"a":1.0e0 ,"é":"\ud83d\ude00\/" }`
		m, err := Parse([]byte(`{"id":1,"result":` + result + `}`))
		if err != nil || string(m.Result) != result {
			t.Errorf("got %s (%v)", m.Result, err)
		}
	})
	t.Run("field-69 bytes that are not UTF-8 stay", func(t *testing.T) {
		m, err := Parse([]byte("{\"id\":1,\"result\":{\"i\":\"a \x97 b\"}}"))
		if err != nil || string(m.Result) != "{\"i\":\"a \x97 b\"}" {
			t.Errorf("got %q (%v)", m.Result, err)
		}
	})
}

func TestStringRoundTrip(t *testing.T) {
	for _, raw := range []string{
		`""`, `"a"`, `"\u0000\u001f\u007f"`, `"\n\r\t\b\f"`, `"\"\\/"`, `"\ud83d\ude00"`, `"😀"`,
		`"\ud800"`, `"a\udfffb"`, `"\ud800\ud800\udc00"`, "\"\x97\"", "\"\u2028<&>\"",
	} {
		s, ok := String([]byte(raw))
		if !ok {
			t.Fatalf("%s is not read", raw)
		}
		back := AppendString(nil, s)
		again, ok := String(back)
		if !ok || again != s {
			t.Errorf("%s came back as %s", raw, back)
		}
		if bytes.IndexByte(back, '\n') >= 0 {
			t.Errorf("%s has a raw line feed", back)
		}
		if utf8.ValidString(s) { // where the usual library keeps the text it must agree
			var want string
			if err := json.Unmarshal([]byte(raw), &want); err != nil || want != s {
				t.Errorf("%s: got %q, encoding/json says %q (%v)", raw, s, want, err)
			}
		}
	}
	if got := string(AppendString(nil, "\xed\xa0\x80")); got != `"\ud800"` {
		t.Errorf("a lone surrogate was written as %s", got)
	}
}

func TestFrames(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"request", string(AppendRequest(nil, 7, "a", []byte(`{"x":1}`))), `{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":1}}`},
		{"BASE-04 notification has no id", string(AppendNotification(nil, "a", nil)), `{"jsonrpc":"2.0","method":"a"}`},
		{"field-106 result keeps the id's type", string(AppendResult(nil, json.RawMessage(`"srv-1"`), []byte(`{}`))), `{"jsonrpc":"2.0","id":"srv-1","result":{}}`},
		{"error", string(AppendError(nil, json.RawMessage(`9`), &Error{Code: -32601, Message: "no"})), `{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"no"}}`},
		{"error without id", string(AppendError(nil, nil, &Error{Code: 1, Message: "", Data: []byte("[]")})), `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"","data":[]}}`},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, test.got, test.want)
		}
	}
}

func TestMembers(t *testing.T) {
	if v, ok := Get([]byte(`{"a":1,"a":2}`), "a"); !ok || string(v) != "2" {
		t.Errorf("a key that stands twice: got %s", v)
	}
	for _, bad := range []string{``, `[]`, `{"a"}`, `{"a":1,}`, `{"a":1}x`, `{a:1}`, `{"a":}`} {
		if _, ok := Get([]byte(bad), "a"); ok {
			t.Errorf("%s was read", bad)
		}
	}
	for _, bad := range []string{``, `{}`, `[1,]`, `[1`, `[1]x`, `[,]`} {
		if Elements([]byte(bad), func([]byte) bool { return true }) == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// FuzzParse checks the scanner against the standard library: both must agree on
// what is JSON, but for text that is not UTF-8.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, `{"id":"3","error":{"code":-32601}}`, `[{"id":1,"result":1}]`,
		`{"method":"a","params":{"s":"\ud800\n\\\""}}`, `{"id":-0,"result":-1.5E+10}`, "{\"id\":1,\"result\":\"\x97\"}",
		`{"a":[[[{}]]],"b":tru}`, `nul`, `"`, `{"":{"":[""]}}`, `{"id":1.0e400,"result":0}`, "\xef\xbb\xbf{}", `{"id":1,"result":"` + strings.Repeat("x", 70) + `\\"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := Valid(b), json.Valid(b); got != want {
			t.Fatalf("Valid(%q) = %v, encoding/json says %v", b, got, want)
		}
		m, err := Parse(b)
		if err != nil {
			return
		}
		for _, part := range [][]byte{m.ID, m.Params, m.Result, m.Error} {
			if part != nil && (!json.Valid(part) || !bytes.Contains(b, part)) {
				t.Fatalf("part %q of %q", part, b)
			}
		}
		if s, ok := String(m.ID); ok && m.ID != nil {
			if again, ok := String(AppendString(nil, s)); !ok || again != s {
				t.Fatalf("text %q became %q", s, again)
			}
		}
		PeekID(b, b)
	})
}

func BenchmarkParse(b *testing.B) {
	big := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("some text of a result\\n", 1<<16) + `"}]}}`)
	b.SetBytes(int64(len(big)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(big); err != nil {
			b.Fatal(err)
		}
	}
}
