package secrets

import "unicode/utf8"

// textEdits makes the edits for a text that is not JSON. It may hold JSON in part,
// so escapes stay whole here too.
func (m *Masker) textEdits(b []byte, found []region) []edit {
	var edits []edit
	for _, r := range found {
		p := &m.patterns[r.pattern]
		if r.weak && p.number && !wholeText(b, r.start, r.end) && b[r.start-1] != '"' {
			continue // a bare number means a value in JSON only
		}
		start, end := align(b, r.start, r.end, 0, len(b))
		edits = addEdit(edits, edit{start: start, end: end, mark: p.mark})
	}
	return edits
}

// jsonEdits makes the edits for valid JSON. Of each region the parts inside
// strings are replaced there, a touched number or literal becomes a string, and
// structure stays. stuck tells that some region touched nothing but structure.
func (m *Masker) jsonEdits(b []byte, found []region) (edits []edit, stuck bool) {
	next := 0  // the first region that may still touch a token
	done := -1 // the last region that made an edit or was dismissed
	for at := 0; next < len(found); {
		t, ok := nextToken(b, at)
		for next < len(found) && (!ok || found[next].end <= t.start) {
			stuck = stuck || next > done && !found[next].weak
			next++
		}
		if !ok {
			break
		}
		for i := next; i < len(found) && found[i].start < t.end; i++ {
			e, verdict := m.tokenEdit(b, t, found[i])
			if verdict == replaced {
				edits = addEdit(edits, e)
			}
			if verdict != untouched {
				done = max(done, i)
			}
		}
		at = t.end
	}
	return edits, stuck
}

type verdict int

const (
	untouched verdict = iota // only structure of the token lies in the region
	replaced
	dismissed // a short secret that is no whole value here
)

func (m *Masker) tokenEdit(b []byte, t token, r region) (edit, verdict) {
	p := &m.patterns[r.pattern]
	if !t.isString {
		if r.weak && (r.start != t.start || r.end != t.end) {
			return edit{}, dismissed
		}
		return edit{start: t.start, end: t.end, mark: p.mark, quoted: true}, replaced
	}
	low, high := t.start+1, t.end-1
	start, end := max(r.start, low), min(r.end, high)
	if r.weak && (start != r.start || end != r.end) {
		return edit{}, dismissed
	}
	if start >= end {
		return edit{}, untouched
	}
	if r.weak && b[r.start-1] != '"' {
		return edit{}, dismissed // a number inside text
	}
	start, end = align(b, start, end, low, high)
	return edit{start: start, end: end, mark: p.mark}, replaced
}

// token is a string (with its quotes), number or literal of a JSON text.
type token struct {
	start, end int
	isString   bool
}

// nextToken returns the first token at or after b[i]; b is valid JSON and i not
// inside a token.
func nextToken(b []byte, i int) (token, bool) {
	for ; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n', '{', '}', '[', ']', ':', ',':
			continue
		case '"':
			end := i + 1
			for b[end] != '"' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			return token{i, end + 1, true}, true
		}
		end := i
		for end < len(b) && bareByte(b[end]) {
			end++
		}
		return token{i, end, false}, true
	}
	return token{}, false
}

func bareByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}

// align widens b[start:end], within b[low:high], so that it cuts no escape, no
// surrogate pair of escapes and no UTF-8 sequence in two.
func align(b []byte, start, end, low, high int) (int, int) {
	for range utf8.UTFMax - 1 {
		if start > low && !utf8.RuneStart(b[start]) {
			start--
		}
		if end < high && !utf8.RuneStart(b[end]) {
			end++
		}
	}
	if s, _, ok := escapeAround(b, start, low, high); ok {
		start = s
	}
	if isSurrogate(b, start, high, 0xdc) && isSurrogate(b, start-6, high, 0xd8) && start-6 >= low {
		start -= 6
	}
	if _, e, ok := escapeAround(b, end, low, high); ok {
		end = e
	}
	if isSurrogate(b, end-6, high, 0xd8) && isSurrogate(b, end, high, 0xdc) && end-6 >= low {
		end += 6
	}
	return start, end
}

// escapeAround returns the bounds of the escape that a cut before b[i] would split.
func escapeAround(b []byte, i, low, high int) (start, end int, ok bool) {
	if i <= low || i >= high {
		return 0, 0, false
	}
	for back := 1; back <= 5 && i-back >= low; back++ {
		s := i - back
		if b[s] == '\\' && backslashes(b[low:], s-low)%2 == 0 {
			if s+1 >= high {
				return 0, 0, false
			}
			e := s + 2
			if b[s+1] == 'u' {
				for e < high && e < s+6 {
					if _, hex := hexValue(b[e]); !hex {
						break
					}
					e++
				}
			}
			return s, e, i < e
		}
	}
	return 0, 0, false
}

// isSurrogate tells whether an escape of a surrogate stands at b[i]; kind is 0xd8
// for the first half of a pair, 0xdc for the second.
func isSurrogate(b []byte, i, high int, kind byte) bool {
	if i < 0 || i+6 > high || b[i] != '\\' || b[i+1] != 'u' {
		return false
	}
	h1, ok1 := hexValue(b[i+2])
	h2, ok2 := hexValue(b[i+3])
	return ok1 && ok2 && (h1<<4|h2)&0xfc == kind
}
