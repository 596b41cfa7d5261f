package schema

import (
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
		{"report 1: local $defs", `{"type":"object","properties":{"crate":{"$ref":"#/$defs/Crate"}},"required":["crate"],"$defs":{"Crate":{"type":"object","properties":{"kg":{"type":"integer"}},"required":["kg"]}}}`,
			`{"crate":{}}`, []string{"/crate/kg required"}},
		{"report 3: a self-referring tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"label":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`,
			`{"root":{"kids":[{"kids":[{"label":7}]}]}}`, []string{"/root/kids/0/kids/0/label string"}},
		{"report 5: type as a list", `{"properties":{"way":{"type":["string","null"],"enum":["north",null]}}}`, `{"way":null}`, nil},
		{"report 7: oneOf at the root", `{"type":"object","oneOf":[{"properties":{"mail":{"type":"string"}},"required":["mail"]},{"properties":{"phone":{"type":"string"}},"required":["phone"]}]}`, `{}`, []string{" none of the allowed"}},
		{"report 10: numbers in an enum", `{"properties":{"gear":{"enum":[0,2,5]}}}`, `{"gear":"5"}`, []string{"/gear one of: 0, 2, 5"}},
		{"report 12: true and false as schemas", `{"properties":{"extra":true,"never":false}}`, `{"extra":[1],"never":1}`, []string{"/never Nothing may"}},
		{"report 15: draft-07 tuples", `{` + draft7 + `,"properties":{"pair":{"type":"array","items":[{"type":"number"},{"type":"number"}],"additionalItems":false}}}`, `{"pair":[1,"x"]}`, []string{"/pair/1 number"}},
		{"report 15: tuples without a dialect", `{"properties":{"pair":{"items":[{"type":"number"},{"type":"string"}]}}}`, `{"pair":[1,2]}`, []string{"/pair/1 string"}},
		{"report 16: maps of typed values", `{"properties":{"labels":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}}}`, `{"labels":{"a/b":["x"]}}`, []string{"/labels/a~1b/0 integer"}},
		{"report 18: null takes any object", `null`, `{"a":1}`, nil},
		{"report 18: null takes only objects", ``, `1`, []string{" object"}},
		{"report 24: integers beyond 2^53 are exact", `{"properties":{"id":{"const":9007199254740993}}}`, `{"id":9007199254740992}`, []string{"/id 9007199254740993"}},
		{"report 28: null by default", `{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"default":null}}}`, `{"a":null}`, nil},
		{"report 28: the fault of the branch that was meant", `{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}`, `{"a":[1]}`, []string{"/a/0 string"}},
		{"report 134: ranges and formats", `{"properties":{"age":{"type":"integer","minimum":18},"mail":{"format":"email"},"when":{"format":"date-time"}},"required":["age"]}`,
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
			got := s.Validate([]byte(c.value))
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want %v", got, c.want)
			}
			for _, want := range c.want {
				pointer, part, _ := strings.Cut(want, " ")
				found := false
				for _, e := range got {
					found = found || e.Pointer == pointer && strings.Contains(e.Message, part)
				}
				if !found {
					t.Errorf("%v has nothing at %q about %q", got, pointer, part)
				}
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct{ name, schema, part string }{
		{"SCHEMA-03 unknown dialect", `{"$schema":"https://example.test/my-dialect","type":"object"}`, "dialect https://example.test/my-dialect is not supported"},
		{"SCHEMA-04 not valid in its dialect", `{"type":"objekt"}`, "cannot be used"},
		{"SCHEMA-05 SCHEMA-08 a reference to the network", `{"properties":{"a":{"$ref":"https://example.test/a.json"}}}`, "nothing is fetched"},
		{"SCHEMA-05 a reference to a file", `{"$ref":"file:///etc/passwd"}`, "nothing is fetched"},
		{"a dangling reference", `{"$ref":"#/$defs/none"}`, "cannot be used"},
		{"SCHEMA-09 too deep", strings.Repeat(`{"not":`, 300) + `true` + strings.Repeat(`}`, 300), "deeper"},
		{"SCHEMA-09 too many parts", `{"enum":[` + strings.Repeat("0,", MaxNodes) + `0]}`, "parts"},
		{"SCHEMA-09 too large", `{"description":"` + strings.Repeat("x", MaxBytes) + `"}`, "larger"},
		{"a number too large to reckon with", `{"maximum":1e999999999}`, "too large"},
		{"a text", `"x"`, "an object, true or false"},
		{"not JSON", `{`, "not sound JSON"},
		{"two values", `{} {}`, "behind"},
		{"a pattern that is none", `{"pattern":"("}`, "cannot be used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Compile([]byte(c.schema))
			if err == nil || !strings.Contains(err.Error(), c.part) {
				t.Fatalf("%v", err)
			}
			if len(err.Error()) > 500 {
				t.Errorf("the error is %d bytes long", len(err.Error()))
			}
		})
	}
}

// TestExponential gives up a check that would take longer than the universe.
func TestExponential(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/a0","$defs":{"a60":{"type":"string"}`)
	for i := range 60 {
		fmt.Fprintf(&b, `,"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, i+1, i+1)
	}
	b.WriteString(`}}`)
	s, err := Compile([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Validate([]byte(`"x"`)); len(got) != 1 || !strings.Contains(got[0].Message, "too long") {
		t.Fatalf("%v", got)
	}
}

func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"anyOf":[{"type":"null"},{"pattern":"^a"}]}}}`), []byte(`{"a":"b"}`))
	f.Add([]byte(`{"items":[true],"dependencies":{"a":["b"]}}`), []byte(`[1]`))
	f.Add([]byte(`{"$ref":"#/a"}`), []byte(`1`))
	f.Fuzz(func(_ *testing.T, schema, value []byte) {
		if len(schema) > 2000 {
			return
		}
		if s, err := Compile(schema); err == nil {
			s.Validate(value)
		}
	})
}
