package calllist

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/app/rawjson"
)

func TestReadJSONLines(t *testing.T) {
	const good = `{"server":"s","tool":"t","arguments":{"n":1.50},"id":"x"}`
	for _, c := range []struct {
		what, line, fault string
	}{
		{"all parts", good, ""},
		{"no arguments", `{"server":"s","tool":"t"}`, ""},
		{"a number as id", `{"server":"s","tool":"t","id":7}`, ""},
		{"no server", `{"tool":"t"}`, `names no "server"`},
		{"no tool", `{"server":"s","tool":""}`, `names no "tool"`},
		{"no object", `[1]`, "curly brackets"},
		{"half an object", `{"server":"s"`, "not one JSON object"},
		{"two objects", good + good, "not one JSON object"},
		{"a key twice", `{"server":"s","server":"x","tool":"t"}`, "stands twice"},
		{"a key twice in the arguments", `{"server":"s","tool":"t","arguments":{"a":1,"a":2}}`, "stands twice"},
		{"an unknown part", `{"server":"s","tool":"t","args":{}}`, `"args" that is not known`},
		{"another case", `{"Server":"s","tool":"t"}`, `"Server" that is not known`},
		{"arguments as text", `{"server":"s","tool":"t","arguments":"{}"}`, "not a JSON object"},
		{"a tool that is no text", `{"server":"s","tool":1}`, `"tool" is not a text`},
		{"a long tool", `{"server":"s","tool":"` + strings.Repeat("x", 5000) + `"}`, `"tool" is not a text`},
		{"no UTF-8", "{\"server\":\"s\xff\",\"tool\":\"t\"}", "not valid UTF-8"},
		{"a NUL", "{\"server\":\"s\x00\",\"tool\":\"t\"}", "NUL"},
		{"half a surrogate pair", `{"server":"s","tool":"\ud800"}`, "surrogate"},
		{"a long line", strings.Repeat(" ", 1) + `{"server":"` + strings.Repeat("s", MaxLine) + `"}`, "longer than 16 MiB"},
	} {
		lines, err := ReadJSONLines([]byte("\xef\xbb\xbf" + good + "\r\n\n  \n" + c.line + "\r\n" + good))
		if err != nil || len(lines) != 3 {
			t.Errorf("%s: %v, %d lines", c.what, err, len(lines))
			continue
		}
		if got := lines[1]; got.Number != 4 || (got.Fault == "") != (c.fault == "") || !strings.Contains(got.Fault, c.fault) {
			t.Errorf("%s: line %d, fault %q", c.what, got.Number, got.Fault)
		}
		for _, l := range []Line{lines[0], lines[2]} {
			if l.Fault != "" || l.Server != "s" || l.Tool != "t" || l.ID != "x" || string(l.Arguments) != `{"n":1.50}` {
				t.Errorf("%s: the line beside it is %+v", c.what, l)
			}
		}
	}
	for what, file := range map[string]string{
		"empty": "", "blank": "\n \r\n", "UTF-16": "\xff\xfe{\x00", "too many lines": strings.Repeat("{}\n", MaxLines+1), "too large": strings.Repeat(" ", MaxFile+1),
	} {
		if _, err := ReadJSONLines([]byte(file)); err == nil {
			t.Errorf("%s: is taken", what)
		}
	}
	if lines, err := ReadJSONLines([]byte(strings.Repeat("{}\n", MaxLines))); err != nil || len(lines) != MaxLines {
		t.Error(err)
	}
}

const tableSchema = `{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":["number","null"]},"b":{"type":"boolean"},
	"o":{"type":"object"},"a":{"type":"array"},"m":{"anyOf":[{"type":"integer"},{"type":"null"}]},"x":{"type":["integer","string"]}}}`

