package demoserver

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode/utf8"

	"countersign/mcpclient/mcpserver"
)

// number is a whole number from 0 to n-1 that a text always leads to.
func number(text string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // a hash takes everything
	return int(h.Sum32() % uint32(n))
}

func weatherTool() mcpserver.Tool {
	return tool(definition{Name: "weather", Title: "Weather", Annotations: reads, Icons: []any{icon(glyphWeather, 205)},
		Description: "Tells the weather of a city. The numbers are made from the city's name, so that they never change.",
		Input: schema(`{"type": "object",
			"properties": {
				"city": {"type": "string", "title": "City", "description": "Any name, for example Oslo.", "minLength": 1, "maxLength": 100, "x-mcp-header": "City"},
				"unit": {"type": "string", "title": "Unit", "description": "The scale of the temperature.", "enum": ["celsius", "fahrenheit"], "default": "celsius"}},
			"required": ["city"], "additionalProperties": false}`),
		Output: schema(`{"type": "object",
			"properties": {
				"city": {"type": "string", "title": "City"},
				"temperature": {"type": "number", "title": "Temperature"},
				"unit": {"type": "string", "title": "Unit", "enum": ["celsius", "fahrenheit"]},
				"sky": {"type": "string", "title": "Sky"},
				"humidity": {"type": "integer", "title": "Humidity", "description": "In percent.", "minimum": 0, "maximum": 100},
				"station": {"type": "integer", "title": "Station", "description": "A number too long for a float."}},
			"required": ["city", "temperature", "unit", "sky", "humidity", "station"], "additionalProperties": false}`),
	}, weather)
}

func weather(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct{ City, Unit string }{Unit: "celsius"}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(in.City); n < 1 || n > 100 {
		return toolError("city has 1 to 100 characters, not %d.", n), nil
	}
	tenths := number(in.City, 400) - 80
	switch in.Unit {
	case "celsius":
	case "fahrenheit":
		tenths = tenths*9/5 + 320
	default:
		return toolError("unit is celsius or fahrenheit, not %q.", in.Unit), nil
	}
	return structured(struct {
		City        string      `json:"city"`
		Temperature json.Number `json:"temperature"`
		Unit        string      `json:"unit"`
		Sky         string      `json:"sky"`
		Humidity    int         `json:"humidity"`
		Station     json.Number `json:"station"` // above 2^53 (report 24)
	}{
		City: in.City, Temperature: json.Number(fmt.Sprintf("%.1f", float64(tenths)/10)), Unit: in.Unit,
		Sky:      []string{"clear", "cloudy", "rain", "snow", "fog"}[number(in.City+" sky", 5)],
		Humidity: 30 + number(in.City+" humidity", 60),
		Station:  json.Number(fmt.Sprintf("90071992547%05d", number(in.City+" station", 100000))),
	}), nil
}

const maxRows = 100_000

func tableTool() mcpserver.Tool {
	return tool(definition{Name: "table", Title: "Large table", Annotations: reads, Icons: []any{icon(glyphTable, 140)},
		Description: "Gives a table of orders as structured content.",
		Input: schema(`{"type": "object",
			"properties": {
				"rows": {"type": "integer", "title": "Rows", "description": "How many orders the table has.", "minimum": 1, "maximum": 100000, "default": 1000}},
			"additionalProperties": false}`),
		Output: schema(`{"type": "object",
			"properties": {"orders": {"type": "array", "title": "Orders", "items": {"type": "object",
				"properties": {
					"id": {"type": "integer", "title": "Number"},
					"customer": {"type": "string", "title": "Customer"},
					"placed": {"type": "string", "title": "Placed", "format": "date"},
					"total": {"type": "number", "title": "Total"},
					"paid": {"type": "boolean", "title": "Paid"}},
				"required": ["id", "customer", "placed", "total", "paid"]}}},
			"required": ["orders"]}`),
	}, table)
}

func table(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct{ Rows int }{1000}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if in.Rows < 1 || in.Rows > maxRows {
		return toolError("rows is between 1 and %d, not %d.", maxRows, in.Rows), nil
	}
	customers := []string{"Ada", "Basil", "Chen", "Dara", "Emil", "Farah", "Göran"}
	var b strings.Builder
	b.WriteString(`{"orders":[`)
	for i := range in.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		_, _ = fmt.Fprintf(&b, `{"id":%d,"customer":"%s","placed":"2026-%02d-%02d","total":%d.%02d,"paid":%t}`,
			1000+i, customers[i*5%len(customers)], 1+i/28%12, 1+i%28, i*37%900, i*13%100, i%3 != 0)
	}
	b.WriteString(`]}`)
	return encode(block{"content": []any{text(fmt.Sprintf("%d orders, as structured content.", in.Rows))},
		"structuredContent": json.RawMessage(b.String())}), nil
}

const maxText = 32 << 20

func bigTextTool() mcpserver.Tool {
	return tool(definition{Name: "big_text", Title: "Big text", Annotations: reads, Icons: []any{icon(glyphText, 25)},
		Description: "Gives a text of a chosen size, in numbered lines.",
		Input: schema(`{"type": "object",
			"properties": {
				"bytes": {"type": "integer", "title": "Size", "description": "In bytes.", "minimum": 1, "maximum": 33554432, "default": 1048576}},
			"additionalProperties": false}`),
	}, bigText)
}

func bigText(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct{ Bytes int }{1 << 20}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if in.Bytes < 1 || in.Bytes > maxText {
		return toolError("bytes is between 1 and %d, not %d.", maxText, in.Bytes), nil
	}
	var b strings.Builder
	b.Grow(in.Bytes + 64)
	for i := 1; b.Len() < in.Bytes; i++ {
		_, _ = fmt.Fprintf(&b, "Line %07d of a text that is only here to be long.\n", i)
	}
	return content(text(b.String()[:in.Bytes])), nil
}
