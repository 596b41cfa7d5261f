package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxPattern bounds the size of a pattern, once its repetitions are written
// out.
const maxPattern = 20_000

// pattern is a regular expression of a schema. Those are ECMA-262; what the
// linear engine of Go can do is translated, and compiled when it is first
// used. Safe to use together.
type pattern struct {
	source string
	size   int
	get    func() *regexp.Regexp
}

// String gives the pattern as the schema has it.
func (p *pattern) String() string { return p.source }

// MatchString tells whether text contains a match.
func (p *pattern) MatchString(text string) bool { return p.get().MatchString(text) }

// compilePattern is the jsonschema.RegexpEngine of this package.
func compilePattern(source string) (jsonschema.Regexp, error) {
	p, err := newPattern(source)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// newPattern fails for what the engine cannot do: look-around and back
// references, for the most part.
func newPattern(source string) (*pattern, error) {
	translated, err := translate(source)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return nil, errors.New("it is not a regular expression that can be checked here")
	}
	n := expanded(tree)
	if n > maxPattern {
		return nil, errors.New("it is too large")
	}
	return &pattern{source, n, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(translated) })}, nil
}

// expanded is the size of a tree with its repetitions written out.
func expanded(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += expanded(sub)
		if n > maxPattern {
			return n
		}
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return n
}

const spaces = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// translate writes an ECMA-262 pattern in Go's terms.
func translate(source string) (string, error) {
	t := translator{rest: source}
	for t.rest != "" {
		if err := t.step(); err != nil {
			return "", err
		}
	}
	return t.out.String(), nil
}

type translator struct {
	rest  string
	out   strings.Builder
	class bool // within [ ]
}

func (t *translator) take(n int) string {
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}

func (t *translator) step() error {
	switch c := t.rest[0]; {
	case c == '\\':
		return t.escaped()
	case t.class && c == ']':
		t.class = false
	case t.class:
		if c == '[' { // a literal here; Go may see a named class
			t.take(1)
			t.out.WriteString(`\[`)
			return nil
		}
	case strings.HasPrefix(t.rest, "[^]"):
		t.take(3)
		t.out.WriteString(`(?s:.)`)
		return nil
	case strings.HasPrefix(t.rest, "[]"):
		t.take(2)
		t.out.WriteString(`[^\x{0}-\x{10ffff}]`)
		return nil
	case c == '[':
		t.class = true
		if strings.HasPrefix(t.rest, "[^") {
			t.out.WriteString(t.take(1))
		}
	case c == '.':
		t.take(1)
		t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		return nil
	case strings.HasPrefix(t.rest, "(?=") || strings.HasPrefix(t.rest, "(?!") || strings.HasPrefix(t.rest, "(?<=") || strings.HasPrefix(t.rest, "(?<!"):
		return errors.New("it looks ahead or behind, which cannot be checked here")
	case strings.HasPrefix(t.rest, "(?") && !strings.HasPrefix(t.rest, "(?:") && !strings.HasPrefix(t.rest, "(?<"):
		return errors.New("it is not a regular expression that can be checked here")
	}
	t.out.WriteString(t.take(1))
	return nil
}

// escaped takes an escape sequence.
func (t *translator) escaped() error {
	if len(t.rest) < 2 {
		return errors.New("it ends in a backslash")
	}
	c := t.rest[1]
	switch {
	case c == 'u':
		return t.unicode()
	case c == 'c' && len(t.rest) > 2:
		fmt.Fprintf(&t.out, `\x{%x}`, t.take(3)[2]&31)
	case c == '0' && (len(t.rest) < 3 || t.rest[2] < '0' || t.rest[2] > '9'):
		t.take(2)
		t.out.WriteString(`\x{0}`)
	case c >= '0' && c <= '9' || c == 'k':
		return errors.New("it refers back to what it matched, which cannot be checked here")
	case c == 's' && t.class:
		t.take(2)
		t.out.WriteString(spaces)
	case c == 's' || c == 'S' && !t.class:
		t.take(2)
		t.out.WriteString(map[byte]string{'s': "[", 'S': "[^"}[c] + spaces + "]")
	case c == 'b' && t.class:
		t.take(2)
		t.out.WriteString(`\x{8}`)
	case c == 'p' || c == 'P':
		t.out.WriteString(t.take(2))
		for _, prefix := range []string{"{Script=", "{sc=", "{General_Category=", "{gc="} {
			if strings.HasPrefix(t.rest, prefix) {
				t.take(len(prefix))
				t.out.WriteString("{")
			}
		}
	case (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && strings.IndexByte("bBdDwWSnrtvfx", c) < 0: // means itself
		t.take(1)
		t.out.WriteString(t.take(1))
	default:
		t.out.WriteString(t.take(2))
	}
	return nil
}

// unicode takes \uXXXX, a pair of them that make one character, or \u{X}.
func (t *translator) unicode() error {
	t.take(2)
	if inner, ok := strings.CutPrefix(t.rest, "{"); ok {
		hex, after, ok := strings.Cut(inner, "}")
		if r, err := strconv.ParseUint(hex, 16, 32); ok && err == nil && r <= 0x10ffff {
			t.rest = after
			fmt.Fprintf(&t.out, `\x{%x}`, r)
			return nil
		}
		return errors.New("it has an escape that cannot be read")
	}
	high, ok := t.hex4(t.rest)
	if !ok {
		return errors.New("it has an escape that cannot be read")
	}
	t.take(4)
	if utf16.IsSurrogate(high) {
		if len(t.rest) >= 6 && t.rest[:2] == `\u` {
			if low, ok := t.hex4(t.rest[2:]); ok {
				if r := utf16.DecodeRune(high, low); r != 0xfffd {
					t.take(6)
					fmt.Fprintf(&t.out, `\x{%x}`, r)
					return nil
				}
			}
		}
		return errors.New("it matches half a character, which cannot be checked here")
	}
	fmt.Fprintf(&t.out, `\x{%x}`, high)
	return nil
}

func (t *translator) hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}