func TestTable(t *testing.T) {
	for _, c := range []struct{ what, file, args, fault string }{
		{"text", "s\nab", `{"s":"ab"}`, ""},
		{"a number as text", "s\n007", `{"s":"007"}`, ""},
		{"blanks in text stay", "s\n a ", `{"s":" a "}`, ""},
		{"quotes, commas and line ends", "s,i\n\"a,\"\"b\"\"\nc\",1", `{"s":"a,\"b\"\nc","i":1}`, ""},
		{"an integer beyond all sizes", "i\n12345678901234567890123", `{"i":12345678901234567890123}`, ""},
		{"a number to the letter", "n\n1.50e3", `{"n":1.50e3}`, ""},
		{"a number with blanks", "n\n 2 ", `{"n":2}`, ""},
		{"no number", "i\nten", ``, `column "i": “ten” is not a whole number`},
		{"a number as people write it", "n\n\"1,5\"", ``, "is not a number"},
		{"a plus sign", "n\n+1", ``, "is not a number"},
		{"hexadecimal", "i\n0x10", ``, "is not a whole number"},
		{"true", "b\nTRUE", `{"b":true}`, ""},
		{"no boolean", "b\nyes", ``, "is not true or false"},
		{"an object", "o\n\"{\"\"k\"\": [1]}\"", `{"o":{"k":[1]}}`, ""},
		{"an object with a key twice", "o\n\"{\"\"k\"\":1,\"\"k\"\":2}\"", ``, "is not a JSON object"},
		{"an array", "a\n[]", `{"a":[]}`, ""},
		{"an array for an object", "o\n[]", ``, "is not a JSON object"},
		{"one of several types", "m\n4", `{"m":4}`, ""},
		{"text is the last of several types", "x,s\nfour,4", `{"x":"four","s":"4"}`, ""},
		{"an empty cell", "s,i\n,1", `{"i":1}`, ""},
		{"fewer cells", "s,i\na", `{"s":"a"}`, ""},
		{"more cells", "s\na,b", ``, "2 cells"},
		{"an argument that the tool does not know", "z\n1", `{"z":"1"}`, ""},
		{"semicolons", "s;i\n\"a;b\";1", `{"s":"a;b","i":1}`, ""},
		{"tabs", "s\ti\na,b\t1", `{"s":"a,b","i":1}`, ""},
		{"line ends of Windows, and a mark", "\xef\xbb\xbfs,i\r\na,1\r\n", `{"s":"a","i":1}`, ""},
		{"names are kept to the letter", "<a>&\u2028\nx", `{"<a>&\u2028":"x"}`, ""},
		{"a quotation mark inside", "s\na\"b", ``, "quotation mark"},
		{"no UTF-8", "s\na\xff", ``, "UTF-8"},
		{"a NUL", "s\na\x00", ``, "NUL"},
	} {
		table, err := ReadTable([]byte(c.file))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		lines := table.Lines([]byte(tableSchema))
		if len(lines) != 1 || table.Rows() != 1 || lines[0].Number != 2 {
			t.Errorf("%s: %+v", c.what, lines)
			continue
		}
		got := lines[0]
		if (got.Fault == "") != (c.fault == "") || !strings.Contains(got.Fault, c.fault) || (c.fault == "" && string(got.Arguments) != c.args) {
			t.Errorf("%s: %s, fault %q", c.what, got.Arguments, got.Fault)
		}
	}
	for what, file := range map[string]string{"empty": "", "only names": "a,b\n", "a name twice": "a,a\n1,2", "no name": "a,\n1,2", "a quotation mark in a name": "a\"b\n1", "UTF-16": "\xfe\xff\x00a"} {
		if _, err := ReadTable([]byte(file)); err == nil {
			t.Errorf("%s: is taken", what)
		}
	}
}

// TestABadRowCostsItself: the rows behind it are read, with their numbers.
func TestABadRowCostsItself(t *testing.T) {
	table, err := ReadTable([]byte("s\na\n\nb\"c\n\"d\ne\"\nf\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range table.Lines(nil) {
		got = append(got, fmt.Sprint(l.Number, " ", string(l.Arguments), " ", l.Fault != ""))
	}
	if want := []string{`2 {"s":"a"} false`, `4 {} true`, `5 {"s":"d\ne"} false`, `7 {"s":"f"} false`}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestReport(t *testing.T) {
	outcomes := []Outcome{
		{Line: 1, ID: "<x>", Server: "s", Tool: "t", CallID: "c", State: "succeeded", Decision: "approved", Result: []byte(`{"n":1.50, "t":"a"}`)},
		{Line: 2, Server: "=s", Tool: "+t", State: "denied", Reason: "-not now\n@", Result: []byte("{\n}")},
		{Line: 3, Server: "\ts", State: "not_proposed", Error: "the line is bad", Result: []byte("\xff")},
	}
	var b bytes.Buffer
	if err := WriteJSONLines(&b, slices.Values(outcomes)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"result":{"n":1.50, "t":"a"}}`) || !strings.Contains(lines[0], `"<x>"`) ||
		!strings.Contains(lines[1], `"resultBase64":"ewp9"`) || !strings.Contains(lines[2], `"resultBase64":"/w=="`) {
		t.Errorf("got %q", lines)
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("%s is not JSON", l)
		}
	}
	b.Reset()
	if err := WriteTable(&b, slices.Values(outcomes)); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 4 || rows[2][2] != "'=s" || rows[2][3] != "'+t" || rows[2][7] != "'-not now\n@" || rows[3][2] != "'\ts" || rows[1][9] != `{"n":1.50, "t":"a"}` {
		t.Errorf("%v %q", err, rows)
	}
}

// FuzzCallList: whatever a file holds, what is proposed of it is a JSON object
// that two readers cannot understand differently.
func FuzzCallList(f *testing.F) {
	f.Add([]byte("{\"server\":\"s\",\"tool\":\"t\",\"arguments\":{\"a\":1}}\r\n{}"))
	f.Add([]byte("s,i,o\n\"a\",1,{}\n\"x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, _ := ReadJSONLines(data)
		if table, err := ReadTable(data); err == nil {
			lines = append(lines, table.Lines([]byte(tableSchema))...)
		}
		for _, l := range lines {
			if l.Fault != "" {
				continue
			}
			if args, err := rawjson.Compact(l.Arguments); err != nil || args[0] != '{' || l.Number < 1 {
				t.Fatalf("line %d: %q: %v", l.Number, l.Arguments, err)
			}
		}
	})
}
