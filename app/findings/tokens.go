package findings

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shapes are credentials by how their makers write them.
var shapes = []struct {
	what string
	hint string // stands in every match
	re   *regexp.Regexp
}{
	{"a private key", "PRIVATE KEY", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{"a GitHub token", "_", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})`)},
	{"a GitLab token", "glpat-", regexp.MustCompile(`\bglpat-[0-9A-Za-z_-]{20,}`)},
	{"an AWS access key", "IA", regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)},
	{"a Google API key", "AIza", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`)},
	{"a Slack token", "xox", regexp.MustCompile(`\bxox[abeoprs]-[0-9A-Za-z-]{10,}`)},
	{"a Stripe key", "k_", regexp.MustCompile(`\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}`)},
	{"an npm token", "npm_", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{"an API key", "sk-", regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`)},
	{"a signed token", "eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{"a password in an address", "://", regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^/\s:@]+:[^/\s:@]+@`)},
}

var (
	word    = regexp.MustCompile(`[A-Za-z0-9+/_=-]{24,}`)
	base64s = regexp.MustCompile(`[A-Za-z0-9+/_-]{40,}={0,2}`)
	hexes   = regexp.MustCompile(`\b[0-9A-Fa-f]{48,}\b`)
	percent = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2}){12,}`)
	escapes = regexp.MustCompile(`(?:\\[ux][0-9A-Fa-f]{2,4}){8,}`)
)

// secrets finds credentials, by shape and by disorder.
func (s *scan) secrets(at Finding, text string) {
	if len(text) < 12 {
		return
	}
	taken := [][]int{}
	for _, shape := range shapes {
		if !strings.Contains(text, shape.hint) {
			continue
		}
		for _, loc := range shape.re.FindAllStringIndex(text, -1) {
			taken = append(taken, loc)
			s.secret(at, text, loc, "This looks like "+shape.what+".")
		}
	}
	for _, loc := range word.FindAllStringIndex(text, -1) {
		if !overlaps(taken, loc) && disorderly(text[loc[0]:loc[1]]) {
			s.secret(at, text, loc, "This looks like a key or a password: it follows no pattern.")
		}
	}
}

func (s *scan) secret(at Finding, text string, loc []int, says string) {
	f := at
	piece := text[loc[0]:loc[1]]
	f.Kind, f.Offset, f.Says = Secret, loc[0], says
	f.Piece = fmt.Sprintf("%s… (%d characters)", piece[:min(4, len(piece))], len(piece))
	s.add(f)
}

func overlaps(taken [][]int, loc []int) bool {
	for _, t := range taken {
		if loc[0] < t[1] && t[0] < loc[1] {
			return true
		}
	}
	return false
}

// disorderly tells a random token from a long name, a path or encoded text:
// letters of both cases and digits follow on each other without order.
func disorderly(token string) bool {
	if len(token) > 512 || strings.Count(token, "/") > len(token)/12 || readable(token) != "" {
		return false
	}
	var seen [4]int
	turns, last := 0, -1
	counts := map[rune]float64{}
	for _, r := range token {
		class := 3
		switch {
		case r >= 'a' && r <= 'z':
			class = 0
		case r >= 'A' && r <= 'Z':
			class = 1
		case r >= '0' && r <= '9':
			class = 2
		}
		seen[class]++
		if class != last && last >= 0 {
			turns++
		}
		last = class
		counts[r]++
	}
	if seen[0] < 3 || seen[1] < 3 || seen[2] < 2 || float64(turns) < 0.35*float64(len(token)) {
		return false
	}
	entropy := 0.0
	for _, n := range counts {
		p := n / float64(len(token))
		entropy -= p * math.Log2(p)
	}
	return entropy >= 3.9
}

// encoded finds text within Base64, hexadecimal digits, percent signs or escapes.
func (s *scan) encoded(at Finding, text string) {
	if len(text) < 32 {
		return
	}
	found := func(loc []int, how, inside string) {
		if inside == "" {
			return
		}
		f := at
		f.Kind, f.Offset, f.Piece = Encoded, loc[0], inside
		f.Says = "Text stands here in " + how + "; it reads as shown."
		s.add(f)
	}
	for _, loc := range base64s.FindAllStringIndex(text, -1) {
		found(loc, "Base64", readable(text[loc[0]:loc[1]]))
	}
	for _, loc := range hexes.FindAllStringIndex(text, -1) {
		b, _ := hex.DecodeString(text[loc[0]:loc[1]])
		found(loc, "hexadecimal digits", words(b))
	}
	for _, loc := range percent.FindAllStringIndex(text, -1) {
		inside, _ := url.PathUnescape(text[loc[0]:loc[1]])
		found(loc, "percent signs", words([]byte(inside)))
	}
	for _, loc := range escapes.FindAllStringIndex(text, -1) {
		found(loc, "escapes", text[loc[0]:loc[1]])
	}
}

// readable decodes Base64 of either alphabet when text is inside.
func readable(token string) string {
	token = strings.TrimRight(token, "=")
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := e.DecodeString(token); err == nil {
			return words(b)
		}
	}
	return ""
}

// words gives the start of bytes that read as text, "" for others.
func words(b []byte) string {
	if len(b) < 12 || !utf8.Valid(b) {
		return ""
	}
	text := string(b)
	for _, r := range text {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return ""
		}
	}
	return clip(text, 100)
}
