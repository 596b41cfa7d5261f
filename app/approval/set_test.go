package approval

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func raw(texts ...string) (out []json.RawMessage) {
	for _, t := range texts {
		out = append(out, json.RawMessage(t))
	}
	return out
}

func TestConditions(t *testing.T) {
	eq := func(path, v string) Condition { return Condition{Path: path, Op: Equals, Values: raw(v)} }
	glob := func(p string) Condition { return Condition{Path: "/p", Op: Glob, Text: p} }
	num := func(min, max string) Condition { return Condition{Path: "/n", Op: Number, Min: min, Max: max} }
	host := func(h ...string) Condition { return Condition{Path: "/u", Op: URLHost, Hosts: h} }
	p := func(path string) string { b, _ := json.Marshal(map[string]string{"p": path}); return string(b) }
	u := func(url string) string { b, _ := json.Marshal(map[string]string{"u": url}); return string(b) }
	for _, c := range []struct {
		name string
		c    Condition
		args string
		want bool
	}{
		{"a number by value", eq("/n", "1"), `{"n":1.0}`, true},
		{"a number beyond float64", eq("/n", "9007199254740993"), `{"n":9007199254740992}`, false},
		{"a number and its text", eq("/n", "1"), `{"n":"1"}`, false},
		{"an object in another order", eq("/o", `{"a":1,"b":[true,null]}`), `{"o":{"b":[true,null],"a":1e0}}`, true},
		{"an object with a member more", eq("/o", `{"a":1}`), `{"o":{"a":1,"b":2}}`, false},
		{"absent is not null", eq("/o", `null`), `{}`, false},
		{"letters that look the same", eq("/s", `"caf\u00e9"`), `{"s":"cafe\u0301"}`, false},
		{"keys match exactly", eq("/s", `"x"`), `{"S":"x"}`, false},
		{"one of", Condition{Path: "/s", Op: OneOf, Values: raw(`"a"`, `2`)}, `{"s":2.0}`, true},
		{"none of", Condition{Path: "/s", Op: OneOf, Values: raw(`"a"`, `2`)}, `{"s":"2"}`, false},
		{"every item", eq("/l/*/a", "1"), `{"l":[{"a":1},{"a":1}]}`, true},
		{"not every item", eq("/l/*/a", "1"), `{"l":[{"a":1},{"a":2}]}`, false},
		{"an item without it", eq("/l/*/a", "1"), `{"l":[{"a":1},{}]}`, false},
		{"no item", eq("/l/*/a", "1"), `{"l":[]}`, false},
		{"an item by its place", eq("/l/1", "1"), `{"l":[0,1]}`, true},
		{"a place with a zero before it", eq("/l/01", "1"), `{"l":[0,1]}`, false},
		{"a key that is a star", eq("/*", "1"), `{"*":1}`, true},
		{"absent", Condition{Path: "/f", Op: Absent}, `{"g":1}`, true},
		{"null is there", Condition{Path: "/f", Op: Absent}, `{"f":null}`, false},
		{"absent below what is no object", Condition{Path: "/f/g", Op: Absent}, `{"f":1}`, true},
		{"a prefix", Condition{Path: "/s", Op: Prefix, Text: "ab"}, `{"s":"abc"}`, true},
		{"a prefix of a number", Condition{Path: "/s", Op: Prefix, Text: "1"}, `{"s":12}`, false},
		{"a range", num("1", "2"), `{"n":1.5}`, true},
		{"its ends", num("1", "2"), `{"n":2.000}`, true},
		{"just beyond", num("", "2"), `{"n":2.0000000000000000000000001}`, false},
		{"negative", num("-1", ""), `{"n":-1.1}`, false},
		{"a huge power", num("", "2"), `{"n":1e999999}`, false},
		{"zero in all its spellings", eq("/n", "0"), `{"n":-0.000e9}`, true},
		{"length in characters", Condition{Path: "/s", Op: Length, Max: "2"}, `{"s":"éé"}`, true},
		{"length of a list", Condition{Path: "/s", Op: Length, Min: "1"}, `{"s":[]}`, false},
		{"length of a number", Condition{Path: "/s", Op: Length, Min: "1"}, `{"s":11}`, false},

		{"a path below", glob("notes/**"), p("notes/a/b.txt"), true},
		{"not the folder itself", glob("notes/**"), p("notes"), false},
		{"dots with a space", glob("/home/**"), p("/home/.. /etc"), false},
		{"three dots", glob("/home/**"), p("/home/.../etc"), false},
		{"codes of codes", glob("/home/**"), p("/home/%252e%252e/etc"), false},
		{"a prefix that is left again", Condition{Path: "/p", Op: Prefix, Text: "/home/"}, p("/home/../etc"), false},
		{"a prefix that is no path", Condition{Path: "/p", Op: Prefix, Text: "so"}, p("so ../far"), true},
		{"one level", glob("notes/*"), p("notes/a/b.txt"), false},
		{"a kind of file", glob("notes/**/*.txt"), p("notes/b.txt"), true},
		{"traversal out", glob("notes/**"), p("notes/../../etc/passwd"), false},
		{"traversal out and in again", glob("notes/**"), p("notes/../notes/a"), true},
		{"traversal into a neighbour", glob("notes/**"), p("notes/../keys"), false},
		{"traversal above the root", glob("/a/**"), p("/a/../../a/b"), false},
		{"traversal in code", glob("notes/**"), p("notes/%2e%2e/keys"), false},
		{"slashes in code", glob("notes/*"), p("notes/a%2fb"), false},
		{"backslashes", glob("notes/**"), p(`notes/..\..\keys`), false},
		{"a backslash that is meant", glob(`C:\*`), p(`C:\x`), true},
		{"a home that is not meant", glob("**"), p("~/x"), false},
		{"an absolute path under a relative pattern", glob("**"), p("/etc/passwd"), false},
		{"a relative path under an absolute pattern", glob("/etc/**"), p("etc/passwd"), false},
		{"an absolute pattern", glob("/home/ada/**"), p("/home/ada/./x"), true},
		{"a double slash", glob("notes/**"), p("notes//x"), false},
		{"a control character", glob("notes/**"), p("notes/x\x00"), false},
		{"an empty path", glob("**"), p(""), false},
		{"one character", glob("v?.txt"), p("vé.txt"), true},

		{"a host", host("api.example.com"), u("https://API.example.com/x?y#z"), true},
		{"another host", host("api.example.com"), u("https://example.com/"), false},
		{"hosts below", host("*.example.com"), u("https://a.b.example.com/"), true},
		{"the host above", host("*.example.com"), u("https://example.com/"), false},
		{"a host that only ends alike", host("*.example.com"), u("https://badexample.com/"), false},
		{"a user before it", host("example.com"), u("https://example.com@evil.test/"), false},
		{"a user with it", host("example.com"), u("https://ada@example.com/"), false},
		{"a backslash", host("example.com"), u(`https://example.com\@evil.test/`), false},
		{"another port", host("example.com"), u("https://example.com:8443/"), false},
		{"its port", host("example.com:8443"), u("https://example.com:8443/"), true},
		{"an empty port", host("example.com"), u("https://example.com:/"), false},
		{"a dot at the end", host("example.com"), u("https://example.com./"), false},
		{"another scheme", host("example.com"), u("ftp://example.com/"), false},
		{"no scheme", host("example.com"), u("//example.com/"), false},
		{"one slash", host("example.com"), u("https:/example.com/"), false},
		{"letters beyond ASCII", host("example.com"), u("https://ex\u0430mple.com/"), false},
		{"white space", host("example.com"), u(" https://example.com/"), false},
		{"a tab within", host("example.com"), u("https://exa\tmple.com/"), false},
		{"an address of six", host("[::1]:80"), u("http://[::1]:80/"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := compile(c.c)
			if err != nil {
				t.Fatal(err)
			}
			n, err := parseValue([]byte(c.args))
			if err != nil {
				t.Fatal(err)
			}
			if got := k.holds(n) == yes; got != c.want {
				t.Errorf("%+v of %s is %v", c.c, c.args, got)
			}
		})
	}
}

