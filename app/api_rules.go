package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"countersign/app/approval"
	"countersign/app/calls"
	"countersign/store"
)

// Rules is the page's way to remembered answers.
type Rules struct{ a *App }

// List gives all rules, newest first, the revoked ones among them.
func (p *Rules) List(token string) ([]RuleView, error) {
	a := p.a
	return guard(a, token, "Rules.List", func(ctx context.Context) ([]RuleView, error) {
		uses, err := a.store.RuleUses(ctx)
		if err != nil {
			return nil, err
		}
		rules, foreign := a.trust.all()
		out := []RuleView{}
		for _, r := range foreign {
			out = append(out, a.ruleView(keptRule{Rule: r}, store.RuleUse{}))
		}
		for _, r := range rules {
			out = append(out, a.ruleView(r, uses[r.ID]))
		}
		return out, nil
	})
}

func (a *App) ruleView(r keptRule, use store.RuleUse) RuleView {
	v := RuleView{ID: r.ID, Name: a.mask.line(r.Name), Effect: string(r.Effect), ServerID: r.ServerID, Tools: []string{}, Says: ruleSays(r.Rule), Origin: r.Origin,
		CallsLeft: -1, UntilQuit: r.Run != "", Paused: r.Paused, Revoked: r.revoked, Foreign: r.Foreign, Made: stamp(r.made), Uses: use.Calls, LastUse: use.LastID, Draft: draftOf(r.Rule)}
	v.ServerName, _ = a.config.name(r.ServerID)
	now := a.clock()
	if r.Limited {
		v.CallsLeft = r.Calls
	}
	if r.Length > 0 {
		v.SecondsLeft = int64(r.Left(now).Seconds())
	}
	if !r.revoked {
		v.Ended = sentence(r.Ended(now, a.trust.run))
	}
	for _, t := range r.Tools {
		v.Tools = append(v.Tools, clip(t.Name, maxTitle))
	}
	v.Stale = a.ruleStale(r.Rule)
	return v
}

// ruleStale tells what a rule is tied to and is not so any more: it then speaks
// about nothing, or not about all that it did.
func (a *App) ruleStale(r approval.Rule) string {
	l, ok := a.catalog.get(r.ServerID)
	switch _, there := a.config.get(r.ServerID); {
	case r.ServerID == "" || r.Foreign:
		return ""
	case !there:
		return "The server was removed."
	case ok && r.Launch != "" && l.fingerprint != r.Launch:
		return "The server's settings changed since: it does not speak until you save it anew."
	case !ok:
		return ""
	}
	changed := 0
	for _, t := range r.Tools {
		if e, ok := a.catalog.tool(r.ServerID, t.Name); !ok || t.Definition != "" && e.Hash != t.Definition {
			changed++
		}
	}
	switch {
	case changed == 0:
		return ""
	case changed == len(r.Tools):
		return "The definition changed since: it does not speak until you save it anew."
	}
	return fmt.Sprintf("%d of %d tools changed since, and ask.", changed, len(r.Tools))
}

// Draft is where the making of a rule begins: from a call, with every argument
// named as it is.
func (p *Rules) Draft(token, callID string) (RuleDraft, error) {
	a := p.a
	return guard(a, token, "Rules.Draft", func(ctx context.Context) (RuleDraft, error) {
		row, err := a.store.CallByID(ctx, callID)
		if err != nil {
			return RuleDraft{}, err
		}
		if row.Method != "" {
			return RuleDraft{}, &Error{Code: CodeInvalid, Message: "Rules are about tools. Reading a resource is always your own click."}
		}
		title := row.ToolTitle
		if title == "" {
			title = row.Tool
		}
		d := RuleDraft{Name: clip("Allow "+title, 100), Effect: string(approval.Allow), ServerID: row.ServerID, Level: levelConditions, Tool: row.Tool,
			CallID: row.ID, Origin: row.Origin, Where: []RuleCondition{}, AnyValue: []string{}}
		if row.ArgsPayload == row.ArgsHash && row.ArgsBytes <= approval.MaxJudged {
			args, err := a.store.PayloadBytes(ctx, row.ArgsPayload)
			if err != nil {
				return d, err
			}
			for _, c := range approval.FromCall(args) {
				d.Where = append(d.Where, conditionView(c))
			}
		}
		return d, nil
	})
}

