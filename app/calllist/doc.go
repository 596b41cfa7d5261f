// Package calllist reads and writes call lists: files in which each line asks
// for one call, and reports of what became of them. It is pure; docs/lists.md
// tells the format.
//
// A bad line degrades itself: it stays in the list with what is wrong with it.
// Only a file that is no list at all is an error. Errors and faults are clauses
// for a person.
package calllist

// Bounds of a list.
const (
	MaxFile  = 64 << 20 // bytes
	MaxLines = 10_000
	MaxLine  = 16 << 20 // bytes
	maxText  = 4 << 10  // bytes of a server's, a tool's and a line's own name
)

// Line is one line of a list.
type Line struct {
	Number    int    // in the file, from 1
	ID        string // the file's own name for the line, or ""
	Server    string // name or id; "" in a table
	Tool      string // "" in a table
	Arguments []byte // JSON text of an object, as written
	Fault     string // why nothing can be proposed for it, or ""
}
