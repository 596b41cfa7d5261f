package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/mcpclient"
	"countersign/store"
)

// MethodRead is the Call.Method of a read: its Tool is the URI.
const MethodRead = string(mcpclient.SendRead)

// MaxURI is the longest URI that is read, in bytes.
const MaxURI = 8 << 10

// Reading asks for what a result links to. Whoever makes one has taken the URI
// from the kept result, and not from the page.
type Reading struct {
	ParentID      string // the call with the result
	Block         int    // of the result, from 0
	ServerID, URI string
	Title         string // as the link has it
}

// Read reads a resource. The person's click is the decision: it is recorded like
// any other, tied to the launch that runs now, and asked of the gate before
// anything is sent. Read does not wait for the answer.
func (r *Road) Read(ctx context.Context, p Reading) (store.Call, error) {
	name, ok := r.deps.Server(p.ServerID)
	if !ok {
		return store.Call{}, &UnavailableError{"this server is not configured any more"}
	}
	if r.deps.Paused() {
		return store.Call{}, &UnavailableError{"everything is paused: resume before reading"}
	}
	conn, err := r.deps.Conn(p.ServerID)
	if err != nil {
		return store.Call{}, &UnavailableError{err.Error()}
	}
	if !conn.Client.HasResources() {
		return store.Call{}, &UnavailableError{mcpclient.ErrNoResources.Error()}
	}
	if len(p.URI) > MaxURI {
		return store.Call{}, &UnavailableError{fmt.Sprintf("the address is longer than %d KiB", MaxURI>>10)}
	}
	args, err := readArguments(p.URI)
	if err != nil {
		return store.Call{}, fmt.Errorf("writing down the address: %w", err)
	}
	kept := r.payload(args)
	c, row := r.propose(name, Tool{Title: p.Title}, Proposal{ServerID: p.ServerID, Tool: r.masked(p.URI), Origin: OriginPerson, ParentID: p.ParentID}, args, kept.WireName)
	c.uri = p.URI
	row.ArgsPayload, row.Method = kept.Name, MethodRead
	body := ProposedBody{Revision: 1, Origin: OriginPerson, ServerName: name, Method: MethodRead, Block: &p.Block, Arguments: keptBytes(kept), Parent: p.ParentID}
	c.op.Lock()
	defer c.op.Unlock()
	if err := r.enter(c, func() error {
		_, err := r.deps.Store.CreateCall(ctx, row, []store.NewEvent{event(EventProposed, c.id, p.ServerID, body)}, kept)
		return err
	}); err != nil {
		return store.Call{}, fmt.Errorf("recording what is to be read: %w", err)
	}
	return r.decideRead(ctx, c, conn.LaunchFingerprint)
}

func (r *Road) decideRead(ctx context.Context, c *call, launch string) (store.Call, error) {
	now := r.deps.Now()
	body := DecidedBody{Verdict: VerdictApproved, By: OriginPerson, Revision: 1, Launch: launch}
	row, err := r.move(ctx, c.id, change{to: Approved, from: []State{Proposed}, row: func(row *store.Call) error {
		row.Decision, row.DecidedAt, row.LaunchFingerprint = VerdictApproved, now, launch
		body.Arguments = row.ArgsPayload
		return nil
	}, after: func() []store.NewEvent { return []store.NewEvent{event(EventDecided, c.id, c.serverID, body)} }})
	if err != nil {
		return row, err
	}
	return r.goes(ctx, c, row, launch, now)
}

// readArguments are the parameters of a read, as they are kept.
func readArguments(uri string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(map[string]string{"uri": uri})
	return bytes.TrimSpace(b.Bytes()), err
}

// fitsRead compares a read with what the person clicked.
func fitsRead(actual *approval.Binding, uri string, s mcpclient.Send) error {
	params, err := frameParams(s.Frame, s.Method, MethodRead, "uri")
	if err != nil {
		return err
	}
	written, ok := rawjson.Text(params["uri"])
	if s.Kind != mcpclient.SendRead || !ok || written != uri || s.URI != uri || s.Tool != "" || len(s.Arguments) > 0 {
		actual.ArgumentsHash = ""
	}
	return nil
}