func TestBadRules(t *testing.T) {
	good := allowing("r", Condition{Path: "/a", Op: Equals, Values: raw("1")})
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Rule){
		"no effect":                      func(r *Rule) { r.Effect = "maybe" },
		"no name":                        func(r *Rule) { r.Name = "" },
		"no server":                      func(r *Rule) { r.ServerID = "" },
		"no launch":                      func(r *Rule) { r.Launch = "" },
		"no origin":                      func(r *Rule) { r.Origin = "" },
		"no tool":                        func(r *Rule) { r.Tools = nil },
		"a tool without definition":      func(r *Rule) { r.Tools[0].Definition = "" },
		"nothing said of arguments":      func(r *Rule) { r.Where = nil },
		"two things said of arguments":   func(r *Rule) { r.WholeTool = true },
		"too many conditions":            func(r *Rule) { r.Where = make([]Condition, MaxConditions+1) },
		"an unknown operator":            func(r *Rule) { r.Where[0].Op = "like" },
		"a part that is not used":        func(r *Rule) { r.Where[0].Min = "1" },
		"a value that is no JSON":        func(r *Rule) { r.Where[0].Values = raw("{") },
		"a value with a name twice":      func(r *Rule) { r.Where[0].Values = raw(`{"a":1,"a":2}`) },
		"a path without slash":           func(r *Rule) { r.Where[0].Path = "a" },
		"a path with a lone ~":           func(r *Rule) { r.Where[0].Path = "/a~b" },
		"an empty range":                 func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: Number, Min: "2", Max: "1"} },
		"a range without end":            func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: Number} },
		"a bomb of a number":             func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: Number, Max: "1e99999999"} },
		"dots in a pattern":              func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: Glob, Text: "a/../b"} },
		"** in a segment":                func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: Glob, Text: "a**"} },
		"a host with a path":             func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: URLHost, Hosts: []string{"a.b/c"}} },
		"a host in capitals":             func(r *Rule) { r.Where[0] = Condition{Path: "/a", Op: URLHost, Hosts: []string{"A.b"}} },
		"an endless time":                func(r *Rule) { r.Length = MaxLength + 1 },
		"destructive without whole tool": func(r *Rule) { r.Destructive = true },
	} {
		t.Run(name, func(t *testing.T) {
			r := allowing("r", Condition{Path: "/a", Op: Equals, Values: raw("1")})
			spoil(&r)
			if err := r.Check(); err == nil {
				t.Error("it was taken")
			}
			if _, bad := New([]Rule{r}); bad[r.ID] == nil {
				t.Error("a set took it")
			}
		})
	}
}

