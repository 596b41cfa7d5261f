package schema

import (
	"errors"
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// maxWork bounds one check, in rough units of one small schema applied to
	// one value.
	maxWork = 3_000_000
	// maxTime bounds it where a unit takes longer than was thought.
	maxTime = 4 * time.Second
	// maxFrames bounds how deep the validator may call itself: subschemas
	// applied to the same value, times the depth of the value.
	maxFrames = 100_000
	// maxValueDepth bounds values in any case.
	maxValueDepth = 512
)

// errWork is thrown out of the validator, which cannot be stopped otherwise.
var errWork = errors.New("checking this value against the server's schema takes too long")

// meter counts the work of the check that runs. It hooks into the validator as
// the format of every subschema: a format is checked before any subschema is
// entered, so no work is done that was not counted first.
type meter struct {
	unit  int // price of a unit, by the depth of the value
	left  int
	since int // spent since the clock was looked at
	until time.Time
	time  time.Duration // how long a check may take
}

func (m *meter) start(depth int) {
	m.unit, m.left, m.since, m.until = 1+depth/16, maxWork, 0, time.Now().Add(m.time)
}

func (m *meter) spend(units int) {
	m.left -= units * m.unit
	m.since += units
	if m.left < 0 {
		panic(errWork)
	}
	if m.since > 500 {
		m.since = 0
		if time.Now().After(m.until) {
			panic(errWork)
		}
	}
}

// attach hooks the meter into all that roots lead to, and tells how deep
// values may be.
func (m *meter) attach(roots []*jsonschema.Schema) (depth int, err error) {
	m.time = maxTime
	g := graph{state: map[*jsonschema.Schema]int{}, long: map[*jsonschema.Schema]int{}}
	for _, s := range roots {
		g.collect(s)
	}
	chain := 1
	for _, s := range g.all {
		chain = max(chain, g.longest(s))
	}
	if g.cyclic {
		chain = len(g.all) // the validator enters none twice for the same value
	}
	for _, s := range g.all {
		m.hook(s)
	}
	depth = min(maxValueDepth, maxFrames/chain)
	if depth < 8 {
		return 0, fmt.Errorf("the schema applies %d subschemas to one value, one within the other", chain)
	}
	return depth, nil
}

func (m *meter) hook(s *jsonschema.Schema) {
	inPlace, _ := children(s)
	price := 1 + len(inPlace) + len(s.PatternProperties)
	whole := s.UniqueItems || s.Const != nil
	if s.Enum != nil {
		price += len(s.Enum.Values) / 16
		whole = true
	}
	own := s.Format
	name := ""
	if own != nil {
		name = own.Name
	}
	s.Format = &jsonschema.Format{Name: name, Validate: func(v any) error {
		m.spend(price + size(v, whole))
		if own != nil {
			return own.Validate(v)
		}
		return nil
	}}
	if p, ok := s.Pattern.(*pattern); ok {
		s.Pattern = metered{p, m}
	}
	if len(s.PatternProperties) > 0 {
		by := make(map[jsonschema.Regexp]*jsonschema.Schema, len(s.PatternProperties))
		for re, sub := range s.PatternProperties {
			if p, ok := re.(*pattern); ok {
				re = &metered{p, m}
			}
			by[re] = sub
		}
		s.PatternProperties = by
	}
}

// size is what a value adds to the price of applying a schema to it. whole:
// all of it is compared.
func size(v any, whole bool) int {
	switch v := v.(type) {
	case string:
		return len(v) / 64
	case []any:
		n := len(v)
		if whole {
			for _, child := range v {
				n += size(child, true)
			}
		}
		return n
	case map[string]any:
		n := len(v)
		if whole {
			for _, child := range v {
				n += size(child, true)
			}
		}
		return n
	}
	return 0
}

// metered is a pattern whose matching is counted: it is linear, but in the
// product of its own size and the text's.
type metered struct {
	*pattern
	m *meter
}

// MatchString implements jsonschema.Regexp.
func (p metered) MatchString(text string) bool {
	p.m.spend(1 + len(text)/64*p.size/16)
	return p.pattern.MatchString(text)
}

// graph is what a compiled schema leads to.
type graph struct {
	all    []*jsonschema.Schema
	state  map[*jsonschema.Schema]int // 1: collected, 2: being measured, 3: measured
	long   map[*jsonschema.Schema]int
	cyclic bool
}

func (g *graph) collect(first *jsonschema.Schema) {
	queue := []*jsonschema.Schema{first}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if s == nil || g.state[s] != 0 {
			continue
		}
		g.state[s] = 1
		g.all = append(g.all, s)
		inPlace, nested := children(s)
		queue = append(append(queue, inPlace...), nested...)
	}
}

// longest is how many subschemas are applied to one value, one within the
// other, beginning with s.
func (g *graph) longest(s *jsonschema.Schema) int {
	switch g.state[s] {
	case 2:
		g.cyclic = true
		return 0
	case 3:
		return g.long[s]
	}
	g.state[s] = 2
	n := 0
	inPlace, _ := children(s)
	for _, c := range inPlace {
		n = max(n, g.longest(c))
	}
	if s.DynamicRef != nil || s.RecursiveRef != nil {
		g.cyclic = true // where they lead is known while checking only
	}
	g.state[s], g.long[s] = 3, n+1
	return n + 1
}

// children are the subschemas of s: those applied to the same value, and those
// applied to parts of it.
func children(s *jsonschema.Schema) (inPlace, nested []*jsonschema.Schema) {
	add := func(list *[]*jsonschema.Schema, all ...*jsonschema.Schema) {
		for _, c := range all {
			if c != nil {
				*list = append(*list, c)
			}
		}
	}
	addAny := func(list *[]*jsonschema.Schema, v any) {
		switch v := v.(type) {
		case *jsonschema.Schema:
			add(list, v)
		case []*jsonschema.Schema:
			add(list, v...)
		}
	}
	add(&inPlace, s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	if s.DynamicRef != nil {
		add(&inPlace, s.DynamicRef.Ref)
	}
	add(&inPlace, s.AllOf...)
	add(&inPlace, s.AnyOf...)
	add(&inPlace, s.OneOf...)
	for _, c := range s.DependentSchemas {
		add(&inPlace, c)
	}
	for _, c := range s.Dependencies {
		addAny(&inPlace, c)
	}
	add(&nested, s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	add(&nested, s.PrefixItems...)
	for _, c := range s.Properties {
		add(&nested, c)
	}
	for _, c := range s.PatternProperties {
		add(&nested, c)
	}
	for _, v := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		addAny(&nested, v)
	}
	return inPlace, nested
}
