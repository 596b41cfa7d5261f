package secrets

import "unicode/utf8"

// unit is one decoded step of a text: 1 to 4 bytes, and where the next one
// begins. n is 0 at the end of the text.
type unit struct {
	b    [utf8.UTFMax]byte
	n    int
	next int
	plus bool // a raw '+' in percent-encoding, which may stand for a space
}

// mode is a way to read a text: JSON escapes undone so many times, then percent-
// encoding undone so many times. Every mode reads every text: what is no escape
// stands for itself.
type mode struct{ json, percent int }

// modes begins with the plain one.
var modes = [...]mode{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 1}, {1, 2}, {2, 1}, {2, 2}}

func (md mode) read(b []byte, i int) unit { return readPercent(b, i, md.json, md.percent) }

func readPercent(b []byte, i, jsonDepth, depth int) unit {
	if depth == 0 {
		return readJSON(b, i, jsonDepth)
	}
	u := readPercent(b, i, jsonDepth, depth-1)
	if u.n != 1 {
		return u
	}
	switch u.b[0] {
	case '+':
		u.plus = true
	case '%':
		var value byte
		at := u.next
		for range 2 {
			h := readPercent(b, at, jsonDepth, depth-1)
			d, ok := hexDigit(h)
			if !ok {
				return u
			}
			value, at = value<<4|d, h.next
		}
		return unit{b: [4]byte{value}, n: 1, next: at}
	}
	return u
}

func readJSON(b []byte, i, depth int) unit {
	if i >= len(b) {
		return unit{}
	}
	if depth == 0 || b[i] != '\\' {
		return unit{b: [4]byte{b[i]}, n: 1, next: i + 1}
	}
	if depth == 1 && i+1 < len(b) { // the usual case, without recursion
		if c := longEscape[b[i+1]]; c != 0 {
			return unit{b: [4]byte{c}, n: 1, next: i + 2}
		}
		if b[i+1] != 'u' {
			return unit{b: [4]byte{'\\'}, n: 1, next: i + 1}
		}
	}
	u := readJSON(b, i, depth-1)
	if u.n != 1 || u.b[0] != '\\' {
		return u
	}
	e := readJSON(b, u.next, depth-1)
	if e.n != 1 {
		return u
	}
	if e.b[0] == 'u' {
		if r, next, ok := readRune(b, e.next, depth-1); ok {
			out := unit{next: next}
			out.n = utf8.EncodeRune(out.b[:], r)
			return out
		}
		return u
	}
	if c := longEscape[e.b[0]]; c != 0 {
		return unit{b: [4]byte{c}, n: 1, next: e.next}
	}
	return u
}

// readRune reads what follows "\u": four hex digits, and a second escape where
// they are the first half of a surrogate pair.
func readRune(b []byte, i, depth int) (r rune, next int, ok bool) {
	r, next, ok = readHex4(b, i, depth)
	if !ok || r < 0xd800 || r > 0xdbff {
		return r, next, ok
	}
	for at, want := next, "\\u"; ; {
		u := readJSON(b, at, depth)
		if u.n != 1 || u.b[0] != want[0] {
			return r, next, true
		}
		at, want = u.next, want[1:]
		if want != "" {
			continue
		}
		if low, end, ok := readHex4(b, at, depth); ok && low >= 0xdc00 && low <= 0xdfff {
			return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, end, true
		}
		return r, next, true
	}
}

func readHex4(b []byte, i, depth int) (r rune, next int, ok bool) {
	for range 4 {
		u := readJSON(b, i, depth)
		d, ok := hexDigit(u)
		if !ok {
			return 0, 0, false
		}
		r, i = r<<4|rune(d), u.next
	}
	return r, i, true
}

func hexDigit(u unit) (byte, bool) {
	if u.n != 1 {
		return 0, false
	}
	return hexValue(u.b[0])
}

func hexValue(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// special tells which bytes some mode does not take for themselves.
var special = [256]bool{'\\': true, '%': true, '+': true}

// longEscape holds what \c stands for in JSON; 0 where that is no short escape.
var longEscape = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// shortEscape is the reverse of longEscape.
func shortEscape(c byte) byte {
	for _, e := range []byte(`"\/bfnrt`) {
		if longEscape[e] == c {
			return e
		}
	}
	return 0
}
