package demoserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"countersign/mcpclient/mcpserver"
)

type runFunc = func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error)

// definition is a tool object; the order of the fields is the order in which
// they are sent.
type definition struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations map[string]any  `json:"annotations,omitempty"`
	Icons       []any           `json:"icons"`
}

func tool(d definition, run runFunc) mcpserver.Tool {
	return mcpserver.Tool{Name: d.Name, Definition: object(d), Run: run}
}

func object(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("demoserver: " + err.Error()) // only our own values come here
	}
	return b
}

func base64Of(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// args reads a tool's arguments; what does not fit is the caller's fault.
func args[T any](c *mcpserver.Call, into *T) error {
	if err := json.Unmarshal(c.Arguments, into); err != nil {
		return &mcpserver.Error{Code: -32602, Message: "arguments cannot be read: " + err.Error()}
	}
	return nil
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

func content(blocks ...any) json.RawMessage { return object(map[string]any{"content": blocks}) }

// structured is a result with structured content, and its text beside it as
// the specification asks.
func structured(v any) json.RawMessage {
	return object(map[string]any{"content": []any{text(string(object(v)))}, "structuredContent": v})
}

func inRange[N int | float64](name string, n, low, high N) error {
	if n < low || n > high {
		return &mcpserver.Error{Code: -32602, Message: fmt.Sprintf("%s is between %v and %v", name, low, high)}
	}
	return nil
}
