package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const version = "1.0.0"

// newServer is a server with four tools: echo, slow, ask and add_tool.
func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdkserver", Title: "Go SDK server", Version: version}, nil)

	s.AddTool(&mcp.Tool{
		Name:        "echo",
		Description: "Returns its arguments as they came, as text",
		InputSchema: object(`{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`),
	}, echo)

	s.AddTool(&mcp.Tool{
		Name:        "slow",
		Description: "Works for a while and reports each step",
		InputSchema: object(`{"type":"object","properties":{
			"steps":{"type":"integer","minimum":1,"maximum":100000},
			"stepMillis":{"type":"integer","minimum":0,"maximum":60000}},"required":["steps","stepMillis"]}`),
	}, slow)

	s.AddTool(&mcp.Tool{
		Name:        "ask",
		Description: "Asks the person for a name and greets by it",
		InputSchema: object(`{"type":"object"}`),
	}, ask)

	s.AddTool(&mcp.Tool{
		Name:        "add_tool",
		Description: "Adds a tool of the given name, which the server announces",
		InputSchema: object(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}, addTool(s))
	return s
}

// object is a schema as the SDK takes it.
func object(schema string) json.RawMessage { return json.RawMessage(schema) }

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func failure(err error) *mcp.CallToolResult {
	r := text(err.Error())
	r.IsError = true
	return r
}

func echo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(string(req.Params.Arguments)), nil
}

// slow reports progress after each step and ends at once when it is cancelled.
func slow(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct{ Steps, StepMillis int }
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return failure(err), nil
	}
	token := req.Params.GetProgressToken()
	step := time.NewTicker(max(time.Duration(in.StepMillis)*time.Millisecond, time.Microsecond))
	defer step.Stop()
	for i := 1; i <= in.Steps; i++ {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-step.C:
		}
		if token == nil {
			continue
		}
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(i), Total: float64(in.Steps),
			Message: fmt.Sprintf("step %d of %d", i, in.Steps),
		})
		if err != nil {
			return nil, err
		}
	}
	return text(fmt.Sprintf("%d steps done", in.Steps)), nil
}

// ask wants one form answered. To a client of revision 2026-07-28 the SDK sends the
// question as input_required, to an older one as elicitation/create.
func ask(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	const key = "who"
	answer, answered := req.Params.InputResponses[key]
	if !answered {
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{key: &mcp.ElicitParams{
				Mode:    "form",
				Message: "Who is there?",
				RequestedSchema: object(`{"type":"object","properties":{
					"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}`),
			}},
			RequestState: "asked-once",
		}, nil
	}
	result, ok := answer.(*mcp.ElicitResult)
	if !ok {
		return failure(fmt.Errorf("the answer is a %T", answer)), nil
	}
	if result.Action != "accept" {
		return text("The person said: " + result.Action), nil
	}
	if req.Params.RequestState != "asked-once" {
		return failure(fmt.Errorf("the request state came back as %q", req.Params.RequestState)), nil
	}
	return text(fmt.Sprintf("Hello, %v", result.Content["name"])), nil
}

// addTool adds an echo under another name; the SDK sends the list change.
func addTool(s *mcp.Server) mcp.ToolHandler {
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ Name string }
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return failure(err), nil
		}
		s.AddTool(&mcp.Tool{
			Name:        in.Name,
			Description: "Added while the server ran",
			InputSchema: object(`{"type":"object"}`),
		}, echo)
		return text("added " + in.Name), nil
	}
}