func allowing(id string, where ...Condition) Rule {
	return Rule{ID: id, Name: id, Effect: Allow, ServerID: "s", Launch: "l", Origin: "person", Tools: []ToolPin{{"t", "d"}}, Where: where}
}

func factsOf(args string) Facts {
	return Facts{Binding: Binding{ServerID: "s", LaunchFingerprint: "l", Tool: "t", DefinitionHash: "d", Origin: "person", Revision: 1, ArgumentsHash: "h"},
		Arguments: []byte(args), Exact: "x", Run: "run", Clock: Clock{Wall: time.Unix(1000, 0), Boot: time.Hour, BootID: "b"}}
}

func TestDecide(t *testing.T) {
	one := Condition{Path: "/a", Op: Equals, Values: raw("1")}
	whole := allowing("whole")
	whole.WholeTool = true
	deny := Rule{ID: "deny", Name: "deny", Effect: Deny, ServerID: "s"}
	wide := allowing("wide")
	wide.AnyValue = []string{"/a"}
	denyGlob := func(path string) Rule {
		return Rule{ID: "d", Name: "d", Effect: Deny, ServerID: "s", Where: []Condition{{Path: path, Op: Glob, Text: "/etc/**"}}}
	}
	ask := Rule{ID: "ask", Name: "ask", Effect: Ask, ServerID: "s", Tools: []ToolPin{{Name: "t"}}}
	for _, c := range []struct {
		name  string
		rules []Rule
		args  string
		facts func(*Facts)
		want  Verdict
		says  string
	}{
		{"CALL-02 no rule asks", nil, `{}`, nil, Ask, "no rule"},
		{"a rule allows what it names", []Rule{allowing("r", one)}, `{"a":1}`, nil, Allow, "allows it"},
		{"not what it does not name", []Rule{allowing("r", one)}, `{"a":1,"b":2}`, nil, Ask, "no rule"},
		{"not what it does not name, deep within", []Rule{allowing("r", Condition{Path: "/a/b", Op: Equals, Values: raw("1")})}, `{"a":{"b":1,"c":1}}`, nil, Ask, ""},
		{"not an empty object that it does not name", []Rule{allowing("r", one)}, `{"a":1,"b":{}}`, nil, Ask, ""},
		{"what it names within an item", []Rule{allowing("r", Condition{Path: "/l/*/a", Op: Equals, Values: raw("1")})}, `{"l":[{"a":1},{"a":1}]}`, nil, Allow, ""},
		{"a length names no items", []Rule{allowing("r", Condition{Path: "/l", Op: Length, Max: "9"})}, `{"l":[1]}`, nil, Ask, ""},
		{"any value where it was ticked", []Rule{func() Rule { r := allowing("r", one); r.AnyValue = []string{"/b"}; return r }()}, `{"a":1,"b":{"c":[{}]}}`, nil, Allow, ""},
		{"arguments that two readers could understand differently", []Rule{allowing("r", one)}, `{"a":1,"a":1}`, nil, Ask, ""},
		{"arguments beyond the bound", []Rule{allowing("r", Condition{Path: "/a", Op: Length, Min: "1"})}, `{"a":"` + strings.Repeat("x", MaxJudged) + `"}`, nil, Ask, ""},
		{"the exact call", []Rule{func() Rule { r := allowing("r"); r.Exact = "x"; return r }()}, `{"a":1}`, nil, Allow, ""},
		{"another call", []Rule{func() Rule { r := allowing("r"); r.Exact = "y"; return r }()}, `{"a":1}`, nil, Ask, ""},
		{"deny beats allow", []Rule{whole, deny}, `{}`, nil, Deny, "denies it"},
		{"ask beats allow", []Rule{whole, ask}, `{}`, nil, Ask, "asks"},
		{"deny beats ask", []Rule{ask, deny}, `{}`, nil, Deny, ""},
		{"a finding asks", []Rule{whole}, `{}`, func(f *Facts) { f.Findings = 2 }, Ask, "2 things"},
		{"a definition that was not checked asks", []Rule{whole}, `{}`, func(f *Facts) { f.Unchecked = true }, Ask, "could not be checked"},
		{"one that was not reviewed asks", []Rule{whole}, `{}`, func(f *Facts) { f.Unreviewed = true }, Ask, "reviewed"},
		{"one that changes all the time asks", []Rule{whole}, `{}`, func(f *Facts) { f.OnHold = true }, Ask, "all the time"},
		{"everything paused asks, also what would be denied", []Rule{deny}, `{}`, func(f *Facts) { f.Paused = true }, Ask, "paused"},
		{"a claim makes it stricter", []Rule{whole}, `{}`, func(f *Facts) { f.Destructive = true }, Ask, "destructive"},
		{"unless that was ticked", []Rule{func() Rule { r := whole; r.Destructive = true; return r }()}, `{}`, func(f *Facts) { f.Destructive = true }, Allow, ""},
		{"another launch", []Rule{whole}, `{}`, func(f *Facts) { f.LaunchFingerprint = "m" }, Ask, ""},
		{"another definition", []Rule{whole}, `{}`, func(f *Facts) { f.DefinitionHash = "e" }, Ask, ""},
		{"another origin", []Rule{whole}, `{}`, func(f *Facts) { f.Origin = "list" }, Ask, ""},
		{"another server with the same tool", []Rule{whole}, `{}`, func(f *Facts) { f.ServerID = "s2" }, Ask, ""},
		{"a renamed tool", []Rule{whole}, `{}`, func(f *Facts) { f.Tool = "T" }, Ask, ""},
		{"a paused rule", []Rule{func() Rule { r := whole; r.Paused = true; return r }()}, `{}`, nil, Ask, "no rule"},
		{"a foreign rule asks", []Rule{whole, func() Rule { r := whole; r.ID, r.Foreign = "f", true; return r }()}, `{}`, nil, Ask, "did not come from here"},
		{"a rule that is used up", []Rule{func() Rule { r := whole; r.Limited = true; return r }()}, `{}`, nil, Ask, ""},
		{"a rule with a call left", []Rule{func() Rule { r := whole; r.Limited, r.Calls = true, 1; return r }()}, `{}`, nil, Allow, ""},
		{"a rule of another run", []Rule{func() Rule { r := whole; r.Run = "before"; return r }()}, `{}`, nil, Ask, ""},
		{"a deny that cannot be judged asks", []Rule{whole, {ID: "d", Name: "d", Effect: Deny, ServerID: "s", Where: []Condition{one}}}, `{"a":1,"a":2}`, nil, Ask, "cannot be judged"},
		{"a rule on every server", []Rule{whole, {ID: "d", Name: "d", Effect: Deny, Where: []Condition{{Path: "/a", Op: Prefix, Text: "/etc"}}}}, `{"a":"/etc/x"}`, nil, Deny, ""},
		{"a deny that may be meant asks: a path that is not clear", []Rule{wide, denyGlob("/a")}, `{"a":"/etc//passwd"}`, nil, Ask, "cannot be judged"},
		{"a deny on every item is a deny on any", []Rule{wide, denyGlob("/a/*")}, `{"a":["/tmp/x","/etc/y"]}`, nil, Deny, ""},
		{"also where another item has no such value", []Rule{wide, denyGlob("/a/*/p")}, `{"a":[{},{"p":"/etc/y"}]}`, nil, Deny, ""},
		{"a deny of a host that is not clear", []Rule{wide, {ID: "d", Name: "d", Effect: Deny, ServerID: "s", Where: []Condition{{Path: "/a", Op: URLHost, Hosts: []string{"evil.test"}}}}}, `{"a":"https://evil.test./"}`, nil, Ask, ""},
		{"a deny by a prefix that a path goes around", []Rule{wide, {ID: "d", Name: "d", Effect: Deny, ServerID: "s", Where: []Condition{{Path: "/a", Op: Prefix, Text: "/etc/"}}}}, `{"a":"/tmp/../etc/x"}`, nil, Ask, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, bad := New(c.rules)
			if len(bad) > 0 {
				t.Fatal(bad)
			}
			f := factsOf(c.args)
			if c.facts != nil {
				c.facts(&f)
			}
			if d := s.Decide(f); d.Verdict != c.want || !strings.Contains(d.Reason, c.says) {
				t.Errorf("%+v", d)
			}
		})
	}
}

