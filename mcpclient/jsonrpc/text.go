package jsonrpc

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// String decodes a JSON string and reports whether raw is one. A lone surrogate
// escape becomes its three-byte form and bytes that are not UTF-8 stay as they
// are, so that AppendString gives back a string that means the same: a server's
// opaque state survives the round trip whatever it holds.
func String(raw []byte) (string, bool) {
	i := skipSpace(raw, 0)
	if i >= len(raw) || raw[i] != '"' {
		return "", false
	}
	end, err := skipString(raw, i)
	if err != nil || skipSpace(raw, end) != len(raw) {
		return "", false
	}
	body := raw[i+1 : end-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return string(body), true
	}
	out := make([]byte, 0, len(body))
	for len(body) > 0 {
		if body[0] != '\\' {
			n := bytes.IndexByte(body, '\\')
			if n < 0 {
				n = len(body)
			}
			out, body = append(out, body[:n]...), body[n:]
			continue
		}
		out, body = appendEscape(out, body)
	}
	return string(out), true
}

// appendEscape decodes the escape at the start of body, whose syntax is known
// to be right.
func appendEscape(out, body []byte) (_, rest []byte) {
	switch body[1] {
	case 'b':
		return append(out, '\b'), body[2:]
	case 'f':
		return append(out, '\f'), body[2:]
	case 'n':
		return append(out, '\n'), body[2:]
	case 'r':
		return append(out, '\r'), body[2:]
	case 't':
		return append(out, '\t'), body[2:]
	case 'u':
		r := unicodeEscape(body)
		rest := body[6:]
		if utf16.IsSurrogate(r) {
			if len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
				if pair := utf16.DecodeRune(r, unicodeEscape(rest)); pair != utf8.RuneError {
					return utf8.AppendRune(out, pair), rest[6:]
				}
			}
			return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F), rest
		}
		return utf8.AppendRune(out, r), rest
	}
	return append(out, body[1]), body[2:]
}

func unicodeEscape(b []byte) rune {
	return rune(hexValue(b[2])<<12 | hexValue(b[3])<<8 | hexValue(b[4])<<4 | hexValue(b[5]))
}

// AppendString appends s as a JSON string: quotes, backslashes and control
// characters escaped, a lone surrogate in its three-byte form written as its
// escape, everything else as it is.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < 0x20 || c == 0x7F:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c == 0xED && i+2 < len(s) && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2]&0xC0 == 0x80:
			r := 0xD000 | uint16(s[i+1]&0x3F)<<6 | uint16(s[i+2]&0x3F)
			dst = append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// Int reads raw as a whole number that fits 64 bits, written without fraction
// or exponent.
func Int(raw []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(raw)), 10, 64)
	return n, err == nil
}
