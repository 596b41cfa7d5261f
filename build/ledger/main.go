// Command ledger holds docs/requirements.md against the tests of one run: a row that
// says "done" needs a test that ran in it, passed, and whose name begins with the
// row's id.
//
//	ledger [-w] LEDGER REPORT...
//
// A REPORT is what `go test -json` wrote, or vitest's JSON report (by its name,
// *.json). With -w the column that tells where a row is tested is written anew. The
// last line is "requirements: X done of Y, Z untested"; any other than 0 untested,
// an unknown id, and a tested row that is not done, fail.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"countersign/build/reports"
)

func main() {
	write := flag.Bool("w", false, "write where each row is tested")
	flag.Parse()
	ok, err := run(flag.Args(), *write, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ledger:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(args []string, write bool, out io.Writer) (bool, error) {
	if len(args) < 2 {
		return false, errors.New("a ledger and at least one report are needed: ledger [-w] LEDGER REPORT")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return false, err
	}
	tested := map[string][]string{} // places by id
	for _, name := range args[1:] {
		tests, err := reports.Read(name)
		if err != nil {
			return false, err
		}
		for _, test := range tests {
			if test.Outcome == reports.Passed {
				claim(tested, test)
			}
		}
	}
	rows := readRows(string(text))
	ok := judge(rows, tested, out)
	if write {
		if err := os.WriteFile(args[0], []byte(writeRows(string(text), tested)), 0o644); err != nil {
			return false, err
		}
	}
	return ok, nil
}

// judge prints what is wrong, then the counts.
func judge(rows []row, tested map[string][]string, out io.Writer) bool {
	known := map[string]row{}
	done, untested, wrong := 0, 0, 0
	for _, r := range rows {
		known[r.id] = r
		if r.status != "done" {
			continue
		}
		done++
		if len(tested[r.id]) == 0 {
			untested++
			fmt.Fprintf(out, "untested: %s %s\n", r.id, r.text)
		}
	}
	ids := make([]string, 0, len(tested))
	for id := range tested {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		switch r, ok := known[id]; {
		case !ok:
			wrong++
			fmt.Fprintf(out, "unknown: %s is tested in %v and stands in no row\n", id, tested[id])
		case r.status != "done":
			wrong++
			fmt.Fprintf(out, "not done: %s is tested in %v and its row says %q\n", id, tested[id], r.status)
		}
	}
	fmt.Fprintf(out, "requirements: %d done of %d, %d untested\n", done, len(rows), untested)
	return untested == 0 && wrong == 0
}
