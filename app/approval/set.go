package approval

import (
	"fmt"
	"slices"
)

// Facts are all that a decision is made from.
type Facts struct {
	Binding
	Arguments []byte // as they go on the wire
	// Exact names this very call of this tool: a keyed hash of server, tool and
	// argument bytes, which rules for one call are compared with.
	Exact string
	// Findings counts what a scan found in definition, name and arguments.
	Findings int
	// Unchecked: the definition could not be checked since it was received.
	// Unreviewed: it is new or changed, and nobody has reviewed it. OnHold: it
	// changes all the time.
	Unchecked, Unreviewed, OnHold bool
	// Destructive is the server's own claim.
	Destructive bool
	// Paused: everything is.
	Paused bool
	Clock  Clock
	Run    string
}

// guard is why no rule may allow a call, a clause, or "". Nothing of it ever makes
// an answer looser.
func (f Facts) guard() string {
	switch {
	case f.Paused:
		return "everything is paused"
	case f.Findings == 1:
		return "a scan found something in it"
	case f.Findings > 1:
		return fmt.Sprintf("a scan found %d things in it", f.Findings)
	case f.Unreviewed:
		return "nobody has reviewed the tool's definition"
	case f.OnHold:
		return "the tool's definition changes all the time"
	case f.Unchecked:
		return "the tool's definition could not be checked"
	}
	return ""
}

// Set is a set of rules, made once and not changed. The zero value and nil have no
// rules. Safe to use together.
type Set struct {
	byTool   map[[2]string]*group // server and tool
	byServer map[string]*group    // rules on every tool of a server
	general  *group
}

// New makes a set. Rules that Check refuses are told by id: one that would allow is
// left out, any other asks about every tool of its server.
func New(rules []Rule) (*Set, map[string]error) {
	s := &Set{byTool: map[[2]string]*group{}, byServer: map[string]*group{}, general: newGroup()}
	bad := map[string]error{}
	for _, r := range rules {
		conditions, err := r.compile()
		if err != nil {
			bad[r.ID] = err
			if r.Effect != Allow { // what it would keep from running asks
				groupOf(s.byServer, r.ServerID).add(&rule{Rule: Rule{ID: r.ID, Name: r.Name, Effect: Ask, ServerID: r.ServerID, Foreign: r.Foreign}})
			}
			continue
		}
		ready := &rule{Rule: r, conditions: conditions}
		for _, path := range r.AnyValue {
			steps, _ := pointerSteps(path) // compile has checked it
			ready.any = append(ready.any, steps)
		}
		switch {
		case r.ServerID == "":
			s.general.add(ready)
		case len(r.Tools) == 0:
			groupOf(s.byServer, r.ServerID).add(ready)
		default:
			for _, t := range r.Tools {
				one := *ready
				one.definition = t.Definition
				groupOf(s.byTool, [2]string{r.ServerID, t.Name}).add(&one)
			}
		}
	}
	for _, g := range s.byTool {
		g.index()
	}
	for _, g := range s.byServer {
		g.index()
	}
	s.general.index()
	return s, bad
}

func groupOf[K comparable](groups map[K]*group, key K) *group {
	g := groups[key]
	if g == nil {
		g = newGroup()
		groups[key] = g
	}
	return g
}

// Decide gives the verdict on a proposal: deny beats ask beats allow, and no match
// asks. It is pure.
func (s *Set) Decide(f Facts) Decision {
	if s == nil {
		return Decision{Verdict: Ask, Reason: "no rule speaks about it"}
	}
	j := &judging{facts: f, best: Decision{Verdict: Ask, Reason: "no rule speaks about it"}}
	if f.Paused {
		return Decision{Verdict: Ask, Reason: f.guard()}
	}
	for _, g := range []*group{s.byTool[[2]string{f.ServerID, f.Tool}], s.byServer[f.ServerID], s.byServer[""], s.general} {
		if g != nil {
			g.judge(j)
		}
	}
	return j.best
}

