package demoserver

import (
	"context"
	"encoding/json"
	"fmt"

	"countersign/mcpclient/mcpserver"
)

func chartTool() mcpserver.Tool {
	return tool(definition{Name: "chart", Title: "Chart image", Annotations: reads, Icons: []any{icon(glyphChart, 265)},
		Description: "Draws numbers as a bar chart and gives it as a PNG image.",
		Input: schema(`{"type": "object",
			"properties": {
				"values": {"type": "array", "title": "Values", "description": "One bar each.",
					"items": {"type": "number"}, "minItems": 1, "maxItems": 200, "default": [3, 1, 4, 1, 5, 9, 2, 6]}},
			"required": ["values"], "additionalProperties": false}`),
	}, func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		var in struct{ Values []float64 }
		if err := args(c, &in); err != nil {
			return nil, err
		}
		if n := len(in.Values); n < 1 || n > 200 {
			return toolError("values has 1 to 200 numbers, not %d.", n), nil
		}
		return content(imageOf(chart(in.Values)), text(fmt.Sprintf("A bar chart of %d values.", len(in.Values)))), nil
	})
}

func toneTool() mcpserver.Tool {
	return tool(definition{Name: "tone", Title: "Audio tone", Annotations: reads, Icons: []any{icon(glyphAudio, 300)},
		Description: "Gives a tone to listen to: a WAV file of a sine wave.",
		Input: schema(`{"type": "object",
			"properties": {
				"hertz": {"type": "number", "title": "Frequency", "description": "In hertz.", "minimum": 50, "maximum": 8000, "default": 440},
				"milliseconds": {"type": "integer", "title": "Length", "description": "In milliseconds.", "minimum": 50, "maximum": 5000, "default": 800}},
			"additionalProperties": false}`),
	}, func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
		in := struct {
			Hertz        float64
			Milliseconds int
		}{440, 800}
		if err := args(c, &in); err != nil {
			return nil, err
		}
		if in.Hertz < 50 || in.Hertz > 8000 {
			return toolError("hertz is between 50 and 8000, not %v.", in.Hertz), nil
		}
		if in.Milliseconds < 50 || in.Milliseconds > 5000 {
			return toolError("milliseconds is between 50 and 5000, not %d.", in.Milliseconds), nil
		}
		return content(block{"type": "audio", "data": base64Of(tone(in.Hertz, in.Milliseconds)), "mimeType": "audio/wav"}), nil
	})
}

func mixedTool() mcpserver.Tool {
	return tool(definition{Name: "mixed", Title: "Mixed content", Annotations: reads, Icons: []any{icon(glyphMixed, 170)},
		Description: "Gives one block of each kind: text, image, a link to a resource, and embedded resources of text and of bytes.",
		Input:       schema(`{"type": "object", "properties": {}, "additionalProperties": false}`),
	}, func(context.Context, *mcpserver.Call) (json.RawMessage, error) {
		return content(
			block{"type": "text", "text": "One of each kind.\nThis is the second line.",
				"annotations": block{"audience": []string{"user"}, "priority": 1}},
			imageOf(chart([]float64{1, 2, 3})),
			block{"type": "resource_link", "uri": guideURI, "name": "guide", "title": "The demo guide",
				"description": "Read on demand only.", "mimeType": "text/markdown", "size": len(guideText)},
			block{"type": "resource", "resource": block{"uri": guideURI, "mimeType": "text/markdown", "text": guideText}},
			block{"type": "resource", "resource": block{"uri": seedURI, "mimeType": "application/octet-stream", "blob": base64Of(seedBytes)}},
		), nil
	})
}
