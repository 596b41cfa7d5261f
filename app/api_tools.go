package app

import (
	"context"
	"fmt"

	"countersign/app/calls"
	"countersign/app/rawjson"
	"countersign/app/schema"
	"countersign/app/servers"
	"countersign/store"
)

// List gives the tools of all servers, grouped by server.
func (t *Tools) List(token string) ([]ToolGroup, error) {
	a := t.a
	return guard(a, token, "Tools.List", func(ctx context.Context) ([]ToolGroup, error) {
		out := []ToolGroup{}
		for _, c := range a.config.all() {
			out = append(out, a.toolGroup(ctx, c))
		}
		return out, nil
	})
}

func (a *App) toolGroup(ctx context.Context, c serverConfig) ToolGroup {
	g := ToolGroup{Server: a.serverView(ctx, c), Freshness: "none", Warnings: []string{}, Tools: []ToolSummary{}, Problems: []string{}}
	l, ok := a.catalog.get(c.row.ID)
	if !ok {
		return g
	}
	g.Freshness, g.Received = a.freshness(c.row.ID, l), stamp(l.received)
	g.Warnings = append(g.Warnings, l.warnings...)
	if _, _, _, warning := a.manager.Listing(c.row.ID); warning != "" {
		g.Warnings = append(g.Warnings, a.mask.line(warning))
	}
	g.Problems = append(g.Problems, l.problems...)
	most := maxDescription
	if l.described > maxDescriptions {
		most = shortDescription
	}
	for _, e := range l.tools {
		t := a.toolSummary(c.row.ID, e)
		t.Description = clip(t.Description, most)
		g.Tools = append(g.Tools, t)
	}
	return g
}

// freshness says how far a list can be trusted to be what the server offers
// now.
func (a *App) freshness(id string, l *listing) string {
	st := a.manager.Status(id)
	_, _, live, _ := a.manager.Listing(id)
	switch {
	case live && l.fresh:
		return "live"
	case st.State == servers.Running, st.Fingerprint != "" && st.Fingerprint != l.fingerprint:
		return "stale"
	}
	return "cached"
}

func (a *App) toolSummary(serverID string, e toolEntry) ToolSummary {
	return ToolSummary{ServerID: serverID, Name: e.Name, Title: e.Title, Description: clip(e.description, maxText), Icon: a.icons.path(serverID, e.icons),
		Annotations: list(e.annotations), Hidden: e.Hidden, Problem: e.problem, DefinitionHash: e.Hash, Change: a.toolTrust(serverID, e)}
}

// Get gives one tool.
func (t *Tools) Get(token, serverID, name string) (ToolDetail, error) {
	a := t.a
	return guard(a, token, "Tools.Get", func(ctx context.Context) (ToolDetail, error) {
		c, ok := a.config.get(serverID)
		if !ok {
			return ToolDetail{}, store.ErrNotFound
		}
		e, ok := a.catalog.tool(serverID, name)
		if !ok {
			return ToolDetail{}, calls.ErrNoTool
		}
		l, _ := a.catalog.get(serverID)
		d := ToolDetail{Summary: a.toolSummary(serverID, e), Server: a.serverView(ctx, c), Freshness: a.freshness(serverID, l),
			Received: stamp(l.received), Raw: clip(a.mask.text(string(e.Raw)), maxDefinition), Findings: a.definitionFindings(serverID, e)}
		d.Reviewed, d.Redefined = a.reviewOf(ctx, serverID, e)
		if in, ok := schemaOf(e, "inputSchema"); ok {
			d.InputSchema = a.schemaText(in)
			var warning string
			d.SchemaProblem, warning = schemaProblem(in)
			d.SchemaProblem = a.mask.line(d.SchemaProblem)
			if d.Summary.Problem == "" {
				d.Summary.Problem = a.mask.line(warning)
			}
		}
		if out, ok := schemaOf(e, "outputSchema"); ok {
			d.OutputSchema = a.schemaText(out)
		}
		return d, nil
	})
}

// schemaProblem says why a schema cannot be used, or else which of its parts
// are not checked; "" for nothing.
func schemaProblem(raw []byte) (problem, warning string) {
	s, err := schema.Compile(raw)
	if err != nil {
		return sentence(err.Error()), ""
	}
	list := s.Warnings()
	if len(list) == 0 {
		return "", ""
	}
	warning = "Parts of its schema are not checked. " + list[0].Pointer + ": " + list[0].Message
	if n := len(list) - 1; n > 0 {
		warning += fmt.Sprintf(" (and %d more)", n)
	}
	return "", warning
}

// schemaText is a schema as the page gets it; one that is too large to be used
// does not cross.
func (a *App) schemaText(raw []byte) string {
	if len(raw) > maxSchema {
		return ""
	}
	return a.mask.text(string(raw))
}

// schemaOf gives a tool's schema; null counts as none.
func schemaOf(e toolEntry, key string) ([]byte, bool) {
	s, ok := rawjson.Get(e.Raw, key)
	if !ok || string(s) == "null" {
		return nil, false
	}
	return s, true
}

// Validate checks arguments against the tool's schema. It sends nothing.
func (t *Tools) Validate(token, serverID, name, argsText string) ([]FieldError, error) {
	a := t.a
	return guard(a, token, "Tools.Validate", func(context.Context) ([]FieldError, error) {
		e, ok := a.catalog.tool(serverID, name)
		if !ok {
			return nil, calls.ErrNoTool
		}
		args, err := rawjson.Compact([]byte(argsText))
		if err != nil {
			return []FieldError{{Message: sentence("the arguments cannot be sent: " + err.Error())}}, nil
		}
		in, ok := schemaOf(e, "inputSchema")
		if !ok {
			return []FieldError{}, nil
		}
		errs, err := validate(in, args)
		if err != nil {
			return []FieldError{}, nil // the tool's page shows what is wrong with the schema
		}
		return a.fieldErrors(errs), nil
	})
}

// Refresh lists a server's tools anew.
func (t *Tools) Refresh(token, serverID string) error {
	a := t.a
	return act(a, token, "Tools.Refresh", func(ctx context.Context) error {
		if _, ok := a.config.get(serverID); !ok {
			return store.ErrNotFound
		}
		if err := a.manager.Refresh(ctx, serverID); err != nil {
			return &Error{Code: CodeUnavailable, Message: sentence("the list could not be fetched: " + a.mask.line(err.Error())),
				Hint: "The former list is still shown. The server's log may tell more."}
		}
		return nil
	})
}

// validate checks a value against a JSON Schema.
func validate(raw, value []byte) ([]calls.FieldError, error) {
	s, err := schema.Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be used: %w", err)
	}
	var out []calls.FieldError
	for _, e := range s.Validate(value) {
		out = append(out, calls.FieldError(e))
	}
	return out, nil
}
