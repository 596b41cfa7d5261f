package main

import (
	"regexp"
	"slices"
	"strings"
)

// row is one row of the ledger: | id | level | text | source | era | status | tested |
type row struct{ id, text, status string }

const columns = 7

var rowID = regexp.MustCompile(`^[A-Z]+-[0-9]{2}$`)

// cells cuts a table row; a bar that is escaped stays.
func cells(line string) []string {
	if !strings.HasPrefix(line, "| ") || !strings.HasSuffix(line, " |") {
		return nil
	}
	parts := strings.Split(line[2:len(line)-2], " | ")
	if len(parts) != columns || !rowID.MatchString(parts[0]) {
		return nil
	}
	return parts
}

func readRows(text string) (rows []row) {
	for line := range strings.Lines(text) {
		if c := cells(strings.TrimSuffix(line, "\n")); c != nil {
			rows = append(rows, row{id: c[0], text: c[2], status: strings.TrimSpace(c[5])})
		}
	}
	return rows
}

// writeRows fills the last column with the places of each row's tests.
func writeRows(text string, tested map[string][]string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if c := cells(strings.TrimSuffix(line, "\n")); c != nil {
			places := slices.Compact(slices.Sorted(slices.Values(tested[c[0]])))
			c[6] = strings.Join(places, ", ")
			if c[6] == "" {
				c[6] = "-"
			}
			line = "| " + strings.Join(c, " | ") + " |\n"
		}
		_, _ = b.WriteString(line) // a Builder takes all
	}
	return b.String()
}
