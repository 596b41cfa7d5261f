package mcpclient

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// RPCError is a JSON-RPC error object of a server.
type RPCError = jsonrpc.Error

// RefusedError: the gate said no, or there is no gate; nothing was written.
type RefusedError struct{ Reason error }

// Error implements error.
func (e *RefusedError) Error() string { return "the gate refused: " + e.Reason.Error() }

// Unwrap returns the gate's reason.
func (e *RefusedError) Unwrap() error { return e.Reason }

// NotSentError: the gate admitted the send, and it is proven that the server
// did not get it to run: no byte was written, or the server answered 404 to our
// session id (then Cause is ErrSessionGone), or with a redirect that is followed
// (then Cause is a *RedirectError).
type NotSentError struct{ Cause error }

// Error implements error.
func (e *NotSentError) Error() string { return "not sent: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *NotSentError) Unwrap() error { return e.Cause }

// LostError: sent, and no readable answer can come any more; the effect is
// unknown.
type LostError struct{ Cause error }

// Error implements error.
func (e *LostError) Error() string { return "sent, but the answer is lost: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// TimeoutError: sent, no answer in time; the server was told that the request
// is cancelled. The effect is unknown.
type TimeoutError struct {
	// Idle tells whether silence ended it, or the limit of the whole.
	Idle bool
	// After is the limit that was reached.
	After time.Duration
	// Hint is a sentence on what came instead of an answer, or empty.
	Hint string
}

// Error implements error.
func (e *TimeoutError) Error() string {
	what := "no answer within "
	if e.Idle {
		what = "neither answer nor progress within "
	}
	s := what + e.After.String()
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// CancelledError: the context ended after the send; the server was told so. The
// effect is unknown.
type CancelledError struct{ Cause error }

// Error implements error.
func (e *CancelledError) Error() string { return "cancelled after it was sent: " + e.Cause.Error() }

// Unwrap returns the context's cause.
func (e *CancelledError) Unwrap() error { return e.Cause }

var (
	// ErrClosed: the connection has ended or was closed.
	ErrClosed = errors.New("the connection is closed")
	// ErrSessionGone: a legacy HTTP server answered 404 to our session id, or an
	// HTTP+SSE server dropped its stream. The client begins the session anew by
	// itself (LEG-08); where that is not possible it is finished, with this error.
	ErrSessionGone = errors.New("the server no longer knows this session")
	// ErrPlainHTTP: the address is http beyond this computer, and
	// HTTPConfig.PlainHTTP does not permit that.
	ErrPlainHTTP = errors.New("the address is plain http to another computer, which everyone on the way can read")
	// ErrNoGate is the reason when a client has no gate.
	ErrNoGate = errors.New("this client has no gate")
	// ErrNoResources means that the server declares no resources to read.
	ErrNoResources = errors.New("the server offers no resources to read")
	// ErrNoElicitation: no open question of that id.
	ErrNoElicitation = errors.New("no such open question")
)

// ExitError: a child process ended by itself.
type ExitError struct {
	// Code is the exit code, -1 when a signal ended it.
	Code int
	// Signal is its name, or empty.
	Signal string
	// Stderr is the last of what it wrote there, at most 8 KiB.
	Stderr string
}

// Error implements error. It holds the last line of stderr.
func (e *ExitError) Error() string {
	s := fmt.Sprintf("the server ended with exit code %d", e.Code)
	if e.Signal != "" {
		s = "the server was ended by signal " + e.Signal
	}
	if last := lastLine(e.Stderr); last != "" {
		s += ": " + last
	}
	return s
}

func lastLine(s string) string {
	s = strings.TrimRight(s, " \r\n\t")
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// VersionError: no revision is shared (VER-01, LEG-02).
type VersionError struct{ Theirs, Ours []string }

// Error implements error.
func (e *VersionError) Error() string {
	return fmt.Sprintf("no common protocol version: the server speaks %s, we speak %s",
		strings.Join(e.Theirs, ", "), strings.Join(e.Ours, ", "))
}

// HTTPError: an HTTP answer that is no answer of an MCP server to this request.
type HTTPError struct {
	Status      int
	ContentType string
	// Body is the start of the body, at most 1 KiB.
	Body string
	// Challenge is the WWW-Authenticate header, or empty.
	Challenge string
}

// Error implements error.
func (e *HTTPError) Error() string {
	s := fmt.Sprintf("HTTP status %d", e.Status)
	switch {
	case e.IsPage():
		s = fmt.Sprintf("this address answers with a web page, not as an MCP server (status %d, %s)", e.Status, e.ContentType)
	case e.Status == 401:
		s = "the server wants a sign-in (status 401)"
	case e.Status == 403:
		s = "the server forbids it (status 403)"
	case e.Status == 413:
		s = "the server says the request is too large (status 413)"
	case e.Status == 431:
		s = "the server says the request headers are too large (status 431)"
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(e.Body), "\n"); first != "" {
		s += ": " + strings.TrimSpace(first)
	}
	return s
}

// IsPage reports whether the answer is HTML.
func (e *HTTPError) IsPage() bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(e.ContentType)), "text/html") ||
		strings.HasPrefix(strings.ToLower(strings.TrimSpace(e.Body)), "<!doctype html")
}

// RedirectError: the server pointed elsewhere. Nothing was sent there.
type RedirectError struct {
	Status   int
	Location string // absolute
	// Followed: it is on the server's own origin and keeps the method (307, 308),
	// so the connection now uses it, and what is sent next goes there.
	Followed bool
}

// Error implements error.
func (e *RedirectError) Error() string {
	if e.Followed {
		return fmt.Sprintf("the server's address is now %s (status %d)", e.Location, e.Status)
	}
	return fmt.Sprintf("the server says its address is now %s (status %d); nothing was sent there", e.Location, e.Status)
}

// InvalidResponseError: an answer came that the protocol does not allow.
type InvalidResponseError struct{ Reason string }

// Error implements error.
func (e *InvalidResponseError) Error() string { return "invalid response: " + e.Reason }

// TooLargeError: a message is over Config.MaxMessageBytes.
type TooLargeError struct{ Limit int64 }

// Error implements error.
func (e *TooLargeError) Error() string {
	const mib = 1 << 20
	if e.Limit%mib == 0 {
		return fmt.Sprintf("the message is larger than the limit of %d MiB", e.Limit/mib)
	}
	return fmt.Sprintf("the message is larger than the limit of %d bytes", e.Limit)
}
