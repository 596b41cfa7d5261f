// Package reports reads what test runs reported: the events of `go test -json` and
// vitest's JSON report. The commands beside it count and judge by it.
package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Event is a line of `go test -json` (see `go doc test2json`).
type Event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Output     string
	Elapsed    float64 // seconds
}

// Events calls event for each event of `go test -json`, and other for each line
// between them, which is what go itself says. Lines may be of any length.
func Events(in io.Reader, event func(Event), other func(line string)) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e Event
			if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
				other(line)
			} else {
				event(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Page is the part of vitest's JSON report that is read here.
type Page struct {
	Passed      int   `json:"numPassedTests"`
	Failed      int   `json:"numFailedTests"`
	Pending     int   `json:"numPendingTests"`
	Todo        int   `json:"numTodoTests"`
	Success     *bool // false too when a file could not be loaded
	TestResults []struct {
		AssertionResults []struct {
			Title, FullName, Status string
		}
	}
}

// ReadPage reads vitest's JSON report.
func ReadPage(in io.Reader) (Page, error) {
	var p Page
	if err := json.NewDecoder(in).Decode(&p); err != nil {
		return Page{}, fmt.Errorf("vitest report: %w", err)
	}
	return p, nil
}

// Outcome is how a test ended.
type Outcome int

// The outcomes of a test. One that began and never ended has failed.
const (
	Failed Outcome = iota
	Passed
	Skipped
)

// Test is one test of a run.
type Test struct {
	Place   string // the Go package without the module's name, or "frontend"
	Name    string // as reported; Go writes spaces as underscores, subtests after a slash
	Title   string // of a page test: the name without what its describe blocks say
	Outcome Outcome
	Parent  bool // it has subtests, which are listed too
}

// Read lists the tests of the report in the file called name: vitest's when the
// name ends in .json, else what `go test -json` wrote.
func Read(name string) ([]Test, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	read := readGo
	if strings.HasSuffix(name, ".json") {
		read = readPage
	}
	tests, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return tests, nil
}

func readGo(in io.Reader) ([]Test, error) {
	var tests []Test
	at := map[[2]string]int{} // in tests, by package and name
	err := Events(in, func(e Event) {
		if e.Test == "" {
			return
		}
		key := [2]string{e.Package, e.Test}
		i, ok := at[key]
		if !ok {
			i = len(tests)
			at[key] = i
			tests = append(tests, Test{Place: strings.TrimPrefix(e.Package, "countersign/"), Name: e.Test})
		}
		switch e.Action {
		case "pass":
			tests[i].Outcome = Passed
		case "skip":
			tests[i].Outcome = Skipped
		}
	}, func(string) {})
	for key := range at {
		for end, r := range key[1] { // a name may hold a slash of its own
			if i, ok := at[[2]string{key[0], key[1][:end]}]; ok && r == '/' {
				tests[i].Parent = true
			}
		}
	}
	return tests, err
}

func readPage(in io.Reader) ([]Test, error) {
	p, err := ReadPage(in)
	if err != nil {
		return nil, err
	}
	var tests []Test
	for _, file := range p.TestResults {
		for _, one := range file.AssertionResults {
			t := Test{Place: "frontend", Name: one.FullName, Title: one.Title}
			switch one.Status {
			case "passed":
				t.Outcome = Passed
			case "failed":
			default: // skipped, pending, todo, disabled
				t.Outcome = Skipped
			}
			tests = append(tests, t)
		}
	}
	return tests, nil
}
