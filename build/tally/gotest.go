package main

import (
	"fmt"
	"io"
	"strings"

	"countersign/build/reports"
)

// goRun follows one `go test -json` run.
type goRun struct {
	out     io.Writer
	counts  counts
	outputs map[string][]string // by package and test, until it has passed
	parents map[string]bool     // tests that have subtests; only leaves are counted
	failed  map[string]bool
}

// countGo reads `go test -json`, printing a line for each package and the output
// of what failed.
func countGo(in io.Reader, out io.Writer) (counts, error) {
	r := &goRun{out: out, outputs: map[string][]string{}, parents: map[string]bool{}, failed: map[string]bool{}}
	err := reports.Events(in, r.handle, func(line string) { fmt.Fprint(out, line) })
	return r.counts, err
}

func (r *goRun) handle(e reports.Event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "run":
		for i := strings.LastIndexByte(e.Test, '/'); i > 0; i = strings.LastIndexByte(e.Test[:i], '/') {
			r.parents[e.Package+"\x00"+e.Test[:i]] = true
		}
	case "output":
		r.outputs[key] = append(r.outputs[key], e.Output)
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.packageDone(e, key)
		} else {
			r.testDone(e, key)
		}
	}
}

func (r *goRun) testDone(e reports.Event, key string) {
	switch {
	case e.Action == "fail":
		fmt.Fprintf(r.out, "FAIL %s %s\n", e.Package, e.Test)
		for _, o := range r.outputs[key] {
			fmt.Fprint(r.out, "    "+o)
		}
		// A parent fails with its subtests; counted is only what failed by itself.
		if !r.parents[key] || !r.failed[key] {
			r.counts.Failed++
		}
		r.failed[e.Package+"\x00"] = true
		for i := strings.LastIndexByte(e.Test, '/'); i > 0; i = strings.LastIndexByte(e.Test[:i], '/') {
			r.failed[e.Package+"\x00"+e.Test[:i]] = true
		}
	case r.parents[key]:
	case e.Action == "pass":
		r.counts.Passed++
	default:
		r.counts.Skipped++
	}
	delete(r.outputs, key)
}

func (r *goRun) packageDone(e reports.Event, key string) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(r.out, "  ok  %6.1fs  %s\n", e.Elapsed, e.Package)
	case "fail":
		fmt.Fprintf(r.out, "FAIL  %6.1fs  %s\n", e.Elapsed, e.Package)
		// A build error, a crash or a race outside a test fails the package alone.
		if !r.failed[key] {
			r.counts.Failed++
			for k, lines := range r.outputs {
				if strings.HasPrefix(k, e.Package+"\x00") {
					fmt.Fprint(r.out, strings.Join(lines, ""))
				}
			}
		}
	}
	for k := range r.outputs {
		if strings.HasPrefix(k, e.Package+"\x00") {
			delete(r.outputs, k)
		}
	}
}