// TestBrokenRule: a rule that cannot be read any more allows nothing, and what it
// would have denied asks.
func TestBrokenRule(t *testing.T) {
	whole := allowing("whole")
	whole.WholeTool = true
	for _, server := range []string{"s", ""} {
		s, bad := New([]Rule{whole, {ID: "d", Name: "d", Effect: Deny, ServerID: server, Where: []Condition{{Path: "/a", Op: "unknown"}}}})
		if bad["d"] == nil {
			t.Fatal("it was taken")
		}
		if d := s.Decide(factsOf(`{}`)); d.Verdict != Ask || d.Rule != "d" {
			t.Errorf("%+v", d)
		}
	}
}

func TestTimedRules(t *testing.T) {
	from := Clock{Wall: time.Unix(1_000_000, 0), Boot: time.Hour, BootID: "b"}
	r := allowing("r")
	r.WholeTool, r.Length, r.From = true, 10*time.Minute, from
	at := func(wall, boot time.Duration, id string) Clock {
		return Clock{Wall: from.Wall.Add(wall), Boot: from.Boot + boot, BootID: id}
	}
	for _, c := range []struct {
		name string
		now  Clock
		over bool
	}{
		{"at once", from, false},
		{"within", at(9*time.Minute, 9*time.Minute, "b"), false},
		{"by the wall clock", at(10*time.Minute, time.Minute, "b"), true},
		{"by the clock that counts sleep", at(time.Minute, 10*time.Minute, "b"), true},
		{"when the wall clock goes back", at(-time.Second, time.Minute, "b"), true},
		{"when the other clock goes back", at(time.Minute, -time.Second, "b"), true},
		{"after the computer was started anew, by the wall clock", at(9*time.Minute, -time.Hour, "c"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := r.Ended(c.now, "run") != ""; got != c.over || (r.Left(c.now) > 0) == c.over {
				t.Errorf("over: %v, left %v", got, r.Left(c.now))
			}
		})
	}
}

