package secrets

import "bytes"

// region is a place where a pattern was found.
type region struct {
	start, end int
	pattern    int32 // the longest
	weak       bool  // only short secrets were found here
}

// find returns the places of all patterns in order, overlapping ones merged under
// the longest. Short secrets are among them only where their surroundings allow;
// the final word on those is had with the JSON tokens at hand.
func (m *Masker) find(b []byte) []region {
	if len(m.patterns) == 0 || len(b) == 0 {
		return nil
	}
	var out []region
	x := uint(b[0])
	for i := range len(b) - 1 {
		x = x<<8&0xffff | uint(b[i+1])
		if m.pairs[x>>6]&(1<<(x&63)) == 0 {
			continue
		}
		if r, ok := m.at(b, i); ok {
			out = m.addRegion(out, r)
		}
	}
	if m.single {
		if r, ok := m.at(b, len(b)-1); ok {
			out = m.addRegion(out, r)
		}
	}
	return out
}

func (m *Masker) addRegion(out []region, r region) []region {
	if n := len(out); n > 0 && r.start < out[n-1].end {
		last := &out[n-1]
		if r.end-r.start > last.end-last.start {
			last.pattern = r.pattern
		}
		last.weak = last.weak && r.weak
		last.end = max(last.end, r.end)
		return out
	}
	return append(out, r)
}

// at returns the longest occurrence that begins at b[i].
func (m *Masker) at(b []byte, i int) (region, bool) {
	best := region{start: i, end: -1}
	try := func(n int32, end int) {
		if p := &m.patterns[n]; end > best.end && p.fits(b, i, end) {
			best.end, best.pattern, best.weak = end, n, p.weak
		}
	}
	c := b[i]
	if !special[c] {
		for _, n := range m.byFirst[c] {
			try(n, m.patterns[n].matchAny(b, i))
		}
		return best, best.end >= 0
	}
	if !m.mayBegin(b, i) {
		return best, false
	}
	for _, md := range modes {
		u := md.read(b, i)
		for _, n := range m.byFirst[u.b[0]] {
			try(n, m.patterns[n].match(b, i, md, 0))
		}
		if u.plus {
			for _, n := range m.byFirst[' '] {
				try(n, m.patterns[n].match(b, i, md, 0))
			}
		}
	}
	return best, best.end >= 0
}

// mayBegin settles quickly that no pattern begins with the escape at b[i], as is so
// for nearly every one.
func (m *Masker) mayBegin(b []byte, i int) bool {
	c := b[i]
	if len(m.byFirst[c]) > 0 || c == '+' {
		return true
	}
	if c == '%' {
		once, twice := mode{0, 1}.read(b, i), mode{0, 2}.read(b, i)
		return len(m.byFirst[once.b[0]]) > 0 || len(m.byFirst[twice.b[0]]) > 0
	}
	for depth := 1; ; depth++ {
		u := readJSON(b, i, depth)
		if u.b[0] == '%' || u.b[0] == '+' || len(m.byFirst[u.b[0]]) > 0 {
			return true
		}
		if depth == 2 || u.b[0] != '\\' {
			return false
		}
	}
}

// matchAny is match in whichever mode succeeds first, for an occurrence that begins
// with a plain byte. Most places are settled by the plain comparison: the other
// modes read otherwise only after a character that may begin an escape.
func (p *pattern) matchAny(b []byte, i int) int {
	if i+len(p.text) > len(b) {
		return -1 // no encoding is shorter than what it stands for
	}
	n := 0
	for n < len(p.text) && b[i+n] == p.text[n] {
		n++
	}
	if n == len(p.text) {
		return i + n
	}
	if n > p.special { // the modes part already within what was compared
		for _, md := range modes {
			if end := p.match(b, i, md, 0); end >= 0 {
				return end
			}
		}
		return -1
	}
	c := b[i+n]
	lineEnd := p.wrapped && (c == '\r' || c == '\n')
	if !special[c] && !lineEnd {
		return -1
	}
	for _, md := range modes {
		if lineEnd || c == '\\' && md.json > 0 || c != '\\' && md.percent > 0 {
			if end := p.match(b, i+n, md, n); end >= 0 {
				return end
			}
		}
	}
	return -1
}

// match returns where the occurrence ends that goes on at b[i], when b is read in
// md, with the byte at of the pattern; -1 if there is none.
func (p *pattern) match(b []byte, i int, md mode, at int) int {
	lineEnds := 0
	for at < len(p.text) {
		if i < len(b) && b[i] == p.text[at] && !special[b[i]] {
			at, i, lineEnds = at+1, i+1, 0
			continue
		}
		u := md.read(b, i)
		switch {
		case u.n == 0:
			return -1
		case u.plus && p.text[at] == ' ', bytes.HasPrefix(p.text[at:], u.b[:u.n]):
			at += u.n
			lineEnds = 0
		case p.wrapped && at > 0 && lineEnds < 2 && (u.b[0] == '\r' || u.b[0] == '\n'):
			lineEnds++
		default:
			return -1
		}
		i = u.next
	}
	return i
}

// fits tells whether an occurrence of p at b[start:end] counts. That of a short
// secret must be the whole text, stand between quotes of the same kind and be no
// key, or stand where a JSON number does.
func (p *pattern) fits(b []byte, start, end int) bool {
	if !p.weak {
		return true
	}
	if wholeText(b, start, end) {
		return true
	}
	if start == 0 {
		return false
	}
	if p.number && numberBounds(b, start, end) {
		return true
	}
	if b[start-1] != '"' {
		return false
	}
	quote := closingQuote(b, end)
	if quote < 0 || backslashes(b, start-1) != backslashes(b, quote) {
		return false
	}
	rest := bytes.TrimLeft(b[quote+1:min(len(b), quote+65)], " \t\r\n")
	return len(rest) == 0 || rest[0] != ':'
}

func wholeText(b []byte, start, end int) bool {
	if end < len(b) && b[end] == '=' { // padding
		end += len(b[end:]) - len(bytes.TrimLeft(b[end:min(len(b), end+2)], "="))
	}
	return len(bytes.TrimSpace(b[:start])) == 0 && len(bytes.TrimSpace(b[end:])) == 0
}

// closingQuote returns the index of the quote that ends a value at b[end], after
// padding and the backslashes that a nested quote carries; -1 if there is none.
func closingQuote(b []byte, end int) int {
	for range 2 {
		if end < len(b) && b[end] == '=' {
			end++
		}
	}
	for end < len(b) && b[end] == '\\' {
		end++
	}
	if end < len(b) && b[end] == '"' {
		return end
	}
	return -1
}

// backslashes counts those directly before b[i].
func backslashes(b []byte, i int) int {
	n := 0
	for i-n > 0 && b[i-n-1] == '\\' {
		n++
	}
	return n
}

func numberBounds(b []byte, start, end int) bool {
	before := bytes.IndexByte([]byte(":[, \t\r\n"), b[start-1]) >= 0
	return before && (end == len(b) || bytes.IndexByte([]byte(",]} \t\r\n"), b[end]) >= 0)
}
