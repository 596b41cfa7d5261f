package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// doubling makes definitions a0 to a60 under key, each of which applies the
// next one twice.
func doubling(key, keyword, last string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `"%s":{"a60":%s`, key, last)
	for i := range 60 {
		fmt.Fprintf(&b, `,"a%d":{"%s":[{"$ref":"#/%s/a%d"},{"$ref":"#/%s/a%d"}]}`, i, keyword, key, i+1, key, i+1)
	}
	return b.String() + "}"
}

// TestHostile gives up checks that would take longer than the universe
// (SCHEMA-09), whichever way they are hidden.
func TestHostile(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + `1` + strings.Repeat(`}`, n) }
	for _, c := range []struct{ name, schema, value, says string }{
		{"doubling", `{"$ref":"#/$defs/a0",` + doubling("$defs", "allOf", `{"type":"string"}`) + `}`, `"x"`, "too long"},
		{"doubling where nothing fits", `{"not":{"$ref":"#/$defs/a0"},` + doubling("$defs", "anyOf", `{"type":"string"}`) + `}`, `1`, "too long"},
		{"doubling in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a0",` + doubling("definitions", "allOf", `{"minLength":1}`) + `}`, `"x"`, "too long"},
		{"doubling under an unknown keyword", `{"$ref":"#/odd/a0",` + doubling("odd", "oneOf", `{"type":"string"}`) + `}`, `1`, "too long"},
		{"doubling by dynamic references", `{"$ref":"#/$defs/a0","$defs":{"a60":{},"d":{"$dynamicAnchor":"d","allOf":[{"$ref":"#/$defs/e"},{"$ref":"#/$defs/e"}]},` +
			`"e":{"properties":{"a":{"allOf":[{"$dynamicRef":"#d"},{"$dynamicRef":"#d"}]}}},"a0":{"$dynamicRef":"#d"}}}`, deep(60), "too long"},
		{"doubling by the depth of the value", `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"minProperties":2},{"properties":{"a":{"$ref":"#"}},"minProperties":2}]}`, deep(60), "too long"},
		{"a long chain, at each level of a deep value", `{"$ref":"#/$defs/c0","$defs":{"c2500":{"properties":{"a":{"$ref":"#"}}},` +
			chain(2500) + `}}`, deep(500), "deeper"},
		{"many alternatives for each of many parts", `{"items":{"anyOf":[` + strings.Repeat(`{"type":"string"},`, 2500) + `false]}}`, `[` + strings.Repeat("1,", 100_000) + `1]`, "too long"},
		{"many alternatives, each of many parts", `{"anyOf":[` + strings.Repeat(`{"items":{"type":"string"}},`, 2500) + `false]}`, `[` + strings.Repeat("1,", 100_000) + `1]`, "too long"},
		{"comparing again and again", `{"anyOf":[` + strings.Repeat(`{"uniqueItems":true,"minItems":9},`, 2500) + `false]}`, `[[` + strings.Repeat("1,", 100_000) + `1],2]`, "too long"},
		{"many patterns for many names", `{"patternProperties":{` + repeat(2500, `"^x%d(a|b|c)*$":false`) + `}}`, `{` + repeat(20_000, `"p%d":1`) + `}`, "too long"},
		{"a large pattern on a large text", `{"pattern":"^(([a-z]?){100}){9}$"}`, `"` + strings.Repeat("a", 3_000_000) + `"`, "too long"},
		{"a pattern that backtracks elsewhere", `{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 50_000) + `!"`, "pattern"},
		{"a value of too many parts", `{"items":{"type":"string"}}`, `[` + strings.Repeat("1,", 1_300_000) + `1]`, "too many parts"},
		{"a value that is too deep", `{}`, deep(600), "deeper"},
		{"a number too large to reckon with", `{}`, `{"a/b":[0,1e999999999]}`, "too large"},
		{"a loop of references", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `1`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Compile([]byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			s.meter.time = 200 * time.Millisecond // so that the test does not last
			got := s.Validate([]byte(c.value))
			if len(got) != 1 || !strings.Contains(got[0].Message, c.says) {
				t.Fatalf("%.300v", got)
			}
			if got := s.Validate([]byte(`{`)); len(got) != 1 { // it can be used again
				t.Errorf("%v", got)
			}
		})
	}
}

