package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const small = `# Field reports

| N | Group | What must hold |
|---|---|---|
| 7 | lists | It ends. |
| 71 | lists | A | b. |
`

// What each event of a run does to the two rows of the small table.
func TestFieldReports(t *testing.T) {
	event := func(action, test string) string {
		return `{"Action":"` + action + `","Package":"countersign/p","Test":"` + test + `"}` + "\n"
	}
	page := func(status string) string {
		return `{"testResults":[{"assertionResults":[{"title":"field-71 it","fullName":"a list field-71 it","status":"` + status + `"}]}]}`
	}
	seven := event("pass", "TestX/field-7_ends")
	for _, c := range []struct {
		name, gotest, page string
		ok                 bool
		says               []string
	}{
		{"nothing ran", "", "", false, []string{"field-7 (lists) It ends.: no test with its number passed", "field reports: 0 pass, 2 fail\n"}},
		{"one number does not stand for a longer one", seven, "", false, []string{"field-71 (lists) A | b.: no test", "field reports: 1 pass, 1 fail\n"}},
		{"both, one by the page", seven, page("passed"), true, []string{"field reports: 2 pass, 0 fail\n"}},
		{"a page test that failed", seven, page("failed"), false, []string{"failed: frontend a list field-71 it", "1 fail"}},
		{"a page test that was left out", seven, page("skipped"), false, []string{"1 fail"}},
		{"two numbers in one name", event("pass", "TestX/HTTP-07_field-7_field-71_it"), "", true, []string{"2 pass, 0 fail"}},
		{"one passed and one failed", seven + event("fail", "TestY/field-7_stays"), page("passed"), false, []string{"failed: p TestY/field-7_stays", "1 fail"}},
		{"one that never ended", seven + event("run", "TestY/field-7_stays"), page("passed"), false, []string{"failed: p TestY/field-7_stays"}},
		{"only left-out subtests", event("skip", "TestX/field-7/one") + event("pass", "TestX/field-7"), page("passed"), false, []string{"field-7 (lists)"}},
		{"the name of the test above carries it", event("pass", "TestX/field-7/one") + event("pass", "TestX/field-7"), page("passed"), true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			args := []string{write("table.md", small), write("go.jsonl", "what a compiler says\n"+c.gotest)}
			if c.page != "" {
				args = append(args, write("page.json", c.page))
			}
			var out bytes.Buffer
			ok, err := run(args, &out)
			if err != nil || ok != c.ok {
				t.Errorf("%v, %v: %s", ok, err, out.String())
			}
			for _, says := range c.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("it says %s, not %s", out.String(), says)
				}
			}
		})
	}
}

// A table that lost its form must not pass for want of rows.
func TestNoRows(t *testing.T) {
	dir := t.TempDir()
	table, report := filepath.Join(dir, "table.md"), filepath.Join(dir, "go.jsonl")
	for _, path := range []string{table, report} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := run([]string{table, report}, &bytes.Buffer{}); err == nil {
		t.Error("a table without rows passed")
	}
}
