package approval

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"
)

// group are the rules that can speak about one tool. Equal conditions of its rules
// are one, and are held against a call once. Each rule is found by its rarest
// condition: what that does not let through costs nothing.
type group struct {
	rules  []*rule
	always []int            // rules without conditions
	exact  map[string][]int // by Rule.Exact

	conditions []*compiled
	of         [][]int // rule to its conditions
	paths      []*pathIndex
	others     map[int][]int // condition to the rules that it finds
}

// pathIndex finds conditions on one path by the value that stands there.
type pathIndex struct {
	steps    []string
	equal    map[string][]int // canonical value to rules
	prefixes map[string][]int
	lengths  []int            // of the prefixes, each once
	globs    map[string][]int // by the beginning in which nothing stands for another
	numbers  []interval       // by their beginnings
	hosts    map[string][]int
	byCond   map[int][]int // Number condition to rules
}

// interval is a Number condition; most is the largest end of it and those before.
type interval struct {
	condition int
	min, most *decimal
}

func newGroup() *group { return &group{exact: map[string][]int{}, others: map[int][]int{}} }

func (g *group) add(r *rule) { g.rules = append(g.rules, r) }

// index is called once, when all rules are there.
func (g *group) index() {
	ids, counts := map[string]int{}, []int{}
	for _, r := range g.rules {
		var mine []int
		for _, c := range r.conditions {
			key, _ := json.Marshal(c.Condition) // plain data
			id, known := ids[string(key)]
			if !known {
				id = len(g.conditions)
				ids[string(key)] = id
				g.conditions, counts = append(g.conditions, c), append(counts, 0)
			}
			counts[id]++
			mine = append(mine, id)
		}
		g.of = append(g.of, mine)
	}
	byPath := map[string]*pathIndex{}
	for n, r := range g.rules {
		switch {
		case r.Exact != "":
			g.exact[r.Exact] = append(g.exact[r.Exact], n)
		case len(g.of[n]) == 0:
			g.always = append(g.always, n)
		default:
			best := slices.MinFunc(g.of[n], func(a, b int) int { return counts[a] - counts[b] })
			g.place(byPath, best, n)
		}
	}
	for _, p := range g.paths {
		p.sort()
	}
}

// place files a rule under a condition.
func (g *group) place(byPath map[string]*pathIndex, id, n int) {
	c := g.conditions[id]
	// What a condition may be true of, but not for certain, is not found by a value.
	loose := g.rules[n].Effect != Allow && (c.Op == Glob || c.Op == URLHost || c.Op == Prefix)
	if c.Op == Absent || c.Op == Length || loose || slices.Contains(c.steps, "*") {
		g.others[id] = append(g.others[id], n)
		return
	}
	p := byPath[c.Path]
	if p == nil {
		p = &pathIndex{steps: c.steps, equal: map[string][]int{}, prefixes: map[string][]int{}, globs: map[string][]int{}, hosts: map[string][]int{}, byCond: map[int][]int{}}
		byPath[c.Path] = p
		g.paths = append(g.paths, p)
	}
	switch c.Op {
	case Equals, OneOf:
		for v := range c.values {
			p.equal[v] = append(p.equal[v], n)
		}
	case Prefix:
		if !slices.Contains(p.lengths, len(c.Text)) {
			p.lengths = append(p.lengths, len(c.Text))
		}
		p.prefixes[c.Text] = append(p.prefixes[c.Text], n)
	case Glob:
		start := literalStart(c.pattern)
		p.globs[start] = append(p.globs[start], n)
	case URLHost:
		for h := range c.hosts {
			p.hosts[h] = append(p.hosts[h], n)
		}
	default: // Number
		if _, known := p.byCond[id]; !known {
			p.numbers = append(p.numbers, interval{condition: id, min: c.min, most: c.max})
		}
		p.byCond[id] = append(p.byCond[id], n)
	}
}

// literalStart is the beginning of a pattern in which nothing stands for another.
func literalStart(pattern []string) string {
	for i, s := range pattern {
		if strings.ContainsAny(s, "*?") {
			return strings.Join(pattern[:i], "/")
		}
	}
	return strings.Join(pattern, "/")
}

