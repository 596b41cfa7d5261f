package app

// ToolSummary is one row of the tool list.
type ToolSummary struct {
	ServerID       string       `json:"serverId"`
	Name           string       `json:"name"`
	Title          string       `json:"title"`
	Description    string       `json:"description"`
	Icon           string       `json:"icon"`
	Annotations    []Annotation `json:"annotations"`
	Hidden         string       `json:"hidden"`  // why it cannot be called, or ""
	Problem        string       `json:"problem"` // what is wrong with its definition, or ""
	DefinitionHash string       `json:"definitionHash"`
	Change         string       `json:"change"` // since the review: "", "new", "changed" or "held" (it changes all the time)
}

// Annotation is a claim that the server makes of its tool.
type Annotation struct {
	Label string `json:"label"`
	Claim string `json:"claim"`
}

// ToolGroup is a server with its tools.
type ToolGroup struct {
	Server    ServerView    `json:"server"`
	Freshness string        `json:"freshness"` // "live", "cached", "stale" or "none"
	Received  string        `json:"received"`
	Warnings  []string      `json:"warnings"`
	Tools     []ToolSummary `json:"tools"`
	Problems  []string      `json:"problems"` // items of the list that could not be read
}

// ToolDetail is one tool's page.
type ToolDetail struct {
	Summary       ToolSummary   `json:"summary"`
	Server        ServerView    `json:"server"`
	Freshness     string        `json:"freshness"`
	Received      string        `json:"received"`
	InputSchema   string        `json:"inputSchema"`
	OutputSchema  string        `json:"outputSchema"`
	Raw           string        `json:"raw"`
	SchemaProblem string        `json:"schemaProblem"`
	Findings      []FindingView `json:"findings"`
	Reviewed      string        `json:"reviewed"` // when a definition of it was reviewed last, or ""
	// Redefined is how it differs from what was reviewed; nil where it does not, or
	// nothing was.
	Redefined *DifferenceView `json:"redefined"`
}

// FindingView is what a scan found in a definition or in arguments, in the words
// of package findings.
type FindingView struct {
	Kind       string `json:"kind"`
	Pointer    string `json:"pointer"`
	Name       bool   `json:"name"` // in the member's name, not in its value
	Piece      string `json:"piece"`
	Says       string `json:"says"`
	Definition bool   `json:"definition"` // in the tool's definition, not in the arguments
}

// FieldError is a fault in a value, at the JSON Pointer of its field.
type FieldError struct {
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// ProgressView is the newest progress of a running call.
type ProgressView struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total"` // -1 when unknown
	Message  string  `json:"message"`
}

// CallView is one row of the history.
type CallView struct {
	ID          string        `json:"id"`
	Ordinal     int64         `json:"ordinal"`
	State       string        `json:"state"`
	Origin      string        `json:"origin"`
	ServerID    string        `json:"serverId"`
	ServerName  string        `json:"serverName"`
	Method      string        `json:"method"` // "resources/read", or "" for a tool call
	Tool        string        `json:"tool"`   // for a read its URI
	ToolTitle   string        `json:"toolTitle"`
	Icon        string        `json:"icon"`
	Hue         int           `json:"hue"`
	Created     string        `json:"created"`
	Updated     string        `json:"updated"`
	DecidedAt   string        `json:"decidedAt"`
	SentAt      string        `json:"sentAt"`
	FinishedAt  string        `json:"finishedAt"`
	Revision    int           `json:"revision"`
	Progress    *ProgressView `json:"progress"`
	Summary     string        `json:"summary"`
	DurationMs  int64         `json:"durationMs"` // from send to end; -1 when unknown
	ArgsBytes   int64         `json:"argsBytes"`
	ResultBytes int64         `json:"resultBytes"`
	IsError     bool          `json:"isError"`
	Decision    string        `json:"decision"`
	Masked      int           `json:"masked"` // places masked in the kept arguments
}

// ProposeRequest asks for a call.
type ProposeRequest struct {
	ServerID string `json:"serverId"`
	Tool     string `json:"tool"`
	ArgsText string `json:"argsText"`
	ParentID string `json:"parentId"`
	// LimitSeconds is how long the answer is waited for at most; 0 is as the server
	// is set up.
	LimitSeconds int `json:"limitSeconds"`
}

// ProposeResult is a card, or the faults that kept it from being made.
type ProposeResult struct {
	Call   *CallView    `json:"call"`
	Errors []FieldError `json:"errors"`
}

// BytesView is kept bytes: whole when they are small, else a beginning and a
// handle to fetch them by.
type BytesView struct {
	Text   string `json:"text"`
	Size   int64  `json:"size"`
	Handle string `json:"handle"`
	Masked int    `json:"masked"`
}

// BlockView is one content block of a result.
type BlockView struct {
	Index       int        `json:"index"`
	Type        string     `json:"type"`
	Text        *BytesView `json:"text"`
	Handle      string     `json:"handle"` // of the decoded binary, or ""
	MIME        string     `json:"mime"`
	Sniffed     string     `json:"sniffed"`
	URI         string     `json:"uri"`
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Size        int64      `json:"size"`
	Audience    []string   `json:"audience"`
	Raw         string     `json:"raw"` // JSON text, cut at 64 KiB
	Problem     string     `json:"problem"`
}

// RPCErrorView is a JSON-RPC error as the server sent it.
type RPCErrorView struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data"`
}

// ResultView is a result laid out for looking at it.
type ResultView struct {
	Blocks       []BlockView   `json:"blocks"`
	Structured   *BytesView    `json:"structured"`
	IsError      bool          `json:"isError"`
	Notes        []string      `json:"notes"`
	Raw          BytesView     `json:"raw"`
	SchemaErrors []FieldError  `json:"schemaErrors"`
	Error        *RPCErrorView `json:"error"`
}

