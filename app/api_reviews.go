package app

import (
	"context"
	"fmt"

	"countersign/app/approval"
	"countersign/app/calls"
	"countersign/store"
)

// ReviewedTool names a tool by the definition that was on screen.
type ReviewedTool struct {
	Name       string `json:"name"`
	Definition string `json:"definition"`
}

// Review records that the person reviewed definitions of a server's tools: the
// very ones, which rules may then trust. One that changed meanwhile is a conflict,
// and none is recorded.
func (t *Tools) Review(token, serverID string, tools []ReviewedTool) error {
	a := t.a
	return act(a, token, "Tools.Review", func(ctx context.Context) error {
		if len(tools) == 0 || len(tools) > approval.MaxTools {
			return &Error{Code: CodeInvalid, Message: fmt.Sprintf("At most %d tools are reviewed at a time.", approval.MaxTools)}
		}
		if _, ok := a.config.get(serverID); !ok {
			return store.ErrNotFound
		}
		var pins []approval.ToolPin
		for _, r := range tools {
			e, ok := a.catalog.tool(serverID, r.Name)
			if !ok || e.Hash != r.Definition {
				return &Error{Code: CodeConflict, Message: fmt.Sprintf("The definition of %s is not the one you reviewed.", clip(a.mask.text(r.Name), 64)), Hint: "Look at it again."}
			}
			pins = append(pins, approval.ToolPin{Name: e.Name, Definition: e.Hash})
		}
		if err := a.trust.put(trustWhat{Act: actReviewed, Server: serverID, Tools: pins}, serverID, a.trust.record(ctx)); err != nil {
			return fmt.Errorf("recording the review: %w", err)
		}
		a.events.publish(TopicTools, serverID)
		a.events.publish(TopicRules, "")
		a.road.Redefined(serverID) // one that was on hold may have been redefined meanwhile
		a.events.publish(calls.TopicApprovals, "")
		return nil
	})
}

// reviewOf tells when a tool was reviewed, and how it differs from what was.
func (a *App) reviewOf(ctx context.Context, serverID string, e toolEntry) (at string, difference *DifferenceView) {
	kept := a.trust.tool(serverID, e.Name)
	if kept.definition == "" {
		return "", nil
	}
	if kept.definition == e.Hash {
		return stamp(kept.at), nil
	}
	then := store.Call{DefinitionHash: kept.definition, Created: kept.at}
	return stamp(kept.at), a.definitionDifference(ctx, then, store.Call{DefinitionHash: e.Hash}, e.Raw, "you reviewed it")
}
