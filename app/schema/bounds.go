package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Bounds of what is reckoned with exactly: 1e999999999 would be a number of a
// thousand million digits.
const (
	maxExponent = 4000
	maxDigits   = 20_000
)

// bounds counts the parts of a schema.
type bounds struct{ nodes, objects int }

// check walks decoded JSON and refuses what would cost too much.
func (b *bounds) check(v any, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("the schema is nested deeper than %d levels", MaxDepth)
	}
	if b.nodes++; b.nodes > MaxNodes {
		return fmt.Errorf("the schema has more than %d values", MaxNodes)
	}
	switch v := v.(type) {
	case map[string]any:
		if b.objects++; b.objects > MaxObjects {
			return fmt.Errorf("the schema has more than %d objects", MaxObjects)
		}
		for _, child := range v {
			if err := b.check(child, depth+1); err != nil {
				return err
			}
		}
	case []any:
		for _, child := range v {
			if err := b.check(child, depth+1); err != nil {
				return err
			}
		}
	case json.Number:
		if tooLarge(string(v)) {
			return errors.New("the schema holds a number too large to reckon with")
		}
	}
	return nil
}

func tooLarge(n string) bool {
	if len(n) > maxDigits {
		return true
	}
	i := strings.IndexAny(n, "eE")
	if i < 0 {
		return false
	}
	exp, err := strconv.Atoi(n[i+1:])
	return err != nil || exp > maxExponent || exp < -maxExponent
}

// maxWeight bounds values. Each part weighs as much as telling a fault of it
// may cost: its path, and a little.
const (
	maxWeight  = 25_000_000
	partWeight = 20
)

// extent is what a value is like.
type extent struct {
	depth  int
	weight int
	large  string // pointer to a number that is too large
	hasBig bool
}

// measure walks a value, and stops where a limit is passed.
func (e *extent) measure(v any, path *place, depth, limit int) {
	if depth > e.depth {
		e.depth = depth
	}
	e.weight += depth + partWeight
	if e.weight > maxWeight || depth > limit || e.hasBig {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			e.measure(child, &place{path, k, -1}, depth+1, limit)
		}
	case []any:
		for i, child := range v {
			e.measure(child, &place{path, "", i}, depth+1, limit)
		}
	case json.Number:
		if tooLarge(string(v)) {
			e.large, e.hasBig = path.pointer(), true
		}
	}
}

// place is a path that is only written out when it is needed.
type place struct {
	up    *place
	name  string
	index int // -1: name counts
}

func (p *place) pointer() string {
	if p == nil {
		return ""
	}
	if p.index >= 0 {
		return p.up.pointer() + "/" + strconv.Itoa(p.index)
	}
	return p.up.pointer() + "/" + escape(p.name)
}

func escape(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}
