package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"countersign/app/approval"
	"countersign/app/calls"
	"countersign/app/rawjson"
)

// draftFault is why a draft is no rule, a sentence for a person.
type draftFault string

func (f draftFault) Error() string { return string(f) }

// Levels of a draft.
const (
	levelExact      = "exact"
	levelConditions = "conditions"
	levelTool       = "tool"
	levelServer     = "server"
)

// ruleOf makes the rule of a draft. Its errors are draftFaults.
func (a *App) ruleOf(ctx context.Context, d RuleDraft) (approval.Rule, error) {
	r := approval.Rule{ID: d.ID, Name: d.Name, Effect: approval.Verdict(d.Effect), ServerID: d.ServerID, Destructive: d.Destructive}
	if r.ID == "" {
		r.ID = uuid.NewString()
	}
	if d.Calls < 0 || d.Minutes < 0 || time.Duration(d.Minutes)*time.Minute > approval.MaxLength {
		return r, draftFault("A rule lasts at most 31 days, or until it is revoked.")
	}
	if d.Calls > 0 {
		r.Limited, r.Calls = true, d.Calls
	}
	if d.Minutes > 0 {
		r.Length, r.From = time.Duration(d.Minutes)*time.Minute, a.clock()
	}
	if d.UntilQuit {
		r.Run = a.trust.run
	}
	if err := a.bindRule(&r, d); err != nil {
		return r, err
	}
	if err := a.ruleArguments(ctx, &r, d); err != nil {
		return r, err
	}
	if err := r.Check(); err != nil {
		return r, draftFault(sentence(err.Error()))
	}
	return r, nil
}

// bindRule ties a rule to what it speaks about.
func (a *App) bindRule(r *approval.Rule, d RuleDraft) error {
	if _, ok := a.config.get(d.ServerID); !ok {
		return draftFault("This server is not configured any more.")
	}
	l, ok := a.catalog.get(d.ServerID)
	if !ok {
		return draftFault("The tools of this server are not known yet: start it once.")
	}
	allow := r.Effect == approval.Allow
	if allow {
		r.Launch, r.Origin = l.fingerprint, d.Origin
		if r.Origin == "" {
			r.Origin = calls.OriginPerson
		}
	}
	if d.Level == levelServer {
		for _, e := range l.tools {
			if allow && e.Hidden == "" && a.toolTrust(d.ServerID, e) == trusted {
				r.Tools = append(r.Tools, approval.ToolPin{Name: e.Name, Definition: e.Hash})
			}
		}
		if allow && len(r.Tools) == 0 {
			return draftFault("No tool of this server was reviewed: review them first.")
		}
		return nil
	}
	e, ok := a.catalog.tool(d.ServerID, d.Tool)
	if !ok {
		return draftFault("The server does not list this tool.")
	}
	pin := approval.ToolPin{Name: e.Name}
	if allow {
		if a.toolTrust(d.ServerID, e) != trusted {
			return draftFault("Review the tool's definition first: a rule allows only what was reviewed.")
		}
		pin.Definition = e.Hash
	}
	r.Tools = []approval.ToolPin{pin}
	return nil
}

// ruleArguments says about which arguments a rule speaks.
func (a *App) ruleArguments(ctx context.Context, r *approval.Rule, d RuleDraft) error {
	switch d.Level {
	case levelTool, levelServer:
		r.WholeTool = r.Effect == approval.Allow
		return nil
	case levelExact:
		if kept, ok := a.trust.rule(d.ID); ok && d.CallID == "" {
			r.Exact = kept.Exact
			return nil
		}
		row, err := a.store.CallByID(ctx, d.CallID)
		if err != nil || row.ServerID != d.ServerID || row.Tool != d.Tool || row.Method != "" {
			return draftFault("The call that this rule is about cannot be found.")
		}
		if row.ArgsPayload != row.ArgsHash {
			return draftFault("The arguments hold a secret, which is not kept: no rule can be made of them.")
		}
		args, err := a.store.PayloadBytes(ctx, row.ArgsPayload)
		if err != nil {
			return draftFault("The arguments cannot be read.")
		}
		r.Exact = a.trust.exact(row.ServerID, row.Tool, args)
		return nil
	case levelConditions:
		r.AnyValue = d.AnyValue
		for i, c := range d.Where {
			made, err := conditionOf(c)
			if err != nil {
				return draftFault(fmt.Sprintf("Condition %d: %v.", i+1, err))
			}
			r.Where = append(r.Where, made)
		}
		if len(r.Where)+len(r.AnyValue) == 0 {
			return draftFault("It has no condition: choose the whole tool if that is meant.")
		}
		return nil
	}
	return draftFault("It does not say what it is about.")
}

func conditionOf(c RuleCondition) (approval.Condition, error) {
	made := approval.Condition{Path: c.Path, Op: approval.Op(c.Op), Text: c.Text, Min: c.Min, Max: c.Max}
	if len(c.Hosts) > 0 {
		made.Hosts = c.Hosts
	}
	for _, v := range c.Values {
		compact, err := rawjson.Compact([]byte(v))
		if err != nil || len(compact) == 0 {
			return made, errors.New("a value is no sound JSON")
		}
		made.Values = append(made.Values, json.RawMessage(compact))
	}
	return made, nil
}

// draftOf is a rule as its editor shows it.
func draftOf(r approval.Rule) RuleDraft {
	d := RuleDraft{ID: r.ID, Name: r.Name, Effect: string(r.Effect), ServerID: r.ServerID, Origin: r.Origin, Destructive: r.Destructive,
		Where: []RuleCondition{}, AnyValue: list(r.AnyValue), Calls: r.Calls, Minutes: int(r.Length / time.Minute), UntilQuit: r.Run != ""}
	for _, c := range r.Where {
		d.Where = append(d.Where, conditionView(c))
	}
	switch {
	case r.Exact != "":
		d.Level = levelExact
	case len(r.Where)+len(r.AnyValue) > 0:
		d.Level = levelConditions
	case len(r.Tools) == 1:
		d.Level = levelTool
	default:
		d.Level = levelServer
	}
	if d.Level != levelServer && len(r.Tools) == 1 {
		d.Tool = r.Tools[0].Name
	}
	return d
}

func conditionView(c approval.Condition) RuleCondition {
	v := RuleCondition{Path: c.Path, Op: string(c.Op), Values: []string{}, Text: c.Text, Hosts: list(c.Hosts), Min: c.Min, Max: c.Max}
	for _, raw := range c.Values {
		v.Values = append(v.Values, string(raw))
	}
	return v
}

// ruleSays tells in words about which arguments a rule speaks.
func ruleSays(r approval.Rule) []string {
	switch {
	case r.Exact != "":
		return []string{"exactly one call"}
	case len(r.Where)+len(r.AnyValue) == 0:
		return []string{"whatever the arguments are"}
	}
	says := []string{}
	for _, c := range r.Where {
		says = append(says, clip(approval.Describe(c), maxLine))
	}
	for _, p := range r.AnyValue {
		says = append(says, p+" may be anything")
	}
	if r.Effect == approval.Allow {
		says = append(says, "nothing else is given")
	}
	return says
}
