package secrets

import "strings"

// Mark returns what stands in the place of the secret called name: «secret:NAME».
// Characters that a secret's name cannot hold become '_', so that a mark is safe
// inside a JSON string.
func Mark(name string) string {
	return "«secret:" + strings.Map(func(r rune) rune {
		if r < 0x80 && nameByte(byte(r)) {
			return r
		}
		return '_'
	}, name) + "»"
}

// HoldsMark tells whether a text has the mark of a secret in it.
func HoldsMark(text string) bool { return strings.Contains(text, "«secret") }
