package mcpclient

import (
	"context"
	"encoding/json"
	"time"
)

// The protocol versions that Connect asks for.
const (
	// ModernVersion is the reference revision: stateless, discovered by
	// server/discover.
	ModernVersion = "2026-07-28"
	// LegacyVersion is the newest revision with a handshake. Servers that answer
	// initialize with an older one are accepted too.
	LegacyVersion = "2025-11-25"
)

// Era tells which of the two families of revisions a server speaks.
type Era string

// The eras. The empty Era means "not known".
const (
	EraModern Era = "modern"
	EraLegacy Era = "legacy"
)

// Implementation names a program at either end. What a server says here is for
// display only and must feed no decision (BASE-21).
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// StdioConfig starts a server as a child process.
type StdioConfig struct {
	// Path is the executable, absolute and already resolved: nothing is searched.
	Path string
	Args []string
	// Env is the complete environment of the child; the host's own is not
	// inherited.
	Env []string
	// Dir is the working directory; empty means the host's.
	Dir string
}

// Header is one HTTP header as it is written.
type Header struct{ Name, Value string }

// HTTPConfig reaches a server by Streamable HTTP.
type HTTPConfig struct {
	// URL is used verbatim, query and trailing slash included.
	URL string
	// Headers are added to every request. They cannot replace a header that the
	// protocol sets.
	Headers []Header
	// ExtraCAs are certificates in PEM form whose signatures are trusted for this
	// server besides the system's; nil for none. A text without any certificate
	// is an error of Connect. Nothing switches the check off.
	ExtraCAs []byte
	// Proxy is the URL of an http, https or socks5 proxy, ProxyNone for a direct
	// connection, or empty for what the environment says.
	Proxy string
	// PlainHTTP permits an http URL that is not on this computer's loopback. Else
	// Connect gives ErrPlainHTTP.
	PlainHTTP bool
}

// ProxyNone as HTTPConfig.Proxy means a direct connection whatever the
// environment says.
const ProxyNone = "none"

// Root is a directory opened to a server. It tells the server where to work; it
// is no fence (ROOTS-06).
type Root struct {
	// URI is a file URI; any other is not sent (ROOTS-03).
	URI string `json:"uri"`
	// Name is for display; it may be empty.
	Name string `json:"name,omitempty"`
}

// Config is what Connect needs. It is not changed and may be shared.
type Config struct {
	// Stdio and HTTP: exactly one is set.
	Stdio *StdioConfig
	HTTP  *HTTPConfig
	// LaunchFingerprint is opaque and handed to the gate with every Send of this
	// connection.
	LaunchFingerprint string
	// ClientInfo is who we say we are.
	ClientInfo Implementation
	// Elicitation declares {"form":{},"url":{}}.
	Elicitation bool
	// Roots declares roots and gives the directories that a person opened to this
	// server (ROOTS-01); nil declares none. A legacy server's roots/list is
	// answered with it (ROOTS-02), without the gate. It must return at once and
	// may be called at any time from any goroutine.
	Roots func() []Root
	// Gate is asked before every gated send; nil refuses all of them.
	Gate Gate
	// Events may be partly or wholly empty.
	Events Events
	// RememberedEra skips the probe; when it turns out wrong the probe is made
	// after all (VER-16). Empty: probe.
	RememberedEra Era
	// ProbeTimeout bounds the wait for the answer to the probe, RequestTimeout
	// each ungated request, StopGrace each rung of the stop ladder.
	// 0: 5 s, 30 s, 3 s.
	ProbeTimeout, RequestTimeout, StopGrace time.Duration
	// MaxMessageBytes bounds one message in either direction. 0: 256 MiB.
	MaxMessageBytes int64
}

// Events are told what happens on a connection by itself. Every field may be
// nil. They run on one goroutine of the connection, in order, never at the same
// time, and must not block for long; they may call any method of the Client but
// Close.
type Events struct {
	// ToolsChanged: what was listed may be out of date.
	ToolsChanged func()
	// Log gets stderr lines, skipped stdout lines, protocol notes and
	// notifications/message. Under a flood lines are dropped and counted.
	Log func(LogLine)
	// Elicit gets a legacy server's elicitation/create (ELIC-26). Answer it with
	// Client.AnswerElicitation.
	Elicit func(LegacyElicitation)
	// ElicitGone: the server cancelled that question, every call it can belong
	// to has ended, or the connection has; it can no longer be answered.
	ElicitGone func(requestID string)
	// ElicitComplete: a legacy server says that what a person does outside, at the
	// URL of an elicitation with this elicitationId, is done (ELIC-27). It comes
	// at most once for each, perhaps never, and only for ids that the server
	// named before, in an elicitation/create or a -32042 error.
	ElicitComplete func(elicitationID string)
	// Aftermath tells, once, what became of a call that ended with a
	// TimeoutError or a CancelledError; not when the connection ended meanwhile.
	// It may come before CallTool has returned.
	Aftermath func(Aftermath)
	// Deaf tells that the stream on which the server would report changes is
	// broken, why, and whether it is tried again; with "" that it stands again.
	// Calls go on meanwhile. It is told when the state changes, never at first that
	// all is well, and not of a server that offers no stream.
	Deaf func(why string)
}

