package demoserver

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"
	"time"

	"countersign/mcpclient/mcpserver"
)

func longJobTool() mcpserver.Tool {
	return tool(definition{Name: "long_job", Title: "Long job", Annotations: reads, Icons: []any{icon(glyphTime, 45)},
		Description: "Works for a while, tells its progress, and stops when it is cancelled.",
		Input: schema(`{"type": "object",
			"properties": {
				"steps": {"type": "integer", "title": "Steps", "description": "How many times progress is told.", "minimum": 1, "maximum": 1000, "default": 20},
				"delay_ms": {"type": "integer", "title": "Time for each step", "description": "In milliseconds.", "minimum": 0, "maximum": 60000, "default": 250}},
			"additionalProperties": false}`),
	}, longJob)
}

func longJob(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct {
		Steps int
		Delay int `json:"delay_ms"`
	}{20, 250}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if in.Steps < 1 || in.Steps > 1000 {
		return toolError("steps is between 1 and 1000, not %d.", in.Steps), nil
	}
	if in.Delay < 0 || in.Delay > 60000 {
		return toolError("delay_ms is between 0 and 60000, not %d.", in.Delay), nil
	}
	for i := 1; i <= in.Steps; i++ {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(time.Duration(in.Delay) * time.Millisecond):
		}
		c.Progress(float64(i), float64(in.Steps), fmt.Sprintf("Step %d of %d", i, in.Steps))
	}
	return content(text(fmt.Sprintf("Done in %d steps.", in.Steps))), nil
}

func toolErrorTool() mcpserver.Tool {
	const message = "The quota is used up."
	return tool(definition{Name: "tool_error", Title: "Tool error", Annotations: reads, Icons: []any{icon(glyphCross, 0)},
		Description: "Fails, as a tool fails: with a result that says so.",
		Input: schema(`{"type": "object",
			"properties": {
				"message": {"type": "string", "title": "Message", "description": "What the failure says.", "default": "` + message + `"}},
			"additionalProperties": false}`),
	}, func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		in := struct{ Message string }{message}
		if err := args(c, &in); err != nil {
			return nil, err
		}
		return toolError("%s", in.Message), nil
	})
}

func protocolErrorTool() mcpserver.Tool {
	return tool(definition{Name: "protocol_error", Title: "Protocol error", Annotations: reads, Icons: []any{icon(glyphBolt, 15)},
		Description: "Fails, as a server fails: with a JSON-RPC error. It takes any arguments.",
		Input:       schema(`{"type": "object"}`),
	}, func(context.Context, *mcpserver.Call) (json.RawMessage, error) {
		return nil, &mcpserver.Error{Code: -32603, Message: "The demo's own fault.", Data: block{"exact": json.Number("9007199254740993")}}
	})
}

// maxAdded bounds the tools that can be added.
const maxAdded = 100

var addedName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

func addToolTool(s *mcpserver.Server) mcpserver.Tool {
	var mu sync.Mutex
	added := 0
	return tool(definition{Name: "add_tool", Title: "Add a tool", Annotations: adds, Icons: []any{icon(glyphPlus, 190)},
		Description: "Adds a tool to this server and announces that its list changed.",
		Input: schema(`{"type": "object",
			"properties": {
				"name": {"type": "string", "title": "Name", "description": "The name of the new tool.", "pattern": "^[a-z][a-z0-9_]{0,30}$", "default": "greet"}},
			"additionalProperties": false}`),
	}, func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		in := struct{ Name string }{"greet"}
		if err := args(c, &in); err != nil {
			return nil, err
		}
		if !addedName.MatchString(in.Name) {
			return toolError("name has up to 31 of a-z, 0-9 and _, beginning with a letter."), nil
		}
		mu.Lock()
		defer mu.Unlock()
		if s.HasTool(in.Name) {
			return toolError("There is a tool %s already.", in.Name), nil
		}
		if added == maxAdded {
			return toolError("No more than %d tools can be added.", maxAdded), nil
		}
		added++
		s.AddTool(addedTool(in.Name))
		return content(text("The tool " + in.Name + " was added.")), nil
	})
}

func addedTool(name string) mcpserver.Tool {
	return tool(definition{Name: name, Title: "Added: " + name, Annotations: reads, Icons: []any{icon(glyphPlus, 100)},
		Description: "Greets. This tool was added while the server ran.",
		Input: schema(`{"type": "object",
			"properties": {
				"who": {"type": "string", "title": "Who", "description": "Who is greeted.", "default": "you"}},
			"additionalProperties": false}`),
	}, func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		in := struct{ Who string }{"you"}
		if err := args(c, &in); err != nil {
			return nil, err
		}
		return content(text("Hello, " + in.Who + ".")), nil
	})
}
