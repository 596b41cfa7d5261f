package demoserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"countersign/mcpclient/mcpserver"
)

// runFunc does a tool's work.
type runFunc = func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error)

// definition is a tool object; the order of the fields is the order in which
// they are sent.
type definition struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations *annotations    `json:"annotations,omitempty"`
	Icons       []any           `json:"icons"`
}

type annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

var (
	reads = &annotations{ReadOnly: true, Idempotent: true}
	asks  = &annotations{OpenWorld: true}
	adds  = &annotations{Idempotent: true}
)

// invalidParams is the code for arguments that cannot be read.
const invalidParams = -32602

// tool makes a tool whose arguments are held against the names in its schema
// before run sees them.
func tool(d definition, run runFunc) mcpserver.Tool {
	var in struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Additional *bool                      `json:"additionalProperties"`
	}
	if err := json.Unmarshal(d.Input, &in); err != nil {
		panic("demoserver: " + d.Name + ": " + err.Error()) // our own schemas
	}
	closed := in.Additional != nil && !*in.Additional
	checked := func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		var given map[string]json.RawMessage
		if err := json.Unmarshal(c.Arguments, &given); err != nil {
			return nil, unfit(d.Name, err.Error())
		}
		for _, name := range in.Required {
			if _, ok := given[name]; !ok {
				return nil, unfit(d.Name, fmt.Sprintf("Missing required property '%s'", name))
			}
		}
		for name := range given {
			if _, ok := in.Properties[name]; !ok && closed {
				return nil, unfit(d.Name, fmt.Sprintf("Unknown property '%s'", name))
			}
		}
		return run(ctx, c)
	}
	return mcpserver.Tool{Name: d.Name, Definition: encode(d), Run: checked}
}

func unfit(tool, why string) error {
	return &mcpserver.Error{Code: invalidParams, Message: "Invalid arguments for tool " + tool + ": " + why}
}

// args reads a tool's arguments; into holds the defaults.
func args[T any](c *mcpserver.Call, into *T) error {
	if err := json.Unmarshal(c.Arguments, into); err != nil {
		return &mcpserver.Error{Code: invalidParams, Message: "Invalid arguments: " + err.Error()}
	}
	return nil
}

// schema compacts a schema that was written to be read.
func schema(text string) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		panic("demoserver: " + err.Error()) // our own schemas
	}
	return b.Bytes()
}

// encode writes our own values: compact, and "<" as "<".
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("demoserver: " + err.Error()) // only our own values come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func base64Of(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

type block = map[string]any

func text(s string) block { return block{"type": "text", "text": s} }

func imageOf(png []byte) block {
	return block{"type": "image", "data": base64Of(png), "mimeType": "image/png"}
}

func content(blocks ...any) json.RawMessage { return encode(block{"content": blocks}) }

// structured is a result with structured content, and its text beside it
// (RES-09).
func structured(v any) json.RawMessage {
	return encode(block{"content": []any{text(string(encode(v)))}, "structuredContent": v})
}

// toolError is the failure of a tool, not of the protocol (CALL-10).
func toolError(format string, a ...any) json.RawMessage {
	return encode(block{"content": []any{text(fmt.Sprintf(format, a...))}, "isError": true})
}
