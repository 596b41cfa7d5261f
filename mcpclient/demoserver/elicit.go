package demoserver

import (
	"context"
	"encoding/json"

	"countersign/mcpclient/mcpserver"
)

// formSchema has every kind of field that a form may have (ELIC-08 to
// ELIC-10).
const formSchema = `{"type":"object","properties":{` +
	`"name":{"type":"string","title":"Name","description":"How the parcel is addressed.","minLength":2,"maxLength":60},` +
	`"email":{"type":"string","title":"E-mail","format":"email"},` +
	`"site":{"type":"string","title":"Web site","format":"uri"},` +
	`"day":{"type":"string","title":"Day","format":"date"},` +
	`"moment":{"type":"string","title":"Moment","format":"date-time"},` +
	`"weight":{"type":"number","title":"Weight","description":"In kilograms.","minimum":0.1,"maximum":30,"default":1.5},` +
	`"pieces":{"type":"integer","title":"Pieces","minimum":1,"maximum":12,"default":3},` +
	`"insured":{"type":"boolean","title":"Insured","default":true},` +
	`"speed":{"type":"string","title":"Speed","enum":["slow","normal","fast"],"default":"normal"},` +
	`"size":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"},{"const":"l","title":"Large"}],"default":"l"},` +
	`"extras":{"type":"array","title":"Extras","items":{"type":"string","enum":["gift wrap","signature","photo"]},"maxItems":2},` +
	`"labels":{"type":"array","title":"Labels","items":{"anyOf":[{"const":"f","title":"Fragile"},{"const":"u","title":"This side up"}]},"default":["f"]},` +
	`"colour":{"type":"string","title":"Colour","enum":["r","g"],"enumNames":["Red","Green"]}},` +
	`"required":["name","pieces"]}`

func elicitTools() []mcpserver.Tool {
	return []mcpserver.Tool{
		tool(definition{Name: "ask_form", Title: "Ask with a form", Icons: []any{icon(glyphForm, 235)}, Description: "Asks you to fill a form with every kind of field, then gives back what it received.",
			Input: json.RawMessage(`{"type":"object","properties":{"message":{"type":"string","title":"Message","default":"Please say where the parcel goes."}}}`)},
			func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
				in := struct{ Message string }{"Please say where the parcel goes."}
				if err := args(c, &in); err != nil {
					return nil, err
				}
				answer, err := c.Ask(ctx, "parcel", object(map[string]any{"mode": "form", "message": in.Message, "requestedSchema": json.RawMessage(formSchema)}))
				if err != nil {
					return nil, err
				}
				if answer.Action != "accept" {
					return content(text("No form: " + answer.Action + ".")), nil
				}
				return structured(map[string]any{"received": answer.Content}), nil
			}),
		tool(definition{Name: "ask_url", Title: "Ask to open an address", Icons: []any{icon(glyphLink, 330)}, Description: "Asks you to open an address in your browser. This server never contacts it.",
			Input: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","title":"Path","pattern":"^[a-z0-9/-]{0,40}$","default":"countersign-demo"}}}`)},
			func(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
				in := struct{ Path string }{"countersign-demo"}
				if err := args(c, &in); err != nil {
					return nil, err
				}
				answer, err := c.Ask(ctx, "visit", object(map[string]any{"mode": "url", "elicitationId": "demo-visit", "message": "Please confirm on our page.",
					"url": "https://example.com/" + in.Path}))
				if err != nil {
					return nil, err
				}
				return content(text("The address was answered with: " + answer.Action + ".")), nil
			}),
	}
}
