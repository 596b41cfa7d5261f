package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// object is a JSON object by its exact member names: a struct would take
// "METHOD" for "method".
type object = map[string]json.RawMessage

// message is one JSON-RPC message: a request (method and id), a notification
// (method) or a response (id).
type message struct {
	id     json.RawMessage // nil: none
	method string
	params object // never nil for requests and notifications
	// of a response
	result json.RawMessage
	failed *Error
}

func (m message) isRequest() bool  { return m.method != "" && m.id != nil }
func (m message) isResponse() bool { return m.method == "" }

// parse reads one message. On error id is the message's, if it could be read.
func parse(b []byte) (m message, fault *Error) {
	if !utf8.Valid(b) {
		return m, &Error{Code: codeParse, Message: "The message is not UTF-8"}
	}
	trimmed := bytes.TrimSpace(b)
	if !json.Valid(trimmed) {
		return m, &Error{Code: codeParse, Message: "The message is not JSON"}
	}
	if trimmed[0] != '{' {
		return m, &Error{Code: codeInvalidRequest, Message: "A message is one JSON object; batches are not taken"}
	}
	var o object
	if err := json.Unmarshal(trimmed, &o); err != nil {
		return m, &Error{Code: codeParse, Message: err.Error()}
	}
	if id, ok := o["id"]; ok {
		if !validID(id) {
			return m, &Error{Code: codeInvalidRequest, Message: "id is a string or an integer"} // BASE-02
		}
		m.id = id
	}
	if v, ok := str(o["jsonrpc"]); !ok || v != "2.0" {
		return m, &Error{Code: codeInvalidRequest, Message: `jsonrpc is "2.0"`}
	}
	if raw, ok := o["method"]; ok {
		m.method, ok = str(raw)
		if !ok || m.method == "" {
			return m, &Error{Code: codeInvalidRequest, Message: "method is a string"}
		}
		if m.params, ok = members(o["params"]); !ok {
			return m, &Error{Code: codeInvalidRequest, Message: "params is an object"}
		}
		return m, nil
	}
	return m, m.parseResponse(o)
}

func (m *message) parseResponse(o object) *Error {
	result, answered := o["result"]
	rawError, failed := o["error"]
	if m.id == nil || answered == failed {
		return &Error{Code: codeInvalidRequest, Message: "This is neither a request, nor a notification, nor a response"}
	}
	if answered {
		m.result = result
		return nil
	}
	var e struct {
		Code    int
		Message string
	}
	if err := json.Unmarshal(rawError, &e); err != nil {
		return &Error{Code: codeInvalidRequest, Message: "error is an object with code and message"}
	}
	m.failed = &Error{Code: e.Code, Message: e.Message}
	return nil
}

// validID holds for strings and integers.
func validID(raw json.RawMessage) bool {
	if raw[0] == '"' {
		return true
	}
	return (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && !bytes.ContainsAny(raw, ".eE")
}

// str reads a JSON string.
func str(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// members reads a JSON object; what is absent counts as empty.
func members(raw json.RawMessage) (object, bool) {
	if len(raw) == 0 {
		return object{}, true
	}
	var o object
	if raw[0] != '{' || json.Unmarshal(raw, &o) != nil {
		return nil, false
	}
	return o, true
}

// encode writes our own values: compact, and "<" as "<".
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("mcpserver: %v", err)) // only our own values come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// join puts the members of b behind those of a; both are JSON objects.
func join(a, b json.RawMessage) json.RawMessage {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	if len(a) == 2 {
		return b
	}
	if len(b) == 2 {
		return a
	}
	out := make(json.RawMessage, 0, len(a)+len(b))
	out = append(out, a[:len(a)-1]...)
	out = append(out, ',')
	return append(out, b[1:]...)
}

// Frames are built around the raw parts, so that a large result is copied
// once and not encoded again.

func response(id, result json.RawMessage) []byte {
	out := make([]byte, 0, len(id)+len(result)+48)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, `,"result":`...)
	out = append(out, result...)
	return append(out, '}')
}

func failure(id json.RawMessage, e *Error) []byte {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Error   any             `json:"error"`
	}{"2.0", id, struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}{e.Code, e.Message, e.Data}})
}

func notification(method string, params any) []byte {
	return encode(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}

func question(id, method string, params json.RawMessage) []byte {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      string          `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}{"2.0", id, method, params})
}
