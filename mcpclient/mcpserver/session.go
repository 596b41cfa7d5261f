package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// message is any JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// request reads the parameters that any request may have.
type request struct {
	Meta      map[string]json.RawMessage `json:"_meta"`
	Name      string                     `json:"name"`
	URI       string                     `json:"uri"`
	Cursor    *string                    `json:"cursor"`
	Arguments json.RawMessage            `json:"arguments"`
	Inputs    map[string]Answer          `json:"inputResponses"`
	State     *string                    `json:"requestState"`
	Wanted    struct {
		Tools bool `json:"toolsListChanged"`
	} `json:"notifications"`
	Version   string          `json:"protocolVersion"`
	Cancelled json.RawMessage `json:"requestId"`
}

const metaPrefix = "io.modelcontextprotocol/"

// session is one client. Safe to use together.
type session struct {
	srv    *Server
	notify func(frame []byte) // to the client, outside any request; may be nil

	mu      sync.Mutex
	legacy  bool
	elicits bool // the legacy client declared elicitation
	running map[string]context.CancelFunc
	asked   map[string]chan json.RawMessage
	counter int
}

func newSession(srv *Server, notify func([]byte)) *session {
	return &session{srv: srv, notify: notify, running: map[string]context.CancelFunc{}, asked: map[string]chan json.RawMessage{}}
}

func frame(v any) []byte { return must(v) }

func response(id, result json.RawMessage) []byte {
	return frame(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func failure(id json.RawMessage, e *Error) []byte {
	body := map[string]any{"code": e.Code, "message": e.Message}
	if e.Data != nil {
		body["data"] = e.Data
	}
	out := map[string]any{"jsonrpc": "2.0", "error": body}
	if id != nil {
		out["id"] = id
	}
	return frame(out)
}

func notification(method string, params any) []byte {
	return frame(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// take handles anything but a request: answers to our own questions and
// notifications.
func (s *session) take(m message) {
	if m.Method == "" {
		s.mu.Lock()
		ch := s.asked[string(m.ID)]
		delete(s.asked, string(m.ID))
		s.mu.Unlock()
		if ch != nil {
			ch <- m.Result
		}
		return
	}
	if m.Method == "notifications/cancelled" {
		var p request
		if json.Unmarshal(m.Params, &p) != nil {
			return
		}
		s.mu.Lock()
		cancel := s.running[string(p.Cancelled)]
		s.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	}
}

// serve runs a request; send takes its notifications and, last, its response.
func (s *session) serve(ctx context.Context, m message, send func([]byte)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.running[string(m.ID)] = cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.running, string(m.ID))
		s.mu.Unlock()
	}()
	result, err := s.answer(ctx, m, send)
	if ctx.Err() != nil && m.Method != "subscriptions/listen" {
		return // cancelled: no response is wanted
	}
	if err != nil {
		send(failure(m.ID, asError(err)))
		return
	}
	send(response(m.ID, result))
}

func (s *session) answer(ctx context.Context, m message, send func([]byte)) (json.RawMessage, error) {
	var p request
	if len(m.Params) > 0 {
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return nil, &Error{Code: -32602, Message: "params cannot be read: " + err.Error(), status: 400}
		}
	}
	if m.Method == "initialize" {
		return s.initialize(m.Params, p)
	}
	s.mu.Lock()
	legacy := s.legacy
	s.mu.Unlock()
	if legacy {
		if m.Method == "ping" {
			return json.RawMessage(`{}`), nil
		}
		return s.method(ctx, m, p, send, true)
	}
	if err := checkMeta(p); err != nil {
		return nil, err
	}
	result, err := s.method(ctx, m, p, send, false)
	if err != nil {
		return nil, err
	}
	return s.modernResult(m.Method, result), nil
}

func checkMeta(p request) error {
	var version string
	if json.Unmarshal(p.Meta[metaPrefix+"protocolVersion"], &version) != nil || version == "" {
		return &Error{Code: -32602, Message: "_meta lacks " + metaPrefix + "protocolVersion", status: 400}
	}
	if version != Modern {
		return &Error{Code: -32022, Message: "unsupported protocol version", Data: map[string]any{"supported": []string{Modern}, "requested": version}, status: 400}
	}
	if caps := bytes.TrimSpace(p.Meta[metaPrefix+"clientCapabilities"]); len(caps) == 0 || caps[0] != '{' {
		return &Error{Code: -32602, Message: "_meta lacks " + metaPrefix + "clientCapabilities", status: 400}
	}
	return nil
}

// modernResult adds what every modern result has.
func (s *session) modernResult(method string, result json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) != nil {
		return result
	}
	if _, ok := members["resultType"]; !ok {
		members["resultType"] = json.RawMessage(`"complete"`)
	}
	if _, ok := members["_meta"]; !ok {
		members["_meta"] = must(map[string]any{metaPrefix + "serverInfo": s.srv.Info})
	}
	switch method {
	case "server/discover", "tools/list", "resources/list", "resources/read":
		members["ttlMs"], members["cacheScope"] = json.RawMessage(`60000`), json.RawMessage(`"public"`)
	}
	return must(members)
}

