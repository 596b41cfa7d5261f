package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCountGo(t *testing.T) {
	tests := []struct {
		name, in string
		want     counts
		shows    string
	}{
		{"leaves only", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"run","Package":"p","Test":"TestA/two"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/two"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Elapsed":0.5}
`, counts{Passed: 2}, "ok"},
		{"a failed subtest counts once", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"output","Package":"p","Test":"TestA/one","Output":"a_test.go:3: wrong\n"}
{"Action":"fail","Package":"p","Test":"TestA/one"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}
`, counts{Failed: 1}, "a_test.go:3: wrong"},
		{"a parent that fails by itself", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}
`, counts{Passed: 1, Failed: 1}, "FAIL p TestA"},
		{"a package that does not build", `{"ImportPath":"p","Action":"build-output","Output":"p.go:1: undefined: x\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p"}
`, counts{Failed: 1}, "undefined: x"},
		{"a crash of the test binary", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"panic: boom\n"}
{"Action":"fail","Package":"p"}
`, counts{Failed: 1}, "panic: boom"},
		{"a skipped test", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}
`, counts{Skipped: 1}, "p"},
		{"words between the events", "go: downloading x\n", counts{}, "go: downloading x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			got, err := countGo(strings.NewReader(tt.in), &out)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("counted %+v, want %+v", got, tt.want)
			}
			if !strings.Contains(out.String(), tt.shows) {
				t.Errorf("printed %q, want %q in it", out.String(), tt.shows)
			}
		})
	}
}

func TestReports(t *testing.T) {
	tests := []struct {
		name, mode, report string
		want               string
		ok                 bool
	}{
		{"vitest", "vitest", `{"numPassedTests":3,"numFailedTests":0,"success":true}`, "3 passed, 0 failed", true},
		{"vitest with a file that does not load", "vitest", `{"numPassedTests":3,"numFailedTests":0,"success":false}`, "3 passed, 1 failed", false},
		{"tap", "tap", "ok 1 - x\n# tests 5\n# pass 4\n# fail 0\n# cancelled 1\n# skipped 0\n# todo 0\n", "4 passed, 1 failed", false},
		{"lines", "lines", "Xvfb says\nok - window\nok - bus\nnot ok - picture\n", "2 passed, 1 failed", false},
		{"nothing ran", "lines", "", "0 passed, 0 failed", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			report, result := filepath.Join(dir, "report"), filepath.Join(dir, "results", "r.json")
			if err := os.WriteFile(report, []byte(tt.report), 0o600); err != nil {
				t.Fatal(err)
			}
			ok, err := run([]string{tt.mode, report, result}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if ok != tt.ok {
				t.Errorf("may pass: %v, want %v", ok, tt.ok)
			}
			var out bytes.Buffer
			if _, err := run([]string{"sum", result, filepath.Join(dir, "absent.json")}, nil, &out); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(out.String()); got != tt.want {
				t.Errorf("sum says %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReportCutShort(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(report, []byte("ok 1 - x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run([]string{"tap", report, report + ".json"}, nil, nil); err == nil {
		t.Error("a TAP report without its closing lines was accepted")
	}
}

func TestSumOfAFailedStage(t *testing.T) {
	var out bytes.Buffer
	if _, err := run([]string{"sum", "--failed-stage", "check"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "FAILED: check\n0 passed, 1 failed\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}
