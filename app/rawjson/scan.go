package rawjson

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// SyntaxError tells where bytes stop being the JSON that is asked for.
type SyntaxError struct {
	Offset int    // byte offset in the input
	Reason string // a clause for a person, without a full stop
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset)
}

// visitor is told what the scanner walks over. Offsets are into the input.
type visitor interface {
	// key is called for each member name, quotes included.
	key(start, end int) error
	// scalar is called for strings, numbers and literals.
	scalar(start, end int)
	// open and close are called for the brackets of arrays and objects.
	open(kind byte)
	close(kind byte)
}

// scanner walks one JSON text strictly by RFC 8259.
type scanner struct {
	src   []byte
	pos   int
	depth int
	v     visitor
}

func (s *scanner) fail(reason string) error { return &SyntaxError{s.pos, reason} }

func (s *scanner) space() {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// document reads one value and nothing behind it.
func (s *scanner) document() error {
	if err := s.value(); err != nil {
		return err
	}
	s.space()
	if s.pos != len(s.src) {
		return s.fail("there is text behind the JSON value")
	}
	return nil
}

func (s *scanner) value() error {
	s.space()
	if s.pos >= len(s.src) {
		return s.fail("the JSON ends early")
	}
	start := s.pos
	switch c := s.src[s.pos]; {
	case c == '{' || c == '[':
		return s.container(c)
	case c == '"':
		if err := s.str(); err != nil {
			return err
		}
	case c == '-' || (c >= '0' && c <= '9'):
		if err := s.number(); err != nil {
			return err
		}
	default:
		if err := s.literal(); err != nil {
			return err
		}
	}
	s.v.scalar(start, s.pos)
	return nil
}

func (s *scanner) container(open byte) error {
	if s.depth++; s.depth > MaxDepth {
		return s.fail(fmt.Sprintf("the JSON is nested deeper than %d levels", MaxDepth))
	}
	closing := open + 2 // ']' and '}' each stand two behind their partners
	s.pos++
	s.v.open(open)
	for first := true; ; first = false {
		s.space()
		if s.pos >= len(s.src) {
			return s.fail("the JSON ends early")
		}
		if s.src[s.pos] == closing && first {
			break
		}
		if open == '{' {
			if err := s.name(); err != nil {
				return err
			}
		}
		if err := s.value(); err != nil {
			return err
		}
		s.space()
		if s.pos < len(s.src) && s.src[s.pos] == ',' {
			s.pos++
			continue
		}
		if s.pos < len(s.src) && s.src[s.pos] == closing {
			break
		}
		return s.fail("a comma or a closing bracket is missing")
	}
	s.pos++
	s.depth--
	s.v.close(closing)
	return nil
}

func (s *scanner) name() error {
	s.space()
	if s.pos >= len(s.src) || s.src[s.pos] != '"' {
		return s.fail("a member name in quotes is missing")
	}
	start := s.pos
	if err := s.str(); err != nil {
		return err
	}
	if err := s.v.key(start, s.pos); err != nil {
		return err
	}
	s.space()
	if s.pos >= len(s.src) || s.src[s.pos] != ':' {
		return s.fail("a colon is missing")
	}
	s.pos++
	return nil
}

func (s *scanner) str() error {
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == '"':
			s.pos++
			return nil
		case c < 0x20:
			return s.fail("a string holds a raw control character")
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		}
	}
	return s.fail("a string does not end")
}

// escape leaves pos on the last byte of the escape.
func (s *scanner) escape() error {
	s.pos++
	if s.pos >= len(s.src) {
		return s.fail("a string does not end")
	}
	switch s.src[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		if _, ok := hex4(s.src[s.pos+1:]); !ok {
			return s.fail("a \\u escape needs four hexadecimal digits")
		}
		s.pos += 4
		return nil
	}
	return s.fail("a string holds an unknown escape")
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.src) && s.src[s.pos] >= '0' && s.src[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) number() error {
	if s.src[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.src) && s.src[s.pos] == '0' {
		s.pos++
	} else if !s.digits() {
		return s.fail("a number has no digits")
	}
	if s.pos < len(s.src) && s.src[s.pos] == '.' {
		s.pos++
		if !s.digits() {
			return s.fail("a number has no digits behind its point")
		}
	}
	if s.pos < len(s.src) && (s.src[s.pos] == 'e' || s.src[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.src) && (s.src[s.pos] == '+' || s.src[s.pos] == '-') {
			s.pos++
		}
		if !s.digits() {
			return s.fail("a number has no digits in its exponent")
		}
	}
	return nil
}

func (s *scanner) literal() error {
	for _, word := range []string{"true", "false", "null"} {
		if len(s.src)-s.pos >= len(word) && string(s.src[s.pos:s.pos+len(word)]) == word {
			s.pos += len(word)
			return nil
		}
	}
	return s.fail("this is not a JSON value")
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// loneSurrogate reports the offset of a \u escape in a string token that is
// half of a pair without its other half, or -1.
func loneSurrogate(tok []byte) int {
	for i := 0; i < len(tok); i++ {
		if tok[i] != '\\' {
			continue
		}
		i++
		if tok[i] != 'u' {
			continue
		}
		r, _ := hex4(tok[i+1:])
		at := i - 1
		i += 4
		switch {
		case r >= 0xDC00 && r <= 0xDFFF:
			return at
		case r >= 0xD800 && r <= 0xDBFF:
			if i+6 >= len(tok) || tok[i+1] != '\\' || tok[i+2] != 'u' {
				return at
			}
			if low, ok := hex4(tok[i+3:]); !ok || low < 0xDC00 || low > 0xDFFF {
				return at
			}
			i += 6
		}
	}
	return -1
}

// unquote decodes a string token. One that has no decoded text (half of a
// surrogate pair, invalid UTF-8) is returned as written, with false.
func unquote(tok []byte) (string, bool) {
	if loneSurrogate(tok) < 0 && utf8.Valid(tok) {
		var out string
		if err := json.Unmarshal(tok, &out); err == nil {
			return out, true
		}
	}
	return string(tok), false
}

// distinct is unquote with the two kinds kept apart, so that different
// strings never become equal.
func distinct(tok []byte) string {
	text, ok := unquote(tok)
	if !ok {
		return "r" + text
	}
	return "s" + text
}
