// Driver is the client that the official conformance suite tests: mcpclient, used
// as the app uses it. It finds out the era, lists the tools, calls each of them
// through its gate with arguments that fit, answers what servers ask with the
// defaults of their forms, and ends.
//
// The suite starts it with the server's URL as its last argument, the scenario's
// name in MCP_CONFORMANCE_SCENARIO and, for some, JSON in MCP_CONFORMANCE_CONTEXT.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"countersign/mcpclient"
)

// patience bounds the whole run; the suite gives up after 30 seconds.
const patience = 25 * time.Second

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := run(ctx, os.Args[len(os.Args)-1], os.Getenv("MCP_CONFORMANCE_CONTEXT")); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

// planned is what a scenario's context wants called.
type planned struct {
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

type driver struct {
	client *mcpclient.Client
	gate   *gate
}

func run(ctx context.Context, url, wanted string) error {
	d := &driver{gate: &gate{open: map[string]string{}}}
	client, err := mcpclient.Connect(ctx, mcpclient.Config{
		HTTP:       &mcpclient.HTTPConfig{URL: url},
		ClientInfo: mcpclient.Implementation{Name: "countersign", Version: "0"}, Elicitation: true, Gate: d.gate,
		Events: mcpclient.Events{
			Log:    func(l mcpclient.LogLine) { fmt.Fprintf(os.Stderr, "%s %s: %s\n", l.Source, l.Level, l.Text) },
			Elicit: func(e mcpclient.LegacyElicitation) { d.answer(ctx, e) },
		},
	})
	if err != nil {
		return err
	}
	defer func() { _ = client.Close(ctx) }()
	d.client = client
	info := client.Info()
	fmt.Fprintf(os.Stderr, "%s %s, after %q\n", info.Era, info.Version, info.Fallbacks)
	list, err := client.ListTools(ctx)
	if err != nil {
		return err
	}
	var plan planned
	if wanted != "" {
		if err := json.Unmarshal([]byte(wanted), &plan); err != nil {
			return fmt.Errorf("the context: %w", err)
		}
	}
	if len(plan.ToolCalls) == 0 {
		return d.callAll(ctx, list.Tools)
	}
	for _, c := range plan.ToolCalls {
		if err := d.call(ctx, c.Name, c.Arguments, definitionOf(list.Tools, c.Name)); err != nil {
			return err
		}
	}
	return nil
}

func definitionOf(list []json.RawMessage, name string) json.RawMessage {
	for _, raw := range list {
		if t, err := read(raw); err == nil && t.Name == name {
			return raw
		}
	}
	return nil
}

// tool is what the driver needs of a definition.
type tool struct {
	Name        string `json:"name"`
	InputSchema fields `json:"inputSchema"`
}

// fields is what the driver needs of a schema.
type fields struct {
	Required   []string `json:"required"`
	Properties map[string]struct {
		Type    any               `json:"type"`
		Default json.RawMessage   `json:"default"`
		Enum    []json.RawMessage `json:"enum"`
	} `json:"properties"`
}

// sample gives a value for a field: its default, one of its choices, or any of its
// type.
func (f fields) sample(name string) json.RawMessage {
	p := f.Properties[name]
	switch {
	case p.Default != nil:
		return p.Default
	case len(p.Enum) > 0:
		return p.Enum[0]
	}
	switch p.Type {
	case "integer", "number":
		return json.RawMessage(`5`)
	case "boolean":
		return json.RawMessage(`true`)
	case "array":
		return json.RawMessage(`[]`)
	case "object":
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(`"text"`)
}

func read(raw json.RawMessage) (t tool, err error) {
	err = json.Unmarshal(raw, &t)
	return t, err
}

// callAll calls every tool that is offered. Where one wants a schema, it gets the
// first tool's, in the server's own bytes.
func (d *driver) callAll(ctx context.Context, list []json.RawMessage) error {
	var first json.RawMessage
	var errs []error
	for _, raw := range list {
		t, err := read(raw)
		if err != nil || mcpclient.HiddenReason(raw) != "" {
			continue
		}
		if first == nil {
			var whole struct {
				InputSchema json.RawMessage `json:"inputSchema"`
			}
			if err := json.Unmarshal(raw, &whole); err != nil {
				return err
			}
			first = whole.InputSchema
		}
		args := map[string]json.RawMessage{}
		for _, name := range t.InputSchema.Required {
			args[name] = t.InputSchema.sample(name)
			if name == "schema" {
				args[name] = first
			}
		}
		b, err := json.Marshal(args)
		if err != nil {
			return err
		}
		errs = append(errs, d.call(ctx, t.Name, b, raw))
	}
	return errors.Join(errs...)
}

// call makes one call, with as many rounds as the server asks for.
func (d *driver) call(ctx context.Context, name string, args, definition json.RawMessage) error {
	call := mcpclient.Call{ID: "call " + name, Attempt: 1, Tool: name, Arguments: args, Definition: definition, IdleTimeout: patience}
	for call.Round = 0; call.Round < 20; call.Round++ {
		d.gate.approve(call.ID, string(args))
		out, err := d.client.CallTool(ctx, call)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %s %.300s\n", name, out.Kind, out.Raw)
		if out.Kind != mcpclient.OutcomeInputRequired {
			return nil
		}
		if call.InputResponses, err = responses(out.InputRequests); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		call.RequestState = out.RequestState
	}
	return fmt.Errorf("%s: it asks without end", name)
}

// responses answers every question, or none.
func responses(asked []mcpclient.InputRequest) (json.RawMessage, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	all := map[string]json.RawMessage{}
	for _, q := range asked {
		if q.Method != "elicitation/create" {
			return nil, fmt.Errorf("%s was asked, which was not declared", q.Method)
		}
		all[q.Key] = accept(q.Params)
	}
	return json.Marshal(all)
}

// accept fills a form with its defaults, and what is required.
func accept(params json.RawMessage) json.RawMessage {
	var form struct {
		RequestedSchema fields `json:"requestedSchema"`
	}
	if json.Unmarshal(params, &form) != nil {
		return json.RawMessage(`{"action":"cancel"}`)
	}
	content := map[string]json.RawMessage{}
	for name, p := range form.RequestedSchema.Properties {
		if p.Default != nil || slices.Contains(form.RequestedSchema.Required, name) {
			content[name] = form.RequestedSchema.sample(name)
		}
	}
	b, err := json.Marshal(map[string]any{"action": "accept", "content": content})
	if err != nil {
		return json.RawMessage(`{"action":"cancel"}`)
	}
	return b
}

// answer answers a legacy server's question.
func (d *driver) answer(ctx context.Context, e mcpclient.LegacyElicitation) {
	result := accept(e.Params)
	id := e.CallIDs[0]
	d.gate.approve(id, string(result))
	if err := d.client.AnswerElicitation(ctx, mcpclient.ElicitationAnswer{CallID: id, Attempt: 1, RequestID: e.RequestID, Result: result}); err != nil {
		fmt.Fprintln(os.Stderr, "driver: answering:", err)
	}
}

// gate lets out what the driver has just approved, once, byte for byte.
type gate struct {
	mu   sync.Mutex
	open map[string]string // arguments by call id
}

func (g *gate) approve(id, args string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[id] = args
}

// Admit implements mcpclient.Gate.
func (g *gate) Admit(_ context.Context, s mcpclient.Send) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	args, ok := g.open[s.CallID]
	if !ok || args != string(s.Arguments) {
		return errors.New("this was not approved")
	}
	delete(g.open, s.CallID)
	return nil
}
