package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
)

// The protocol versions that are spoken.
const (
	Modern = "2026-07-28"
	Legacy = "2025-11-25"
)

// Error codes of JSON-RPC and MCP (BASE-17 to BASE-20).
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeHeaderMismatch = -32020
	codeMissingFeature = -32021
	codeWrongVersion   = -32022
	codeUnknownSession = -32001 // what legacy servers answer in the field (report 88)
)

// Tool is a tool with its definition as it is listed.
type Tool struct {
	Name string
	// Definition is a JSON object with at least name and inputSchema.
	Definition json.RawMessage
	// Run gives a CallToolResult object, without the members that only the
	// modern era has. An *Error is answered as it is, any other error as an
	// internal one. ctx ends when the client cancels.
	Run func(ctx context.Context, c *Call) (json.RawMessage, error)
}

// Resource is what resources/list and resources/read give for a URI.
type Resource struct {
	URI      string
	Listed   json.RawMessage // a Resource object
	Contents json.RawMessage // one item of contents
}

// Error is a JSON-RPC error.
type Error struct {
	Code    int
	Message string
	Data    any // nil: none
	status  int // over HTTP; 0: as the code has it
}

// Error gives the message.
func (e *Error) Error() string { return e.Message }

// Server offers tools. Set the exported fields before it serves; tools may be
// added at any time. Its methods are safe to use together.
type Server struct {
	Info         json.RawMessage // an Implementation object
	Instructions string
	Resources    []Resource
	// Log, if set, is told of protocol faults of clients that cannot be
	// answered. It is called by several goroutines together.
	Log func(note string)

	mu       sync.Mutex
	tools    []registered
	watchers map[chan struct{}]bool
	sealOnce sync.Once
	sealKey  [32]byte
}

type registered struct {
	Tool
	headers []mirrored
}

// AddTool adds a tool, or replaces the one of its name, and tells who listens.
// It panics when the definition carries an x-mcp-header that clients must
// refuse: that is a fault of the program.
func (s *Server) AddTool(t Tool) {
	headers, err := mirroredParams(t.Definition)
	if err != nil {
		panic(fmt.Sprintf("mcpserver: tool %s: %v", t.Name, err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	place := len(s.tools)
	for i := range s.tools {
		if s.tools[i].Name == t.Name {
			place = i
		}
	}
	if place == len(s.tools) {
		s.tools = append(s.tools, registered{})
	}
	s.tools[place] = registered{t, headers}
	for w := range s.watchers {
		select {
		case w <- struct{}{}:
		default: // a notice is waiting already: it tells of this change too
		}
	}
}

// HasTool tells whether there is a tool of that name.
func (s *Server) HasTool(name string) bool {
	_, ok := s.tool(name)
	return ok
}

// watch gives a channel that has an item after the list has changed, until
// stop is called.
func (s *Server) watch() (changed <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers == nil {
		s.watchers = map[chan struct{}]bool{}
	}
	s.watchers[c] = true
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, c)
	}
}

func (s *Server) tool(name string) (registered, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tools {
		if t.Name == name {
			return t, true
		}
	}
	return registered{}, false
}

func (s *Server) listTools() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]json.RawMessage, len(s.tools))
	for i, t := range s.tools {
		list[i] = t.Definition
	}
	return encode(map[string]any{"tools": list})
}

func (s *Server) listResources() json.RawMessage {
	list := make([]json.RawMessage, len(s.Resources))
	for i, r := range s.Resources {
		list[i] = r.Listed
	}
	return encode(map[string]any{"resources": list})
}

func (s *Server) readResource(uri string) (json.RawMessage, *Error) {
	for _, r := range s.Resources {
		if r.URI == uri {
			return encode(map[string]any{"contents": []json.RawMessage{r.Contents}}), nil
		}
	}
	return nil, &Error{Code: codeInvalidParams, Message: "Resource not found", Data: map[string]any{"uri": uri}} // RSRC-02
}

func (s *Server) note(format string, args ...any) {
	if s.Log != nil {
		s.Log(fmt.Sprintf(format, args...))
	}
}

// key seals the requestState of modern calls. It is made anew by each run of
// the program, so a state of an earlier run is refused.
func (s *Server) key() []byte {
	s.sealOnce.Do(func() { _, _ = rand.Read(s.sealKey[:]) }) // it never fails: it would end the program
	return s.sealKey[:]
}
