package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
)

// sender takes frames for the client. Safe to use together.
type sender interface {
	// send takes a notification or a request.
	send(frame []byte)
	// finish takes the response; e is its error, if it has one.
	finish(frame []byte, e *Error)
}

// session is one client: a stdio connection, a legacy HTTP session, or one
// modern HTTP request. Safe to use together.
type session struct {
	srv *Server

	mu           sync.Mutex
	era          string // "" until the first accepted request
	initialized  bool   // the legacy client said so
	capabilities json.RawMessage
	running      map[string]context.CancelCauseFunc // by id as written
	asked        map[string]chan message            // our own questions, by id as written
	questions    int
}

func newSession(srv *Server) *session {
	return &session{srv: srv, running: map[string]context.CancelCauseFunc{}, asked: map[string]chan message{}}
}

func (s *session) isLegacy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.era == Legacy
}

// errCancelled is the cause of a context that the client ended.
var errCancelled = errors.New("the client cancelled")

// take handles notifications and responses.
func (s *session) take(m message) {
	switch {
	case m.isResponse():
		s.mu.Lock()
		waiting := s.asked[string(m.id)]
		delete(s.asked, string(m.id))
		s.mu.Unlock()
		if waiting == nil {
			s.srv.note("a response to nothing that was asked: id %s", m.id) // BASE-05
			return
		}
		waiting <- m
	case m.method == "notifications/cancelled":
		s.mu.Lock()
		cancel := s.running[string(m.params["requestId"])]
		s.mu.Unlock()
		if cancel != nil { // else it is over already, or never was (CANCEL-06)
			cancel(errCancelled)
		}
	case m.method == "notifications/initialized":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.initialized = true
	default:
		s.srv.note("an unknown notification: %s", m.method)
	}
}

// serve runs a request. out takes its notifications and, last, its response;
// a request that the client cancelled gets none.
func (s *session) serve(ctx context.Context, m message, out sender) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	id := string(m.id)
	s.mu.Lock()
	_, taken := s.running[id]
	if !taken {
		s.running[id] = cancel
	}
	s.mu.Unlock()
	if taken { // BASE-03
		e := &Error{Code: codeInvalidRequest, Message: "A request of this id is still running"}
		out.finish(failure(m.id, e), e)
		return
	}
	result, err := s.answer(ctx, m, out)
	s.mu.Lock()
	delete(s.running, id)
	s.mu.Unlock()
	if errors.Is(context.Cause(ctx), errCancelled) {
		return
	}
	if err == nil {
		out.finish(response(m.id, result), nil)
		return
	}
	e := asError(err)
	out.finish(failure(m.id, e), e)
}

func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: codeInternal, Message: err.Error()}
}

func (s *session) answer(ctx context.Context, m message, out sender) (json.RawMessage, error) {
	meta, ok := members(m.params["_meta"])
	if !ok {
		return nil, &Error{Code: codeInvalidParams, Message: "_meta is an object"}
	}
	if m.method == "initialize" {
		return s.initialize(m)
	}
	s.mu.Lock()
	legacy, ready := s.era == Legacy, s.initialized
	s.mu.Unlock()
	if legacy {
		if m.method == "ping" {
			return json.RawMessage(`{}`), nil
		}
		if !ready { // LEG-03
			return nil, &Error{Code: codeInvalidRequest, Message: "notifications/initialized has not come yet"}
		}
		return s.method(ctx, m, meta, out)
	}
	if e := checkMeta(meta); e != nil {
		return nil, e
	}
	s.mu.Lock()
	s.era = Modern
	s.mu.Unlock()
	var result json.RawMessage
	var err error
	switch m.method {
	case "server/discover":
		result = s.discover()
	case "subscriptions/listen":
		return s.listen(ctx, m, out)
	default:
		result, err = s.method(ctx, m, meta, out)
	}
	if err != nil {
		return nil, err
	}
	return s.modernResult(m.method, result), nil
}

// method answers what both eras have.
func (s *session) method(ctx context.Context, m message, meta object, out sender) (json.RawMessage, error) {
	switch m.method {
	case "tools/list", "resources/list":
		if _, given := m.params["cursor"]; given {
			return nil, &Error{Code: codeInvalidParams, Message: "Invalid cursor"} // there is one page only (LIST-06)
		}
		if m.method == "tools/list" {
			return s.srv.listTools(), nil
		}
		return s.srv.listResources(), nil
	case "tools/call":
		return s.call(ctx, m.params, meta, out)
	case "resources/read":
		uri, ok := str(m.params["uri"])
		if !ok {
			return nil, &Error{Code: codeInvalidParams, Message: "uri is a string"}
		}
		contents, e := s.srv.readResource(uri)
		if e != nil {
			return nil, e
		}
		return contents, nil
	}
	return nil, &Error{Code: codeMethodNotFound, Message: "Method not found: " + m.method}
}

// initialize opens the legacy era.
func (s *session) initialize(m message) (json.RawMessage, error) {
	if v, ok := str(m.params["protocolVersion"]); !ok || v == "" {
		return nil, &Error{Code: codeInvalidParams, Message: "initialize lacks protocolVersion"}
	}
	if caps, ok := members(m.params["capabilities"]); !ok || caps == nil || m.params["capabilities"] == nil {
		return nil, &Error{Code: codeInvalidParams, Message: "initialize lacks capabilities"}
	}
	if !isImplementation(m.params["clientInfo"]) {
		return nil, &Error{Code: codeInvalidParams, Message: "initialize lacks clientInfo with name and version"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.era {
	case Legacy:
		return nil, &Error{Code: codeInvalidRequest, Message: "initialize has been here already"}
	case Modern: // VER-06
		return nil, &Error{Code: codeInvalidRequest, Message: "This connection was opened in version " + Modern + ", which has no initialize"}
	}
	s.era, s.capabilities = Legacy, m.params["capabilities"]
	return join(encode(map[string]any{"protocolVersion": Legacy, "serverInfo": s.srv.Info}), s.abilities()), nil
}

// abilities are the members that tell what the server has.
func (s *session) abilities() json.RawMessage {
	o := map[string]any{"capabilities": map[string]any{"tools": map[string]any{"listChanged": true}, "resources": struct{}{}}}
	if s.srv.Instructions != "" {
		o["instructions"] = s.srv.Instructions
	}
	return encode(o)
}

// elicit asks a legacy client in the middle of a call.
func (s *session) elicit(ctx context.Context, params json.RawMessage, out sender) (Answer, error) {
	s.mu.Lock()
	if elicitable(s.capabilities, params) != nil { // ELIC-26; the code of the modern era means nothing here
		s.mu.Unlock()
		return Answer{}, &Error{Code: codeInternal, Message: "The client did not declare the elicitation that this tool needs"}
	}
	s.questions++
	id := "ask-" + strconv.Itoa(s.questions)
	answer := make(chan message, 1)
	s.asked[strconv.Quote(id)] = answer
	s.mu.Unlock()
	out.send(question(id, "elicitation/create", params))
	select {
	case <-ctx.Done():
		s.mu.Lock()
		delete(s.asked, strconv.Quote(id))
		s.mu.Unlock()
		out.send(notification("notifications/cancelled", map[string]any{"requestId": id, "reason": "The call has ended"})) // CANCEL-13
		return Answer{}, context.Cause(ctx)
	case m := <-answer:
		if m.failed != nil {
			return Answer{}, &Error{Code: codeInternal, Message: "The client answered with an error: " + m.failed.Message}
		}
		a, e := readAnswer(m.result)
		if e != nil {
			return Answer{}, e
		}
		return a, nil
	}
}
