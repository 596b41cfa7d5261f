package secrets

import (
	"fmt"
	"strings"
)

const (
	refOpen = "${secret:"
	literal = "$${" // written for a plain "${"
)

// piece is a part of a template: text as it stands, or a reference.
type piece struct {
	text string // literal text, or the name of the secret
	ref  bool
}

// parse cuts text into pieces. "${" that opens no reference stays as it is. A
// reference with a malformed name, or one that is never closed, is an error: sent
// as written it would be a surprise.
func parse(text string) ([]piece, error) {
	var out []piece
	var lit strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, literal):
			lit.WriteString("${")
			i += len(literal)
		case strings.HasPrefix(rest, refOpen):
			name, _, closed := strings.Cut(rest[len(refOpen):], "}")
			if !closed {
				return nil, fmt.Errorf("%q has no closing brace", refOpen)
			}
			if !ValidName(name) {
				return nil, fmt.Errorf("%q is not a secret name: use 1 to 64 letters, digits, '_', '.' or '-'", name)
			}
			if lit.Len() > 0 {
				out = append(out, piece{text: lit.String()})
				lit.Reset()
			}
			out = append(out, piece{text: name, ref: true})
			i += len(refOpen) + len(name) + 1
		default:
			n := 1 + strings.IndexByte(rest[1:], '$')
			if n == 0 {
				n = len(rest)
			}
			lit.WriteString(rest[:n])
			i += n
		}
	}
	if lit.Len() > 0 {
		out = append(out, piece{text: lit.String()})
	}
	return out, nil
}

// Refs returns the names of the secrets that text refers to, each once, in the
// order of their first place. A malformed template has none; [CheckTemplate]
// tells.
func Refs(text string) []string {
	pieces, err := parse(text)
	if err != nil {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, p := range pieces {
		if p.ref && !seen[p.text] {
			seen[p.text] = true
			names = append(names, p.text)
		}
	}
	return names
}

// CheckTemplate tells what is wrong with the references in text.
func CheckTemplate(text string) error {
	_, err := parse(text)
	return err
}

// Expand replaces each ${secret:NAME} in text with get's answer and each $${ with
// a plain ${. Values are not expanded again. An error of get is returned wrapped
// with the name; values are never part of an error.
func Expand(text string, get func(name string) (string, error)) (string, error) {
	pieces, err := parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range pieces {
		if !p.ref {
			b.WriteString(p.text)
			continue
		}
		v, err := get(p.text)
		if err != nil {
			return "", fmt.Errorf("secret %s: %w", p.text, err)
		}
		b.WriteString(v)
	}
	return b.String(), nil
}

// Display returns text as it is shown to a person: each reference as its mark,
// «secret:NAME», and $${ as ${. A malformed template is shown as it stands.
func Display(text string) string {
	pieces, err := parse(text)
	if err != nil {
		return text
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.ref {
			b.WriteString(Mark(p.text))
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}
