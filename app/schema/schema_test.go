package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestCompileAndValidate(t *testing.T) {
	const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#"`
	for _, c := range []struct {
		name, schema, value string
		want                []string // "pointer message part"; nil: fits
	}{
		{"field-1 local $defs", `{"type":"object","properties":{"crate":{"$ref":"#/$defs/Crate"}},"required":["crate"],"$defs":{"Crate":{"type":"object","properties":{"kg":{"type":"integer"}},"required":["kg"]}}}`,
			`{"crate":{}}`, []string{"/crate/kg required"}},
		{"field-3 a self-referring tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"label":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`,
			`{"root":{"kids":[{"kids":[{"label":7}]}]}}`, []string{"/root/kids/0/kids/0/label string"}},
		{"field-5 type as a list", `{"properties":{"way":{"type":["string","null"],"enum":["north",null]}}}`, `{"way":null}`, nil},
		{"field-7 oneOf at the root", `{"type":"object","oneOf":[{"properties":{"mail":{"type":"string"}},"required":["mail"]},{"properties":{"phone":{"type":"string"}},"required":["phone"]}]}`, `{}`, []string{" none of the allowed"}},
		{"field-10 numbers in an enum", `{"properties":{"gear":{"enum":[0,2,5]}}}`, `{"gear":"5"}`, []string{"/gear one of: 0, 2, 5"}},
		{"field-12 true and false as schemas", `{"properties":{"extra":true,"never":false}}`, `{"extra":[1],"never":1}`, []string{"/never Nothing may"}},
		{"field-15 draft-07 tuples", `{` + draft7 + `,"properties":{"pair":{"type":"array","items":[{"type":"number"},{"type":"number"}],"additionalItems":false}}}`, `{"pair":[1,"x"]}`, []string{"/pair/1 number"}},
		{"field-15 tuples without a dialect", `{"properties":{"pair":{"items":[{"type":"number"},{"type":"string"}]}}}`, `{"pair":[1,2]}`, []string{"/pair/1 string"}},
		{"field-16 maps of typed values", `{"properties":{"labels":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}}}`, `{"labels":{"a/b":["x"]}}`, []string{"/labels/a~1b/0 integer"}},
		{"field-18 null takes any object", `null`, `{"a":1}`, nil},
		{"field-18 null takes only objects", ``, `1`, []string{" object"}},
		{"field-11 600 values", `{"type":"object","properties":{"zone":{"type":"string","enum":[` + repeat(600, `"zone-%04d"`) + `]}}}`, `{"zone":"zone-0600"}`, []string{"/zone (600 in all)"}},
		{"field-19 an object without properties", `{"type":"object"}`, `{}`, nil},
		{"field-20 anything goes", `{"type":"object"}`, `{"q":"fish","n":2}`, nil},
		{"field-21 rows of objects", `{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"wait":{"type":"integer","default":5}},"required":["name"]},"minItems":1}}}`,
			`{"stops":[{"name":"a"},{"wait":"5"}]}`, []string{"/stops/1/name required", "/stops/1/wait integer"}},
		{"field-21 too few rows", `{"type":"object","properties":{"stops":{"type":"array","minItems":1}}}`, `{"stops":[]}`, []string{"/stops at least 1 item"}},
		{"field-31 an object as a text", `{"properties":{"where":{"type":"object"}}}`, `{"where":"{}"}`, []string{"/where object, not string"}},
		{"field-131 titled choices", `{"type":"object","properties":{"sz":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]}}}`, `{"sz":"Small"}`, []string{"/sz none of the allowed"}},
		{"field-132 labels beside", `{"type":"object","properties":{"c":{"type":"string","enum":["r","g"],"enumNames":["Red"]}}}`, `{"c":"Red"}`, []string{`/c "r", "g"`}},
		{"field-138 nothing is asked", `{"type":"object","properties":{}}`, `{}`, nil},
		{"ELIC-10 several of them", `{"type":"object","properties":{"m":{"type":"array","items":{"anyOf":[{"const":"f","title":"Fragile"},{"const":"u"}]},"maxItems":1}}}`,
			`{"m":["f","x"]}`, []string{"/m at most 1 item; it has 2", "/m/1 none of the allowed"}},
		{"SCHEMA-01 2020-12 where none is named: tuples", `{"properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}}`, `{"a":["x",1]}`, []string{"/a/1 Nothing may"}},
		{"SCHEMA-01 2020-12 where none is named: what is left over", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, []string{"/b "}},
		{"SCHEMA-01 2020-12 where none is named: dynamic references", `{"$dynamicAnchor":"n","type":"object","properties":{"kid":{"$dynamicRef":"#n"},"v":{"type":"integer"}}}`, `{"kid":{"v":"x"}}`, []string{"/kid/v integer"}},
		{"SCHEMA-01 2020-12 by name", `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"contains":{"type":"integer"},"minContains":2}}}`, `{"a":[1,"x"]}`, []string{"/a/1 integer"}},
		{"SCHEMA-02 draft-04", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"minimum":3,"exclusiveMinimum":true}}}`, `{"a":3}`, []string{"/a more than 3"}},
		{"SCHEMA-02 draft-07 by https", `{"$schema":"https://json-schema.org/draft-07/schema","properties":{"a":{"type":"array","items":[{"type":"string"}]}}}`, `{"a":[1]}`, []string{"/a/0 string"}},
		{"SCHEMA-06 an anchor, and an $id of its own", `{"$id":"https://example.test/s","properties":{"a":{"$ref":"#x"},"b":{"$ref":"https://example.test/s#x"}},"$defs":{"y":{"$anchor":"x","type":"integer"}}}`,
			`{"a":"","b":""}`, []string{"/a integer", "/b integer"}},
		{"field-24 integers beyond 2^53 are exact", `{"properties":{"id":{"const":9007199254740993}}}`, `{"id":9007199254740992}`, []string{"/id 9007199254740993"}},
		{"field-28 null by default", `{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"default":null}}}`, `{"a":null}`, nil},
		{"field-28 the fault of the branch that was meant", `{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}`, `{"a":[1]}`, []string{"/a/0 string"}},
		{"ELIC-09 lengths, pattern and formats of texts", `{"type":"object","properties":{"s":{"type":"string","minLength":3},"l":{"type":"string","maxLength":2},"p":{"type":"string","pattern":"^x"},"u":{"type":"string","format":"uri"},"d":{"type":"string","format":"date"}}}`,
			`{"s":"é","l":"日本語","p":"yx","u":"no uri","d":"2026-02-30"}`, []string{"/d ", "/l at most 2", "/p ", "/s at least 3", "/u "}},
		{"ELIC-09 what fits all its rules", `{"type":"object","properties":{"s":{"type":"string","minLength":2,"maxLength":2},"n":{"type":"number","minimum":0.5,"maximum":0.5},"i":{"type":"integer"},"b":{"type":"boolean"},"m":{"type":"string","format":"email"},"w":{"type":"string","format":"date-time"}}}`,
			`{"s":"日本","n":0.50,"i":9007199254740993,"b":false,"m":"a@b.example","w":"2026-03-01T12:00:00Z"}`, nil},
		{"ELIC-09 field-134 ranges and formats", `{"properties":{"age":{"type":"integer","minimum":18},"mail":{"format":"email"},"when":{"format":"date-time"}},"required":["age"]}`,
			`{"age":17,"mail":"no","when":"2026-03-01T12:00:00"}`, []string{"/age at least 18", "/mail e-mail", "/when time zone"}},
		{"TOOL-04 no arguments", `{"type":"object","additionalProperties":false}`, `{"x":1}`, []string{"/x does not allow"}},
		{"1.0 is an integer", `{"type":"integer"}`, `1.0`, nil},
		{"multiples are exact", `{"multipleOf":0.1}`, `0.30000000000000000001`, []string{" multiple of 0.1"}},
		{"dependent members", `{"dependentRequired":{"card":["zip"]}}`, `{"card":1}`, []string{`/zip beside "card"`}},
		{"a number too large to reckon with", `{"type":"number","maximum":5}`, `1e999999999`, []string{" too large"}},
		{"a reference to itself", `{"$ref":"#"}`, `1`, []string{" "}},
		{"not JSON", `{}`, `{`, []string{" not sound JSON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Compile([]byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			if s.Warnings() != nil {
				t.Errorf("it warns: %v", s.Warnings())
			}
			same(t, s.Validate([]byte(c.value)), c.want)
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct{ name, schema, part string }{
		{"SCHEMA-03 unknown dialect", `{"$schema":"https://example.test/my-dialect","type":"object"}`, "dialect https://example.test/my-dialect is not supported"},
		{"SCHEMA-03 a dialect before draft-04", `{"$schema":"http://json-schema.org/draft-03/schema#"}`, "not supported"},
		{"SCHEMA-05 SCHEMA-08 a reference to the network", `{"properties":{"a":{"$ref":"https://example.test/a.json"}}}`, "nothing is fetched"},
		{"SCHEMA-05 a reference to a file", `{"$ref":"file:///etc/passwd"}`, "nothing is fetched"},
		{"SCHEMA-06 a relative reference", `{"properties":{"a":{"$ref":"other.json"}}}`, "nothing is fetched"},
		{"SCHEMA-09 too deep", strings.Repeat(`{"not":`, 300) + `true` + strings.Repeat(`}`, 300), "deeper"},
		{"SCHEMA-09 too many values", `{"enum":[` + strings.Repeat("0,", MaxNodes) + `0]}`, "values"},
		{"SCHEMA-09 too many objects", `{"anyOf":[` + strings.Repeat("{},", MaxObjects) + `{}]}`, "objects"},
		{"SCHEMA-09 too large", `{"description":"` + strings.Repeat("x", MaxBytes) + `"}`, "larger"},
		{"SCHEMA-04 nothing but faults", `{"properties":{` + repeat(60, `"p%d":{"type":"str"}`) + `}}`, "too many faults"},
		{"SCHEMA-04 a $schema that is no text", `{"$schema":7,"$ref":8}`, ""},
		{"a number too large to reckon with", `{"maximum":1e999999999}`, "too large"},
		{"a number of too many digits", `{"maximum":` + strings.Repeat("9", 30000) + `}`, "too large"},
		{"a text", `"x"`, "an object, true or false"},
		{"a list", `[]`, "an object, true or false"},
		{"not JSON", `{`, "not sound JSON"},
		{"two values", `{} {}`, "behind"},
		{"garbage behind", `{} x`, "behind"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Compile([]byte(c.schema))
			if c.part == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.part) {
				t.Fatalf("%v", err)
			}
			if len(err.Error()) > 500 {
				t.Errorf("the error is %d bytes long", len(err.Error()))
			}
		})
	}
}

// repeat joins n members made by a format.
func repeat(n int, format string) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(format, i))
	}
	return strings.Join(parts, ",")
}

// TestWarnings has schemas with faults in places: those are named, the rest is
// checked.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		warnings     []string // "pointer message part"
		good, bad    string   // values
	}{
		{"field-1 a reference that dangles", `{"properties":{"a":{"$ref":"#/$defs/none"},"b":{"type":"integer"}}}`,
			[]string{"/properties/a/$ref not there"}, `{"a":[],"b":1}`, `{"b":"x"}`},
		{"an anchor that dangles", `{"properties":{"a":{"$ref":"#none"},"b":{"$ref":"#here"}},"$defs":{"x":{"$anchor":"here","type":"integer"}}}`,
			[]string{"/properties/a/$ref #none"}, `{"a":[],"b":1}`, `{"b":"x"}`},
		{"SCHEMA-04 an unknown type", `{"properties":{"a":{"type":"any","minLength":2},"b":{"type":"integer"}}}`,
			[]string{`/properties/a/type "any"`}, `{"a":1,"b":1}`, `{"a":"x","b":1}`},
		{"SCHEMA-04 required as draft-03 has it", `{"type":"object","properties":{"a":{"type":"string","required":true},"b":{"type":"integer"}}}`,
			[]string{`/properties/a/required true`}, `{"a":"x","b":1}`, `{"b":"x"}`},
		{"SCHEMA-04 bounds as text", `{"properties":{"a":{"type":"integer","minimum":"1"}}}`, []string{`/properties/a/minimum "1"`}, `{"a":0}`, `{"a":"x"}`},
		{"SCHEMA-04 a word in place of a schema", `{"properties":{"a":"string","b":{"type":"integer"}},"additionalProperties":false}`,
			[]string{`/properties/a "string"`}, `{"a":1,"b":1}`, `{"c":1}`},
		{"SCHEMA-04 null in place of a schema", `{"properties":{"a":{"type":"array","items":null}}}`, []string{"/properties/a/items null"}, `{"a":[1]}`, `{"a":1}`},
		{"SCHEMA-04 null in place of properties", `{"type":"object","properties":null}`, []string{"/properties null"}, `{"a":[1]}`, `1`},
		{"SCHEMA-04 an element of a list", `{"type":"object","required":["a",1]}`, []string{"/required/1 required"}, `{}`, `1`},
		{"SCHEMA-04 a number that rules out itself", `{"multipleOf":0,"type":"number"}`, []string{"/multipleOf 0"}, `1`, `"x"`},
		{"draft-04 that does not say so", `{"properties":{"a":{"minimum":3,"exclusiveMinimum":true}}}`, []string{" draft-04"}, `{"a":4}`, `{"a":3}`},
		{"a pattern that looks ahead", `{"properties":{"a":{"type":"string","pattern":"^(?!x)","minLength":2}}}`, []string{"/properties/a/pattern ahead"}, `{"a":"xx"}`, `{"a":"x"}`},
		{"a pattern that refers back", `{"pattern":"(a)\\1","type":"string"}`, []string{"/pattern back"}, `"b"`, `1`},
		{"a pattern that is none", `{"pattern":"(","type":"string"}`, []string{"/pattern ( is not checked"}, `"b"`, `1`},
		{"names by such a pattern", `{"properties":{"n":{"type":"integer"}},"patternProperties":{"(?=x)":{"type":"integer"}},"additionalProperties":false}`,
			[]string{"/patternProperties ahead"}, `{"x":"x"}`, `{"n":"x"}`},
		{"a pattern that is huge", `{"type":"string","pattern":"` + strings.Repeat(`[a-z]{1000}`, 30) + `"}`, []string{"/pattern too large"}, `"b"`, `1`},
		{"data is no schema", `{"default":{"pattern":"(","type":"any","$ref":"#/none"},"enum":[{"type":"any"},1]}`, nil, `{"type":"any"}`, `2`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Compile([]byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			same(t, s.Warnings(), c.warnings)
			if got := s.Validate([]byte(c.good)); got != nil {
				t.Errorf("%s: %v", c.good, got)
			}
			if got := s.Validate([]byte(c.bad)); got == nil {
				t.Errorf("%s fits", c.bad)
			}
		})
	}
}

func same(t *testing.T, got []FieldError, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for _, w := range want {
		pointer, part, _ := strings.Cut(w, " ")
		found := false
		for _, e := range got {
			found = found || e.Pointer == pointer && strings.Contains(e.Message, part)
		}
		if !found {
			t.Errorf("%v has nothing at %q about %q", got, pointer, part)
		}
	}
}

func TestPatterns(t *testing.T) {
	text := func(s string) []byte {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct{ pattern, fits, not string }{
		{`^\\u00e9+$`, "éé", "e"}, {`^\\ud83d\\ude00$`, "😀", "x"}, {`^\\u{1F600}$`, "😀", "x"}, {`^\\cJ$`, "\n", "J"}, {`^\\0$`, "\u0000", "0"},
		{`^\\s$`, "\u00a0", "x"}, {`^[\\s]$`, "\u2028", "x"}, {`^\\S$`, "x", "\ufeff"}, {`^.$`, "x", "\u2028"}, {`^[^]$`, "\n", "xx"}, {`^a[]?$`, "a", "b"},
		{`^[[]$`, "[", "x"}, {`^\\/$`, "/", "x"}, {`^\\p{Script=Greek}$`, "α", "a"}, {`^\\p{L}$`, "ä", "1"}, {`^\\A$`, "A", ""}, {`^[\\b]$`, "\b", "b"},
		{`^(?<y>\\d{4})-(?:a|b)$`, "2026-a", "26-a"}, {`^x{2,3}$`, "xx", "x"},
	} {
		s, err := Compile([]byte(`{"type":"string","pattern":"` + c.pattern + `"}`))
		if err != nil || s.Warnings() != nil {
			t.Errorf("%s: %v, %v", c.pattern, err, s.Warnings())
			continue
		}
		if got := s.Validate(text(c.fits)); got != nil {
			t.Errorf("%s: %q does not fit", c.pattern, c.fits)
		}
		if got := s.Validate(text(c.not)); got == nil {
			t.Errorf("%s: %q fits", c.pattern, c.not)
		}
	}
}
