package app

// Types that cross the bridge: plain data only. Times are RFC 3339 text, ""
// when there is none; JSON payloads cross as text, never as values.

// Hello is what the page needs first.
type Hello struct {
	Version string            `json:"version"`
	DataDir string            `json:"dataDir"`
	Keyring KeyringView       `json:"keyring"`
	Paused  bool              `json:"paused"`
	Notices []Notice          `json:"notices"`
	UIState map[string]string `json:"uiState"` // key to JSON text, as the page saved it
}

// KeyringView tells where secrets are kept.
type KeyringView struct {
	Persistent bool   `json:"persistent"`
	Reason     string `json:"reason"` // why not, for a person
}

// Notice is something that a person must know and no call reports.
type Notice struct {
	ID    string `json:"id"`
	Level string `json:"level"` // "info", "warning" or "error"
	Text  string `json:"text"`
	Hint  string `json:"hint"`
}

// ServerView is one row of the server list.
type ServerView struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Kind          string   `json:"kind"` // "stdio", "http" or "builtin"
	Enabled       bool     `json:"enabled"`
	State         string   `json:"state"` // of the supervisor
	Reason        string   `json:"reason"`
	Hint          string   `json:"hint"`
	Code          string   `json:"code"`
	Since         string   `json:"since"`
	Era           string   `json:"era"`
	Version       string   `json:"version"`
	ServerName    string   `json:"serverName"` // what the server calls itself: display only
	ServerVersion string   `json:"serverVersion"`
	PID           int      `json:"pid"`
	ToolCount     int      `json:"toolCount"`
	Icon          string   `json:"icon"` // path on our own origin, or ""
	Hue           int      `json:"hue"`
	NextTry       string   `json:"nextTry"`
	NeedsConsent  bool     `json:"needsConsent"`
	Fallbacks     []string `json:"fallbacks"`
}

// Var is a named value: an environment variable or a header.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ServerDraft is a server's settings as they are edited. Values may refer to
// secrets as ${secret:NAME}.
type ServerDraft struct {
	ID             string   `json:"id"` // "" makes a new server
	Name           string   `json:"name"`
	Kind           string   `json:"kind"`
	Command        string   `json:"command"`
	Args           []string `json:"args"`
	Env            []Var    `json:"env"`
	Dir            string   `json:"dir"`
	URL            string   `json:"url"`
	Headers        []Var    `json:"headers"`
	Enabled        bool     `json:"enabled"`
	CAFile         string   `json:"caFile"`         // as ChooseCA gave it, "" for none
	Proxy          string   `json:"proxy"`          // "" as the system says, "none", or an address
	PlainHTTP      bool     `json:"plainHttp"`      // also beyond this computer
	TimeoutSeconds int      `json:"timeoutSeconds"` // of silence; 0 means the default
	MaxSeconds     int      `json:"maxSeconds"`     // of a call in all; 0 means the default
	MaxResultMiB   int      `json:"maxResultMiB"`   // 0 means the default
}

// Problem is a fault in a draft, at its field ("command", "env.2.value").
// Only warnings let the draft be saved.
type Problem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Warning bool   `json:"warning"`
}

// SecretInfo tells of a secret without its value.
type SecretInfo struct {
	Name   string   `json:"name"`
	Stored bool     `json:"stored"`
	Weak   bool     `json:"weak"` // too short to be found inside other text
	UsedIn []string `json:"usedIn"`
}

// ServerDetail is everything about one server.
type ServerDetail struct {
	Server       ServerView   `json:"server"`
	Draft        ServerDraft  `json:"draft"`
	Secrets      []SecretInfo `json:"secrets"`
	Problems     []Problem    `json:"problems"`
	Instructions string       `json:"instructions"`
	Launch       LaunchView   `json:"launch"`
	Roots        []RootView   `json:"roots"`
}

// RootView is a folder that the person opened to a server.
type RootView struct {
	Path  string `json:"path"`
	Fault string `json:"fault"` // why it is not told to the server now, or ""
}

// LaunchView is all that starting or contacting a server means, in full.
// Secret values stand as marks.
type LaunchView struct {
	Kind         string   `json:"kind"`
	Command      string   `json:"command"`
	ResolvedPath string   `json:"resolvedPath"`
	Args         []string `json:"args"`
	Dir          string   `json:"dir"`
	Env          []Var    `json:"env"`
	URL          string   `json:"url"`
	Headers      []Var    `json:"headers"`
	CAFile       string   `json:"caFile"`
	Proxy        string   `json:"proxy"`
	PlainHTTP    bool     `json:"plainHttp"`
	Fingerprint  string   `json:"fingerprint"`
	Consented    bool     `json:"consented"`
	Changed      []string `json:"changed"` // parts that differ from what was agreed to
	Warnings     []string `json:"warnings"`
	Error        string   `json:"error"` // why it cannot be started
}

// SaveResult tells whether a draft was saved: it was unless a problem is no
// warning.
type SaveResult struct {
	ID       string    `json:"id"`
	Problems []Problem `json:"problems"`
}

// LogLine is a line of a server's log.
type LogLine struct {
	N      int64  `json:"n"`
	Time   string `json:"time"`
	Source string `json:"source"`
	Level  string `json:"level"`
	Text   string `json:"text"`
}

// LogPage is the log from a line on.
type LogPage struct {
	Lines   []LogLine `json:"lines"`
	Dropped int64     `json:"dropped"` // lines that made room for these
	Next    int64     `json:"next"`
}

// SettingsView is the settings with what they stand beside.
type SettingsView struct {
	ApprovalDeadlineSeconds int         `json:"approvalDeadlineSeconds"` // 0 means none
	Theme                   string      `json:"theme"`                   // "system", "light" or "dark"
	DataDir                 string      `json:"dataDir"`
	Version                 string      `json:"version"`
	Keyring                 KeyringView `json:"keyring"`
	HeadSize                int64       `json:"headSize"` // events in the ledger
	HeadRoot                string      `json:"headRoot"` // hex root of its Merkle tree
}

// SettingsChange is what can be set.
type SettingsChange struct {
	ApprovalDeadlineSeconds int    `json:"approvalDeadlineSeconds"`
	Theme                   string `json:"theme"`
}
