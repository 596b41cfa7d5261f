package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/mcpclient"
	"countersign/store"
)

// metaKeys is the closed list of what may stand in the _meta of a send.
var metaKeys = map[string]bool{
	"progressToken": true,
	"io.modelcontextprotocol/protocolVersion":    true,
	"io.modelcontextprotocol/clientCapabilities": true,
	"io.modelcontextprotocol/clientInfo":         true,
	"io.modelcontextprotocol/related-task":       true,
}

// Admit is the gate: mcpclient asks it right before a message is written, and
// writes only on nil. It answers for the one call of that id, compares the
// bytes that are about to leave with what was approved, and spends the
// approval in the transaction that records the call as sent.
func (r *Road) Admit(ctx context.Context, s mcpclient.Send) error {
	c, ok := r.get(s.CallID)
	if !ok {
		return errors.New("no open call has this id")
	}
	switch s.Kind {
	case mcpclient.SendCall, mcpclient.SendRead:
		return r.admitCall(ctx, c, s)
	case mcpclient.SendAnswer:
		return r.admitAnswer(ctx, c, s)
	}
	return fmt.Errorf("the gate lets out no %q", s.Kind)
}

func (r *Road) admitCall(ctx context.Context, c *call, s mcpclient.Send) error {
	r.mu.Lock()
	approved, decided := c.binding, c.decided
	inputs, state := c.inputs, c.state
	args, uri, stopped := c.args, c.uri, c.stopped
	r.mu.Unlock()
	if stopped {
		return errStopped
	}
	err := r.fits(approved, decided, args, uri, s)
	if err == nil && s.Round > 0 {
		err = sameInputs(inputs, state, s)
	}
	if err != nil {
		return r.refuse(ctx, c, s, err)
	}
	from := Approved
	if s.Round > 0 {
		from = InputRequired
	}
	now := r.deps.Now()
	body := r.sentBody(s)
	ch := change{to: Sent, from: []State{from}, row: func(row *store.Call) error {
		switch {
		case row.ArgsHash != approved.ArgumentsHash || row.Revision != approved.Revision || row.LaunchFingerprint != approved.LaunchFingerprint:
			return &approval.SendError{Part: "the record of the approval"}
		case row.Rule != "" && !r.deps.Stands(row.Rule):
			return &approval.SendError{Part: "the rule that allowed it"}
		case s.Attempt != row.Attempt+1 && s.Round == 0, s.Round > 0 && s.Round != row.Round+1:
			return &approval.SendError{Part: "the number of the attempt"}
		case s.Round > approval.MaxRounds, now.Sub(row.DecidedAt) > approval.MaxLife:
			return &approval.SendError{Part: "the life of the approval"}
		}
		row.Attempt, row.Round, row.Era, row.SentAt = s.Attempt, s.Round, string(s.Era), now
		row.RequestState = nil
		body.Arguments = row.ArgsPayload
		return nil
	}, after: func() []store.NewEvent { return []store.NewEvent{event(EventSent, c.id, c.serverID, body)} }}
	if s.Round > 0 && len(s.InputResponses) > 0 {
		kept := r.payload(s.InputResponses)
		body.Inputs = keptBytes(kept)
		ch.payloads = []store.Payload{kept}
	}
	if _, err := r.move(ctx, c.id, ch); err != nil {
		var se *approval.SendError
		if errors.As(err, &se) {
			return r.refuse(ctx, c, s, err)
		}
		return fmt.Errorf("recording the send: %w", err)
	}
	if s.Round > 0 {
		r.mu.Lock()
		c.questions = nil
		r.mu.Unlock()
		r.deps.Changed(TopicQuestions, c.id)
	}
	return nil
}

// fits compares the whole send with the approval; uri is set for a read.
func (r *Road) fits(approved approval.Binding, decided time.Time, args []byte, uri string, s mcpclient.Send) error {
	if r.deps.Paused() {
		return &approval.SendError{Part: "everything was paused before the call was sent", Void: true}
	}
	if _, ok := r.deps.Server(approved.ServerID); !ok {
		return &approval.SendError{Part: "the server (it was removed)"}
	}
	actual := approved
	actual.LaunchFingerprint = s.LaunchFingerprint
	var err error
	if uri != "" {
		err = fitsRead(&actual, uri, s)
	} else {
		err = r.fitsCall(approved, &actual, args, s)
	}
	if err != nil {
		return err
	}
	if err := closedMeta(s); err != nil {
		return err
	}
	now := r.deps.Now()
	if s.Round > 0 {
		// The person's answer is the new act; the age of the approval is
		// checked against the row.
		decided = now
	}
	return approval.CheckSend(approved, actual, decided, now)
}

// fitsCall compares a call with what was approved.
func (r *Road) fitsCall(approved approval.Binding, actual *approval.Binding, args []byte, s mcpclient.Send) error {
	params, err := frameParams(s.Frame, s.Method, string(mcpclient.SendCall), "name", "arguments")
	if err != nil {
		return err
	}
	actual.Tool = s.Tool
	if tool, ok := r.deps.Tool(approved.ServerID, approved.Tool); !ok || tool.Hash != approved.DefinitionHash {
		actual.DefinitionHash = ""
	}
	if name, _ := rawjson.Text(params["name"]); name != approved.Tool {
		actual.Tool = name
	}
	if s.Kind != mcpclient.SendCall || !bytes.Equal(params["arguments"], args) || !bytes.Equal(s.Arguments, args) {
		actual.ArgumentsHash = ""
	}
	return nil
}

