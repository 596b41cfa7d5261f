package approval

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"countersign/app/rawjson"
)

const (
	// MaxJudged is the largest argument text that conditions are held against, in
	// bytes; a larger one is allowed by no rule with conditions.
	MaxJudged = 256 << 10
	maxLevels = 64
)

// node is a JSON value taken apart.
type node struct {
	kind  byte   // one of { [ " n t f 0 (object, array, string, number, true, false, null)
	text  string // of a string: decoded; of a number: as written
	num   decimal
	keys  []string // of an object, in their order
	items []*node  // values of an object, or items of an array
}

// parseNode takes a value apart. It fails where two readers could understand the
// value differently.
func parseNode(raw []byte, levels int) (*node, error) {
	if levels == 0 {
		return nil, errors.New("it is too deep")
	}
	switch raw[0] {
	case '{':
		members, err := rawjson.Members(raw)
		if err != nil {
			return nil, err
		}
		n := &node{kind: '{'}
		seen := make(map[string]bool, len(members))
		for _, m := range members {
			if seen[m.Key] {
				return nil, errors.New("a name stands twice")
			}
			seen[m.Key] = true
			v, err := parseNode(m.Value, levels-1)
			if err != nil {
				return nil, err
			}
			n.keys, n.items = append(n.keys, m.Key), append(n.items, v)
		}
		return n, nil
	case '[':
		items, err := rawjson.Items(raw)
		if err != nil {
			return nil, err
		}
		n := &node{kind: '['}
		for _, item := range items {
			v, err := parseNode(item, levels-1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, v)
		}
		return n, nil
	case '"':
		text, _ := rawjson.Text(raw)
		return &node{kind: '"', text: text}, nil
	case 't', 'f':
		return &node{kind: raw[0]}, nil
	case 'n':
		return &node{kind: '0'}, nil
	}
	num, err := parseDecimal(string(raw))
	return &node{kind: 'n', text: string(raw), num: num}, err
}

// parseValue is parseNode of a whole text.
func parseValue(text []byte) (*node, error) {
	compact, err := rawjson.Compact(text)
	if err != nil {
		return nil, err
	}
	if len(compact) == 0 {
		return nil, errors.New("it is empty")
	}
	return parseNode(compact, maxLevels)
}

// member gives a member by its exact name.
func (n *node) member(key string) *node {
	if n.kind != '{' {
		return nil
	}
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.items[i]
	}
	return nil
}

// canonical is a text that is the same for equal values, and for no others: the
// order of members makes no difference, nor how a number is written.
func (n *node) canonical() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case '"':
		b.WriteString(strconv.Itoa(len(n.text)) + ":" + n.text)
	case 'n':
		b.WriteString("#" + n.num.canonical())
	case '[':
		b.WriteByte('[')
		for _, item := range n.items {
			item.write(b)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case '{':
		order := make([]int, len(n.keys))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(x, y int) int { return strings.Compare(n.keys[x], n.keys[y]) })
		b.WriteByte('{')
		for _, i := range order {
			b.WriteString(strconv.Itoa(len(n.keys[i])) + ":" + n.keys[i] + "=")
			n.items[i].write(b)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		b.WriteByte(n.kind)
	}
}

// decimal is a number as it was written, without loss: its digits, without zeros
// at the ends, stand after "0." and are multiplied by ten to the power of exp.
type decimal struct {
	negative bool
	digits   string // "" is zero
	exp      int
}

var errDecimal = errors.New("this is no number that can be compared")

// parseDecimal reads a JSON number. Powers beyond six digits are refused.
func parseDecimal(text string) (decimal, error) {
	rest, negative := strings.CutPrefix(text, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(rest), "e")
	exp := 0
	if power != "" {
		n, err := strconv.Atoi(power)
		if err != nil || n > 999_999 || n < -999_999 {
			return decimal{}, errDecimal
		}
		exp = n
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	digits := whole + part
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return decimal{}, errDecimal
	}
	exp += len(whole)
	trimmed := strings.TrimLeft(digits, "0")
	exp -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	if trimmed == "" {
		return decimal{}, nil
	}
	return decimal{negative, trimmed, exp}, nil
}

func (d decimal) canonical() string {
	sign := "+"
	if d.negative {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exp)
}

// compare is -1, 0 or 1.
func (d decimal) compare(e decimal) int {
	sign := func(x decimal) int {
		switch {
		case x.digits == "":
			return 0
		case x.negative:
			return -1
		}
		return 1
	}
	if s, t := sign(d), sign(e); s != t {
		return compareInts(s, t)
	} else if s == 0 {
		return 0
	} else {
		c := compareInts(d.exp, e.exp)
		if c == 0 {
			c = strings.Compare(d.digits, e.digits)
		}
		return s * c
	}
}

func compareInts(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
