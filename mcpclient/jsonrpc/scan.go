package jsonrpc

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// MaxDepth is how deep arrays and objects may nest in a message.
const MaxDepth = 10_000

// SyntaxError tells where bytes stop being JSON.
type SyntaxError struct {
	Offset int
	Reason string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset, e.Reason)
}

var errTrailing = errors.New("more than one JSON value")

// Valid reports whether b is exactly one JSON value, white space around it
// allowed. Strings may hold bytes that are not UTF-8: they are kept, not judged.
func Valid(b []byte) bool {
	end, err := skipValue(b, skipSpace(b, 0), 0)
	return err == nil && skipSpace(b, end) == len(b)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue checks the value that begins at i and returns the index after it.
func skipValue(b []byte, i, depth int) (int, error) {
	if i >= len(b) {
		return i, &SyntaxError{i, "unexpected end"}
	}
	switch c := b[i]; {
	case c == '"':
		return skipString(b, i)
	case c == '{':
		return skipObject(b, i, depth+1)
	case c == '[':
		return skipArray(b, i, depth+1)
	case c == 't':
		return skipWord(b, i, "true")
	case c == 'f':
		return skipWord(b, i, "false")
	case c == 'n':
		return skipWord(b, i, "null")
	case c == '-' || c >= '0' && c <= '9':
		return skipNumber(b, i)
	}
	return i, &SyntaxError{i, "no value begins here"}
}

func skipWord(b []byte, i int, word string) (int, error) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, &SyntaxError{i, "no value begins here"}
	}
	return i + len(word), nil
}

