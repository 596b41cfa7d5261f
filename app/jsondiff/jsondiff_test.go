package jsondiff

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"the same, written otherwise", `{"a":1,"b":"é"}`, `{ "b":"\u00e9", "a":1 }`, ``},
		{"a number that is written otherwise", `{"a":1}`, `{"a":1.0}`, `changed /a 1 1.0`},
		{"numbers beyond float64", `{"a":9007199254740993}`, `{"a":9007199254740992}`, `changed /a 9007199254740993 9007199254740992`},
		{"members", `{"a":1,"b":2}`, `{"b":3,"c":null}`, `changed /b 2 3; added /c  null; removed /a 1 `},
		{"absent and null", `{}`, `{"a":null}`, `added /a  null`},
		{"names with signs", `{"a/b":{"~":1}}`, `{"a/b":{"~":2}}`, `changed /a~1b/~0 1 2`},
		{"an item put in", `[1,2,3]`, `[1,9,2,3]`, `added /1  9`},
		{"an item taken out", `[1,2,3]`, `[1,3]`, `removed /1 2 `},
		{"inside an item", `[{"a":1},{"a":2}]`, `[{"a":1},{"a":3}]`, `changed /1/a 2 3`},
		{"another type", `{"a":[1]}`, `{"a":{"0":1}}`, `changed /a [1] {"0":1}`},
		{"the whole value", `1`, `2`, `changed  1 2`},
		{"names that stand twice are not told apart", `{"a":1,"a":2}`, `{"a":1,"a":3}`, `changed  {"a":1,"a":2} {"a":1,"a":3}`},
		{"no JSON", `{"a":`, `{"a":1}`, `changed  {"a": {"a":1}`},
		{"letters that look the same", `{"caf\u00e9":1}`, `{"cafe\u0301":1}`, "added /cafe\\u0301  1; removed /caf\\u00e9 1 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes, more := Diff([]byte(c.before), []byte(c.after), 100)
			var got []string
			for _, ch := range changes {
				pointer := strings.NewReplacer("é", "\\u00e9", "e\u0301", "e\\u0301").Replace(ch.Pointer)
				got = append(got, string(ch.Kind)+" "+pointer+" "+string(ch.Before)+" "+string(ch.After))
			}
			if all := strings.Join(got, "; "); all != c.want || more != 0 {
				t.Errorf("got %q (%d more), want %q", all, more, c.want)
			}
		})
	}
}

func TestDiffIsBounded(t *testing.T) {
	before := "[" + strings.Repeat("1,", 500) + "1]"
	after := "[" + strings.Repeat("2,", 500) + "2]"
	if changes, more := Diff([]byte(before), []byte(after), 20); len(changes) != 20 || more != 481 {
		t.Errorf("%d changes and %d more", len(changes), more)
	}
	deep := func(end string) []byte { return []byte(strings.Repeat("[", 200) + end + strings.Repeat("]", 200)) }
	changes, _ := Diff(deep("1"), deep("2"), 20)
	if len(changes) != 1 || strings.Count(changes[0].Pointer, "/") != maxDepth {
		t.Errorf("%d changes, the first at depth %d", len(changes), strings.Count(changes[0].Pointer, "/"))
	}
}
