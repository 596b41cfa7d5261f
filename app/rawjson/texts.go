package rawjson

import (
	"strconv"
	"strings"
)

// Texts calls fn for each string in a JSON text, member names included, in the
// order of the bytes. pointer is the JSON Pointer (RFC 6901) of the value, or of
// the member that is named. text is decoded; one that cannot be is given as
// written. It ends at the first syntax error, which it returns.
func Texts(src []byte, fn func(pointer string, name bool, text string)) error {
	t := &texter{src: src, fn: fn}
	return (&scanner{src: src, v: t}).document()
}

// texter knows where in the document the scanner is.
type texter struct {
	src   []byte
	fn    func(pointer string, name bool, text string)
	stack []step
}

// step is one level: the member or item that is being walked.
type step struct {
	kind byte
	name string
	at   int
}

func (t *texter) key(start, end int) error {
	text, _ := unquote(t.src[start:end])
	top := &t.stack[len(t.stack)-1]
	top.name = text
	t.fn(t.pointer(), true, text)
	return nil
}

func (t *texter) scalar(start, end int) {
	if t.src[start] == '"' {
		text, _ := unquote(t.src[start:end])
		t.fn(t.pointer(), false, text)
	}
	t.done()
}

func (t *texter) open(kind byte) { t.stack = append(t.stack, step{kind: kind}) }

func (t *texter) close(byte) {
	t.stack = t.stack[:len(t.stack)-1]
	t.done()
}

// done steps on within an array.
func (t *texter) done() {
	if n := len(t.stack); n > 0 {
		t.stack[n-1].at++
	}
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// EscapePointer gives a member's name as it stands in a JSON Pointer (RFC 6901).
func EscapePointer(name string) string { return escapePointer.Replace(name) }

func (t *texter) pointer() string {
	var b strings.Builder
	for _, s := range t.stack {
		b.WriteByte('/')
		if s.kind == '[' {
			b.WriteString(strconv.Itoa(s.at))
		} else {
			b.WriteString(EscapePointer(s.name))
		}
	}
	return b.String()
}