func skipNumber(b []byte, i int) (int, error) {
	start := i
	if b[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if !digits() {
		return start, &SyntaxError{start, "bad number"}
	}
	if i < len(b) && b[i] == '.' {
		i++
		if !digits() {
			return start, &SyntaxError{start, "bad number"}
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return start, &SyntaxError{start, "bad number"}
		}
	}
	return i, nil
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainPrefix returns how many leading bytes of b, in steps of eight, are
// neither a quote, nor a backslash, nor a control character.
func plainPrefix(b []byte) int {
	n := 0
	for len(b)-n >= 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		q := w ^ (lows * '"')
		s := w ^ (lows * '\\')
		hit := (q-lows)&^q | (s-lows)&^s | (w-lows*0x20)&^w
		if hit&highs != 0 {
			return n
		}
		n += 8
	}
	return n
}

// skipString checks the string that begins at i.
func skipString(b []byte, i int) (int, error) {
	start := i
	i++
	for {
		i += plainPrefix(b[i:])
		for {
			if i >= len(b) {
				return start, &SyntaxError{start, "string without end"}
			}
			c := b[i]
			if c == '"' {
				return i + 1, nil
			}
			if c == '\\' {
				n, ok := escapeLen(b[i:])
				if !ok {
					return i, &SyntaxError{i, "bad escape"}
				}
				i += n
				break
			}
			if c < 0x20 {
				return i, &SyntaxError{i, "control character in a string"}
			}
			i++
		}
	}
}

// escapeLen returns the length of the escape at the start of b.
func escapeLen(b []byte) (int, bool) {
	if len(b) < 2 {
		return 0, false
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
		if len(b) < 6 {
			return 0, false
		}
		for _, c := range b[2:6] {
			if hexValue(c) < 0 {
				return 0, false
			}
		}
		return 6, true
	}
	return 0, false
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func skipObject(b []byte, i, depth int) (int, error) {
	if depth > MaxDepth {
		return i, &SyntaxError{i, "nested too deep"}
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		var err error
		if _, i, err = skipKey(b, i); err != nil {
			return i, err
		}
		if i, err = skipValue(b, i, depth); err != nil {
			return i, err
		}
		var done bool
		if i, done, err = skipComma(b, i, '}'); done || err != nil {
			return i, err
		}
	}
}

func skipArray(b []byte, i, depth int) (int, error) {
	if depth > MaxDepth {
		return i, &SyntaxError{i, "nested too deep"}
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		var err error
		if i, err = skipValue(b, i, depth); err != nil {
			return i, err
		}
		var done bool
		if i, done, err = skipComma(b, i, ']'); done || err != nil {
			return i, err
		}
	}
}

// skipKey checks `"key" :` at i and returns the key with its quotes and the
// index of the value.
func skipKey(b []byte, i int) (key []byte, next int, err error) {
	if i >= len(b) || b[i] != '"' {
		return nil, i, &SyntaxError{i, "a key must stand here"}
	}
	end, err := skipString(b, i)
	if err != nil {
		return nil, end, err
	}
	key = b[i:end]
	i = skipSpace(b, end)
	if i >= len(b) || b[i] != ':' {
		return nil, i, &SyntaxError{i, "a colon must stand here"}
	}
	return key, skipSpace(b, i+1), nil
}

// skipComma reads the comma or the closing bracket after a value.
func skipComma(b []byte, i int, closing byte) (next int, done bool, err error) {
	i = skipSpace(b, i)
	if i < len(b) && b[i] == closing {
		return i + 1, true, nil
	}
	if i >= len(b) || b[i] != ',' {
		return i, false, &SyntaxError{i, "a comma or the end must stand here"}
	}
	return skipSpace(b, i+1), false, nil
}

// Members calls fn for each member of the object obj, in wire order, with the
// key decoded and the value as it stands. It stops when fn returns false. It
// returns an error when obj is not exactly one object; members before the bad
// place have been given by then.
func Members(obj []byte, fn func(key string, value []byte) bool) error {
	i := skipSpace(obj, 0)
	if i >= len(obj) || obj[i] != '{' {
		return &SyntaxError{i, "no object"}
	}
	i = skipSpace(obj, i+1)
	if i < len(obj) && obj[i] == '}' {
		return atEnd(obj, i+1)
	}
	for {
		quoted, at, err := skipKey(obj, i)
		if err != nil {
			return err
		}
		end, err := skipValue(obj, at, 1)
		if err != nil {
			return err
		}
		key, _ := String(quoted)
		if !fn(key, obj[at:end:end]) {
			return nil
		}
		next, done, err := skipComma(obj, end, '}')
		if err != nil {
			return err
		}
		if done {
			return atEnd(obj, next)
		}
		i = next
	}
}

// Elements calls fn for each element of the array arr, in wire order. It
// returns an error when arr is not exactly one array.
func Elements(arr []byte, fn func(value []byte) bool) error {
	i := skipSpace(arr, 0)
	if i >= len(arr) || arr[i] != '[' {
		return &SyntaxError{i, "no array"}
	}
	i = skipSpace(arr, i+1)
	if i < len(arr) && arr[i] == ']' {
		return atEnd(arr, i+1)
	}
	for {
		end, err := skipValue(arr, i, 1)
		if err != nil {
			return err
		}
		if !fn(arr[i:end:end]) {
			return nil
		}
		next, done, err := skipComma(arr, end, ']')
		if err != nil {
			return err
		}
		if done {
			return atEnd(arr, next)
		}
		i = next
	}
}

func atEnd(b []byte, i int) error {
	if skipSpace(b, i) != len(b) {
		return errTrailing
	}
	return nil
}

// Get returns the value of a member of an object. Of a key that stands twice
// the last one counts, as in most readers.
func Get(obj []byte, key string) (value []byte, ok bool) {
	err := Members(obj, func(k string, v []byte) bool {
		if k == key {
			value, ok = v, true
		}
		return true
	})
	if err != nil {
		return nil, false
	}
	return value, ok
}

// IsObject reports whether the first byte that is no space opens an object. It
// does not check the rest.
func IsObject(b []byte) bool {
	i := skipSpace(b, 0)
	return i < len(b) && b[i] == '{'
}

// IsNull reports whether b is the word null.
func IsNull(b []byte) bool {
	i := skipSpace(b, 0)
	return len(b)-i >= 4 && string(b[i:i+4]) == "null" && skipSpace(b, i+4) == len(b)
}
