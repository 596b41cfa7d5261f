package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"countersign/mcpclient/jsonrpc"
)

const (
	defaultIdle = 60 * time.Second
	defaultMax  = 30 * time.Minute
)

// CallTool sends one tools/call, after the gate's yes, and waits for its answer.
//
// A readable answer is an Outcome, also when it is an error of the tool or of
// the protocol. Otherwise the error says what is known of the send:
// *RefusedError, *NotSentError, *LostError, *TimeoutError or *CancelledError.
// Any other error, that of ctx included, means that the gate was not asked and
// nothing was written. Nothing is ever sent twice.
func (c *Client) CallTool(ctx context.Context, call Call) (*Outcome, error) {
	if !spliceable(call.Arguments) {
		return nil, fmt.Errorf("tools/call %s: the arguments are not one JSON object on one line", clip(call.Tool, 128))
	}
	return c.request(ctx, SendCall, &call)
}

// ReadResource sends one resources/read in the same way as CallTool sends a call,
// with the same errors: the gate is asked about it, the server may answer with
// inputs that it wants (MRTR), and what it answers is an Outcome. A server that
// declares no resources is not asked (RSRC-09): the error is ErrNoResources. The
// URI is text to us, and goes out as it is (RSRC-07).
func (c *Client) ReadResource(ctx context.Context, read Read) (*Outcome, error) {
	if !c.HasResources() {
		return nil, ErrNoResources
	}
	return c.request(ctx, SendRead, &Call{ID: read.ID, Attempt: read.Attempt, Round: read.Round, Tool: read.URI, InputResponses: read.InputResponses,
		RequestState: read.RequestState, IdleTimeout: read.IdleTimeout, MaxTimeout: read.MaxTimeout, OnProgress: read.OnProgress})
}

// HasResources tells whether the server declares that it has resources to read.
func (c *Client) HasResources() bool {
	declared, _ := jsonrpc.Get(c.info.Capabilities, "resources")
	return jsonrpc.IsObject(declared)
}

// request makes one gated request. For SendRead, call.Tool is the URI.
func (c *Client) request(ctx context.Context, kind SendKind, call *Call) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.checkCall(call); err != nil {
		return nil, fmt.Errorf("%s %s: %w", kind, clip(call.Tool, 128), err)
	}
	headers, err := c.callHeaders(call)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", kind, clip(call.Tool, 128), err)
	}
	id := c.nextID.Add(1)
	frame := buildCall(c.meta, id, kind, call)
	if int64(len(frame.bytes)) > c.cfg.MaxMessageBytes {
		return nil, fmt.Errorf("%s: %w", kind, &TooLargeError{c.cfg.MaxMessageBytes})
	}
	x := &exchange{
		id: id, method: string(kind), name: call.Tool, params: headers,
		modern: c.meta != nil, frame: frame.bytes,
		clock:      &clock{idle: orDefault(call.IdleTimeout, defaultIdle), max: orDefault(call.MaxTimeout, max(defaultMax, call.IdleTimeout))},
		onProgress: call.OnProgress,
	}
	x.admit = func(ctx context.Context, address string, h []Header) error {
		s := Send{
			Kind: kind, CallID: call.ID, Attempt: call.Attempt, Round: call.Round,
			Address: address, Headers: h, Method: x.method,
			Arguments:      frame.args.of(frame.bytes),
			InputResponses: frame.responses.of(frame.bytes),
			RequestState:   call.RequestState,
			Meta:           frame.meta.of(frame.bytes),
			RequestID:      strconv.FormatInt(id, 10),
			Frame:          frame.bytes,
		}
		if kind == SendRead {
			s.URI = call.Tool
		} else {
			s.Tool = call.Tool
		}
		return c.admit(ctx, s)
	}
	r := &running{x: x, callID: call.ID, attempt: call.Attempt, round: call.Round}
	c.enter(r)
	rep, err := c.do(ctx, x)
	c.leave(r, err)
	if err != nil {
		return nil, err
	}
	out, err := c.outcome(rep)
	if err != nil {
		return nil, &LostError{err}
	}
	out.RequestID = strconv.FormatInt(id, 10)
	return out, nil
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// checkCall refuses what cannot be put on the wire as it stands.
func (c *Client) checkCall(call *Call) error {
	switch {
	case call.Tool == "":
		return errors.New("there is no name")
	case call.InputResponses != nil && !spliceable(call.InputResponses):
		return errors.New("the input responses are not one JSON object on one line")
	case c.info.Era == EraLegacy && (call.InputResponses != nil || call.RequestState != nil):
		return errors.New("a legacy server knows no rounds")
	}
	return nil
}