// LogLine is one line of a server's log.
type LogLine struct {
	Time time.Time
	// Source is "stderr", "stdout" (a line that was no message), "protocol" (our
	// own note) or "message" (notifications/message).
	Source string
	// Level is "info", "warning" or "error", or what the server said.
	Level string
	Text  string
}

// LegacyElicitation is a question of a legacy server.
type LegacyElicitation struct {
	// RequestID is the server's request id as JSON text.
	RequestID string
	// Params are the bytes as received.
	Params json.RawMessage
	// Mode is "form" or "url"; a request without one is a form (ELIC-03).
	Mode string
	// ElicitationID is the server's name for a question of mode "url"
	// (ELIC-27); empty for none.
	ElicitationID string
	// CallIDs are the calls it can belong to: the one whose stream it came on, or
	// all that are running where the transport cannot tell. Never empty.
	CallIDs []string
}

// ElicitationAnswer is a person's answer to a LegacyElicitation.
type ElicitationAnswer struct {
	// CallID, Attempt and Round are handed to the gate.
	CallID         string
	Attempt, Round int
	// RequestID names the question.
	RequestID string
	// Result is the ElicitResult; exactly these bytes go on the wire.
	Result json.RawMessage
}

// Info is what is known of the server after Connect. All of it is the server's
// claim.
type Info struct {
	Era     Era
	Version string
	// Remember is what to give as Config.RememberedEra next time. It differs from
	// Era where a server that speaks both was too slow for the probe.
	Remember Era
	// ServerInfo may be empty; ServerInfoRaw are its bytes as received, with
	// icons and whatever else the server put there.
	ServerInfo    Implementation
	ServerInfoRaw json.RawMessage
	// Capabilities are the bytes as received; nil when absent or no object.
	Capabilities json.RawMessage
	Instructions string
	// PID of the child; 0 over HTTP.
	PID int
	// Fallbacks lists each era or transport that was tried and given up, with
	// the reason, in order.
	Fallbacks []string
}

// ListPage is one answer to tools/list. It can be kept and given to
// ToolsFromPages later.
type ListPage struct {
	// Cursor is what the page was asked with; nil for the first.
	Cursor *string
	// Raw are the bytes of the result as received.
	Raw json.RawMessage
	// Received is the start of the clock for TTLMs (CACHE-03).
	Received time.Time
	// TTLMs is the server's ttlMs, -1 when absent or no whole number.
	TTLMs int64
	// CacheScope is the server's word; anything but "public" counts as private.
	CacheScope string
	// Version is the protocol version the page was asked in.
	Version string

	next json.RawMessage // nextCursor as received
}

// ToolList is a complete list of tools.
type ToolList struct {
	Pages []ListPage
	// Tools are the tool objects as received, in server order, the first of each
	// name.
	Tools []json.RawMessage
	// Problems are the items that could not be taken for a tool.
	Problems []ToolProblem
	// Warnings are sentences about the list as a whole.
	Warnings []string
}

// ToolProblem is an item of a tools array that is no tool.
type ToolProblem struct {
	// Index counts over all pages, from 0.
	Index  int
	Raw    json.RawMessage
	Reason string
}

