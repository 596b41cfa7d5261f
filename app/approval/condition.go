package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Op is what a condition asks of a value.
type Op string

// The operators. docs/rules.md tells a person what they mean.
const (
	Equals  Op = "equals"   // the JSON value Values[0]; numbers by value, texts by code points
	OneOf   Op = "one_of"   // any of Values
	Prefix  Op = "prefix"   // a text that begins with Text
	Glob    Op = "glob"     // a path that Text matches, with its traversal resolved
	Number  Op = "number"   // a number from Min to Max, both decimal texts, either may be ""
	Length  Op = "length"   // characters of a text, items or members, from Min to Max
	Absent  Op = "absent"   // nothing stands there
	URLHost Op = "url_host" // an http or https address on one of Hosts
)

// Condition is a demand on the value at a path.
type Condition struct {
	// Path is a JSON Pointer into the arguments. In an array the step * is every
	// item, of which there must be one.
	Path   string            `json:"path"`
	Op     Op                `json:"op"`
	Values []json.RawMessage `json:"values,omitempty"`
	Text   string            `json:"text,omitempty"`
	Hosts  []string          `json:"hosts,omitempty"`
	Min    string            `json:"min,omitempty"`
	Max    string            `json:"max,omitempty"`
}

// Bounds on one rule.
const (
	MaxConditions = 64
	MaxValues     = 256
	maxPath       = 1 << 10
	maxPattern    = 1 << 10
)

// compiled is a condition that is ready to be held against values.
type compiled struct {
	Condition
	steps    []string
	values   map[string]bool // canonical
	pattern  []string
	min, max *decimal
	hosts    map[string]bool
}

// compile checks a condition. Errors are clauses for a person.
func compile(c Condition) (*compiled, error) {
	k := &compiled{Condition: c}
	var err error
	if k.steps, err = pointerSteps(c.Path); err != nil {
		return nil, err
	}
	if !c.onlyUses() {
		return nil, errors.New("it has parts that its operator does not use")
	}
	switch c.Op {
	case Equals, OneOf:
		err = k.compileValues()
	case Prefix:
		if c.Text == "" || len(c.Text) > maxPattern || !utf8.ValidString(c.Text) {
			err = errors.New("the beginning is empty, too long or no text")
		}
	case Glob:
		k.pattern, err = globPattern(c.Text)
	case Number, Length:
		err = k.compileRange()
	case Absent:
		for _, s := range k.steps {
			if s == "*" {
				err = errors.New("absence cannot be asked of every item")
			}
		}
	case URLHost:
		k.hosts, err = hostSet(c.Hosts)
	default:
		err = fmt.Errorf("%.40q is no operator", c.Op)
	}
	return k, err
}

func (c Condition) onlyUses() bool {
	switch c.Op {
	case Equals, OneOf:
		return c.Text == "" && c.Hosts == nil && c.Min == "" && c.Max == ""
	case Prefix, Glob:
		return c.Values == nil && c.Hosts == nil && c.Min == "" && c.Max == ""
	case Number, Length:
		return c.Values == nil && c.Hosts == nil && c.Text == ""
	case URLHost:
		return c.Values == nil && c.Text == "" && c.Min == "" && c.Max == ""
	}
	return c.Values == nil && c.Hosts == nil && c.Text == "" && c.Min == "" && c.Max == ""
}

func (k *compiled) compileValues() error {
	n := len(k.Values)
	if n == 0 || n > MaxValues || k.Op == Equals && n != 1 {
		return errors.New("the number of values does not fit")
	}
	k.values = make(map[string]bool, n)
	for _, raw := range k.Values {
		v, err := parseValue(raw)
		if err != nil {
			return fmt.Errorf("a value is not sound JSON: %w", err)
		}
		k.values[v.canonical()] = true
	}
	return nil
}

func (k *compiled) compileRange() error {
	if k.Min == "" && k.Max == "" {
		return errors.New("the range has no end")
	}
	for _, end := range []struct {
		text string
		to   **decimal
	}{{k.Min, &k.min}, {k.Max, &k.max}} {
		if end.text == "" {
			continue
		}
		d, err := parseDecimal(end.text)
		if err != nil || len(end.text) > 400 || k.Op == Length && (d.negative || strings.Trim(end.text, "0123456789") != "") {
			return fmt.Errorf("%.40q is no number for this", end.text)
		}
		*end.to = &d
	}
	if k.min != nil && k.max != nil && k.min.compare(*k.max) > 0 {
		return errors.New("the range is empty")
	}
	return nil
}