// frameParams reads what the very bytes of a request ask for: of this method, and
// with no other parameters than these and those of rounds.
func frameParams(frame []byte, method, want string, names ...string) (map[string]json.RawMessage, error) {
	members, err := rawjson.Members(frame)
	if err != nil {
		return nil, &approval.SendError{Part: "the message (" + err.Error() + ")"}
	}
	var params []byte
	for _, m := range members {
		switch m.Key {
		case "method":
			if text, _ := rawjson.Text(m.Value); text != want || method != text {
				return nil, &approval.SendError{Part: "the method"}
			}
		case "params":
			params = m.Value
		case "jsonrpc", "id":
		default:
			return nil, &approval.SendError{Part: "the message's member " + m.Key}
		}
	}
	members, err = rawjson.Members(params)
	if err != nil {
		return nil, &approval.SendError{Part: "the parameters"}
	}
	seen := map[string]json.RawMessage{}
	names = append(names, "_meta", "inputResponses", "requestState")
	for _, m := range members {
		if _, twice := seen[m.Key]; twice {
			return nil, &approval.SendError{Part: "a parameter that stands twice"}
		}
		if !slices.Contains(names, m.Key) {
			return nil, &approval.SendError{Part: "the parameter " + m.Key}
		}
		seen[m.Key] = m.Value
	}
	return seen, nil
}

func closedMeta(s mcpclient.Send) error {
	if len(s.Meta) == 0 {
		return nil
	}
	members, err := rawjson.Members(s.Meta)
	if err != nil {
		return &approval.SendError{Part: "the request's _meta"}
	}
	for _, m := range members {
		if !metaKeys[m.Key] {
			return &approval.SendError{Part: "the _meta key " + m.Key}
		}
	}
	return nil
}

// sameInputs holds the answers of a further round against what was recorded.
func sameInputs(inputs []byte, state *string, s mcpclient.Send) error {
	if !bytes.Equal(inputs, s.InputResponses) {
		return &approval.SendError{Part: "the answers to the server's questions"}
	}
	if (state == nil) != (s.RequestState == nil) || (state != nil && *state != *s.RequestState) {
		return &approval.SendError{Part: "the server's request state"}
	}
	return nil
}

// refuse records that the gate said no, and why. An approval that only ran
// out asks again.
func (r *Road) refuse(ctx context.Context, c *call, s mcpclient.Send, cause error) error {
	var se *approval.SendError
	ch := change{to: Refused, from: []State{Approved, InputRequired},
		events: []store.NewEvent{event(EventRefused, c.id, c.serverID, EndBody{State: string(Refused), Reason: cause.Error()})},
		row:    func(row *store.Call) error { row.ErrorText = cause.Error(); return nil }}
	void := errors.As(cause, &se) && se.Void
	if void && s.Round > 0 {
		return cause // the call still waits for input, and is asked again
	}
	if void = void && c.uri == ""; void { // a read is clicked anew
		ch = change{to: AwaitingApproval, from: []State{Approved},
			events: []store.NewEvent{event(EventApprovalVoid, c.id, c.serverID, EndBody{State: string(AwaitingApproval), Reason: cause.Error()})},
			row: func(row *store.Call) error {
				row.Decision, row.DecisionReason, row.DecidedAt, row.ShownAt, row.LaunchFingerprint = "", "", time.Time{}, time.Time{}, ""
				return nil
			}}
		r.mu.Lock()
		c.shown, c.decided, c.binding.LaunchFingerprint = time.Time{}, time.Time{}, ""
		r.mu.Unlock()
	}
	if _, err := r.move(ctx, c.id, ch); err != nil {
		var me *MoveError
		if errors.As(err, &me) {
			return fmt.Errorf("%w (the call is %s)", cause, me.From.Words())
		}
		return errors.Join(cause, err)
	}
	if void {
		r.arm(c, r.nextDeadline(c))
	}
	return cause
}

func (r *Road) sentBody(s mcpclient.Send) *SentBody {
	body := &SentBody{Kind: string(s.Kind), Attempt: s.Attempt, Round: s.Round, RequestID: r.masked(s.RequestID), Era: string(s.Era), Version: s.Version,
		Address: r.masked(s.Address), Launch: s.LaunchFingerprint, Method: s.Method, FrameBytes: len(s.Frame)}
	for _, h := range s.Headers {
		body.Headers = append(body.Headers, h.Name)
	}
	if meta, _ := r.deps.Mask(s.Meta); len(meta) > 0 {
		body.Meta = meta
	}
	return body
}

// admitAnswer lets out the answer to a legacy server's question: only the one
// that was recorded for it, and once.
func (r *Road) admitAnswer(ctx context.Context, c *call, s mcpclient.Send) error {
	c.side.Lock()
	defer c.side.Unlock()
	r.mu.Lock()
	want, ok := c.answers[s.RequestID]
	launch, stopped := c.binding.LaunchFingerprint, c.stopped
	to := Sent
	if len(c.questions) > 1 { // others than this one
		to = InputRequired
	}
	r.mu.Unlock()
	got, _ := rawjson.Get(s.Frame, "result")
	switch {
	case stopped:
		return errStopped
	case !ok:
		return &approval.SendError{Part: "an answer that nobody gave"}
	case !bytes.Equal(got, want):
		return &approval.SendError{Part: "the answer"}
	case s.LaunchFingerprint != launch:
		return &approval.SendError{Part: "how the server was started"}
	case r.deps.Paused():
		return &approval.SendError{Part: "everything was paused", Void: true}
	}
	body := r.sentBody(s)
	_, err := r.move(ctx, c.id, change{to: to, from: []State{InputRequired},
		row:   func(row *store.Call) error { body.Arguments = row.ArgsPayload; return nil },
		after: func() []store.NewEvent { return []store.NewEvent{event(EventSent, c.id, c.serverID, body)} }})
	if err != nil {
		return fmt.Errorf("recording the answer: %w", err)
	}
	r.dropQuestion(c, s.RequestID)
	return nil
}
