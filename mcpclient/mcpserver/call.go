package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// Call is one run of a tool. In the modern era a tool that asks is run anew
// for each round (MRTR-12), so what it does before it asks must be repeatable.
type Call struct {
	Arguments json.RawMessage // an object
	Era       string          // Modern or Legacy

	progress func(done, total float64, message string)
	ask      func(ctx context.Context, key string, params json.RawMessage) (Answer, error)
}

// Progress tells the client how far the call is, if it wants to know. done
// must grow from one notice to the next (PROG-03).
func (c *Call) Progress(done, total float64, message string) { c.progress(done, total, message) }

// Answer is an ElicitResult.
type Answer struct {
	Action  string          // "accept", "decline" or "cancel"
	Content json.RawMessage // as received; nil when there is none
}

// Ask asks the person at the client; params is an ElicitRequest's. Return its
// error from the tool as it is. key names the question within the call.
func (c *Call) Ask(ctx context.Context, key string, params json.RawMessage) (Answer, error) {
	return c.ask(ctx, key, params)
}

// needInput is the error by which a modern tool stops to ask.
type needInput struct {
	key    string
	params json.RawMessage
}

func (*needInput) Error() string { return "the tool asks" }

func readAnswer(raw json.RawMessage) (Answer, *Error) {
	o, ok := members(raw)
	action, isString := str(o["action"])
	if !ok || !isString || action != "accept" && action != "decline" && action != "cancel" {
		return Answer{}, &Error{Code: codeInvalidParams, Message: `An answer is an object whose action is "accept", "decline" or "cancel"`} // ELIC-14
	}
	content, given := o["content"]
	if given && (action != "accept" || content[0] != '{') {
		return Answer{}, &Error{Code: codeInvalidParams, Message: "content is an object, and comes only with accept"} // ELIC-15
	}
	return Answer{Action: action, Content: content}, nil
}

// call runs a tool; params were read by the session's era.
func (s *session) call(ctx context.Context, params object, meta object, out sender) (json.RawMessage, error) {
	name, ok := str(params["name"])
	if !ok {
		return nil, &Error{Code: codeInvalidParams, Message: "name is a string"}
	}
	tool, ok := s.srv.tool(name)
	if !ok {
		return nil, &Error{Code: codeInvalidParams, Message: "Unknown tool: " + name}
	}
	args := params["arguments"]
	if string(args) == "null" { // it should be left out, but clients in wide use send it (report 29)
		s.srv.note("arguments of null to the tool %s", name)
		args = nil
	}
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	if args[0] != '{' {
		return nil, &Error{Code: codeInvalidParams, Message: "arguments is an object"} // report 31
	}
	token, wanted := meta["progressToken"]
	if wanted && !validID(token) {
		return nil, &Error{Code: codeInvalidParams, Message: "progressToken is a string or an integer"} // PROG-01
	}
	c := &Call{Arguments: args, Era: Modern, progress: func(done, total float64, text string) {
		if wanted && ctx.Err() == nil {
			out.send(notification("notifications/progress", map[string]any{
				"progressToken": token, "progress": done, "total": total, "message": text}))
		}
	}}
	if s.isLegacy() {
		c.Era = Legacy
		c.ask = func(ctx context.Context, _ string, p json.RawMessage) (Answer, error) { return s.elicit(ctx, p, out) }
		return tool.Run(ctx, c)
	}
	inputs, err := s.roundInputs(params, name, args)
	if err != nil {
		return nil, err
	}
	c.ask = func(_ context.Context, key string, p json.RawMessage) (Answer, error) {
		if a, ok := inputs[key]; ok {
			return a, nil
		}
		if e := elicitable(meta[metaCapabilities], p); e != nil {
			return Answer{}, e
		}
		return Answer{}, &needInput{key, p}
	}
	result, runErr := tool.Run(ctx, c)
	var asks *needInput
	if errors.As(runErr, &asks) {
		return inputRequired(s.srv.seal(name, args), asks.key, asks.params), nil
	}
	return result, runErr
}

// roundInputs reads what a further round of a call brings with it: the state
// that was given out for exactly this call, and the answers.
func (s *session) roundInputs(params object, tool string, args json.RawMessage) (map[string]Answer, error) {
	raw, answered := params["inputResponses"]
	state, hasState := params["requestState"]
	if !answered && !hasState {
		return nil, nil
	}
	sealed, ok := str(state)
	if !ok { // MRTR-06
		return nil, &Error{Code: codeInvalidParams, Message: "requestState is missing: it is echoed with inputResponses"}
	}
	if !hmac.Equal([]byte(sealed), []byte(s.srv.seal(tool, args))) { // MRTR-09, MRTR-12
		return nil, &Error{Code: codeInvalidParams, Message: "requestState does not fit this request"}
	}
	list, ok := members(raw)
	if !ok {
		return nil, &Error{Code: codeInvalidParams, Message: "inputResponses is an object"}
	}
	inputs := map[string]Answer{}
	for key, v := range list {
		a, err := readAnswer(v)
		if err != nil {
			return nil, err
		}
		inputs[key] = a
	}
	return inputs, nil
}

// seal makes the requestState of a call: it fits only the same tool and
// arguments.
func (s *Server) seal(tool string, args json.RawMessage) string {
	mac := hmac.New(sha256.New, s.key())
	_, _ = fmt.Fprintf(mac, "%d:%s%s", len(tool), tool, args) // a hash takes everything
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// elicitable tells whether a client with these capabilities may be asked this
// (ELIC-01, ELIC-02, MRTR-15); nil when it may.
func elicitable(capabilities json.RawMessage, params json.RawMessage) *Error {
	p, _ := members(params)
	mode, _ := str(p["mode"])
	if mode == "" {
		mode = "form" // ELIC-03
	}
	caps, _ := members(capabilities)
	raw, declared := caps["elicitation"]
	modes, _ := members(raw)
	_, has := modes[mode]
	if declared && (has || mode == "form" && len(modes) == 0) {
		return nil
	}
	return &Error{Code: codeMissingFeature, Message: "This tool needs elicitation by " + mode,
		Data: map[string]any{"requiredCapabilities": map[string]any{"elicitation": map[string]any{mode: struct{}{}}}}}
}
