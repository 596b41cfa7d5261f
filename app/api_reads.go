package app

import (
	"context"

	"countersign/app/calls"
	"countersign/app/rawjson"
	"countersign/app/secrets"
	"countersign/mcpclient"
	"countersign/store"
)

// maxReads is how many reads of one result are shown.
const maxReads = 200

// Read reads what a block of a call's result links to, from the server that gave
// the result: the person's click is the decision. The address is the one in the
// kept result, never one that the page gives, and is fetched from nowhere else,
// whatever its scheme (RSRC-05, RSRC-06).
func (c *Calls) Read(token, callID string, block int) (CallView, error) {
	a := c.a
	return guard(a, token, "Calls.Read", func(ctx context.Context) (CallView, error) {
		row, err := a.store.CallByID(ctx, callID)
		if err != nil {
			return CallView{}, err
		}
		reading, err := a.readingOf(ctx, row, block)
		if err != nil {
			return CallView{}, err
		}
		a.readOnce.Lock() // a second click finds the first one's read
		defer a.readOnce.Unlock()
		before, err := a.store.Children(ctx, callID, maxReads)
		if err != nil {
			return CallView{}, err
		}
		for _, child := range before {
			if child.Method == calls.MethodRead && child.Tool == a.mask.text(reading.URI) && !calls.State(child.State).Final() {
				return CallView{}, &Error{Code: CodeConflict, Message: "It is being read already."}
			}
		}
		read, err := a.road.Read(ctx, reading)
		if err != nil {
			return CallView{}, err
		}
		return a.callView(read), nil
	})
}

// readingOf finds the link in the kept result.
func (a *App) readingOf(ctx context.Context, row store.Call, block int) (calls.Reading, error) {
	noLink := &Error{Code: CodeInvalid, Message: "There is no such link in this result."}
	if row.Method != "" || row.ResultPayload == "" || calls.State(row.State) == calls.ProtocolFailed {
		return calls.Reading{}, noLink
	}
	d, err := a.results.decode(ctx, row.ResultPayload, false)
	if err != nil {
		return calls.Reading{}, err
	}
	if block < 0 || block >= len(d.view.Blocks) {
		return calls.Reading{}, noLink
	}
	b := d.view.Blocks[block]
	if b.Type != "resource_link" || b.URI == "" {
		return calls.Reading{}, noLink
	}
	if wire, ok := rawjson.GetText(b.Raw, "uri"); !ok || wire != b.URI {
		return calls.Reading{}, &Error{Code: CodeInvalid, Message: "The address of this link is not sound text, so it cannot be read."}
	}
	if a.results.maskedResult(ctx, row.ID) > 0 && secrets.HoldsMark(b.URI) {
		return calls.Reading{}, &Error{Code: CodeUnavailable, Message: "The address held a secret, which is not kept.", Hint: "Run the tool again."}
	}
	title := b.Title
	if title == "" {
		title = b.Name
	}
	return calls.Reading{ParentID: row.ID, Block: block, ServerID: row.ServerID, URI: b.URI, Title: clip(title, maxTitle)}, nil
}

// readsOf fills in what was read of a result's links, and whether they can be
// read now.
func (a *App) readsOf(ctx context.Context, row store.Call, d *CallDetail) error {
	d.Reads = []CallView{}
	children, err := a.store.Children(ctx, row.ID, maxReads)
	if err != nil {
		return err
	}
	for _, child := range children {
		if child.Method == calls.MethodRead {
			d.Reads = append(d.Reads, a.callView(child))
		}
	}
	conn, err := a.connection(row.ServerID)
	switch {
	case err != nil:
		d.Unreadable = sentence(err.Error())
	case !conn.Client.HasResources():
		d.Unreadable = sentence(mcpclient.ErrNoResources.Error())
	case row.LaunchFingerprint != "" && conn.LaunchFingerprint != row.LaunchFingerprint:
		d.ReadNote = "The server's settings changed since it gave this result: it may know another resource by this address."
	}
	return nil
}
