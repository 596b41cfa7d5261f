package mcpclient

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestHeaderValue: what is put into a header means the argument to the byte, and
// a transport changes nothing of it.
func TestHeaderValue(t *testing.T) {
	for _, test := range []struct{ ids, in, want string }{
		{"HDR-20", "us-west1", "us-west1"},
		{"HDR-17 HDR-18 HDR-20", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
		{"HDR-17 HDR-20", " padded ", "=?base64?IHBhZGRlZCA=?="},
		{"HDR-17 HDR-20", "line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
		{"HDR-19 HDR-20", "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"HDR-21", " us-west1", "=?base64?IHVzLXdlc3Qx?="},
		{"HDR-21", "us-west1 ", "=?base64?dXMtd2VzdDEg?="},
		{"HDR-21", " us-west1 ", "=?base64?IHVzLXdlc3QxIA==?="},
		{"HDR-21", "日本語", "=?base64?5pel5pys6Kqe?="},
		{"HDR-21", "line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="},
		{"HDR-21", "\tindented", "=?base64?CWluZGVudGVk?="},
		{"HDR-21", "", ""},
		{"HDR-17", "us west 1", "us west 1"},
		{"HDR-17", "tab at the end\t", "=?base64?dGFiIGF0IHRoZSBlbmQJ?="},
		{"HDR-17", "\x7f", "=?base64?fw==?="},
		{"HDR-18", "=?BASE64?literal?=", "=?BASE64?literal?="},
		{"HDR-19", "a =?base64?literal?=", "a =?base64?literal?="},
	} {
		t.Run(fmt.Sprintf("%s %q", test.ids, test.in), func(t *testing.T) {
			if got := headerValue(test.in); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestHiddenReason(t *testing.T) {
	prop := func(p string) string { return `{"type":"object","properties":{"a":` + p + `}}` }
	tests := []struct {
		name, schema string
		hidden       bool
	}{
		{"no annotation", prop(`{"type":"string"}`), false},
		{"no schema", `null`, false},
		{"true is a schema", `true`, false},
		{"HDR-09 string", prop(`{"type":"string","x-mcp-header":"Region"}`), false},
		{"HDR-09 integer", prop(`{"type":"integer","x-mcp-header":"N"}`), false},
		{"HDR-09 boolean", prop(`{"type":"boolean","x-mcp-header":"B"}`), false},
		{"HDR-09 number", prop(`{"type":"number","x-mcp-header":"N"}`), true},
		{"HDR-09 object", prop(`{"type":"object","x-mcp-header":"N"}`), true},
		{"GAP-15 type list", prop(`{"type":["string","null"],"x-mcp-header":"N"}`), true},
		{"GAP-15 no type", prop(`{"x-mcp-header":"N"}`), true},
		{"GAP-15 beside $ref", prop(`{"type":"string","$ref":"#/$defs/x","x-mcp-header":"N"}`), true},
		{"GAP-15 no text", prop(`{"type":"string","x-mcp-header":7}`), true},
		{"HDR-07 empty", prop(`{"type":"string","x-mcp-header":""}`), true},
		{"HDR-07 space", prop(`{"type":"string","x-mcp-header":"a b"}`), true},
		{"HDR-07 colon", prop(`{"type":"string","x-mcp-header":"a:b"}`), true},
		{"HDR-07 tab", prop(`{"type":"string","x-mcp-header":"a\tb"}`), true},
		{"HDR-07 letter beyond ASCII", prop(`{"type":"string","x-mcp-header":"é"}`), true},
		{"HDR-07 all signs", prop("{\"type\":\"string\",\"x-mcp-header\":\"!#$%&'*+-.^_`|~\"}"), false},
		{"HDR-25 Method", prop(`{"type":"string","x-mcp-header":"Method"}`), false},
		{"HDR-08 clash", `{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"REGION"}}}}}`, true},
		{"HDR-11 nested", `{"properties":{"a":{"properties":{"b":{"type":"string","x-mcp-header":"N"}}}}}`, false},
		{"HDR-12 annotation under items hides the tool", prop(`{"type":"array","items":{"type":"string","x-mcp-header":"N"}}`), true},
		{"HDR-12 items list", prop(`{"items":[{"type":"string","x-mcp-header":"N"}]}`), true},
		{"HDR-12 prefixItems", prop(`{"prefixItems":[{"type":"string","x-mcp-header":"N"}]}`), true},
		{"HDR-12 contains", prop(`{"contains":{"type":"string","x-mcp-header":"N"}}`), true},
		{"HDR-12 oneOf", `{"oneOf":[{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}]}`, true},
		{"HDR-12 allOf", `{"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}]}`, true},
		{"HDR-12 not", `{"not":{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}}`, true},
		{"HDR-12 else", `{"else":{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}}`, true},
		{"HDR-12 anyOf", `{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}]}`, true},
		{"HDR-12 $ref does not lead to the property", `{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string","x-mcp-header":"N"}}}`, true},
		{"HDR-12 then", `{"then":{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}}`, true},
		{"HDR-13 root", `{"type":"string","x-mcp-header":"N"}`, true},
		{"HDR-13 $defs", `{"$defs":{"a":{"type":"string","x-mcp-header":"N"}}}`, true},
		{"HDR-13 additionalProperties", `{"additionalProperties":{"type":"string","x-mcp-header":"N"}}`, true},
		{"HDR-13 patternProperties", `{"patternProperties":{"a":{"type":"string","x-mcp-header":"N"}}}`, true},
		{"HDR-13 dependentSchemas", `{"dependentSchemas":{"a":{"properties":{"a":{"type":"string","x-mcp-header":"N"}}}}}`, true},
		{"GAP-16 a property of that name", `{"properties":{"x-mcp-header":{"type":"number"}}}`, false},
		{"GAP-16 data", prop(`{"type":"object","default":{"x-mcp-header":"a b"},"const":{"x-mcp-header":1},"enum":[{"x-mcp-header":1}],"examples":[{"x-mcp-header":1}]}`), false},
		{"too deep", strings.Repeat(`{"properties":{"a":`, 300) + `{}` + strings.Repeat(`}}`, 300), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := HiddenReason([]byte(`{"name":"t","inputSchema":` + test.schema + `}`)); (got != "") != test.hidden {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestCallHeaders(t *testing.T) {
	c := &Client{cfg: Config{HTTP: &HTTPConfig{}}, meta: []byte{}}
	tool := []byte(`{"inputSchema":{"properties":{
		"s":{"type":"string","x-mcp-header":"S"},"n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"B"},
		"o":{"properties":{"in":{"type":"string","x-mcp-header":"In"}}}}}}`)
	tests := []struct{ name, args, want string }{
		{"HDR-15 absent and null have no header", `{"s":null}`, ``},
		{"HDR-16 texts", `{"s":"x","n":42,"b":false}`, `S=x N=42 B=false `},
		{"HDR-16 negative", `{"n":-7}`, `N=-7 `},
		{"HDR-16 other spellings", `{"n":42.0}`, `N=42 `},
		{"HDR-16 exponent", `{"n":4.2e1}`, `N=42 `},
		{"HDR-21 empty text", `{"s":""}`, `S= `},
		{"HDR-11 nested", `{"o":{"in":"é"}}`, `In==?base64?w6k=?= `},
		{"nested in the wrong type", `{"o":[1]}`, ``},
		{"HDR-10 greatest", `{"n":9007199254740991}`, `N=9007199254740991 `},
		{"HDR-10 GAP-17 too great", `{"n":9007199254740992}`, `!`},
		{"HDR-10 GAP-17 too small", `{"n":-9007199254740992}`, `!`},
		{"GAP-17 a fraction that floats would lose", `{"n":9007199254740990.5}`, `!`},
		{"GAP-17 huge exponent", `{"n":1e999999999}`, `!`},
		{"GAP-17 wrong type", `{"n":"42"}`, `!`},
		{"GAP-17 wrong type", `{"s":42}`, `!`},
		{"GAP-17 wrong type", `{"b":1}`, `!`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			headers, err := c.callHeaders(&Call{Definition: tool, Arguments: []byte(test.args)})
			for _, h := range headers {
				got += fmt.Sprintf("%s=%s ", strings.TrimPrefix(h.Name, "Mcp-Param-"), h.Value)
			}
			if err != nil {
				got = "!"
			}
			if got != test.want {
				t.Errorf("got %q (%v), want %q", got, err, test.want)
			}
		})
	}
	t.Run("HDR-22 no definition was ever seen: no such headers", func(t *testing.T) {
		if headers, err := c.callHeaders(&Call{Arguments: []byte(`{"s":"x"}`)}); err != nil || len(headers) != 0 {
			t.Errorf("got %v (%v)", headers, err)
		}
	})
	t.Run("HDR-13 HDR-14 a tool with a bad annotation is not called", func(t *testing.T) {
		if _, err := c.callHeaders(&Call{Definition: []byte(`{"inputSchema":{"x-mcp-header":"N"}}`), Arguments: []byte(`{}`)}); err == nil {
			t.Error("it was")
		}
	})
}

// FuzzHeaders mirrors arguments into headers and reads them back: what is sent
// can stand in a header, and means what the argument said.
func FuzzHeaders(f *testing.F) {
	f.Add(`us-west1`, `{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`, `{"a":"x"}`)
	f.Add("=?base64?x?=", `{"properties":{"a":{"properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}`, `{"a":{"b":4.2e1}}`)
	f.Add("\r\nX: y", `{"properties":{"a":{"type":"boolean","x-mcp-header":"a"},"A":{"type":"string","x-mcp-header":"A"}}}`, `{"a":true,"A":" "}`)
	f.Add("日本語", `{"allOf":[{"properties":{"a":{"x-mcp-header":7}}}]}`, `{"a":null}`)
	f.Add("\x97", `{"properties":{"a":{"type":"integer","x-mcp-header":"N"}}}`, `{"a":9007199254740992}`)
	f.Fuzz(func(t *testing.T, text, schema, arguments string) {
		sound := func(value string) string {
			for i := 0; i < len(value); i++ {
				if value[i] < 0x20 || value[i] > 0x7E {
					t.Fatalf("the header value %q", value)
				}
			}
			inner, isCoded := strings.CutPrefix(value, sentinel)
			if inner, ends := strings.CutSuffix(inner, sentinelEnd); isCoded && ends {
				plain, err := base64.StdEncoding.DecodeString(inner)
				if err != nil {
					t.Fatalf("the header value %q: %v", value, err)
				}
				return string(plain)
			}
			if value != strings.TrimSpace(value) {
				t.Fatalf("a transport would trim %q", value)
			}
			return value
		}
		if back := sound(headerValue(text)); back != text {
			t.Fatalf("%q came back as %q", text, back)
		}
		tool := json.RawMessage(`{"name":"x","inputSchema":` + schema + `}`)
		headers, err := MirroredHeaders(tool, []byte(arguments))
		if reason := HiddenReason(tool); reason != "" && err == nil {
			t.Fatalf("hidden (%s), and yet it has headers", reason)
		}
		seen := map[string]bool{}
		for _, h := range headers {
			sound(h.Value)
			if name := strings.ToLower(h.Name); !isToken(h.Name) || seen[name] {
				t.Fatalf("the header name %q in %v", h.Name, headers)
			} else {
				seen[name] = true
			}
		}
	})
}
