// Package mcpserver is the server half of MCP as far as the demo server needs
// it: tools, resources and change notices, in the modern era (2026-07-28) and
// the legacy one (2025-11-25), over stdio and Streamable HTTP. Which era is
// spoken is decided by how the client opens.
//
// It is strict about what it receives, so that it serves as a check on
// clients: a modern request without its _meta, or an HTTP request whose
// headers do not mirror its body, is refused as the specification says.
package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// The protocol versions that are spoken.
const (
	Modern = "2026-07-28"
	Legacy = "2025-11-25"
)

// Tool is a tool with its definition as it is listed. Definition is a JSON
// object with at least name and inputSchema.
type Tool struct {
	Name       string
	Definition json.RawMessage
	Run        func(ctx context.Context, c *Call) (json.RawMessage, error)
}

// Resource is what resources/read gives for its URI.
type Resource struct {
	URI      string
	Contents json.RawMessage // one item of contents
}

// Server offers tools. Set the fields, then serve; tools may be added later.
type Server struct {
	Info         json.RawMessage // an Implementation object
	Instructions string
	Resources    []Resource

	mu       sync.Mutex
	tools    []Tool
	watchers map[int]func() // told when the list of tools changes
	next     int
	key      [32]byte // seals requestState
	sealed   sync.Once
}

// AddTool adds a tool and tells who listens.
func (s *Server) AddTool(t Tool) {
	s.mu.Lock()
	for i := range s.tools {
		if s.tools[i].Name == t.Name {
			s.tools[i] = t
			s.mu.Unlock()
			return
		}
	}
	s.tools = append(s.tools, t)
	var tell []func()
	for _, w := range s.watchers {
		tell = append(tell, w)
	}
	s.mu.Unlock()
	for _, w := range tell {
		w()
	}
}

// watch calls fn after each change of the list until stop is called.
func (s *Server) watch(fn func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers == nil {
		s.watchers = map[int]func(){}
	}
	id := s.next
	s.next++
	s.watchers[id] = fn
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, id)
	}
}

func (s *Server) tool(name string) (Tool, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

func (s *Server) list() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	defs := make([]json.RawMessage, len(s.tools))
	for i, t := range s.tools {
		defs[i] = t.Definition
	}
	return must(map[string]any{"tools": defs})
}

// Error is a JSON-RPC error that a tool answers with.
type Error struct {
	Code    int
	Message string
	Data    any
	status  int // over HTTP; 0 is 200
}

func (e *Error) Error() string { return e.Message }

// Call is one run of a tool. In the modern era a tool that asks is run anew
// for each round, so what it does before it asks must be repeatable.
type Call struct {
	Arguments json.RawMessage
	// Progress tells the client how far the call is, if it wants to know.
	Progress func(done, total float64, message string)

	ask     func(ctx context.Context, key string, params json.RawMessage) (Answer, error)
	session *session
}

// Answer is an ElicitResult.
type Answer struct {
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// Ask asks the person at the client; params is an ElicitRequest's. Return its
// error from the tool as it is.
func (c *Call) Ask(ctx context.Context, key string, params json.RawMessage) (Answer, error) {
	return c.ask(ctx, key, params)
}

// needInput is the error by which a modern tool stops to ask.
type needInput struct {
	key    string
	params json.RawMessage
}

func (*needInput) Error() string { return "the tool asks" }

// seal makes the requestState of a call: it fits only the same tool and
// arguments (MRTR-12).
func (s *Server) seal(tool string, args json.RawMessage) string {
	s.sealed.Do(func() { _, _ = rand.Read(s.key[:]) })
	mac := hmac.New(sha256.New, s.key[:])
	fmt.Fprintf(mac, "%d:%s%s", len(tool), tool, args)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *Server) fits(state, tool string, args json.RawMessage) bool {
	return hmac.Equal([]byte(state), []byte(s.seal(tool, args)))
}

func must(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("mcpserver: " + err.Error()) // only our own values come here
	}
	return b
}

func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: -32603, Message: err.Error()}
}