// Call is one send of tools/call. The zero time limits mean 60 s idle and 30
// minutes, or IdleTimeout where that is longer, in all.
type Call struct {
	// ID, Attempt (from 1) and Round (from 0) are handed to the gate.
	ID             string
	Attempt, Round int
	Tool           string
	// Arguments is a JSON object without raw line breaks. Exactly these bytes go
	// on the wire.
	Arguments []byte
	// Definition is the tool object as listed: the source of Mcp-Param-* headers
	// (HDR-06, modern HTTP only). Nil sends none (HDR-22).
	Definition json.RawMessage
	// InputResponses answers the last round's InputRequests: an object from key
	// to bare ElicitResult (MRTR-10, MRTR-11). Nil on the first round.
	InputResponses json.RawMessage
	// RequestState is the last round's, echoed exactly (MRTR-06); nil when that
	// had none (MRTR-07).
	RequestState *string
	// IdleTimeout restarts on matching progress, MaxTimeout never does; both
	// stand still while a legacy question that can belong to the call is open.
	IdleTimeout, MaxTimeout time.Duration
	// OnProgress runs on the goroutine of CallTool, never after it returned.
	OnProgress func(Progress)
}

// Read is one send of resources/read. Its fields are as those of Call.
type Read struct {
	ID                      string
	Attempt, Round          int
	URI                     string
	InputResponses          json.RawMessage
	RequestState            *string
	IdleTimeout, MaxTimeout time.Duration
	OnProgress              func(Progress)
}

// Progress is one notifications/progress. Numbers are the server's own text.
type Progress struct {
	Progress, Total json.Number // Total is "" when absent
	Message         string
}

// OutcomeKind tells the answers to a call apart.
type OutcomeKind string

// The kinds of Outcome.
const (
	// OutcomeComplete: a result, perhaps with IsError.
	OutcomeComplete OutcomeKind = "complete"
	// OutcomeInputRequired: the server asks; call again with the next Round.
	OutcomeInputRequired OutcomeKind = "input_required"
	// OutcomeError: a JSON-RPC error.
	OutcomeError OutcomeKind = "error"
)

// Outcome is a readable answer to a call.
type Outcome struct {
	Kind OutcomeKind
	// Raw are the bytes of "result", or of "error" for OutcomeError, exactly as
	// received.
	Raw json.RawMessage
	// IsError is the result's isError; false unless it is the word true.
	IsError bool
	// InputRequests in wire order.
	InputRequests []InputRequest
	// RequestState is nil when absent.
	RequestState *string
	// RPCError is set for OutcomeError.
	RPCError *RPCError
	// Elicitations is what a legacy server wants a person to do before the call
	// can succeed, when RPCError has code -32042 (ELIC-28). Calling again is a new
	// call that a person decides on.
	Elicitations []URLElicitation
	// HTTPStatus is 0 for stdio.
	HTTPStatus int
	// RequestID is our id as JSON text.
	RequestID string
	Received  time.Time
}

// URLElicitation is one item of data.elicitations of a -32042 error. All texts
// are the server's and not checked.
type URLElicitation struct {
	// ElicitationID is what Events.ElicitComplete may name later.
	ElicitationID string
	URL, Message  string
	// Raw are the bytes as received.
	Raw json.RawMessage
}

// InputRequest is one question of an input_required result. A malformed one has
// an empty Method and must not be served.
type InputRequest struct {
	Key, Method string
	Params      json.RawMessage
}

// SendKind tells the gated sends apart.
type SendKind string

// The gated sends.
const (
	SendCall   SendKind = "tools/call"
	SendAnswer SendKind = "elicitation/answer"
	SendRead   SendKind = "resources/read"
)

// Send is a whole gated send exactly as it is about to be written. The gate
// must not change it, nor keep its slices.
type Send struct {
	Kind           SendKind
	CallID         string
	Attempt, Round int
	// Address is the path of the child's executable, or the URL.
	Address           string
	LaunchFingerprint string
	Era               Era
	Version           string
	// Headers are all headers that we set on an HTTP request, configured ones
	// included, in no meaningful order. Host, Content-Length and Connection
	// follow from URL, Frame and transport. Nil for stdio.
	Headers []Header
	// Method is the JSON-RPC method; empty for an answer.
	Method string
	Tool   string // of a SendCall
	URI    string // of a SendRead
	// Arguments are the argument bytes within Frame; for SendAnswer the result
	// bytes.
	Arguments      []byte
	InputResponses json.RawMessage
	RequestState   *string
	// Meta is params._meta as sent; nil when none is. Its keys come only from
	// the closed list in the package comment.
	Meta      json.RawMessage
	RequestID string
	// Frame are the bytes of the message; on stdio a line feed follows them.
	Frame []byte
}

// Gate answers for single sends. Admit returns nil when exactly this send may
// be written once, now. It is asked on the goroutine that writes, right before
// it does; on stdio while the write lock is held, so that nothing comes between
// the yes and the bytes.
type Gate interface {
	Admit(ctx context.Context, s Send) error
}