// judging is one decision under way.
type judging struct {
	facts  Facts
	parsed bool
	args   *node // nil: they cannot be judged
	best   Decision
	rank   int // of best: 3 deny, 2 ask, 1 allow, 0 none
}

// arguments takes the arguments apart, at most once.
func (j *judging) arguments() *node {
	if !j.parsed {
		j.parsed = true
		if len(j.facts.Arguments) <= MaxJudged {
			if n, err := parseValue(j.facts.Arguments); err == nil && n.kind == '{' {
				j.args = n
			}
		}
	}
	return j.args
}

// speak counts a rule that matches.
func (j *judging) speak(r *rule, unclear bool) {
	d := Decision{Verdict: r.Effect, Rule: r.ID, Name: r.Name}
	quoted := "the rule “" + r.Name + "”"
	switch {
	case r.Foreign:
		d.Verdict, d.Reason = Ask, quoted+" did not come from here"
	case r.Effect == Deny && unclear, r.Effect == Ask && unclear:
		d.Verdict, d.Reason = Ask, quoted+" may speak about it, but the arguments cannot be judged"
	case r.Effect == Deny:
		d.Reason = quoted + " denies it"
	case r.Effect == Ask:
		d.Reason = quoted + " asks"
	default:
		if why := j.facts.guard(); why != "" {
			d.Verdict, d.Reason = Ask, quoted+" would allow it, but "+why
		} else if r.WholeTool && j.facts.Destructive && !r.Destructive {
			d.Verdict, d.Reason = Ask, quoted+" would allow it, but the server calls the tool destructive"
		} else {
			d.Reason = quoted + " allows it"
		}
	}
	rank := map[Verdict]int{Deny: 3, Ask: 2, Allow: 1}[d.Verdict]
	if d.Verdict == Ask && r.Effect == Allow && !r.Foreign {
		rank = 1 // a rule that allows, and may not: it does not keep others from it
	}
	// Of equals the one with the smaller id, so that the order of rules makes no
	// difference; an Allow that holds beats one that may not.
	better := rank > j.rank || rank == j.rank && (d.Verdict == Allow && j.best.Verdict == Ask || d.Verdict == j.best.Verdict && d.Rule < j.best.Rule)
	if better {
		j.best, j.rank = d, rank
	}
}

// rule is a rule that is ready to be held against calls.
type rule struct {
	Rule
	definition string // of the tool of its group
	conditions []*compiled
	any        [][]string
}

// bound tells whether a rule is tied to what a call is made of.
func (r *rule) bound(f *Facts) bool {
	return (r.definition == "" || r.definition == f.DefinitionHash) &&
		(r.Launch == "" || r.Launch == f.LaunchFingerprint) &&
		(r.Origin == "" || r.Origin == f.Origin) &&
		!r.Paused && r.Ended(f.Clock, f.Run) == ""
}

// covers tells whether an allow rule speaks about every part of the arguments.
func (r *rule) covers(n *node, path []string) bool {
	if len(path) > 0 {
		for _, any := range r.any {
			if leads(any, path) {
				return true
			}
		}
		for _, c := range r.conditions {
			if leads(c.steps, path) && c.names(n) {
				return true
			}
		}
		if n.kind != '{' && n.kind != '[' || len(n.items) == 0 {
			return false
		}
	}
	for i, item := range n.items {
		step := "*" // an item's place is not named: only * or the number itself leads there
		if n.kind == '{' {
			step = "." + n.keys[i]
		} else {
			step += fmt.Sprint(i)
		}
		if !r.covers(item, append(slices.Clone(path), step)) {
			return false
		}
	}
	return true
}

// leads tells whether a condition's path is exactly this place. Steps of a place
// begin with "." and the member's name, or with "*" and the item's number.
func leads(steps, place []string) bool {
	if len(steps) != len(place) {
		return false
	}
	for i, p := range place {
		if p[0] == '.' {
			if steps[i] != p[1:] {
				return false
			}
		} else if steps[i] != "*" && steps[i] != p[1:] {
			return false
		}
	}
	return true
}
