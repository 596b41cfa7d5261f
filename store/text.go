package store

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// textQuery is what a person typed, taken apart.
type textQuery struct {
	match  string // query of the word index; "" when it cannot help
	verify bool   // the index finds too much: what it finds must be read
	parts  []part
}

// part is one of the texts that must occur.
type part struct {
	text       string // folded
	start, end bool   // must begin, must end where a word does
}

const (
	maxText  = 4 << 10 // bytes of a person's text that count
	maxMatch = 32      // parts that the word index is asked for
)

// parseText takes a person's text apart. The index tokenises a quoted part by
// itself, so there is nothing in it that could be an operator; a quote is
// doubled.
func parseText(text string) textQuery {
	text = strings.ToValidUTF8(text[:min(len(text), maxText)], " ")
	typed := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	typed = slices.DeleteFunc(typed, func(w string) bool { return foldString(w) == "" }) // accents alone
	var q textQuery
	var match []string
	for i, w := range typed {
		p := part{text: foldString(w)}
		last := i == len(typed)-1
		words, signs, free := classify(w)
		first, _ := utf8.DecodeRuneInString(p.text)
		final, _ := utf8.DecodeLastRuneInString(p.text)
		p.start, p.end = !free && inWord(first), !free && !last && inWord(final)
		q.parts = append(q.parts, p)
		if free || !words || len(match) == maxMatch {
			q.verify = true
			continue
		}
		q.verify = q.verify || signs
		m := `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
		if !p.end {
			m += `*` // a sign at the end says nothing of what follows
		}
		match = append(match, m)
	}
	q.match = strings.Join(match, " ")
	return q
}

func (text textQuery) empty() bool { return len(text.parts) == 0 }

// in tells whether all parts occur in a folded text.
func (text textQuery) in(folded []byte) bool {
	for _, p := range text.parts {
		if !p.in(folded) {
			return false
		}
	}
	return true
}

func (p part) in(folded []byte) bool {
	want := []byte(p.text)
	for at := 0; ; {
		i := bytes.Index(folded[at:], want)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRune(folded[:i])
		after, _ := utf8.DecodeRune(folded[i+len(want):])
		if !(p.start && inWord(before)) && !(p.end && inWord(after)) {
			return true
		}
		at = i + 1
	}
}

// classify tells whether a part has words of the index, signs between or
// around them, and whether it is free of the index: in a script that it does
// not split into words, or that its tables may not know.
func classify(w string) (words, signs, free bool) {
	for _, r := range w {
		switch {
		case !inWord(r):
			signs = true
		case r < utf8.RuneSelf || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic, unicode.Hangul):
			words = true
		default:
			free = true
		}
	}
	return words, signs, free || w == ""
}

// inWord tells what the index takes for a part of a word.
func inWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r))
}

// textBuffer makes the text of one call after the other.
type textBuffer struct{ plain, fold []byte }

// text is what is searched of a call: escapes of JSON are taken away, and
// long runs of encoded data, which nobody looks for, left out. It is valid
// until the next one.
func (b *textBuffer) text(c Call, args, result []byte) []byte {
	b.plain = b.plain[:0]
	for _, s := range []string{c.ServerName, c.Tool, c.ToolTitle, c.ErrorText} {
		b.plain = append(append(b.plain, s...), '\n')
	}
	for _, p := range [][]byte{args, result} {
		b.plain = append(appendPlain(b.plain, p), '\n')
	}
	if !utf8.Valid(b.plain) {
		b.plain = bytes.ToValidUTF8(b.plain, []byte(" "))
	}
	return b.plain
}

// folded is the text as parts are looked for in it.
func (b *textBuffer) folded(c Call, args, result []byte) []byte {
	b.fold = appendFolded(b.fold[:0], b.text(c, args, result))
	return b.fold
}

// appendFolded appends text without upper case and accents.
func appendFolded(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		i += n
		if !unicode.Is(unicode.Mn, r) {
			dst = utf8.AppendRune(dst, bare(unicode.ToLower(r)))
		}
	}
	return dst
}

func foldString(s string) string { return string(appendFolded(nil, []byte(s))) }

// bare takes the accent from a letter.
func bare(r rune) rune {
	if b, ok := bareLetters()[r]; ok {
		return b
	}
	return r
}

// bareLetters are the letters with accents and what remains without.
var bareLetters = sync.OnceValue(func() map[rune]rune {
	out := map[rune]rune{}
	for _, table := range []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic} {
		for _, r16 := range table.R16 {
			for r := rune(r16.Lo); r <= rune(r16.Hi); r += rune(r16.Stride) {
				if b, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r))); b != r {
					out[r] = b
				}
			}
		}
	}
	return out
})
