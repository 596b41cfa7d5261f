package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const small = `# A ledger

| ID | Level | Requirement | Source | Era | Status | Tested |
|---|---|---|---|---|---|---|
| AA-01 | MUST | One. | X#y | both | done | - |
| AA-02 | MUST | Two | three. | X#y | both | done | - |
| AA-03 | MAY | Three. | X#y | both | later: no need yet | - |
| GAP-01 | Matter | Reading. |
`

func TestLedger(t *testing.T) {
	event := func(action, test string) string {
		return `{"Action":"` + action + `","Package":"countersign/p","Test":"` + test + `"}` + "\n"
	}
	for _, c := range []struct {
		name, gotest, page string
		ok                 bool
		says               []string
	}{
		{"nothing ran", "", "", false, []string{"untested: AA-01 One.", "requirements: 1 done of 2, 1 untested"}},
		{"a subtest passed", event("pass", "TestX/AA-01_says_so/more"), "", true, []string{"requirements: 1 done of 2, 0 untested"}},
		{"it failed", event("fail", "TestX/AA-01_says_so"), "", false, []string{"1 untested"}},
		{"it was only started", event("run", "TestX/AA-01"), "", false, []string{"1 untested"}},
		{"an id within a name does not count", event("pass", "TestX/says_AA-01"), "", false, []string{"1 untested"}},
		{"of a page test", "", `{"testResults":[{"assertionResults":[{"title":"AA-01 it","status":"passed"}]}]}`, true, []string{"0 untested"}},
		{"a page test that failed", "", `{"testResults":[{"assertionResults":[{"title":"AA-01 it","status":"failed"}]}]}`, false, []string{"1 untested"}},
		{"an unknown id", event("pass", "TestX/AA-01_AA-09_GAP-01_it"), "", false, []string{"unknown: AA-09", "0 untested"}},
		{"a row that is not done", event("pass", "TestX/AA-01_AA-03"), "", false, []string{`not done: AA-03 is tested in [p] and its row says "later: no need yet"`}},
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
			args := []string{write("ledger.md", small), write("go.jsonl", "what a compiler says\n"+c.gotest)}
			if c.page != "" {
				args = append(args, write("page.json", c.page))
			}
			var out bytes.Buffer
			ok, err := run(args, true, &out)
			if err != nil || ok != c.ok {
				t.Errorf("%v, %v: %s", ok, err, out.String())
			}
			for _, says := range c.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("it says %s, not %s", out.String(), says)
				}
			}
			written, err := os.ReadFile(args[0])
			if err != nil {
				t.Fatal(err)
			}
			if c.ok && !strings.Contains(string(written), "| done | p |") && !strings.Contains(string(written), "| done | frontend |") {
				t.Errorf("written: %s", written)
			}
			if len(strings.Split(string(written), "\n")) != len(strings.Split(small, "\n")) {
				t.Error("lines came or went")
			}
		})
	}
}