func pointerSteps(path string) ([]string, error) {
	if !strings.HasPrefix(path, "/") || len(path) > maxPath || !utf8.ValidString(path) {
		return nil, fmt.Errorf("%.60q is no path to an argument: it begins with a slash", path)
	}
	steps := strings.Split(path[1:], "/")
	for i, s := range steps {
		for rest := s; ; {
			_, after, found := strings.Cut(rest, "~")
			if !found {
				break
			}
			if after == "" || after[0] != '0' && after[0] != '1' {
				return nil, fmt.Errorf("in the path %.60q a ~ stands alone", path)
			}
			rest = after
		}
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return steps, nil
}

// find gives the values at a path; ok is false where a step leads nowhere, or
// every item was asked for and there is none.
func find(n *node, steps []string) (found []*node, ok bool) {
	if n == nil {
		return nil, false
	}
	if len(steps) == 0 {
		return []*node{n}, true
	}
	switch n.kind {
	case '{':
		return find(n.member(steps[0]), steps[1:])
	case '[':
		if steps[0] == "*" {
			for _, item := range n.items {
				below, ok := find(item, steps[1:])
				if !ok {
					return nil, false
				}
				found = append(found, below...)
			}
			return found, len(found) > 0
		}
		i, err := strconv.Atoi(steps[0])
		if err != nil || i < 0 || i >= len(n.items) || strconv.Itoa(i) != steps[0] {
			return nil, false
		}
		return find(n.items[i], steps[1:])
	}
	return nil, false
}

// answer is what a condition says of a value.
type answer int8

const (
	no answer = iota + 1
	unclear
	yes
)

func answerOf(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

// holds tells whether a condition is true of every value at its path, for certain:
// what a rule needs to allow.
func (k *compiled) holds(args *node) answer {
	found, ok := find(args, k.steps)
	if k.Op == Absent {
		return answerOf(!ok)
	}
	if !ok {
		return no
	}
	for _, v := range found {
		if a := k.holdsOf(v); a != yes {
			return no
		}
	}
	return yes
}

// touches tells whether a condition is true of any value at its path, or may be:
// what a rule needs to deny or to ask.
func (k *compiled) touches(args *node) answer {
	if k.Op == Absent {
		return k.holds(args)
	}
	best := no
	for _, v := range findAny(args, k.steps) {
		best = max(best, k.holdsOf(v))
	}
	return best
}

// findAny is find that goes on past items without the path.
func findAny(n *node, steps []string) (found []*node) {
	if n != nil && n.kind == '[' && len(steps) > 0 && steps[0] == "*" {
		for _, item := range n.items {
			found = append(found, findAny(item, steps[1:])...)
		}
		return found
	}
	if n != nil && n.kind == '{' && len(steps) > 0 {
		return findAny(n.member(steps[0]), steps[1:])
	}
	found, _ = find(n, steps)
	if n != nil && n.kind == '[' && len(steps) > 1 && len(found) == 0 {
		if one, ok := find(n, steps[:1]); ok {
			return findAny(one[0], steps[1:])
		}
	}
	return found
}

func (k *compiled) holdsOf(v *node) answer {
	switch k.Op {
	case Equals, OneOf:
		return answerOf(k.values[v.canonical()])
	case Prefix:
		return k.prefixHolds(v)
	case Glob:
		if v.kind != '"' {
			return no
		}
		return globMatches(k.pattern, v.text)
	case Number:
		return answerOf(v.kind == 'n' && k.within(v.num))
	case Length:
		n := len(v.items)
		switch v.kind {
		case '"':
			n = utf8.RuneCountInString(v.text)
		case '{', '[':
		default:
			return no
		}
		d, _ := parseDecimal(strconv.Itoa(n))
		return answerOf(k.within(d))
	case URLHost:
		if v.kind != '"' {
			return no
		}
		return hostMatches(k.hosts, v.text)
	}
	return no
}

// prefixHolds: a beginning that looks like a path says nothing of a path that goes
// back above it.
func (k *compiled) prefixHolds(v *node) answer {
	switch {
	case v.kind != '"':
		return no
	case strings.ContainsAny(k.Text, `/\`) && goesBack(v.text):
		return unclear
	}
	return answerOf(strings.HasPrefix(v.text, k.Text))
}

func (k *compiled) within(d decimal) bool {
	return (k.min == nil || k.min.compare(d) <= 0) && (k.max == nil || d.compare(*k.max) <= 0)
}

// names tells whether a condition speaks about all of a value at its path.
func (k *compiled) names(v *node) bool {
	switch k.Op {
	case Absent:
		return false
	case Length:
		return v.kind == '"'
	}
	return true
}
