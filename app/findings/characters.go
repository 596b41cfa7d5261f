package findings

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// How much white space in one run is more than layout.
const (
	manyBlanks = 40
	manyBreaks = 10
)

// hidden finds characters that draw nothing, turn the direction, or control.
func (s *scan) hidden(at Finding, text string) {
	type run struct {
		kind  Kind
		start int
		runes []rune
	}
	var now run
	end := func() {
		if now.kind == "" {
			return
		}
		f := at
		f.Kind, f.Offset, f.Piece = now.kind, now.start, points(now.runes)
		switch now.kind {
		case Invisible:
			f.Says = "Characters stand here that draw nothing."
		case Bidi:
			f.Says = "Characters here change the direction of reading: what is shown may not be what is meant."
		case Control:
			f.Says = "Control characters stand here."
		}
		s.add(f)
		now = run{}
	}
	for i, r := range text {
		kind := kindOf(r)
		if kind == Invisible && joins(text, i, r) {
			kind = ""
		}
		if kind != now.kind {
			end()
			now.kind, now.start = kind, i
		}
		if kind != "" {
			now.runes = append(now.runes, r)
		}
	}
	end()
	s.blanks(at, text)
}

// blanks finds white space that pushes what follows out of sight.
func (s *scan) blanks(at Finding, text string) {
	start, breaks := -1, 0
	check := func(end int) {
		if start >= 0 && end < len(text) && (end-start >= manyBlanks && breaks == 0 || breaks >= manyBreaks) {
			f := at
			f.Kind, f.Offset, f.Piece = BlankRun, start, fmt.Sprintf("%d bytes of white space", end-start)
			f.Says = "So much white space stands here that the text behind it may be out of sight."
			s.add(f)
		}
		start, breaks = -1, 0
	}
	for i, r := range text {
		if !unicode.IsSpace(r) {
			check(i)
			continue
		}
		if start < 0 {
			start = i
		}
		if r == '\n' {
			breaks++
		}
	}
}

// kindOf tells which unseen kind a character is of, "" for none.
func kindOf(r rune) Kind {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ""
	case r < 0x20 || (r >= 0x7F && r < 0xA0):
		return Control
	case r < 0xA0:
		return ""
	case r == 0x61C || r == 0x200E || r == 0x200F || (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069):
		return Bidi
	case unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector), r == 0x2800, r == 0x2028, r == 0x2029:
		return Invisible
	}
	return ""
}

// joins reports whether an unseen character is part of how an emoji is written.
func joins(text string, at int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
	switch r {
	case 0x200D:
		return (pictograph(before) || before == 0xFE0F) && pictograph(after)
	case 0xFE0E, 0xFE0F:
		return pictograph(before) || (after == 0x20E3 && before < 0x80)
	}
	return false
}

func pictograph(r rune) bool {
	return unicode.Is(unicode.So, r) || (r >= 0x1F000 && r <= 0x1FAFF) || (r >= 0x2190 && r <= 0x2BFF)
}

// points writes characters as code points.
func points(runes []rune) string {
	var b strings.Builder
	for i, r := range runes {
		if i == 8 {
			fmt.Fprintf(&b, " and %d more", len(runes)-i)
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "U+%04X", r)
	}
	return b.String()
}

// alike are the scripts whose letters are taken for Latin ones.
var alike = []struct {
	name  string
	table *unicode.RangeTable
}{{"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek}, {"Armenian", unicode.Armenian}, {"Cherokee", unicode.Cherokee}, {"Coptic", unicode.Coptic}, {"Lisu", unicode.Lisu}}

// scripts finds words in letters of Latin and of a script that looks like it.
func (s *scan) scripts(at Finding, text string) {
	if ascii(text) {
		return
	}
	start := -1
	check := func(end int) {
		if start < 0 {
			return
		}
		word := text[start:end]
		if script := mixed(word); script != "" {
			f := at
			f.Kind, f.Offset, f.Piece = MixedScript, start, word+" ("+strange(word)+")"
			f.Says = "One word is written in Latin and " + script + " letters, which look alike."
			s.add(f)
		}
		start = -1
	}
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		check(i)
	}
	check(len(text))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// mixed names the script that stands in a word beside Latin letters. One single
// letter such as the Greek mu in "μm" is how units are written.
func mixed(word string) string {
	latin, other, found := 0, 0, ""
	for _, r := range word {
		if unicode.Is(unicode.Latin, r) {
			latin++
			continue
		}
		for _, a := range alike {
			if unicode.Is(a.table, r) {
				other++
				found = a.name
			}
		}
	}
	if latin == 0 || other == 0 || (found == "Greek" && latin+other <= 3) {
		return ""
	}
	return found
}

// strange lists the characters of a word that are not ASCII.
func strange(word string) string {
	var runes []rune
	for _, r := range word {
		if r >= utf8.RuneSelf {
			runes = append(runes, r)
		}
	}
	return points(runes)
}

// twins are letters that read like a Latin one and are not folded by NFKC.
var twins = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s", "һ", "h", "ԁ", "d", "ԛ", "q", "ԝ", "w", "к", "k", "м", "m", "т", "t", "в", "b", "н", "h", "г", "r", "п", "n",
	"α", "a", "ο", "o", "ρ", "p", "ν", "v", "ι", "i", "κ", "k", "τ", "t", "υ", "u", "χ", "x", "ε", "e", "η", "n",
	"օ", "o", "ս", "u", "հ", "h", "ո", "n", "ց", "g", "ı", "i", "ɑ", "a", "ɡ", "g", "ǃ", "l",
	"0", "o", "1", "l", "|", "l", "i", "l", "rn", "m", "vv", "w",
)

// Skeleton folds a name to how it reads, so that two names that a person takes
// for one have the same: case, separators, look-alike letters and what does not
// show are gone.
func Skeleton(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		if kindOf(r) != "" || unicode.IsMark(r) || unicode.IsSpace(r) || r == '_' || r == '-' || r == '.' {
			continue
		}
		b.WriteRune(r)
	}
	// Twice: a letter that becomes i becomes l then.
	return twins.Replace(twins.Replace(b.String()))
}

// lookAlikes compares a tool's name with those of other servers.
func (s *scan) lookAlikes(at Finding, name string) {
	for _, t := range s.known.byReading[Skeleton(name)] {
		if t.Name == name {
			continue
		}
		f := at
		f.Kind, f.Piece = LookAlike, name
		f.Says = fmt.Sprintf("The name reads like %s, a tool of %s.", t.Name, t.Server)
		s.add(f)
	}
}