// naive holds every rule against every call, one after another.
func naive(rules []Rule, f Facts) Verdict {
	best := 0
	for _, r := range rules {
		conditions, err := r.compile()
		if err != nil {
			continue
		}
		n, err := parseValue(f.Arguments)
		holds, sure := err == nil, yes
		for _, c := range conditions {
			says := no
			if err == nil && r.Effect == Allow {
				says = c.holds(n)
			} else if err == nil {
				says = c.touches(n)
			}
			holds, sure = holds && says != no, min(sure, says)
		}
		tool := len(r.Tools) == 0
		for _, p := range r.Tools {
			tool = tool || p.Name == f.Tool && (p.Definition == "" || p.Definition == f.DefinitionHash)
		}
		if !holds || !tool || r.ServerID != "" && r.ServerID != f.ServerID || r.Exact != "" && r.Exact != f.Exact {
			continue
		}
		ready := &rule{Rule: r, conditions: conditions}
		for _, p := range r.AnyValue {
			steps, _ := pointerSteps(p)
			ready.any = append(ready.any, steps)
		}
		rank := map[Verdict]int{Deny: 3, Ask: 2, Allow: 1}[r.Effect]
		if r.Effect == Deny && sure != yes {
			rank = 2
		}
		if r.Effect == Allow && (f.guard() != "" || r.Exact == "" && !r.WholeTool && !ready.covers(n, nil)) {
			continue
		}
		best = max(best, rank)
	}
	return []Verdict{Ask, Allow, Ask, Deny}[best]
}

