package main

import (
	"regexp"
	"strings"

	"countersign/build/reports"
)

// leading are the ids that a test's name begins with. The Go tools write a space
// in a subtest's name as an underscore.
var leading = regexp.MustCompile(`^(?:[A-Z]+-[0-9]{2}(?:[ _]|$))+`)

var oneID = regexp.MustCompile(`[A-Z]+-[0-9]{2}`)

func ids(name string) []string { return oneID.FindAllString(leading.FindString(name), -1) }

// claim files the ids of a passed test under the place where it stands. GAP ids
// are the ledger's notes, not rows.
func claim(tested map[string][]string, test reports.Test) {
	parts := strings.Split(test.Name, "/") // a name may hold a slash
	if test.Title != "" {
		parts = []string{test.Title}
	}
	for _, part := range parts {
		for _, id := range ids(part) {
			if !strings.HasPrefix(id, "GAP-") {
				tested[id] = append(tested[id], test.Place)
			}
		}
	}
}
