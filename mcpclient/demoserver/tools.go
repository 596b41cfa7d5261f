package demoserver

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"countersign/mcpclient/mcpserver"
)

const (
	guideURI  = "demo://guide"
	seedURI   = "demo://seed.bin"
	guideText = "# The demo guide\n\nEvery tool here is harmless and gives the same answer to the same arguments.\n"
)

var seedBytes = []byte{0xde, 0xad, 0xbe, 0xef, 0, 1, 2, 3}

var readOnly = map[string]any{"readOnlyHint": true, "openWorldHint": false}

func tools(s *mcpserver.Server) []mcpserver.Tool {
	return append(append(contentTools(), elicitTools()...), otherTools(s)...)
}

// number is a whole number from 0 to n-1 that a text always leads to.
func number(text string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return int(h.Sum32() % uint32(n))
}

func contentTools() []mcpserver.Tool {
	return []mcpserver.Tool{
		tool(definition{Name: "weather", Title: "Weather", Annotations: readOnly, Icons: []any{icon(glyphWeather, 205)},
			Description: "Tells the weather of a city. The numbers are made from the city's name, so that they never change.",
			Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","title":"City","description":"Any name, for example Oslo.","minLength":1,"maxLength":100},` +
				`"unit":{"type":"string","title":"Unit","enum":["celsius","fahrenheit"],"default":"celsius"}},"required":["city"],"additionalProperties":false}`),
			Output: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"temperature":{"type":"number"},"unit":{"type":"string"},"sky":{"type":"string"},` +
				`"humidity":{"type":"integer","minimum":0,"maximum":100},"station":{"type":"integer"}},"required":["city","temperature","unit","sky","humidity","station"]}`)}, weather),
		tool(definition{Name: "chart", Title: "Chart image", Annotations: readOnly, Icons: []any{icon(glyphChart, 265)}, Description: "Draws numbers as a bar chart and gives it as a PNG image.",
			Input: json.RawMessage(`{"type":"object","properties":{"values":{"type":"array","title":"Values","description":"One bar each.","items":{"type":"number"},"minItems":1,"maxItems":200,"default":[3,1,4,1,5,9,2,6]}},"required":["values"]}`)}, drawChart),
		tool(definition{Name: "tone", Title: "Audio tone", Annotations: readOnly, Icons: []any{icon(glyphAudio, 300)}, Description: "Plays a tone: a WAV file of a sine wave.",
			Input: json.RawMessage(`{"type":"object","properties":{"hertz":{"type":"number","title":"Frequency","description":"In hertz.","minimum":50,"maximum":8000,"default":440},` +
				`"milliseconds":{"type":"integer","title":"Length","description":"In milliseconds.","minimum":50,"maximum":5000,"default":800}}}`)}, playTone),
		tool(definition{Name: "mixed", Title: "Mixed content", Annotations: readOnly, Icons: []any{icon(glyphMixed, 170)},
			Description: "Gives one block of each kind: text, image, a link to a resource, and embedded resources of text and of bytes.",
			Input:       json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)}, mixed),
		tool(definition{Name: "table", Title: "Large table", Annotations: readOnly, Icons: []any{icon(glyphTable, 140)}, Description: "Gives a table of orders as structured content.",
			Input:  json.RawMessage(`{"type":"object","properties":{"rows":{"type":"integer","title":"Rows","minimum":1,"maximum":100000,"default":1000}}}`),
			Output: json.RawMessage(`{"type":"object","properties":{"orders":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"customer":{"type":"string"},"total":{"type":"number"},"paid":{"type":"boolean"}},"required":["id","customer","total","paid"]}}},"required":["orders"]}`)}, table),
		tool(definition{Name: "big_text", Title: "Big text", Annotations: readOnly, Icons: []any{icon(glyphText, 25)}, Description: "Gives a text of a chosen size.",
			Input: json.RawMessage(`{"type":"object","properties":{"bytes":{"type":"integer","title":"Size","description":"In bytes.","minimum":1,"maximum":33554432,"default":1048576}}}`)}, bigText),
	}
}

func weather(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct{ City, Unit string }{Unit: "celsius"}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if in.City == "" {
		return nil, &mcpserver.Error{Code: -32602, Message: "city is missing"}
	}
	tenths := number(in.City, 400) - 80
	if in.Unit == "fahrenheit" {
		tenths = tenths*9/5 + 320
	}
	return structured(struct {
		City        string      `json:"city"`
		Temperature json.Number `json:"temperature"`
		Unit        string      `json:"unit"`
		Sky         string      `json:"sky"`
		Humidity    int         `json:"humidity"`
		Station     json.Number `json:"station"`
	}{in.City, json.Number(fmt.Sprintf("%.1f", float64(tenths)/10)), in.Unit, []string{"clear", "cloudy", "rain", "snow", "fog"}[number(in.City+"sky", 5)],
		30 + number(in.City+"humidity", 60), json.Number(fmt.Sprintf("90071992547%05d", number(in.City+"station", 100000)))}), nil
}

func drawChart(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	var in struct{ Values []float64 }
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if err := inRange("the number of values", len(in.Values), 1, 200); err != nil {
		return nil, err
	}
	return content(map[string]any{"type": "image", "data": base64Of(chart(in.Values)), "mimeType": "image/png"}, text(fmt.Sprintf("%d bars.", len(in.Values)))), nil
}

func playTone(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct {
		Hertz        float64
		Milliseconds int
	}{440, 800}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if err := inRange("hertz", in.Hertz, 50, 8000); err != nil {
		return nil, err
	}
	if err := inRange("milliseconds", in.Milliseconds, 50, 5000); err != nil {
		return nil, err
	}
	return content(map[string]any{"type": "audio", "data": base64Of(tone(in.Hertz, in.Milliseconds)), "mimeType": "audio/wav"}), nil
}

func mixed(context.Context, *mcpserver.Call) (json.RawMessage, error) {
	return content(
		map[string]any{"type": "text", "text": "One of each kind.\nThis is the second line.", "annotations": map[string]any{"audience": []string{"user"}, "priority": 1}},
		map[string]any{"type": "image", "data": base64Of(chart([]float64{1, 2, 3})), "mimeType": "image/png"},
		map[string]any{"type": "resource_link", "uri": guideURI, "name": "guide", "title": "The demo guide", "description": "Read on demand only.", "mimeType": "text/markdown"},
		map[string]any{"type": "resource", "resource": map[string]any{"uri": guideURI, "mimeType": "text/markdown", "text": guideText}},
		map[string]any{"type": "resource", "resource": map[string]any{"uri": seedURI, "mimeType": "application/octet-stream", "blob": base64Of(seedBytes)}},
	), nil
}

func table(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct{ Rows int }{1000}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if err := inRange("rows", in.Rows, 1, 100000); err != nil {
		return nil, err
	}
	var b strings.Builder
	names := []string{"Ada", "Basil", "Chen", "Dara", "Emil", "Farah"}
	b.WriteString(`{"orders":[`)
	for i := range in.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"customer":"%s","total":%d.%02d,"paid":%t}`, 1000+i, names[(i*7)%len(names)], (i*37)%900, (i*13)%100, i%3 != 0)
	}
	b.WriteString(`]}`)
	rows := json.RawMessage(b.String())
	return object(map[string]any{"content": []any{text(fmt.Sprintf("%d orders, as structured content.", in.Rows))}, "structuredContent": rows}), nil
}

