package store

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// encodedRun is the length in bytes from which a run of Base64 letters counts
// as encoded data and is not searched.
const encodedRun = 512

// appendPlain appends JSON (or any other text) with the escapes of its strings
// resolved, for searching: a \n between two words would else glue an n to the
// second, and \u00fc hide a letter. It does not parse; JSON within a string
// of JSON is resolved by one level, its \u escapes by all.
func appendPlain(dst, src []byte) []byte {
	run := len(dst) // where the present run of Base64 letters began
	cut := func() {
		if len(dst)-run >= encodedRun {
			dst = append(dst[:run], ' ')
		}
	}
	for i := 0; i < len(src); {
		c := src[i]
		if c == '\\' {
			cut()
			var n int
			dst, n = appendEscape(dst, src[i:])
			i += n
			run = len(dst)
			continue
		}
		i++
		if base64Letter(c) {
			dst = append(dst, c)
			continue
		}
		cut()
		dst = append(dst, c)
		run = len(dst)
	}
	cut()
	return dst
}

func base64Letter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_' || c == '='
}

// appendEscape resolves the escape that src begins with, and tells its length.
func appendEscape(dst, src []byte) ([]byte, int) {
	k := len(src) - len(bytes.TrimLeft(src, `\`))
	if k == len(src) {
		return append(dst, src...), k
	}
	if r, n := escapedRune(src, k); n > 0 {
		return utf8.AppendRune(dst, r), n
	}
	for range k / 2 {
		dst = append(dst, '\\')
	}
	if k%2 == 0 {
		return dst, k
	}
	switch c := src[k]; c {
	case 'n', 'r', 't', 'b', 'f':
		dst = append(dst, ' ')
	default:
		dst = append(dst, c)
	}
	return dst, k + 1
}

// escapedRune reads a \uXXXX, or the two of a surrogate pair, that stands
// behind k backslashes; n is 0 where there is none.
func escapedRune(src []byte, k int) (r rune, n int) {
	high, ok := hex4(src, k)
	if !ok {
		return 0, 0
	}
	n = k + 5
	if utf16.IsSurrogate(high) {
		if len(src) >= n+k && bytes.Equal(src[n:n+k], src[:k]) {
			if low, ok := hex4(src[n:], k); ok {
				if both := utf16.DecodeRune(high, low); both != utf8.RuneError {
					return both, n + k + 5
				}
			}
		}
		return ' ', n
	}
	if high < ' ' {
		return ' ', n
	}
	return high, n
}

// hex4 reads a u and four hexadecimal digits at an offset.
func hex4(src []byte, at int) (rune, bool) {
	if len(src) < at+5 || src[at] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range src[at+1 : at+5] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