func (s *session) initialize(raw json.RawMessage, p request) (json.RawMessage, error) {
	if p.Version == "" {
		return nil, &Error{Code: -32602, Message: "initialize lacks protocolVersion"}
	}
	var c struct {
		Capabilities map[string]json.RawMessage `json:"capabilities"`
	}
	_ = json.Unmarshal(raw, &c)
	s.mu.Lock()
	s.legacy = true
	_, s.elicits = c.Capabilities["elicitation"]
	s.mu.Unlock()
	return must(map[string]any{"protocolVersion": Legacy, "serverInfo": s.srv.Info, "instructions": s.srv.Instructions,
		"capabilities": map[string]any{"tools": map[string]any{"listChanged": true}, "resources": map[string]any{}}}), nil
}

func (s *session) method(ctx context.Context, m message, p request, send func([]byte), legacy bool) (json.RawMessage, error) {
	switch m.Method {
	case "server/discover":
		if legacy {
			break
		}
		return must(map[string]any{"supportedVersions": []string{Modern}, "instructions": s.srv.Instructions,
			"capabilities": map[string]any{"tools": map[string]any{"listChanged": true}, "resources": map[string]any{}}}), nil
	case "tools/list":
		if p.Cursor != nil {
			return nil, &Error{Code: -32602, Message: "unknown cursor"}
		}
		return s.srv.list(), nil
	case "tools/call":
		return s.call(ctx, p, send, legacy)
	case "resources/list":
		return json.RawMessage(`{"resources":[]}`), nil
	case "resources/read":
		for _, r := range s.srv.Resources {
			if r.URI == p.URI {
				return must(map[string]any{"contents": []json.RawMessage{r.Contents}}), nil
			}
		}
		return nil, &Error{Code: -32602, Message: "no such resource", Data: map[string]any{"uri": p.URI}}
	case "subscriptions/listen":
		if legacy {
			break
		}
		return s.listen(ctx, m.ID, p, send)
	}
	return nil, &Error{Code: -32601, Message: "no method " + m.Method, status: 404}
}

// listen keeps a stream of change notices open until it is cancelled.
func (s *session) listen(ctx context.Context, id json.RawMessage, p request, send func([]byte)) (json.RawMessage, error) {
	meta := map[string]any{metaPrefix + "subscriptionId": id}
	filter := map[string]any{}
	if p.Wanted.Tools {
		filter["toolsListChanged"] = true
		stop := s.srv.watch(func() { send(notification("notifications/tools/list_changed", map[string]any{"_meta": meta})) })
		defer stop()
	}
	send(notification("notifications/subscriptions/acknowledged", map[string]any{"_meta": meta, "notifications": filter}))
	<-ctx.Done()
	return must(map[string]any{"_meta": meta}), nil
}

func (s *session) call(ctx context.Context, p request, send func([]byte), legacy bool) (json.RawMessage, error) {
	tool, ok := s.srv.tool(p.Name)
	if !ok {
		return nil, &Error{Code: -32602, Message: fmt.Sprintf("unknown tool %q", p.Name)}
	}
	args := p.Arguments
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	if p.State != nil && !s.srv.fits(*p.State, p.Name, args) {
		return nil, &Error{Code: -32602, Message: "requestState does not fit this request"}
	}
	token := p.Meta["progressToken"]
	c := &Call{Arguments: args, session: s, Progress: func(done, total float64, text string) {
		if len(token) > 0 {
			send(notification("notifications/progress", map[string]any{"progressToken": token, "progress": done, "total": total, "message": text}))
		}
	}}
	c.ask = func(ctx context.Context, key string, params json.RawMessage) (Answer, error) {
		if a, ok := p.Inputs[key]; ok {
			return a, nil
		}
		return Answer{}, &needInput{key, params}
	}
	if legacy {
		c.ask = func(ctx context.Context, _ string, params json.RawMessage) (Answer, error) {
			return s.elicit(ctx, params, send)
		}
	} else if caps := p.Meta[metaPrefix+"clientCapabilities"]; !bytes.Contains(caps, []byte(`"elicitation"`)) {
		c.ask = func(context.Context, string, json.RawMessage) (Answer, error) {
			return Answer{}, &Error{Code: -32021, Message: "the client lacks elicitation", status: 400,
				Data: map[string]any{"requiredCapabilities": map[string]any{"elicitation": map[string]any{}}}}
		}
	}
	result, err := tool.Run(ctx, c)
	var asks *needInput
	if errors.As(err, &asks) {
		return must(map[string]any{"resultType": "input_required", "requestState": s.srv.seal(p.Name, args), "inputRequests": map[string]any{
			asks.key: map[string]any{"method": "elicitation/create", "params": asks.params}}}), nil
	}
	return result, err
}

// elicit asks a legacy client in the middle of a call.
func (s *session) elicit(ctx context.Context, params json.RawMessage, send func([]byte)) (Answer, error) {
	s.mu.Lock()
	if !s.elicits {
		s.mu.Unlock()
		return Answer{}, &Error{Code: -32603, Message: "the client lacks elicitation"}
	}
	s.counter++
	id := strconv.Quote("ask-" + strconv.Itoa(s.counter))
	ch := make(chan json.RawMessage, 1)
	s.asked[id] = ch
	s.mu.Unlock()
	send(frame(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": "elicitation/create", "params": params}))
	select {
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	case raw := <-ch:
		var a Answer
		if err := json.Unmarshal(raw, &a); err != nil {
			return Answer{}, &Error{Code: -32603, Message: "the client's answer cannot be read"}
		}
		return a, nil
	}
}