// chain makes definitions c0 to c(n-1), each of which refers to the next one.
func chain(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"c%d":{"$ref":"#/$defs/c%d"}`, i, i+1))
	}
	return strings.Join(parts, ",")
}

func TestWhatIsLargeButFair(t *testing.T) {
	rows := `[` + strings.Repeat(`{"id":1,"name":"x","total":1.5,"paid":true,"day":"2026-01-02"},`, 30_000) + `{"id":"x"}]`
	s, err := Compile([]byte(`{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"total":{"type":"number"},"paid":{"type":"boolean"},"day":{"type":"string","format":"date"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s.meter.time = time.Minute // this machine may be busy
	same(t, s.Validate([]byte(rows)), []string{"/30000/id integer"})

	s, err = Compile([]byte(`{"type":"object","properties":{` + repeat(3000, `"p%d":{"type":"string","description":"one of many","pattern":"^[a-z]+$"}`) + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	same(t, s.Validate([]byte(`{"p7":"x","p2999":"7"}`)), []string{"/p2999 pattern"})

	s, err = Compile([]byte(`{"$ref":"#/$defs/c0","$defs":{"c1000":{"properties":{"a":{"$ref":"#"}}},` + chain(1000) + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	s.meter.time = time.Minute
	if got := s.Validate([]byte(strings.Repeat(`{"a":`, s.depth) + `1` + strings.Repeat(`}`, s.depth))); got != nil {
		t.Error(got) // as deep as the validator may go
	}

	s, err = Compile([]byte(`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`)) // comes with the validator
	if err != nil {
		t.Fatal(err)
	}
	same(t, s.Validate([]byte(`{"properties":{"a":{"properties":{"b":{"minLength":-1}}}}}`)), []string{"/properties/a/properties/b/minLength at least 0"})
	if got := s.Validate([]byte(`{"properties":{"a":{"minLength":1}}}`)); got != nil {
		t.Error(got)
	}
}

func FuzzSchema(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"anyOf":[{"type":"null"},{"pattern":"^a"}]}}}`, `{"a":"b"}`},
		{`{"items":[true],"dependencies":{"a":["b"]}}`, `[1]`},
		{`{"$ref":"#/a"}`, `1`},
		{`{"properties":{"a":"x","b":{"type":"any","items":null}},"required":true}`, `{"a":[]}`},
		{`{"$id":"https://x.test/a","$defs":{"b":{"$dynamicAnchor":"c"}},"$dynamicRef":"#c"}`, `{}`},
		{`{"patternProperties":{"\\cA[\\s^-]\\u{10ffff}":{"enum":[1]}},"unevaluatedProperties":false}`, `{"\u0001":1}`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","exclusiveMaximum":true}`, `1e5`},
		{`{"multipleOf":1e-4000,"contains":{"$recursiveRef":"#"}}`, `[9007199254740993]`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(_ *testing.T, schema, value []byte) {
		if len(schema) > 2000 {
			return
		}
		if s, err := Compile(schema); err == nil {
			s.Validate(value)
		}
	})
}

func FuzzPattern(f *testing.F) {
	for _, seed := range []string{`^\p{Script=Greek}+$`, `[^]`, `[]`, `[[\b\s-]`, `\u{1f600}|\ud83d\ude00`, `(?<a>x){2,3}?`, `\c`, `\`} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(_ *testing.T, source, text string) {
		if p, err := newPattern(source); err == nil && len(source) < 200 {
			p.MatchString(text)
		}
	})
}
