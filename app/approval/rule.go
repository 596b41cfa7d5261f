package approval

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// ToolPin is a tool with the definition that was reviewed.
type ToolPin struct {
	Name string `json:"name"`
	// Definition is the fingerprint of the definition; "" is any, and of use to
	// rules that ask or deny alone.
	Definition string `json:"definition,omitempty"`
}

// Rule is a remembered answer. Who keeps one knows that it is unchanged: a rule
// whose record does not vouch for it is Foreign, and allows nothing.
type Rule struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Effect Verdict `json:"effect"`
	// ServerID, Launch and Origin are what the rule is tied to. Only a rule that
	// asks or denies may leave them open.
	ServerID string `json:"serverId,omitempty"`
	Launch   string `json:"launch,omitempty"`
	Origin   string `json:"origin,omitempty"`
	// Tools that it speaks about; none is every tool, for rules that ask or deny.
	Tools []ToolPin `json:"tools,omitempty"`
	// One of Exact, Where with AnyValue, and WholeTool says about which arguments.
	// Rules that ask or deny may have none of them.
	Exact     string      `json:"exact,omitempty"` // Facts.Exact of the one call
	Where     []Condition `json:"where,omitempty"`
	AnyValue  []string    `json:"anyValue,omitempty"` // paths whose values do not matter
	WholeTool bool        `json:"wholeTool,omitempty"`
	// Destructive says that WholeTool holds for tools too that their server calls
	// destructive.
	Destructive bool `json:"destructive,omitempty"`
	// Limited rules are good for Calls more.
	Limited bool `json:"limited,omitempty"`
	Calls   int  `json:"calls,omitempty"`
	// Timed rules end after Length from From, by either clock.
	Length time.Duration `json:"length,omitempty"`
	From   Clock         `json:"from,omitzero"`
	// Run is the one run of the program that it is valid for; "" is every run.
	Run    string `json:"run,omitempty"`
	Paused bool   `json:"paused,omitempty"`

	Foreign bool `json:"-"`
}

// Clock is a moment by two clocks: the wall's, which a person can set, and one
// that counts the time since the computer started, sleep included.
type Clock struct {
	Wall   time.Time     `json:"wall"`
	Boot   time.Duration `json:"boot"`
	BootID string        `json:"bootId"`
}

// over tells whether a length of time since from has passed by either clock, or
// cannot be known since the wall clock went back.
func (from Clock) over(length time.Duration, now Clock) bool {
	wall := now.Wall.Round(0).Sub(from.Wall.Round(0))
	if wall < 0 || wall >= length {
		return true
	}
	if from.BootID == "" || from.BootID != now.BootID {
		return false
	}
	boot := now.Boot - from.Boot
	return boot < 0 || boot >= length
}

// Left is how long a timed rule still speaks at most; 0 when it is over.
func (r Rule) Left(now Clock) time.Duration {
	if r.Length == 0 || r.From.over(r.Length, now) {
		return 0
	}
	return r.Length - now.Wall.Round(0).Sub(r.From.Wall.Round(0))
}

// Ended is why a rule does not speak any more, a clause, or "".
func (r Rule) Ended(now Clock, run string) string {
	switch {
	case r.Limited && r.Calls <= 0:
		return "its calls are used up"
	case r.Length > 0 && r.From.over(r.Length, now):
		return "its time is over"
	case r.Run != "" && r.Run != run:
		return "it was for another run of the program"
	}
	return ""
}

const (
	maxName = 200
	// MaxTools is how many tools one rule can name.
	MaxTools = 2000
	// MaxLength is the longest that a timed rule lasts.
	MaxLength = 31 * 24 * time.Hour
)

// Check says what is wrong with a rule, as a sentence's clause for a person.
func (r Rule) Check() error {
	_, err := r.compile()
	return err
}

func (r Rule) compile() ([]*compiled, error) {
	switch {
	case r.ID == "" || r.Name == "" || len(r.Name) > maxName || !utf8.ValidString(r.Name):
		return nil, errors.New("it needs a name of at most 200 bytes")
	case r.Effect != Allow && r.Effect != Ask && r.Effect != Deny:
		return nil, fmt.Errorf("%.20q is no effect", r.Effect)
	case len(r.Tools) > MaxTools:
		return nil, fmt.Errorf("it names more than %d tools", MaxTools)
	case r.Limited && r.Calls < 0, r.Length < 0, r.Length > MaxLength:
		return nil, errors.New("its limits make no sense")
	case len(r.Where)+len(r.AnyValue) > MaxConditions:
		return nil, fmt.Errorf("it has more than %d conditions", MaxConditions)
	case r.Destructive && !r.WholeTool:
		return nil, errors.New("only a rule on whole tools can include destructive ones")
	}
	ways := 0
	for _, way := range []bool{r.Exact != "", len(r.Where)+len(r.AnyValue) > 0, r.WholeTool} {
		if way {
			ways++
		}
	}
	if ways > 1 || r.Effect == Allow && ways != 1 {
		return nil, errors.New("it must say about which arguments it speaks, in one way")
	}
	if err := r.checkBound(); err != nil {
		return nil, err
	}
	var all []*compiled
	for i, c := range r.Where {
		k, err := compile(c)
		if err != nil {
			return nil, fmt.Errorf("condition %d: %w", i+1, err)
		}
		all = append(all, k)
	}
	for _, path := range r.AnyValue {
		if _, err := pointerSteps(path); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// checkBound: what allows is tied to one server, one launch, one origin and to
// reviewed definitions.
func (r Rule) checkBound() error {
	if r.ServerID == "" && (len(r.Tools) > 0 || r.Launch != "") {
		return errors.New("tools and launches belong to a server, which it does not name")
	}
	for _, t := range r.Tools {
		if t.Name == "" || r.Effect == Allow && t.Definition == "" {
			return errors.New("a tool is named without its definition")
		}
	}
	if r.Effect == Allow && (r.ServerID == "" || r.Launch == "" || r.Origin == "" || len(r.Tools) == 0) {
		return errors.New("a rule that allows is tied to a server, how it is started, who asks, and tools")
	}
	return nil
}
