package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// The error codes of JSON-RPC 2.0 (BASE-20).
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// Message is one JSON-RPC message. Its slices point into the bytes it was
// parsed from; nobody may change them.
type Message struct {
	// Raw is the whole message without the line end.
	Raw []byte
	// ID is the id as it stands on the wire, quotes included; nil when absent.
	ID json.RawMessage
	// Method is set on requests and notifications only.
	Method string
	// Params, Result and Error are the members of these names, nil when absent.
	Params, Result, Error json.RawMessage
}

// IsRequest reports whether the message wants an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.HasID() }

// IsNotification reports whether the message is a notification.
func (m *Message) IsNotification() bool { return m.Method != "" && !m.HasID() }

// IsResponse reports whether the message answers a request. Its id may be
// missing when it is an error (BASE-08).
func (m *Message) IsResponse() bool { return m.Method == "" }

// HasID reports whether an id is present that is not null.
func (m *Message) HasID() bool { return m.ID != nil && !IsNull(m.ID) }

// IntID returns the id when it is a whole number.
func (m *Message) IntID() (int64, bool) {
	if m.ID == nil {
		return 0, false
	}
	return Int(m.ID)
}

// ErrNotMessage is wrapped by Parse for JSON that is no JSON-RPC message.
var ErrNotMessage = errors.New("not a JSON-RPC message")

// Parse reads exactly one message. It is lenient in what does not matter:
// unknown members are ignored and a missing "jsonrpc" member is accepted. b is
// not copied.
func Parse(b []byte) (Message, error) {
	m := Message{Raw: b}
	var badMethod bool
	err := Members(b, func(key string, value []byte) bool {
		switch key {
		case "id":
			m.ID = value
		case "method":
			var ok bool
			m.Method, ok = String(value)
			badMethod = !ok || m.Method == ""
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			if !IsNull(value) {
				m.Error = value
			}
		}
		return true
	})
	if err != nil {
		return m, err
	}
	switch {
	case badMethod:
		return m, fmt.Errorf("%w: the method is no text", ErrNotMessage)
	case m.Method == "" && m.Result == nil && m.Error == nil:
		return m, fmt.Errorf("%w: neither method nor result nor error", ErrNotMessage)
	case m.ID != nil && !goodID(m.ID):
		return m, fmt.Errorf("%w: the id is neither text nor number", ErrNotMessage)
	}
	return m, nil
}

func goodID(id []byte) bool {
	c := id[0]
	return c == '"' || c == '-' || c >= '0' && c <= '9' || IsNull(id)
}

// AppendRequest appends a request. params go in verbatim; nil leaves them out.
func AppendRequest(dst []byte, id int64, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, id, 10)
	return appendMethod(dst, method, params)
}

// AppendNotification appends a notification, which never has an id (BASE-04).
func AppendNotification(dst []byte, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	return appendMethod(dst, method, params)
}

func appendMethod(dst []byte, method string, params []byte) []byte {
	dst = append(dst, `,"method":`...)
	dst = AppendString(dst, method)
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, '}')
}

// AppendResult appends the answer to a request whose id is given as it stood on
// the wire.
func AppendResult(dst []byte, id json.RawMessage, result []byte) []byte {
	dst = appendAnswer(dst, id)
	dst = append(dst, `,"result":`...)
	dst = append(dst, result...)
	return append(dst, '}')
}

// AppendError appends an error answer. A nil id is written as null, nil data is
// left out.
func AppendError(dst []byte, id json.RawMessage, e *Error) []byte {
	dst = appendAnswer(dst, id)
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, e.Code, 10)
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, e.Message)
	if e.Data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, e.Data...)
	}
	return append(dst, '}', '}')
}

func appendAnswer(dst []byte, id json.RawMessage) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		return append(dst, "null"...)
	}
	return append(dst, id...)
}

// Error is the error object of an answer (BASE-08).
type Error struct {
	Code    int64
	Message string
	Data    json.RawMessage // as received; nil when absent
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// ParseError reads an error object leniently: whatever is missing or of the
// wrong type stays empty. It reports false when raw is no object.
func ParseError(raw []byte) (*Error, bool) {
	e := &Error{}
	err := Members(raw, func(key string, value []byte) bool {
		switch key {
		case "code":
			e.Code, _ = Int(value)
		case "message":
			e.Message, _ = String(value)
		case "data":
			e.Data = value
		}
		return true
	})
	return e, err == nil
}
