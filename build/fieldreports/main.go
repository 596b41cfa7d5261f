// Command fieldreports holds docs/field-reports.md against the tests of one run: a
// row passes when a test whose name carries field-N ran in it and passed, and none
// that carries it failed.
//
//	fieldreports TABLE REPORT...
//
// A REPORT is what `go test -json` wrote, or vitest's JSON report (by its name,
// *.json). The last line is "field reports: N pass, M fail"; an M other than 0, or
// a table without rows, fails.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"countersign/build/reports"
)

func main() {
	ok, err := run(os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fieldreports:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) (bool, error) {
	if len(args) < 2 {
		return false, errors.New("a table and at least one report are needed: fieldreports TABLE REPORT")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return false, err
	}
	rows := readRows(string(text))
	if len(rows) == 0 {
		return false, fmt.Errorf("%s: no row in it", args[0])
	}
	seen := map[string]*tally{}
	for _, name := range args[1:] {
		tests, err := reports.Read(name)
		if err != nil {
			return false, err
		}
		for _, test := range tests {
			count(seen, test)
		}
	}
	return judge(rows, seen, out), nil
}

// row is one row of the table: | N | group | text |
type row struct{ number, group, text string }

var rowForm = regexp.MustCompile(`(?m)^\| ([0-9]+) \| ([^|]+) \| (.+) \|$`)

func readRows(text string) (rows []row) {
	for _, m := range rowForm.FindAllStringSubmatch(text, -1) {
		rows = append(rows, row{number: m[1], group: m[2], text: m[3]})
	}
	return rows
}

// tally is what the tests of one number came to.
type tally struct {
	passed int
	failed []string
}

var carried = regexp.MustCompile(`field-([0-9]+)`)

// count files a test under each number that its name carries. A test that has
// subtests passes by them: it may have left out all of them.
func count(seen map[string]*tally, test reports.Test) {
	for _, m := range carried.FindAllStringSubmatch(test.Name, -1) {
		t := seen[m[1]]
		if t == nil {
			t = &tally{}
			seen[m[1]] = t
		}
		switch {
		case test.Outcome == reports.Failed:
			t.failed = append(t.failed, test.Place+" "+test.Name)
		case test.Outcome == reports.Passed && !test.Parent:
			t.passed++
		}
	}
}

// judge prints the rows that fail, each with why, then the counts.
func judge(rows []row, seen map[string]*tally, out io.Writer) bool {
	failed := 0
	for _, r := range rows {
		why := "no test with its number passed"
		if t := seen[r.number]; t != nil && len(t.failed) > 0 {
			why = "failed: " + strings.Join(t.failed, ", ")
		} else if t != nil && t.passed > 0 {
			continue
		}
		failed++
		fmt.Fprintf(out, "field-%s (%s) %s: %s\n", r.number, r.group, r.text, why)
	}
	fmt.Fprintf(out, "field reports: %d pass, %d fail\n", len(rows)-failed, failed)
	return failed == 0
}