func bigText(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct{ Bytes int }{1 << 20}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if err := inRange("bytes", in.Bytes, 1, 32<<20); err != nil {
		return nil, err
	}
	var b strings.Builder
	for i := 1; b.Len() < in.Bytes; i++ {
		fmt.Fprintf(&b, "Line %07d of a text that is only here to be long.\n", i)
	}
	return content(text(b.String()[:in.Bytes])), nil
}

func otherTools(s *mcpserver.Server) []mcpserver.Tool {
	var mu sync.Mutex
	added := 0
	return []mcpserver.Tool{
		tool(definition{Name: "long_job", Title: "Long job", Annotations: readOnly, Icons: []any{icon(glyphTime, 45)}, Description: "Works for a while, tells its progress, and stops when it is cancelled.",
			Input: json.RawMessage(`{"type":"object","properties":{"steps":{"type":"integer","title":"Steps","minimum":1,"maximum":1000,"default":20},` +
				`"delay_ms":{"type":"integer","title":"Time for each step","description":"In milliseconds.","minimum":0,"maximum":60000,"default":250}}}`)}, longJob),
		tool(definition{Name: "tool_error", Title: "Tool error", Icons: []any{icon(glyphCross, 0)}, Description: "Fails, as a tool fails: with a result that says so.",
			Input: json.RawMessage(`{"type":"object","properties":{"message":{"type":"string","title":"Message","default":"The quota is used up."}}}`)},
			func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
				in := struct{ Message string }{"The quota is used up."}
				if err := args(c, &in); err != nil {
					return nil, err
				}
				return object(map[string]any{"content": []any{text(in.Message)}, "isError": true}), nil
			}),
		tool(definition{Name: "protocol_error", Title: "Protocol error", Icons: []any{icon(glyphBolt, 15)}, Description: "Fails, as a server fails: with a JSON-RPC error.",
			Input: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcpserver.Call) (json.RawMessage, error) {
				return nil, &mcpserver.Error{Code: -32603, Message: "The demo's own fault.", Data: map[string]any{"exact": json.Number("9007199254740993")}}
			}),
		tool(definition{Name: "add_tool", Title: "Add a tool", Icons: []any{icon(glyphPlus, 190)}, Description: "Adds a tool to this server and announces that its list changed.",
			Input: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","title":"Name","pattern":"^[a-z][a-z0-9_]{0,30}$","default":"greet"}}}`)},
			func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
				in := struct{ Name string }{"greet"}
				if err := args(c, &in); err != nil {
					return nil, err
				}
				mu.Lock()
				added++
				n := added
				mu.Unlock()
				if _, known := fixedNames[in.Name]; known || in.Name == "" || n > 100 {
					return nil, &mcpserver.Error{Code: -32602, Message: "no tool of that name can be added"}
				}
				s.AddTool(addedTool(in.Name))
				return content(text("The tool " + in.Name + " was added.")), nil
			}),
	}
}