// sort orders the ranges by their beginnings, and notes for each how far those up
// to it reach, so that a search can stop.
func (p *pathIndex) sort() {
	below := func(a, b *decimal) int {
		switch {
		case a == nil && b == nil:
			return 0
		case a == nil:
			return -1
		case b == nil:
			return 1
		}
		return a.compare(*b)
	}
	slices.SortStableFunc(p.numbers, func(a, b interval) int { return below(a.min, b.min) })
	for i := 1; i < len(p.numbers); i++ {
		before, here := p.numbers[i-1].most, p.numbers[i].most
		if before == nil || here != nil && before.compare(*here) > 0 {
			p.numbers[i].most = before
		}
	}
}

// judge lets the rules speak that match.
func (g *group) judge(j *judging) {
	for _, n := range g.always {
		if r := g.rules[n]; r.bound(&j.facts) {
			g.conclude(j, n, nil)
		}
	}
	if j.facts.Exact != "" {
		for _, n := range g.exact[j.facts.Exact] {
			if g.rules[n].bound(&j.facts) {
				j.speak(g.rules[n], false)
			}
		}
	}
	if len(g.conditions) == 0 {
		return
	}
	args := j.arguments()
	if args == nil {
		for n, r := range g.rules { // what would deny or ask may be meant
			if len(g.of[n]) > 0 && r.Effect != Allow && r.bound(&j.facts) {
				j.speak(r, true)
			}
		}
		return
	}
	known := make([]answer, 2*len(g.conditions)) // for rules that allow, and for others
	try := func(rules []int) {
		for _, n := range rules {
			if g.rules[n].bound(&j.facts) {
				g.conclude(j, n, known)
			}
		}
	}
	for id, rules := range g.others {
		if g.says(id, true, args, known) == yes || g.says(id, false, args, known) != no {
			try(rules)
		}
	}
	for _, p := range g.paths {
		if found, ok := find(args, p.steps); ok {
			p.search(found[0], try)
		}
	}
}

// says looks up what a condition says, or tries it.
func (g *group) says(id int, allow bool, args *node, known []answer) answer {
	at := 2 * id
	if allow {
		at++
	}
	if known[at] == 0 {
		if allow {
			known[at] = g.conditions[id].holds(args)
		} else {
			known[at] = g.conditions[id].touches(args)
		}
	}
	return known[at]
}

// conclude has a rule speak if all of its conditions hold, and if it allows, only
// where it speaks about every argument.
func (g *group) conclude(j *judging, n int, known []answer) {
	r := g.rules[n]
	sure := yes
	for _, id := range g.of[n] {
		says := g.says(id, r.Effect == Allow, j.arguments(), known)
		if says == no || says == unclear && r.Effect == Allow {
			return
		}
		sure = min(sure, says)
	}
	if r.Effect == Allow && !r.WholeTool {
		if args := j.arguments(); args == nil || !r.covers(args, nil) {
			return
		}
	}
	j.speak(r, sure != yes)
}

// search hands on the rules that one of the conditions here may let through.
func (p *pathIndex) search(v *node, try func([]int)) {
	if len(p.equal) > 0 {
		try(p.equal[v.canonical()])
	}
	switch v.kind {
	case 'n':
		from := sort.Search(len(p.numbers), func(i int) bool { return p.numbers[i].min != nil && p.numbers[i].min.compare(v.num) > 0 })
		for i := from - 1; i >= 0; i-- {
			if most := p.numbers[i].most; most != nil && most.compare(v.num) < 0 {
				break
			}
			try(p.byCond[p.numbers[i].condition])
		}
	case '"':
		for _, n := range p.lengths {
			if n <= len(v.text) {
				try(p.prefixes[v.text[:n]])
			}
		}
		p.searchGlobs(v.text, try)
		p.searchHosts(v.text, try)
	}
}

func (p *pathIndex) searchGlobs(text string, try func([]int)) {
	if len(p.globs) == 0 {
		return
	}
	segments, ok := resolved(text, []string{`~\`}) // whatever a pattern may ask for
	if !ok {
		return
	}
	try(p.globs[""])
	for i := range segments {
		if start := strings.Join(segments[:i+1], "/"); start != "" {
			try(p.globs[start])
		}
	}
}

func (p *pathIndex) searchHosts(text string, try func([]int)) {
	if len(p.hosts) == 0 {
		return
	}
	host, ok := hostOf(text)
	if !ok {
		return
	}
	try(p.hosts[host])
	for rest := host; ; {
		_, after, found := strings.Cut(rest, ".")
		if !found {
			return
		}
		try(p.hosts["*."+after])
		rest = after
	}
}
