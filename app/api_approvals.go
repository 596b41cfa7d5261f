package app

import (
	"context"
	"fmt"

	"countersign/app/approval"
	"countersign/app/calls"
	"countersign/mcpclient"
	"countersign/store"
)

// List gives the open cards, oldest first.
func (p *Approvals) List(token string) ([]CardView, error) {
	a := p.a
	return guard(a, token, "Approvals.List", func(ctx context.Context) ([]CardView, error) {
		rows, err := a.store.OpenCalls(ctx, string(calls.Proposed), string(calls.AwaitingApproval))
		if err != nil {
			return nil, err
		}
		out := []CardView{}
		for _, row := range rows {
			out = append(out, a.cardView(ctx, row))
		}
		return out, nil
	})
}

// cardView lays out a card: who wants what done with exactly which arguments.
// A card whose arguments cannot be read stands there too, and cannot be
// approved: its revision is none.
func (a *App) cardView(ctx context.Context, row store.Call) CardView {
	v := CardView{Call: a.callView(row), Revision: row.Revision, Hash: row.ArgsHash, ToolTitle: row.ToolTitle, Annotations: []Annotation{},
		Origin: a.originView(row), Deadline: stamp(row.Deadline),
		Notes: []string{}, SchemaErrors: []FieldError{}, Headers: []Var{}, Findings: []FindingView{}}
	var err error
	if v.Args, err = a.argsView(ctx, row, v.Call.Masked); err != nil {
		v.Revision, v.Hash = -1, ""
		v.Notes = append(v.Notes, "The arguments cannot be read, so this call cannot be approved: withdraw it. "+a.mask.line(sentence(err.Error())))
	}
	if c, ok := a.config.get(row.ServerID); ok {
		v.Server = a.serverView(ctx, c)
	} else {
		v.Server = ServerView{ID: row.ServerID, Name: row.ServerName, State: "stopped", Hue: hue(row.ServerID), Fallbacks: []string{}}
		v.Notes = append(v.Notes, "This server was removed: the call cannot be sent.")
	}
	e, ok := a.catalog.tool(row.ServerID, row.Tool)
	if !ok {
		v.Notes = append(v.Notes, "The server does not list this tool any more: the call cannot be sent.")
		return v
	}
	v.Findings = a.definitionFindings(row.ServerID, e)
	v.Change = a.toolTrust(row.ServerID, e)
	if b, args, unchecked, ok := a.road.Waiting(ctx, row.ID); ok {
		if d := a.judge(ctx, b, args, unchecked); d.Rule != "" {
			v.Why = a.mask.line(sentence(d.Reason))
		}
	}
	v.ToolDescription, v.Annotations = clip(e.description, maxText), list(e.annotations)
	if in, ok := schemaOf(e, "inputSchema"); ok {
		v.InputSchema = a.schemaText(in)
	}
	a.cardNotes(ctx, row, e, &v)
	return v
}

// originView tells who asks. A call list is proven: the person opened it.
func (a *App) originView(row store.Call) OriginView {
	if row.Origin == calls.OriginList {
		return OriginView{Kind: row.Origin, Text: "Call list " + a.mask.text(row.OriginDetail), Proven: true}
	}
	return OriginView{Kind: row.Origin, Text: "You, in this window", Proven: true}
}

func (a *App) cardNotes(ctx context.Context, row store.Call, e toolEntry, v *CardView) {
	if e.Hash != row.DefinitionHash {
		v.Notes = append(v.Notes, "The tool's definition changed since the call was proposed: a new card takes the place of this one.")
	}
	l, _ := a.catalog.get(row.ServerID)
	if l != nil && a.freshness(row.ServerID, l) != "live" {
		v.Unchecked = "Definition as of " + l.received.Local().Format(dayAndTime) + ", not checked since."
	}
	if n, err := a.store.CallCount(ctx, store.CallFilter{ServerID: row.ServerID, Tool: row.Tool, States: []string{string(calls.Succeeded), string(calls.ToolFailed)}}); err == nil && n == 0 {
		v.Notes = append(v.Notes, "Never called before.")
	}
	if limit := a.road.LimitOf(ctx, row.ID); limit > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Its answer is waited for at most %d s.", int(limit.Seconds())))
	}
	if v.Args.Masked > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("The arguments hold a secret: masked in %d places here and in the record, sent in full.", v.Args.Masked))
	}
	if args, err := a.store.PayloadBytes(ctx, row.ArgsPayload); err == nil {
		v.Redefined, v.Rearranged = a.cardDifferences(ctx, row, args, e.Raw)
		v.Findings = append(a.argumentFindings(row.ServerID, row.ArgsHash, args), v.Findings...)
		if in, ok := schemaOf(e, "inputSchema"); ok {
			errs, err := validate(in, args)
			switch {
			case v.Args.Masked > 0: // what was kept is not what is sent
				v.Notes = append(v.Notes, "The arguments were checked when they were entered, not as masked here.")
			case err != nil:
				v.Notes = append(v.Notes, a.mask.line("The arguments were not checked: "+sentence(err.Error())))
			default:
				v.SchemaErrors = a.fieldErrors(errs)
			}
		}
		if l != nil && l.info.Over == "http" && l.info.Era == string(mcpclient.EraModern) {
			headers, err := mcpclient.MirroredHeaders(e.Raw, args)
			if err != nil {
				v.Notes = append(v.Notes, a.mask.line(sentence(err.Error())))
			}
			for _, h := range headers {
				v.Headers = append(v.Headers, Var{Name: a.mask.text(h.Name), Value: a.mask.text(h.Value)})
			}
		}
	}
}

// Shown reports that a revision of a card is on screen. An answer counts only
// 600 ms after that, by our own clock.
func (p *Approvals) Shown(token, callID string, revision int) error {
	return act(p.a, token, "Approvals.Shown", func(context.Context) error {
		return p.a.road.Shown(callID, revision)
	})
}

// maxReason is the longest reason, in bytes.
const maxReason = 4 << 10

// Decide takes the person's answer to a card.
func (p *Approvals) Decide(token string, req DecideRequest) (CallView, error) {
	a := p.a
	return guard(a, token, "Approvals.Decide", func(ctx context.Context) (CallView, error) {
		if len(req.Reason) > maxReason {
			return CallView{}, &Error{Code: CodeInvalid, Message: "The reason is longer than 4 KiB."}
		}
		row, err := a.road.Decide(ctx, req.CallID, approval.Answer{Approve: req.Approve, Revision: req.Revision, Hash: req.Hash}, req.Reason)
		if err != nil {
			return CallView{}, err
		}
		return a.callView(row), nil
	})
}

// Edit gives a waiting card other arguments: a new revision, to be shown and
// answered anew.
func (p *Approvals) Edit(token, callID string, revision int, argsText string) (ProposeResult, error) {
	a := p.a
	return guard(a, token, "Approvals.Edit", func(ctx context.Context) (ProposeResult, error) {
		row, errs, err := a.road.Edit(ctx, callID, revision, []byte(argsText))
		if err != nil {
			return ProposeResult{}, err
		}
		if len(errs) > 0 {
			return ProposeResult{Errors: a.fieldErrors(errs)}, nil
		}
		view := a.callView(row)
		return ProposeResult{Call: &view, Errors: []FieldError{}}, nil
	})
}
