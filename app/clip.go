package app

import "strings"

// How much of a server's text crosses the bridge, in bytes. What is longer is
// cut, visibly; the record and the raw views keep all of it.
const (
	maxName        = 4 << 10  // a tool's name: longer ones are not listed
	maxTitle       = 512      // titles, names and versions of servers
	maxLine        = 2 << 10  // reasons, hints, problems, progress
	maxDescription = 4 << 10  // of a tool in a list
	maxText        = 64 << 10 // descriptions, instructions, messages in full view
	maxDefinition  = 512 << 10
	maxSchema      = 1 << 20 // larger ones cannot be used anyway
	// maxDescriptions is how much all descriptions of a server have in a list;
	// beyond it each is cut to shortDescription.
	maxDescriptions  = 1 << 20
	shortDescription = 200
)

// clip cuts a text that is longer than n bytes, between two characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// line is a server's short text for the page: masked and bounded.
func (m *masking) line(s string) string { return clip(m.text(s), maxLine) }
