package schema

import (
	"strings"
	"testing"
)

// What a server may ask a person to fill in, and what is not taken, not even in part.
func TestFormFault(t *testing.T) {
	field := func(schema string) string {
		return `{"type":"object","properties":{"f":` + schema + `},"required":["f"]}`
	}
	for _, c := range []struct{ name, schema, fault string }{
		{"ELIC-08 flat, with a dialect", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, ""},
		{"ELIC-08 without fields", `{"type":"object","properties":{}}`, ""},
		{"ELIC-08 without properties", `{"type":"object"}`, ""},
		{"ELIC-09 a text with all its rules", field(`{"type":"string","title":"T","description":"D","default":"x","minLength":1,"maxLength":9,"pattern":"^x","format":"email"}`), ""},
		{"ELIC-09 a number", field(`{"type":"number","minimum":0.5,"maximum":1}`), ""},
		{"ELIC-09 a whole number", field(`{"type":"integer","minimum":1,"default":3}`), ""},
		{"ELIC-09 yes or no", field(`{"type":"boolean","default":true}`), ""},
		{"ELIC-10 choices", field(`{"type":"string","enum":["a","b"],"enumNames":["A"]}`), ""},
		{"ELIC-10 titled choices", field(`{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}`), ""},
		{"ELIC-10 several", field(`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"minItems":1}`), ""},
		{"a text or nothing, as libraries write it", field(`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`), ""},
		{"a text or nothing, in one", field(`{"type":["string","null"]}`), ""},
		{"ELIC-13 an object within", field(`{"type":"object","properties":{"x":{"type":"string"}}}`), `"f" is neither`},
		{"ELIC-13 a list of objects", field(`{"type":"array","items":{"type":"object"}}`), `"f" is neither`},
		{"ELIC-13 a list of lists", field(`{"type":"array","items":{"type":"array","items":{"type":"string"}}}`), `"f" is neither`},
		{"ELIC-13 a list of anything", field(`{"type":"array"}`), `"f" is neither`},
		{"ELIC-13 a list of several schemas", field(`{"type":"array","items":[{"type":"string"}]}`), `"f" is neither`},
		{"ELIC-13 an object among others", field(`{"anyOf":[{"type":"string"},{"type":"object"}]}`), `"f" is neither`},
		{"ELIC-13 what is not said", field(`{}`), `"f" is neither`},
		{"ELIC-13 true", field(`true`), `"f" is neither`},
		{"ELIC-13 a type of its own", field(`{"type":"money"}`), `"f" is neither`},
		{"ELIC-13 a type that is no text", field(`{"type":7}`), `"f" is neither`},
		{"ELIC-13 a reference", field(`{"$ref":"#/$defs/F"}`), `"f" is neither`},
		{"ELIC-13 an odd field among good ones", `{"type":"object","properties":{"a":{"type":"string"},"z":{"type":"object"}}}`, `"z" is neither`},
		{"ELIC-13 a list", `{"type":"array","items":{"type":"string"}}`, "something else than an object"},
		{"ELIC-13 variants", `{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}}]}`, `behind "oneOf"`},
		{"ELIC-13 no schema", `"form"`, "no object"},
		{"ELIC-13 null", `null`, "no object"},
		{"ELIC-13 fields as a list", `{"type":"object","properties":[]}`, "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := FormFault([]byte(c.schema)); (got == "") != (c.fault == "") || !strings.Contains(got, c.fault) {
				t.Errorf("%s: %q", c.schema, got)
			}
		})
	}
}
