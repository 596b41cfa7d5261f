package secrets

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// Known is a secret value that must not be written anywhere.
type Known struct {
	Server string // the server it belongs to; not part of the mark
	Name   string // what the mark calls it
	Value  string
}

// Masker replaces known secrets in bytes by their marks. It is immutable and safe
// for concurrent use.
//
// A secret is found as it stands; with JSON escapes, once or twice over (text that
// holds JSON); percent-encoded, once or twice over, also with '+' for a space; with
// both; and in Base64 of either alphabet at each of the three alignments, broken
// into lines or not (there the characters are replaced that the secret fully
// determines). Secrets of 8 bytes or more are found anywhere, shorter ones only
// where they are a whole JSON value or the whole text.
type Masker struct {
	patterns []pattern       // longest first
	byFirst  [256][]int32    // patterns by first byte, longest first
	pairs    [1 << 10]uint64 // bit set of raw byte pairs at which an occurrence may begin
	single   bool            // some pattern is one byte long
	whole    string          // mark for a document that can only be masked entirely
}

// pattern is one form of one secret, in decoded bytes.
type pattern struct {
	text    []byte
	mark    string
	weak    bool // only as a whole value
	wrapped bool // Base64: line ends may stand between the characters
	number  bool // weak, and reads as a JSON number
	special int  // index of the first byte that a decoder would take for an escape
}

// NewMasker returns a masker for the values in known. Empty values are left out; of
// equal values the first one's name is used.
func NewMasker(known []Known) *Masker {
	m := &Masker{}
	seen := map[string]bool{}
	for _, k := range known {
		for _, v := range []string{k.Value, strings.TrimSpace(k.Value)} {
			m.addForms(v, k.Name, seen)
		}
	}
	slices.SortStableFunc(m.patterns, func(a, b pattern) int { return cmp.Compare(len(b.text), len(a.text)) })
	for i := range m.patterns {
		m.index(int32(i))
	}
	marks := map[string]string{}
	for i := range m.patterns {
		name := m.patterns[i].mark
		if _, ok := marks[name]; !ok {
			marks[name] = m.safeMark(name)
		}
		m.patterns[i].mark = marks[name]
	}
	m.whole = m.safeMark("")
	return m
}

// addForms adds value as it is and in Base64. Until the marks are made, a
// pattern's mark is the secret's name.
func (m *Masker) addForms(value, name string, seen map[string]bool) {
	add := func(text string, wrapped bool) {
		if text == "" || seen[text] {
			return
		}
		seen[text] = true
		special := strings.IndexAny(text, `\%`)
		if special < 0 {
			special = len(text)
		}
		weak := Weak(value)
		m.patterns = append(m.patterns, pattern{
			text: []byte(text), mark: name, weak: weak, wrapped: wrapped, special: special,
			number: weak && !wrapped && isNumber(text),
		})
	}
	add(value, false)
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if Weak(value) {
			add(enc.EncodeToString([]byte(value)), true)
			continue
		}
		for shift := range 3 {
			full := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
			from, to := (8*shift+5)/6, 8*(shift+len(value))/6
			add(full[from:to], true)
		}
	}
}

func isNumber(text string) bool {
	c := text[0]
	return (c == '-' || c >= '0' && c <= '9') && json.Valid([]byte(text))
}

func (m *Masker) setPair(a, b byte) {
	x := uint(a)<<8 | uint(b)
	m.pairs[x>>6] |= 1 << (x & 63)
}

// index enters pattern i under its first byte and marks every pair of raw bytes
// with which one of its encodings can begin.
func (m *Masker) index(i int32) {
	p := &m.patterns[i]
	first := p.text[0]
	m.byFirst[first] = append(m.byFirst[first], i)
	starts := []byte{first}
	if first == ' ' {
		starts = append(starts, '+')
	}
	for _, a := range starts {
		if len(p.text) == 1 {
			m.single = true
			for b := range 256 {
				m.setPair(a, byte(b))
			}
			continue
		}
		for _, b := range []byte{p.text[1], '\\', '%'} {
			m.setPair(a, b)
		}
		if p.text[1] == ' ' {
			m.setPair(a, '+')
		}
		if p.wrapped {
			m.setPair(a, '\r')
			m.setPair(a, '\n')
		}
	}
	m.setPair('\\', 'u')
	m.setPair('\\', '\\')
	if e := shortEscape(first); e != 0 {
		m.setPair('\\', e)
	}
	const upper, lower = "0123456789ABCDEF", "0123456789abcdef"
	m.setPair('%', '2') // "%25": encoded twice
	m.setPair('%', upper[first>>4])
	m.setPair('%', lower[first>>4])
}

// safeMark returns the mark of a name, or a poorer one where that would itself
// hold a secret.
func (m *Masker) safeMark(name string) string {
	for _, mark := range []string{Mark(name), "«secret»", "«•••»", "***", "-"} {
		if name == "" && mark == Mark("") {
			continue
		}
		if len(m.find([]byte(mark))) == 0 && len(m.find([]byte(`"`+mark+`"`))) == 0 {
			return mark
		}
	}
	return ""
}

// maxRounds bounds how often the result is searched again. A second round is
// needed only where a mark and its surroundings happen to form a secret.
const maxRounds = 4

// Mask returns b with each occurrence of a known secret replaced by its mark, and
// the number of marks. Where nothing is found it returns b itself; otherwise b is
// left unchanged and kept is new. Valid JSON stays valid JSON: a mark never cuts an
// escape in two, a number that holds a secret becomes a string, and a document in
// which structure itself spells a secret becomes one mark.
func (m *Masker) Mask(b []byte) (kept []byte, places int) {
	kept = b
	for round := 0; ; round++ {
		found := m.find(kept)
		if len(found) == 0 {
			return kept, places
		}
		isJSON := json.Valid(kept)
		var edits []edit
		var stuck bool
		if isJSON {
			edits, stuck = m.jsonEdits(kept, found)
		} else {
			edits = m.textEdits(kept, found)
		}
		if len(edits) == 0 && !stuck {
			return kept, places
		}
		if len(edits) == 0 || round == maxRounds {
			if isJSON {
				return []byte(`"` + m.whole + `"`), places + 1
			}
			return []byte(m.whole), places + 1
		}
		kept = apply(kept, edits)
		places += len(edits)
	}
}

// MaskString is Mask for text.
func (m *Masker) MaskString(s string) string {
	if len(m.patterns) == 0 || s == "" {
		return s
	}
	kept, places := m.Mask([]byte(s))
	if places == 0 {
		return s
	}
	return string(kept)
}

// edit puts mark in the place of b[start:end]; quoted where the mark must become a
// JSON string of its own.
type edit struct {
	start, end int
	mark       string
	quoted     bool
}

// addEdit appends e, merged into the last edit where they overlap.
func addEdit(edits []edit, e edit) []edit {
	if n := len(edits); n > 0 && e.start < edits[n-1].end {
		edits[n-1].end = max(edits[n-1].end, e.end)
		return edits
	}
	return append(edits, e)
}

func apply(b []byte, edits []edit) []byte {
	var out bytes.Buffer
	out.Grow(len(b) + 32*len(edits))
	at := 0
	for _, e := range edits {
		out.Write(b[at:e.start])
		if e.quoted {
			out.WriteByte('"')
		}
		out.WriteString(e.mark)
		if e.quoted {
			out.WriteByte('"')
		}
		at = e.end
	}
	out.Write(b[at:])
	return out.Bytes()
}
