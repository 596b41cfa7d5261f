package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"strings"
)

// leading are the ids that a test's name begins with. The Go tools write a space
// in a subtest's name as an underscore.
var leading = regexp.MustCompile(`^(?:[A-Z]+-[0-9]{2}(?:[ _]|$))+`)

var oneID = regexp.MustCompile(`[A-Z]+-[0-9]{2}`)

func ids(name string) []string { return oneID.FindAllString(leading.FindString(name), -1) }

// claim files the ids of a passed test under the place where it stands. GAP ids
// are the ledger's notes, not rows.
func claim(tested map[string][]string, name, place string) {
	for _, id := range ids(name) {
		if !strings.HasPrefix(id, "GAP-") {
			tested[id] = append(tested[id], place)
		}
	}
}

func readReport(name string, tested map[string][]string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if strings.HasSuffix(name, ".json") {
		return readPage(f, tested)
	}
	return readGo(f, tested)
}

func readGo(f *os.File, tested map[string][]string) error {
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action != "pass" || e.Test == "" {
			continue // a line that is no event is a compiler's
		}
		for part := range strings.SplitSeq(e.Test, "/") { // a name may hold a slash
			claim(tested, part, strings.TrimPrefix(e.Package, "countersign/"))
		}
	}
	return lines.Err()
}

func readPage(f *os.File, tested map[string][]string) error {
	var report struct {
		TestResults []struct {
			AssertionResults []struct{ Title, Status string }
		}
	}
	if err := json.NewDecoder(f).Decode(&report); err != nil {
		return err
	}
	for _, file := range report.TestResults {
		for _, one := range file.AssertionResults {
			if one.Status == "passed" {
				claim(tested, one.Title, "frontend")
			}
		}
	}
	return nil
}