func genValue() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{`1`, `1.0`, `2`, `-3.5`, `1e3`, `"a"`, `"ab"`, `"notes/a.txt"`, `"notes/../x"`, `"/etc/x"`, `"https://a.example.com/"`, `true`, `null`, `[1]`, `{"k":1}`, `{}`})
}

func genCondition() *rapid.Generator[Condition] {
	return rapid.Custom(func(t *rapid.T) Condition {
		c := Condition{Path: rapid.SampledFrom([]string{"/a", "/b", "/a/k", "/c/*", "/c/0"}).Draw(t, "path")}
		c.Op = rapid.SampledFrom([]Op{Equals, OneOf, Prefix, Glob, Number, Length, Absent, URLHost}).Draw(t, "op")
		switch c.Op {
		case Equals:
			c.Values = raw(genValue().Draw(t, "value"))
		case OneOf:
			c.Values = raw(genValue().Draw(t, "value"), genValue().Draw(t, "value"))
		case Prefix:
			c.Text = rapid.SampledFrom([]string{"a", "ab", "notes/", "/"}).Draw(t, "text")
		case Glob:
			c.Text = rapid.SampledFrom([]string{"**", "notes/*", "notes/**", "/etc/**", "*", "notes/a.txt", "/**"}).Draw(t, "text")
		case Number:
			c.Min, c.Max = rapid.SampledFrom([]string{"", "-4", "1", "1.5"}).Draw(t, "min"), rapid.SampledFrom([]string{"1.5", "2", "1e3", "7"}).Draw(t, "max")
		case Length:
			c.Max = rapid.SampledFrom([]string{"0", "1", "5"}).Draw(t, "max")
		case Absent:
			c.Path = "/a"
		case URLHost:
			c.Hosts = []string{rapid.SampledFrom([]string{"a.example.com", "*.example.com", "b.test"}).Draw(t, "host")}
		}
		return c
	})
}

