package app

import (
	"context"
	"encoding/json"
	"time"

	"countersign/app/calls"
	"countersign/app/rawjson"
	"countersign/store"
)

// Propose asks for a call by the person at the page. It sends nothing: a card
// waits for the answer.
func (c *Calls) Propose(token string, req ProposeRequest) (ProposeResult, error) {
	a := c.a
	return guard(a, token, "Calls.Propose", func(ctx context.Context) (ProposeResult, error) {
		if req.LimitSeconds < 0 || req.LimitSeconds > maxCallSeconds {
			return ProposeResult{}, &Error{Code: CodeInvalid, Message: "A time limit is between 1 second and 24 hours."}
		}
		return a.propose(ctx, req.ServerID, req.Tool, []byte(req.ArgsText), req.ParentID, time.Duration(req.LimitSeconds)*time.Second)
	})
}

// maxCallSeconds is the longest that one call is waited for.
const maxCallSeconds = 24 * 3600

func (a *App) propose(ctx context.Context, serverID, tool string, args []byte, parent string, limit time.Duration) (ProposeResult, error) {
	row, errs, err := a.road.Propose(ctx, calls.Proposal{ServerID: serverID, Tool: tool, Arguments: args, Origin: calls.OriginPerson, ParentID: parent, Limit: limit})
	if err != nil {
		return ProposeResult{}, err
	}
	if len(errs) > 0 {
		return ProposeResult{Errors: a.fieldErrors(errs)}, nil
	}
	view := a.callView(row)
	return ProposeResult{Call: &view, Errors: []FieldError{}}, nil
}

// Again proposes a call anew with the same arguments.
func (c *Calls) Again(token, id string) (ProposeResult, error) {
	a := c.a
	return guard(a, token, "Calls.Again", func(ctx context.Context) (ProposeResult, error) {
		row, err := a.store.CallByID(ctx, id)
		if err != nil {
			return ProposeResult{}, err
		}
		if row.Method != "" {
			return ProposeResult{}, &Error{Code: CodeInvalid, Message: "A read is repeated from the result that has the link."}
		}
		if row.ArgsPayload != row.ArgsHash {
			return ProposeResult{}, &Error{Code: CodeUnavailable, Message: "The arguments of this call held a secret, which is not kept.",
				Hint: "Open the tool and fill its form again."}
		}
		args, err := a.store.PayloadBytes(ctx, row.ArgsPayload)
		if err != nil {
			return ProposeResult{}, err
		}
		return a.propose(ctx, row.ServerID, row.Tool, args, row.ID, a.road.LimitOf(ctx, row.ID))
	})
}

// Running gives the calls that a server has, oldest first.
func (c *Calls) Running(token string) ([]CallView, error) {
	a := c.a
	return guard(a, token, "Calls.Running", func(ctx context.Context) ([]CallView, error) {
		rows, err := a.store.OpenCalls(ctx, string(calls.Approved), string(calls.Sent), string(calls.InputRequired))
		if err != nil {
			return nil, err
		}
		out := []CallView{}
		for _, row := range rows {
			out = append(out, a.callView(row))
		}
		return out, nil
	})
}

// Cancel stops a running call or withdraws a waiting one.
func (c *Calls) Cancel(token, id string) error {
	return act(c.a, token, "Calls.Cancel", func(ctx context.Context) error {
		_, err := c.a.road.Cancel(ctx, id)
		return err
	})
}

// Withdraw takes a waiting card back.
func (c *Calls) Withdraw(token, id string) error {
	return act(c.a, token, "Calls.Withdraw", func(ctx context.Context) error {
		_, err := c.a.road.Withdraw(ctx, id, "withdrawn by the person")
		return err
	})
}

// Pause stops everything from being sent, or lets it again. What a server has
// already goes on, and can be cancelled.
func (c *Calls) Pause(token string, on bool) error {
	a := c.a
	return act(a, token, "Calls.Pause", func(ctx context.Context) error {
		err := a.settings.pause(ctx, on)
		a.events.publish(TopicSettings, "")
		a.events.publish(calls.TopicApprovals, "")
		return err
	})
}

// maxPage is the most rows that a page of the history has.
const maxPage = 500

// History gives calls, newest first.
func (c *Calls) History(token string, f HistoryFilter) (HistoryPage, error) {
	a := c.a
	return guard(a, token, "Calls.History", func(ctx context.Context) (HistoryPage, error) {
		if f.Limit <= 0 || f.Limit > maxPage {
			f.Limit = 100
		}
		filter := store.CallFilter{ServerID: f.ServerID, Tool: f.Tool, States: f.States, Text: f.Text, Before: f.Before, Limit: f.Limit}
		rows, more, err := a.store.Calls(ctx, filter)
		if err != nil {
			return HistoryPage{}, err
		}
		page := HistoryPage{Calls: []CallView{}, More: more}
		for _, row := range rows {
			page.Calls = append(page.Calls, a.callView(row))
		}
		filter.Before = 0
		page.Total, err = a.store.CallCount(ctx, filter)
		return page, err
	})
}

// Detail gives everything about one call.
func (c *Calls) Detail(token, id string) (CallDetail, error) {
	a := c.a
	return guard(a, token, "Calls.Detail", func(ctx context.Context) (CallDetail, error) {
		row, err := a.store.CallByID(ctx, id)
		if err != nil {
			return CallDetail{}, err
		}
		_, there := a.config.get(row.ServerID)
		d := CallDetail{Call: a.callView(row), ServerGone: !there, ParentID: row.ParentID, ArgsHash: row.ArgsHash, Timeline: []TimelineItem{}}
		if d.Args, err = a.argsView(ctx, row, d.Call.Masked); err != nil {
			return CallDetail{}, err
		}
		var def []byte
		if found, err := a.store.Definition(ctx, row.DefinitionHash); err == nil {
			def = found.Raw
			d.Definition = string(def)
		}
		if row.ResultPayload != "" {
			output, _ := rawjson.Get(def, "outputSchema")
			view, err := a.results.view(ctx, row, output)
			if err != nil {
				return CallDetail{}, err
			}
			d.Result = &view
		}
		events, err := a.store.Events(ctx, id)
		if err != nil {
			return CallDetail{}, err
		}
		for _, e := range events {
			d.Timeline = append(d.Timeline, timelineItem(e))
		}
		d.Decision = a.decisionView(events)
		return d, a.readsOf(ctx, row, &d)
	})
}

func (a *App) argsView(ctx context.Context, row store.Call, masked int) (BytesView, error) {
	args, err := a.store.PayloadBytes(ctx, row.ArgsPayload)
	if err != nil {
		return BytesView{}, err
	}
	return bytesView(args, row.ArgsPayload, masked), nil
}

func (a *App) decisionView(events []store.Event) *DecisionView {
	var out *DecisionView
	for _, e := range events {
		var stored struct {
			Body calls.DecidedBody `json:"body"`
		}
		if e.Kind == calls.EventDecided && json.Unmarshal(e.Stored, &stored) == nil {
			b := stored.Body
			out = &DecisionView{Verdict: b.Verdict, Reason: b.Reason, By: b.By, Rule: a.mask.line(b.RuleName), At: stamp(e.Time), ShownMs: b.ShownMs}
		}
	}
	return out
}