// TimelineItem is one event of a call, in words and as kept.
type TimelineItem struct {
	Seq    int64  `json:"seq"`
	Time   string `json:"time"`
	Kind   string `json:"kind"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

// DecisionView is who allowed or denied a call.
type DecisionView struct {
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
	By      string `json:"by"`   // "person" or "rule"
	Rule    string `json:"rule"` // its name as it was then
	At      string `json:"at"`
	ShownMs int64  `json:"shownMs"` // time on screen before the answer
}

// CallDetail is everything about one call.
type CallDetail struct {
	Call       CallView       `json:"call"`
	Args       BytesView      `json:"args"`
	Result     *ResultView    `json:"result"`
	Timeline   []TimelineItem `json:"timeline"`
	Decision   *DecisionView  `json:"decision"`
	Definition string         `json:"definition"`
	ServerGone bool           `json:"serverGone"`
	ParentID   string         `json:"parentId"`
	ArgsHash   string         `json:"argsHash"`
	// Reads are what was read of the links in the result, newest first.
	Reads []CallView `json:"reads"`
	// Unreadable is why its links cannot be read now, or ""; ReadNote what to know
	// before it.
	Unreadable string `json:"unreadable"`
	ReadNote   string `json:"readNote"`
}

// HistoryFilter chooses calls; empty fields choose all.
type HistoryFilter struct {
	ServerID string   `json:"serverId"`
	Tool     string   `json:"tool"`
	States   []string `json:"states"`
	Text     string   `json:"text"`
	Before   int64    `json:"before"` // ordinal; 0 starts at the newest
	Limit    int      `json:"limit"`
}

// HistoryPage is calls, newest first.
type HistoryPage struct {
	Calls []CallView `json:"calls"`
	More  bool       `json:"more"`
	Total int64      `json:"total"`
}

// OriginView tells who asks, and whether that is proven or only claimed.
type OriginView struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Proven bool   `json:"proven"`
}

// CardView is an approval card.
type CardView struct {
	Call            CallView      `json:"call"`
	Revision        int           `json:"revision"`
	Hash            string        `json:"hash"` // of the arguments; an answer must echo it
	Args            BytesView     `json:"args"`
	Server          ServerView    `json:"server"`
	ToolTitle       string        `json:"toolTitle"`
	ToolDescription string        `json:"toolDescription"`
	Annotations     []Annotation  `json:"annotations"`
	Origin          OriginView    `json:"origin"`
	InputSchema     string        `json:"inputSchema"`
	Deadline        string        `json:"deadline"`
	Unchecked       string        `json:"unchecked"` // of what date the definition is, where it could not be checked since
	Notes           []string      `json:"notes"`
	SchemaErrors    []FieldError  `json:"schemaErrors"`
	Headers         []Var         `json:"headers"` // arguments that also travel as HTTP headers
	Findings        []FindingView `json:"findings"`
	// Redefined is how the definition differs from that of the call that this one
	// repeats, else of the last approved one; nil where it does not.
	Redefined *DifferenceView `json:"redefined"`
	// Rearranged is how the arguments differ from those of the last approved call;
	// nil where there is none.
	Rearranged *DifferenceView `json:"rearranged"`
	Why        string          `json:"why"`    // the rules' part in its asking, a sentence, or ""
	Change     string          `json:"change"` // of the definition since its review, as in ToolSummary
}

// DifferenceView is how something differs from what it was.
type DifferenceView struct {
	Since   string       `json:"since"` // what it is compared with, a clause
	CallID  string       `json:"callId"`
	At      string       `json:"at"`
	Changes []ChangeView `json:"changes"`
	More    int          `json:"more"`    // changes that are not listed
	Problem string       `json:"problem"` // why nothing is listed, or ""
}

// ChangeView is one part that differs, as JSON text before and after.
type ChangeView struct {
	Pointer string `json:"pointer"`
	Kind    string `json:"kind"` // "added", "removed" or "changed"
	Before  string `json:"before"`
	After   string `json:"after"`
}

// DecideRequest is a person's answer to a card.
type DecideRequest struct {
	CallID   string `json:"callId"`
	Revision int    `json:"revision"`
	Hash     string `json:"hash"`
	Approve  bool   `json:"approve"`
	Reason   string `json:"reason"`
}

// QuestionView is what a server asks of the person.
type QuestionView struct {
	ID         string `json:"id"`
	CallID     string `json:"callId"`
	ServerID   string `json:"serverId"`
	ServerName string `json:"serverName"`
	ToolTitle  string `json:"toolTitle"`
	Icon       string `json:"icon"`
	Hue        int    `json:"hue"`
	Mode       string `json:"mode"` // "form", "url" or "resume"
	Message    string `json:"message"`
	Schema     string `json:"schema"`
	URL        string `json:"url"`
	Host       string `json:"host"`
	URLWarning string `json:"urlWarning"`
	Problem    string `json:"problem"` // why it cannot be answered, or ""
	Created    string `json:"created"`
	Round      int    `json:"round"`
	Index      int    `json:"index"`
	Of         int    `json:"of"`
	OtherCalls int    `json:"otherCalls"` // further running calls it may belong to
	Opened     bool   `json:"opened"`     // this very address was opened before in this call
}

// AnswerRequest is a person's answer to a question.
type AnswerRequest struct {
	ID          string `json:"id"`
	Action      string `json:"action"` // "accept", "decline" or "cancel"
	ContentText string `json:"contentText"`
}
