// Command tally counts the tests that were really run.
//
//	go test -json ./... | tally go RESULT.json   prints a line a package and what failed
//	tally vitest REPORT.json RESULT.json         reads vitest's JSON report
//	tally tap REPORT.tap RESULT.json             reads the closing lines of node's test runner
//	tally lines REPORT.txt RESULT.json           counts lines that start "ok - " and "not ok - "
//	tally sum [--failed-stage NAME] RESULT.json...   prints "N passed, M failed"
//
// Each of the first four writes its counts to RESULT.json and exits 1 when
// something failed or nothing ran.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"countersign/build/reports"
)

// counts is what one stage of the tests came to.
type counts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func (c *counts) add(o counts) {
	c.Passed += o.Passed
	c.Failed += o.Failed
	c.Skipped += o.Skipped
}

func (c counts) String() string {
	s := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return s
}

func main() {
	ok, err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run does what args say; false means that a test failed or none ran.
func run(args []string, in io.Reader, out io.Writer) (bool, error) {
	if len(args) == 0 {
		return false, errors.New("say go, vitest, tap, lines or sum")
	}
	mode, args := args[0], args[1:]
	if mode == "sum" {
		return true, sum(args, out)
	}
	if mode == "go" {
		if len(args) != 1 {
			return false, errors.New("go: one argument, the file for the counts")
		}
		c, err := countGo(in, out)
		return finish(c, args[0], err)
	}
	if len(args) != 2 {
		return false, fmt.Errorf("%s: two arguments, the report and the file for the counts", mode)
	}
	report, err := os.ReadFile(args[0])
	if err != nil {
		return false, err
	}
	var c counts
	switch mode {
	case "vitest":
		c, err = countVitest(report)
	case "tap":
		c, err = countTAP(report)
	case "lines":
		c = countLines(report)
	default:
		err = fmt.Errorf("unknown report %q", mode)
	}
	return finish(c, args[1], err)
}

// finish writes the counts and says whether the stage may pass.
func finish(c counts, path string, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return false, err
	}
	return c.Failed == 0 && c.Passed > 0, nil
}

// sum prints the total of the result files; a stage that never ran has none.
func sum(args []string, out io.Writer) error {
	failedStage := ""
	if len(args) >= 2 && args[0] == "--failed-stage" {
		failedStage, args = args[1], args[2:]
	}
	var total counts
	for _, path := range args {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		var c counts
		if err := json.Unmarshal(data, &c); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		total.add(c)
	}
	if failedStage != "" {
		fmt.Fprintf(out, "FAILED: %s\n", failedStage)
		// A stage can fail without a failed test: a linter, a build, a crash.
		total.Failed = max(total.Failed, 1)
	}
	fmt.Fprintln(out, total)
	return nil
}

// countVitest reads the report of vitest's JSON reporter.
func countVitest(report []byte) (counts, error) {
	r, err := reports.ReadPage(bytes.NewReader(report))
	if err != nil {
		return counts{}, err
	}
	c := counts{Passed: r.Passed, Failed: r.Failed, Skipped: r.Pending + r.Todo}
	// A file that cannot be loaded fails the run without failing a test.
	if r.Success != nil && !*r.Success && c.Failed == 0 {
		c.Failed = 1
	}
	return c, nil
}

var tapTotal = regexp.MustCompile(`(?m)^# (pass|fail|cancelled|skipped|todo) (\d+)\s*$`)

// countTAP reads the closing comment lines of node's TAP reporter.
func countTAP(report []byte) (counts, error) {
	var c counts
	found := tapTotal.FindAllSubmatch(report, -1)
	if found == nil {
		return c, errors.New("the TAP report has no closing lines: the run was cut short")
	}
	for _, m := range found {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			return c, err
		}
		switch string(m[1]) {
		case "pass":
			c.Passed += n
		case "fail", "cancelled":
			c.Failed += n
		default:
			c.Skipped += n
		}
	}
	return c, nil
}

// countLines counts the lines of a smoke run.
func countLines(report []byte) counts {
	var c counts
	s := bufio.NewScanner(strings.NewReader(string(report)))
	for s.Scan() {
		switch {
		case strings.HasPrefix(s.Text(), "ok - "):
			c.Passed++
		case strings.HasPrefix(s.Text(), "not ok - "):
			c.Failed++
		}
	}
	return c
}
