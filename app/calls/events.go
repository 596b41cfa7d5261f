package calls

import (
	"encoding/json"

	"countersign/store"
)

// Kinds of the events of a call, in the order of the road.
const (
	EventProposed       = "call.proposed"
	EventAsked          = "call.asked"
	EventRevised        = "call.revised"
	EventDecided        = "call.decided"
	EventExpired        = "call.expired"
	EventWithdrawn      = "call.withdrawn"
	EventApprovalVoid   = "call.approval_void"
	EventRefused        = "call.refused"
	EventSent           = "call.sent"
	EventAgain          = "call.again"
	EventNotSent        = "call.not_sent"
	EventInputAsked     = "call.input_asked"
	EventInputAnswered  = "call.input_answered"
	EventInputGone      = "call.input_gone"
	EventAddressOpened  = "call.address_opened"
	EventCancelAsked    = "call.cancel_asked"
	EventResult         = "call.result"
	EventFailed         = "call.failed"
	EventAftermath      = "call.aftermath"
	EventInterrupted    = "call.interrupted"
	EventRestoredOnOpen = "call.restored"
)

// KeptBytes names a payload in an event: the salted hashes of what crossed
// the wire and of what was kept, and in how many places they differ.
type KeptBytes struct {
	Payload string `json:"payload"`
	Wire    string `json:"wire"`
	Size    int64  `json:"size"`
	Masked  int    `json:"masked,omitempty"`
}

func keptBytes(p store.Payload) *KeptBytes {
	return &KeptBytes{Payload: p.Name, Wire: p.WireName, Size: p.Size, Masked: p.Masks}
}

// ProposedBody is the body of EventProposed and EventRevised.
type ProposedBody struct {
	Revision   int        `json:"revision"`
	Origin     string     `json:"origin"`
	Detail     string     `json:"detail,omitempty"`  // which of that kind of origin
	Claimed    string     `json:"claimed,omitempty"` // what the origin says of itself
	ServerName string     `json:"serverName"`
	Method     string     `json:"method,omitempty"` // MethodRead, or "" for a tool call
	Block      *int       `json:"block,omitempty"`  // of the parent's result, that a read follows
	Tool       string     `json:"tool,omitempty"`
	Definition string     `json:"definition,omitempty"`
	Arguments  *KeptBytes `json:"arguments"`
	Parent     string     `json:"parent,omitempty"` // the call that is run again
	// Because says why the call takes the place of its parent, which was ended
	// with it.
	Because string `json:"because,omitempty"`
	LimitMs int64  `json:"limitMs,omitempty"` // Proposal.Limit
	// Unchecked is when the definition was received, where it could not be
	// checked since.
	Unchecked string `json:"unchecked,omitempty"`
}

// AskedBody is the body of EventAsked.
type AskedBody struct {
	Verdict  string `json:"verdict"`
	Rule     string `json:"rule,omitempty"`
	Reason   string `json:"reason"`
	Deadline string `json:"deadline,omitempty"`
}

// DecidedBody is the body of EventDecided.
type DecidedBody struct {
	Verdict    string `json:"verdict"` // "approved" or "denied"
	By         string `json:"by"`      // OriginPerson or ByRule
	Rule       string `json:"rule,omitempty"`
	RuleName   string `json:"ruleName,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Revision   int    `json:"revision"`
	Arguments  string `json:"arguments"` // payload on the card
	Definition string `json:"definition"`
	Launch     string `json:"launch,omitempty"`
	ShownMs    int64  `json:"shownMs"` // time on screen before the answer
	// Unchecked as in ProposedBody.
	Unchecked string `json:"unchecked,omitempty"`
}

// SentBody is the body of EventSent: the whole send that the gate let out.
type SentBody struct {
	Kind       string          `json:"kind"`
	Attempt    int             `json:"attempt"`
	Round      int             `json:"round"`
	RequestID  string          `json:"requestId"`
	Era        string          `json:"era"`
	Version    string          `json:"version"`
	Address    string          `json:"address"`
	Launch     string          `json:"launch"`
	Method     string          `json:"method"`
	Headers    []string        `json:"headers,omitempty"` // names only
	Meta       json.RawMessage `json:"meta,omitempty"`
	Arguments  string          `json:"arguments"` // payload
	Inputs     *KeptBytes      `json:"inputs,omitempty"`
	FrameBytes int             `json:"frameBytes"`
}

// InputAskedBody is the body of EventInputAsked. The server's state string is
// not kept: it may hold what the server does not want read.
type InputAskedBody struct {
	Round     int          `json:"round"`
	Requests  []AskedInput `json:"requests"`
	StateSize int          `json:"stateSize"` // bytes of requestState; -1 when there was none
}

// AskedInput is one thing a server asked for.
type AskedInput struct {
	Key    string          `json:"key"` // key of the input, or id of the legacy request
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	Legacy bool            `json:"legacy,omitempty"`
	// KeyMasked says that the key held a secret: it cannot be answered after
	// a restart.
	KeyMasked bool `json:"keyMasked,omitempty"`
}

// InputAnsweredBody is the body of EventInputAnswered.
type InputAnsweredBody struct {
	Round   int        `json:"round"`
	Key     string     `json:"key"`
	Action  string     `json:"action"`
	Content *KeptBytes `json:"content,omitempty"`
}

// EndBody is the body of the events that end a call.
type EndBody struct {
	State     string     `json:"state"`
	Reason    string     `json:"reason,omitempty"`
	Code      int64      `json:"code,omitempty"`
	RequestID string     `json:"requestId,omitempty"`
	HTTP      int        `json:"http,omitempty"`
	Result    *KeptBytes `json:"result,omitempty"`
}

// AftermathBody is the body of EventAftermath: what was heard of a call after
// it had been given up.
type AftermathBody struct {
	Heard     string `json:"heard"` // a mcpclient.AftermathKind
	Attempt   int    `json:"attempt"`
	Round     int    `json:"round,omitempty"`
	RequestID string `json:"requestId"`
	IsError   bool   `json:"isError,omitempty"`
	Bytes     int    `json:"bytes,omitempty"` // of the late result, which is not kept
	Code      int64  `json:"code,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

func event(kind, callID, serverID string, body any) store.NewEvent {
	return store.NewEvent{Kind: kind, CallID: callID, ServerID: serverID, Body: body}
}
