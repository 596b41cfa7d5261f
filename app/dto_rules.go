package app

// RuleDraft is a rule as a person makes or edits it. The program adds what it is
// tied to: the launch, the definitions and the origin of this moment.
type RuleDraft struct {
	ID       string `json:"id"` // "" for a new one
	Name     string `json:"name"`
	Effect   string `json:"effect"` // "allow", "ask" or "deny"
	ServerID string `json:"serverId"`
	// Level is what it speaks about: "exact" (the call of CallID), "conditions",
	// "tool", or "server" (its tools as they were reviewed).
	Level       string          `json:"level"`
	Tool        string          `json:"tool"`
	CallID      string          `json:"callId"`
	Origin      string          `json:"origin"`
	Where       []RuleCondition `json:"where"`
	AnyValue    []string        `json:"anyValue"`
	Destructive bool            `json:"destructive"`
	// How long: so many calls, so many minutes, or this run of the program; all of
	// them that are set must hold, and none is until it is revoked.
	Calls     int  `json:"calls"`
	Minutes   int  `json:"minutes"`
	UntilQuit bool `json:"untilQuit"`
}

// RuleCondition is a condition of a rule; values are JSON texts.
type RuleCondition struct {
	Path   string   `json:"path"`
	Op     string   `json:"op"`
	Values []string `json:"values"`
	Text   string   `json:"text"`
	Hosts  []string `json:"hosts"`
	Min    string   `json:"min"`
	Max    string   `json:"max"`
}

// RuleView is a rule in the list.
type RuleView struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Effect      string    `json:"effect"`
	ServerID    string    `json:"serverId"`
	ServerName  string    `json:"serverName"`
	Tools       []string  `json:"tools"` // names; empty: every tool
	Says        []string  `json:"says"`  // about which arguments, in words
	Origin      string    `json:"origin"`
	CallsLeft   int       `json:"callsLeft"` // -1: no limit
	SecondsLeft int64     `json:"secondsLeft"`
	UntilQuit   bool      `json:"untilQuit"`
	Paused      bool      `json:"paused"`
	Revoked     bool      `json:"revoked"`
	Ended       string    `json:"ended"`   // why it does not speak any more, or ""
	Stale       string    `json:"stale"`   // what it is tied to that changed, or ""
	Foreign     bool      `json:"foreign"` // it did not come from here: it only asks
	Made        string    `json:"made"`
	Uses        int64     `json:"uses"`
	LastUse     string    `json:"lastUse"` // id of the call, or ""
	Draft       RuleDraft `json:"draft"`
}

// RulePreview is what a draft would do.
type RulePreview struct {
	Problem string     `json:"problem"` // why it cannot be saved, or ""
	Says    []string   `json:"says"`
	Tools   []string   `json:"tools"`
	Waiting []CallView `json:"waiting"` // calls that it would decide at once
}

// ReplayView is how far a draft was held against the history.
type ReplayView struct {
	Done    int64        `json:"done"`
	Total   int64        `json:"total"`
	Running bool         `json:"running"`
	Problem string       `json:"problem"`
	Matched int64        `json:"matched"` // calls that it would have decided
	Rest    int64        `json:"rest"`    // calls that would have asked
	Unusual []ReplayItem `json:"unusual"` // of those matched, the unusual ones first
}

// ReplayItem is one call that a draft would have decided.
type ReplayItem struct {
	Call CallView `json:"call"`
	Args string   `json:"args"` // cut where it is long
	Why  string   `json:"why"`  // what is unusual about it, or ""
}