// Preview says what a draft would do now.
func (p *Rules) Preview(token string, d RuleDraft) (RulePreview, error) {
	a := p.a
	return guard(a, token, "Rules.Preview", func(ctx context.Context) (RulePreview, error) {
		v := RulePreview{Says: []string{}, Tools: []string{}, Waiting: []CallView{}}
		r, err := a.ruleOf(ctx, d)
		var fault draftFault
		if errors.As(err, &fault) {
			v.Problem = a.mask.line(string(fault))
			return v, nil
		}
		if err != nil {
			return v, err
		}
		v.Says = ruleSays(r)
		for _, t := range r.Tools {
			v.Tools = append(v.Tools, clip(t.Name, maxTitle))
		}
		rows, err := a.store.OpenCalls(ctx, string(calls.AwaitingApproval))
		if err != nil {
			return v, err
		}
		for _, row := range rows {
			if a.wouldDecide(ctx, r, row) {
				v.Waiting = append(v.Waiting, a.callView(row))
			}
		}
		return v, nil
	})
}

// wouldDecide tells whether a waiting call would be decided if a rule were there
// besides the others.
func (a *App) wouldDecide(ctx context.Context, r approval.Rule, row store.Call) bool {
	b, args, unchecked, ok := a.road.Waiting(ctx, row.ID)
	if !ok {
		return false
	}
	f, ok := a.factsOf(b, args, unchecked)
	d := a.trust.with(r).Decide(f)
	return ok && d.Verdict != approval.Ask && d.Rule == r.ID
}

// Save makes a rule count, and has it decide those of the waiting calls that were
// shown to the person and that it covers.
func (p *Rules) Save(token string, d RuleDraft, settle []string) (RuleView, error) {
	a := p.a
	return guard(a, token, "Rules.Save", func(ctx context.Context) (RuleView, error) {
		act := actMade
		if d.ID != "" {
			if _, ok := a.trust.rule(d.ID); !ok {
				return RuleView{}, store.ErrNotFound
			}
			act = actChanged
		}
		r, err := a.ruleOf(ctx, d)
		var fault draftFault
		if errors.As(err, &fault) {
			return RuleView{}, &Error{Code: CodeInvalid, Message: a.mask.line(string(fault))}
		}
		if err != nil {
			return RuleView{}, err
		}
		if kept, _ := a.mask.bytes([]byte(r.Name)); string(kept) != r.Name {
			return RuleView{}, &Error{Code: CodeInvalid, Message: "The name holds one of your secrets."}
		}
		if err := a.putRule(ctx, act, r); err != nil {
			return RuleView{}, err
		}
		a.road.Settle(ctx, settle)
		kept, _ := a.trust.rule(r.ID)
		return a.ruleView(kept, store.RuleUse{}), nil
	})
}

func (a *App) putRule(ctx context.Context, act string, r approval.Rule) error {
	if err := a.trust.put(trustWhat{Act: act, Rule: &r}, r.ServerID, a.trust.record(ctx)); err != nil {
		return fmt.Errorf("recording the rule: %w", err)
	}
	a.rulesChanged(r.ID)
	return nil
}

// Pause has a rule keep silent, or speak again.
func (p *Rules) Pause(token, id string, on bool) error {
	return p.change(token, "Rules.Pause", id, actChanged, func(r *approval.Rule) { r.Paused = on })
}

// Revoke ends a rule for good. It stays in the list, with what it did.
func (p *Rules) Revoke(token, id string) error {
	return p.change(token, "Rules.Revoke", id, actRevoked, func(*approval.Rule) {})
}

func (p *Rules) change(token, method, id, what string, fn func(*approval.Rule)) error {
	a := p.a
	return act(a, token, method, func(ctx context.Context) error {
		ok, err := a.trust.change(ctx, id, what, fn)
		if err != nil {
			return fmt.Errorf("recording the change of the rule: %w", err)
		}
		if !ok {
			return store.ErrNotFound
		}
		a.rulesChanged(id)
		return nil
	})
}

func (a *App) rulesChanged(id string) {
	a.events.publish(TopicRules, id)
	a.events.publish(calls.TopicApprovals, "")
}

// with is the set of the rules that stand and one more, in place of the one of its
// id.
func (b *trustBook) with(more approval.Rule) *approval.Set {
	b.mu.RLock()
	defer b.mu.RUnlock()
	all := slices.Clone(b.foreign)
	for _, r := range b.rules {
		if !r.revoked && r.ID != more.ID {
			all = append(all, r.Rule)
		}
	}
	set, _ := approval.New(append(all, more))
	return set
}