func genRule(id string) *rapid.Generator[Rule] {
	return rapid.Custom(func(t *rapid.T) Rule {
		r := allowing(id)
		r.Effect = rapid.SampledFrom([]Verdict{Allow, Allow, Allow, Ask, Deny}).Draw(t, "effect")
		switch rapid.IntRange(0, 4).Draw(t, "way") {
		case 0:
			r.WholeTool = true
		case 1:
			r.Exact = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "exact")
		default:
			r.Where = rapid.SliceOfN(genCondition(), 1, 4).Draw(t, "where")
			r.AnyValue = rapid.SliceOfN(rapid.SampledFrom([]string{"/a", "/b", "/c"}), 0, 2).Draw(t, "any")
		}
		if r.Effect != Allow && rapid.Bool().Draw(t, "wide") {
			r.Launch, r.Tools = "", nil
			if rapid.Bool().Draw(t, "wider") {
				r.ServerID = ""
			}
		}
		return r
	})
}

func genArguments(t *rapid.T) string {
	var parts []string
	for _, key := range []string{"a", "b", "c"} {
		switch rapid.IntRange(0, 2).Draw(t, key) {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("%q:%s", key, genValue().Draw(t, "value")))
		default:
			parts = append(parts, fmt.Sprintf("%q:[%s,%s]", key, genValue().Draw(t, "value"), genValue().Draw(t, "value")))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// TestSetAgainstNaive: the index finds what going through all rules would find.
func TestSetAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rules []Rule
		for i := range rapid.IntRange(0, 12).Draw(t, "rules") {
			rules = append(rules, genRule(fmt.Sprint("r", i)).Draw(t, "rule"))
		}
		f := factsOf(genArguments(t))
		f.Findings = rapid.IntRange(0, 1).Draw(t, "findings") / 1
		s, bad := New(rules)
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		got := s.Decide(f)
		if want := naive(rules, f); got.Verdict != want {
			t.Fatalf("%s of %s, want %s\n%+v", got, f.Arguments, want, rules)
		}
		// More findings, and rules turned into others' hands, never make it looser.
		f.Findings++
		if d := s.Decide(f); d.Verdict == Allow {
			t.Fatalf("allowed with a finding: %+v", d)
		}
		for i := range rules {
			rules[i].Foreign = true
		}
		foreign, _ := New(rules)
		f.Findings = 0
		if d := foreign.Decide(f); d.Verdict != Ask {
			t.Fatalf("a foreign rule decided: %+v", d)
		}
	})
}

// TestRulesAreKept: a rule is the same after it was written down and read.
func TestRulesAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genRule("r").Draw(t, "rule")
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Rule
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(back); string(again) != string(text) {
			t.Fatalf("%s became %s", text, again)
		}
	})
}

func manyRules(n int, last func(i int) Condition) []Rule {
	var rules []Rule
	for i := range n {
		rules = append(rules, allowing(fmt.Sprint("r", i), Condition{Path: "/a", Op: Equals, Values: raw(`"x"`)},
			Condition{Path: "/n", Op: Number, Min: "1", Max: "10"}, last(i)))
	}
	return rules
}

// BenchmarkDecide: rules for the proposed tool whose conditions fail last.
func BenchmarkDecide(b *testing.B) {
	f := factsOf(`{"a":"x","n":5,"p":"notes/2026/12/plan.txt","amount":1000000,"u":"https://a.example.com/x"}`)
	for name, last := range map[string]func(i int) Condition{
		"equals": func(i int) Condition {
			return Condition{Path: "/p", Op: Equals, Values: raw(fmt.Sprintf(`"no %d"`, i))}
		},
		"prefix": func(i int) Condition { return Condition{Path: "/p", Op: Prefix, Text: fmt.Sprintf("other/%04d", i)} },
		"glob":   func(i int) Condition { return Condition{Path: "/p", Op: Glob, Text: fmt.Sprintf("notes/%04d/**", i)} },
		"number": func(i int) Condition {
			return Condition{Path: "/amount", Op: Number, Min: fmt.Sprint(i), Max: fmt.Sprint(i + 10)}
		},
		"host": func(i int) Condition {
			return Condition{Path: "/u", Op: URLHost, Hosts: []string{fmt.Sprintf("h%d.test", i)}}
		},
	} {
		for _, n := range []int{10, 1000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				s, bad := New(manyRules(n, last))
				if len(bad) > 0 {
					b.Fatal(bad)
				}
				b.ReportAllocs()
				for b.Loop() {
					if d := s.Decide(f); d.Verdict != Ask {
						b.Fatal(d)
					}
				}
			})
		}
	}
}
