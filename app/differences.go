package app

import (
	"context"

	"countersign/app/calls"
	"countersign/app/jsondiff"
	"countersign/store"
)

const (
	// maxChanges is how many changes are shown one by one, maxChange how much of
	// each value.
	maxChanges = 200
	maxChange  = 2 << 10
	// maxCompared is the largest value that is compared part by part, in bytes.
	maxCompared = 1 << 20
)

// cardDifferences compares a card with the call that it repeats or takes the place
// of, else with the last approved call of its tool: first the definition, then
// the arguments.
func (a *App) cardDifferences(ctx context.Context, row store.Call, args, definition []byte) (def, arg *DifferenceView) {
	if row.ParentID != "" {
		if parent, err := a.store.CallByID(ctx, row.ParentID); err == nil && parent.ServerID == row.ServerID && parent.Tool == row.Tool {
			since := "the call that this one repeats"
			if parent.State == string(calls.Withdrawn) || parent.State == string(calls.NotSent) {
				since = "the call was first proposed"
			}
			def = a.definitionDifference(ctx, parent, row, definition, since)
		}
	}
	page, _, err := a.store.Calls(ctx, store.CallFilter{ServerID: row.ServerID, Tool: row.Tool, Decision: calls.VerdictApproved, Before: row.Ordinal, Limit: 1})
	if err != nil || len(page) == 0 {
		return def, nil
	}
	last := page[0]
	if def == nil {
		def = a.definitionDifference(ctx, last, row, definition, "you last approved a call of it")
	}
	if before, err := a.store.PayloadBytes(ctx, last.ArgsPayload); err == nil {
		arg = a.difference(last, before, args, "the last call of this tool that was approved")
	}
	return def, arg
}

// definitionDifference is nil where the definition is the same.
func (a *App) definitionDifference(ctx context.Context, then, now store.Call, definition []byte, since string) *DifferenceView {
	if then.DefinitionHash == now.DefinitionHash {
		return nil
	}
	before, err := a.store.Definition(ctx, then.DefinitionHash)
	if err != nil {
		return &DifferenceView{Since: since, CallID: then.ID, At: stamp(then.Created), Changes: []ChangeView{}, Problem: "What it was before is not kept."}
	}
	return a.difference(then, before.Raw, definition, since)
}

// difference compares two JSON texts, with known secrets masked.
func (a *App) difference(then store.Call, before, after []byte, since string) *DifferenceView {
	v := &DifferenceView{Since: since, CallID: then.ID, At: stamp(then.Created), Changes: []ChangeView{}}
	if len(before) > maxCompared || len(after) > maxCompared {
		v.Problem = "They are too large to be compared here."
		return v
	}
	before, _ = a.mask.bytes(before)
	after, _ = a.mask.bytes(after)
	v.Changes, v.More = changeViews(before, after)
	return v
}

func changeViews(before, after []byte) (views []ChangeView, more int) {
	changes, more := jsondiff.Diff(before, after, maxChanges)
	views = []ChangeView{}
	for _, c := range changes {
		views = append(views, ChangeView{Pointer: clip(c.Pointer, maxChange), Kind: string(c.Kind), Before: clip(string(c.Before), maxChange), After: clip(string(c.After), maxChange)})
	}
	return views, more
}