// spliceable reports whether b can stand in a frame as it is.
func spliceable(b []byte) bool {
	return jsonrpc.IsObject(b) && jsonrpc.Valid(b) && utf8.Valid(b) && bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\r') < 0
}

// admit asks the gate about a send that it completes.
func (c *Client) admit(ctx context.Context, s Send) error {
	if c.cfg.Gate == nil {
		return ErrNoGate
	}
	s.LaunchFingerprint = c.cfg.LaunchFingerprint
	s.Era, s.Version = c.info.Era, c.info.Version
	return c.cfg.Gate.Admit(ctx, s)
}

func (c *Client) enter(r *running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[r.x.id] = r
}

// leave forgets a call, or follows one that was given up; questions that only it
// can have asked are gone.
func (c *Client) leave(r *running, err error) {
	c.mu.Lock()
	delete(c.running, r.x.id)
	if err != nil && sentAfterAll(err) {
		c.followLocked(r)
	}
	open := len(c.questions) > 0
	c.mu.Unlock()
	if open {
		c.dropQuestions(func(q *question) bool { return q.lost(r) })
	}
}

// outcome reads an answer. An error means that it is not one.
func (c *Client) outcome(rep reply) (*Outcome, error) {
	out := &Outcome{Kind: OutcomeComplete, Raw: rep.msg.Result, HTTPStatus: rep.status, Received: time.Now()}
	if rep.msg.Error != nil {
		e, ok := jsonrpc.ParseError(rep.msg.Error)
		if !ok {
			return nil, &InvalidResponseError{"the error is no object"}
		}
		out.Kind, out.Raw, out.RPCError = OutcomeError, rep.msg.Error, e
		if e.Code == codeElicitationRequired && c.info.Era == EraLegacy {
			out.Elicitations = c.requiredElicitations(e.Data)
		}
		return out, nil
	}
	var kind, state, requests []byte
	err := jsonrpc.Members(out.Raw, func(key string, value []byte) bool {
		switch key {
		case "resultType":
			kind = value
		case "isError":
			out.IsError = string(value) == "true"
		case "requestState":
			state = value
		case "inputRequests":
			requests = value
		}
		return true
	})
	if err != nil {
		return nil, &InvalidResponseError{"the result is no object"}
	}
	if kind == nil {
		return out, nil
	}
	switch word, _ := jsonrpc.String(kind); {
	case word == string(OutcomeComplete):
		return out, nil
	case word == string(OutcomeInputRequired) && c.info.Era == EraModern:
		out.IsError = false
		return out, readInputRequired(out, state, requests)
	}
	return nil, &InvalidResponseError{"unknown resultType " + clip(string(kind), 64)}
}

// readInputRequired fills in what an input_required result asks (MRTR-02,
// MRTR-03).
func readInputRequired(out *Outcome, state, requests []byte) error {
	out.Kind = OutcomeInputRequired
	if state != nil && !jsonrpc.IsNull(state) {
		s, ok := jsonrpc.String(state)
		if !ok {
			return &InvalidResponseError{"requestState is no text"}
		}
		out.RequestState = &s
	}
	if requests != nil && jsonrpc.IsNull(requests) {
		requests = nil
	}
	if requests != nil {
		err := jsonrpc.Members(requests, func(key string, value []byte) bool {
			out.InputRequests = append(out.InputRequests, inputRequest(key, value))
			return true
		})
		if err != nil {
			return &InvalidResponseError{"inputRequests is no object"}
		}
	}
	if out.RequestState == nil && requests == nil {
		return &InvalidResponseError{"input_required without inputRequests and requestState"}
	}
	return nil
}

func inputRequest(key string, value []byte) InputRequest {
	r := InputRequest{Key: key}
	if raw, ok := jsonrpc.Get(value, "method"); ok {
		r.Method, _ = jsonrpc.String(raw)
	}
	if raw, ok := jsonrpc.Get(value, "params"); ok {
		r.Params = json.RawMessage(raw)
	}
	return r
}