// fixedNames are the tools that stay as they are.
var fixedNames = map[string]bool{"weather": true, "chart": true, "tone": true, "mixed": true, "table": true, "big_text": true, "long_job": true, "tool_error": true,
	"protocol_error": true, "add_tool": true, "ask_form": true, "ask_url": true}

func addedTool(name string) mcpserver.Tool {
	return tool(definition{Name: name, Title: "Added: " + name, Description: "A tool that was added while the server ran.", Icons: []any{icon(glyphPlus, 100)},
		Input: json.RawMessage(`{"type":"object","properties":{"who":{"type":"string","title":"Who","default":"you"}}}`)},
		func(_ context.Context, c *mcpserver.Call) (json.RawMessage, error) {
			in := struct{ Who string }{"you"}
			if err := args(c, &in); err != nil {
				return nil, err
			}
			return content(text("Hello, " + in.Who + ".")), nil
		})
}

func longJob(ctx context.Context, c *mcpserver.Call) (json.RawMessage, error) {
	in := struct {
		Steps int
		Delay int `json:"delay_ms"`
	}{20, 250}
	if err := args(c, &in); err != nil {
		return nil, err
	}
	if err := inRange("steps", in.Steps, 1, 1000); err != nil {
		return nil, err
	}
	if err := inRange("delay_ms", in.Delay, 0, 60000); err != nil {
		return nil, err
	}
	for i := 1; i <= in.Steps; i++ {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(in.Delay) * time.Millisecond):
		}
		c.Progress(float64(i), float64(in.Steps), fmt.Sprintf("Step %d of %d", i, in.Steps))
	}
	return content(text(fmt.Sprintf("Done in %d steps.", in.Steps))), nil
}
