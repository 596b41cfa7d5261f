package demoserver

import (
	"context"
	"encoding/json"

	"countersign/mcpclient/mcpserver"
)

// formSchema has every kind of field that a form may have (ELIC-08 to
// ELIC-10).
const formSchema = `{"type": "object",
	"properties": {
		"name": {"type": "string", "title": "Name", "description": "Who receives the parcel.", "minLength": 2, "maxLength": 60},
		"email": {"type": "string", "title": "E-mail", "description": "Where the notice of arrival goes.", "format": "email"},
		"site": {"type": "string", "title": "Web site", "format": "uri"},
		"day": {"type": "string", "title": "Day", "description": "When it should arrive.", "format": "date"},
		"moment": {"type": "string", "title": "Pick-up", "description": "With a time zone.", "format": "date-time"},
		"weight": {"type": "number", "title": "Weight", "description": "In kilograms.", "minimum": 0.1, "maximum": 30, "default": 1.5},
		"pieces": {"type": "integer", "title": "Pieces", "minimum": 1, "maximum": 12, "default": 3},
		"insured": {"type": "boolean", "title": "Insured", "default": true},
		"speed": {"type": "string", "title": "Speed", "enum": ["slow", "normal", "fast"], "default": "normal"},
		"size": {"type": "string", "title": "Size",
			"oneOf": [{"const": "s", "title": "Small"}, {"const": "m", "title": "Medium"}, {"const": "l", "title": "Large"}], "default": "l"},
		"extras": {"type": "array", "title": "Extras", "description": "Two at most.",
			"items": {"type": "string", "enum": ["gift wrap", "signature", "photo"]}, "maxItems": 2},
		"labels": {"type": "array", "title": "Labels",
			"items": {"anyOf": [{"const": "f", "title": "Fragile"}, {"const": "u", "title": "This side up"}]}, "default": ["f"]},
		"colour": {"type": "string", "title": "Colour", "enum": ["r", "g"], "enumNames": ["Red", "Green"]}},
	"required": ["name", "pieces"]}`

func askFormTool() mcpserver.Tool {
	const message = "Please say where the parcel goes."
	form := schema(formSchema)
	return tool(definition{Name: "ask_form", Title: "Ask with a form", Annotations: asks, Icons: []any{icon(glyphForm, 235)},
		Description: "Asks you to fill a form with every kind of field, then gives back what it received.",
		Input: schema(`{"type": "object",
			"properties": {
				"message": {"type": "string", "title": "Message", "description": "What the form asks.", "default": "` + message + `"}},
			"additionalProperties": false}`),
	}, func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		in := struct{ Message string }{message}
		if err := args(c, &in); err != nil {
			return nil, err
		}
		answer, err := c.Ask(ctx, "parcel", encode(block{"mode": "form", "message": in.Message, "requestedSchema": form}))
		if err != nil {
			return nil, err
		}
		if answer.Action != "accept" {
			return content(text("No form: " + answer.Action + ".")), nil
		}
		received := answer.Content
		if received == nil {
			received = json.RawMessage(`{}`)
		}
		return structured(block{"received": received}), nil
	})
}

func askURLTool() mcpserver.Tool {
	return tool(definition{Name: "ask_url", Title: "Ask to open an address", Annotations: asks, Icons: []any{icon(glyphLink, 330)},
		Description: "Asks you to open an address in your browser. This server never contacts it.",
		Input: schema(`{"type": "object",
			"properties": {
				"path": {"type": "string", "title": "Path", "description": "What stands behind https://example.com/ in the address.",
					"pattern": "^[a-z0-9/-]{0,40}$", "default": "countersign-demo"}},
			"additionalProperties": false}`),
	}, func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		in := struct{ Path string }{"countersign-demo"}
		if err := args(c, &in); err != nil {
			return nil, err
		}
		if !plainPath(in.Path) {
			return toolError("path has up to 40 of a-z, 0-9, / and -."), nil
		}
		params := block{"mode": "url", "message": "Please confirm on our page.", "url": "https://example.com/" + in.Path}
		if c.Era == mcpserver.Legacy { // gone in the modern era (ELIC-16, ELIC-27)
			params["elicitationId"] = "demo-visit"
		}
		answer, err := c.Ask(ctx, "visit", encode(params))
		if err != nil {
			return nil, err
		}
		return content(text("The address was answered with: " + answer.Action + ".")), nil
	})
}

func plainPath(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '/' && r != '-' {
			return false
		}
	}
	return len(s) <= 40
}
