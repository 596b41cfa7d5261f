package demoserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// result is a CallToolResult as far as the tests look at it.
type result struct {
	Content []struct {
		Type, Text, Data, MimeType, URI string
		Resource                        struct{ URI, Text, Blob string }
	}
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool
}

func (r reply) decode(t *testing.T) result {
	t.Helper()
	var out result
	if err := json.Unmarshal(r.result, &out); err != nil {
		t.Fatalf("%v: %s", err, r.frame)
	}
	return out
}

type listed struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Icons                     []struct{ Src, MimeType string }
}

func (c *client) list() []listed {
	c.t.Helper()
	r := c.request("tools/list", c.params(""))
	c.p.check(c.t, "ListToolsResult", r.result)
	var out struct{ Tools []listed }
	if err := json.Unmarshal(r.result, &out); err != nil {
		c.t.Fatal(err)
	}
	return out.Tools
}

// TestRawMessages does everything there is in both eras, every message held
// against the published schema.
func TestRawMessages(t *testing.T) {
	for _, version := range []string{modern, legacy} {
		t.Run(version, func(t *testing.T) {
			c := startClient(t, version)
			if version == modern {
				c.p.check(t, "DiscoverResult", c.request("server/discover", c.params("")).result)
			}
			tools := c.list()
			if len(tools) != 12 {
				t.Fatalf("%d tools", len(tools))
			}
			for _, tool := range tools {
				callWithDefaults(t, c, tool)
			}
			c.resources()
			t.Run("determinism", func(t *testing.T) {
				a, b := c.call("weather", `{"city":"Łódź"}`), c.call("weather", `{"city":"Łódź"}`)
				if !bytes.Equal(a.result, b.result) {
					t.Errorf("%s\n%s", a.result, b.result)
				}
			})
			c.listChanges()
		})
	}
}

// callWithDefaults calls a tool with what its schema proposes, and holds the
// structured content against the output schema.
func callWithDefaults(t *testing.T, c *client, tool listed) {
	t.Run(tool.Name, func(t *testing.T) {
		if tool.Title == "" || tool.Description == "" || len(tool.Icons) != 1 {
			t.Errorf("it is badly described: %+v", tool)
		}
		args, fits := defaults(t, tool)
		c.reply, c.seen = `{"action":"accept","content":{"name":"Ada","pieces":2}}`, nil
		if tool.Name == "ask_url" {
			c.reply = `{"action":"accept"}`
		}
		r := c.call(tool.Name, args)
		if tool.Name == "protocol_error" {
			if r.code != -32603 || !strings.Contains(string(r.frame), "9007199254740993") {
				t.Errorf("CALL-10 got %s", r.frame)
			}
			return
		}
		got := r.decode(t)
		if got.IsError != (tool.Name == "tool_error") || len(got.Content) == 0 {
			t.Errorf("got %.300s", r.frame)
		}
		if tool.OutputSchema != nil {
			fits(tool.OutputSchema, got.Structured) // RES-08
		}
		if tool.Name == "long_job" && len(c.seen) != 3 {
			t.Errorf("PROG-03 %d notices", len(c.seen))
		}
		if closed := c.call(tool.Name, `{"no such":1}`); closed.code != -32602 {
			t.Errorf("an unknown argument: %.300s", closed.frame)
		}
	})
}

// defaults makes arguments of a schema's defaults, and gives a check of values
// against schemas.
func defaults(t *testing.T, tool listed) (string, func(schema, value json.RawMessage)) {
	t.Helper()
	fits := func(schema, value json.RawMessage) {
		t.Helper()
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("test:schema", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("test:schema")
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%v\n%.300s", err, value)
		}
	}
	var in struct {
		Properties map[string]struct {
			Title, Description string
			Default            json.RawMessage
		}
	}
	if err := json.Unmarshal(tool.InputSchema, &in); err != nil {
		t.Fatal(err)
	}
	args := map[string]json.RawMessage{}
	for name, p := range in.Properties {
		if p.Title == "" || p.Description == "" {
			t.Errorf("%s is badly described", name)
		}
		if p.Default != nil {
			args[name] = p.Default
		}
	}
	switch tool.Name {
	case "weather":
		args["city"] = json.RawMessage(`"Oslo"`)
	case "long_job":
		args["steps"], args["delay_ms"] = json.RawMessage(`3`), json.RawMessage(`0`)
	}
	raw := encode(args)
	fits(tool.InputSchema, raw)
	return string(raw), fits
}

func (c *client) resources() {
	c.t.Run("RES-03 what is linked can be read", func(t *testing.T) {
		list := c.request("resources/list", c.params(""))
		c.p.check(t, "ListResourcesResult", list.result)
		for _, b := range c.call("mixed", `{}`).decode(t).Content {
			uri := b.URI
			if b.Type == "resource" {
				uri = b.Resource.URI
			}
			if uri == "" {
				continue
			}
			if !strings.Contains(string(list.result), `"`+uri+`"`) {
				t.Errorf("%s is not listed", uri)
			}
			r := c.request("resources/read", c.params(`"uri":"`+uri+`"`))
			c.p.check(t, "ReadResourceResult", r.result)
			if b.Type == "resource" && !strings.Contains(string(r.result), string(encode(b.Resource.Text+b.Resource.Blob))) {
				t.Errorf("%s reads otherwise than embedded: %s", uri, r.result)
			}
		}
	})
}

func (c *client) listChanges() {
	c.t.Run("LIST-11 added tools are announced", func(t *testing.T) {
		c.seen = nil
		if c.p.version == modern {
			c.last++
			c.write(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":` + c.params(`"notifications":{"toolsListChanged":true}`) + `}`)
		}
		// callWithDefaults added greet already.
		if got := c.call("add_tool", `{}`).decode(t); !got.IsError {
			t.Error("greet was added twice")
		}
		if got := c.call("add_tool", `{"name":"A b"}`).decode(t); !got.IsError {
			t.Error("an odd name was taken")
		}
		if got := c.call("add_tool", `{"name":"second"}`).decode(t); got.IsError {
			t.Errorf("%+v", got)
		}
		for !slices.Contains(c.seen, "notifications/tools/list_changed") {
			c.list()
		}
		if tools := c.list(); len(tools) != 14 || tools[13].Name != "second" {
			t.Errorf("%d tools", len(tools))
		}
		if got := c.call("second", `{"who":"Ada"}`).decode(t); got.Content[0].Text != "Hello, Ada." {
			t.Errorf("%+v", got)
		}
	})
}

func TestQuestions(t *testing.T) {
	for _, version := range []string{modern, legacy} {
		t.Run(version, func(t *testing.T) {
			c := startClient(t, version)
			c.reply = `{"action":"accept","content":{"name":"Ada","pieces":2,"weight":1.50}}`
			if got := c.call("ask_form", `{"message":"<hello>"}`).decode(t); string(got.Structured) != `{"received":{"name":"Ada","pieces":2,"weight":1.50}}` {
				t.Errorf("got %s", got.Structured)
			}
			if !strings.Contains(string(c.asked), `"message":"<hello>"`) {
				t.Errorf("asked %s", c.asked)
			}
			var form struct {
				RequestedSchema struct{ Properties map[string]json.RawMessage }
			}
			if err := json.Unmarshal(c.asked, &form); err != nil || len(form.RequestedSchema.Properties) != 13 {
				t.Errorf("ELIC-08 to ELIC-10: %v, %d fields", err, len(form.RequestedSchema.Properties))
			}
			for name, field := range form.RequestedSchema.Properties {
				c.p.check(t, "PrimitiveSchemaDefinition", field)
				if !strings.Contains(string(field), `"title"`) {
					t.Errorf("%s has no title", name)
				}
			}
			for _, action := range []string{"decline", "cancel"} {
				c.reply = `{"action":"` + action + `"}`
				if got := c.call("ask_form", `{}`).decode(t); got.Content[0].Text != "No form: "+action+"." {
					t.Errorf("ELIC-14 got %+v", got)
				}
			}
			c.reply = `{"action":"accept"}`
			if got := c.call("ask_url", `{"path":"a/b"}`).decode(t); got.Content[0].Text != "The address was answered with: accept." {
				t.Errorf("got %+v", got)
			}
			if asked := string(c.asked); !strings.Contains(asked, `"url":"https://example.com/a/b"`) || strings.Contains(asked, "elicitationId") != (version == legacy) {
				t.Errorf("ELIC-16, ELIC-27 asked %s", asked)
			}
			if got := c.call("ask_url", `{"path":"@evil.test"}`).decode(t); !got.IsError {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	c := startClient(t, modern)
	for _, bad := range []struct{ tool, args string }{
		{"weather", `{"city":""}`}, {"weather", `{"city":"` + strings.Repeat("é", 101) + `"}`}, {"weather", `{"city":"a","unit":"kelvin"}`},
		{"chart", `{"values":[]}`}, {"tone", `{"hertz":1}`}, {"tone", `{"milliseconds":9999}`},
		{"table", `{"rows":0}`}, {"big_text", `{"bytes":33554433}`}, {"long_job", `{"steps":0}`}, {"long_job", `{"delay_ms":-1}`},
	} {
		if r := c.call(bad.tool, bad.args); r.result == nil || !r.decode(t).IsError {
			t.Errorf("%s %s: %.200s", bad.tool, bad.args, r.frame)
		}
	}
	for _, bad := range []struct{ tool, args string }{{"weather", `{}`}, {"weather", `{"city":1}`}, {"weather", `{"City":"a"}`}, {"table", `{"rows":"1"}`}} {
		if r := c.call(bad.tool, bad.args); r.code != -32602 {
			t.Errorf("%s %s: %.200s", bad.tool, bad.args, r.frame)
		}
	}
	if got := c.call("table", `{"rows":2500}`).decode(t); strings.Count(string(got.Structured), `"id":`) != 2500 {
		t.Error("the table has other rows")
	}
	if got := c.call("big_text", `{"bytes":3000001}`).decode(t); len(got.Content[0].Text) != 3000001 {
		t.Errorf("%d bytes", len(got.Content[0].Text))
	}
}

func TestLongJobHonoursCancel(t *testing.T) {
	for _, version := range []string{modern, legacy} {
		t.Run("STDIO-06 "+version, func(t *testing.T) {
			c := startClient(t, version)
			c.last++
			c.write(`{"jsonrpc":"2.0","id":"job","method":"tools/call","params":` + c.params(`"name":"long_job","arguments":{"steps":1000,"delay_ms":60000}`) + `}`)
			c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"job","reason":"enough"}}`)
			c.list() // "job" is never answered: that would end the test
		})
	}
}

func TestMedia(t *testing.T) {
	c := startClient(t, modern)
	tone := c.call("tone", `{"hertz":440,"milliseconds":100}`).decode(t).Content[0]
	wav, err := base64.StdEncoding.DecodeString(tone.Data)
	if err != nil || tone.MimeType != "audio/wav" || len(wav) != 44+2*2205 || string(wav[:4]) != "RIFF" || string(wav[8:16]) != "WAVEfmt " {
		t.Errorf("%d bytes of %s, %v", len(wav), tone.MimeType, err)
	}
	for _, values := range []string{`[1,2,3]`, `[-5]`, `[0]`, `[1e300,-1e300]`, `[1e-320]`} {
		image := c.call("chart", `{"values":`+values+`}`).decode(t).Content[0]
		b, err := base64.StdEncoding.DecodeString(image.Data)
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(b)); err != nil || img.Bounds().Dx() != 640 {
			t.Errorf("%s: %v", values, err)
		}
	}
	icons := map[string]string{}
	for _, tool := range c.list() {
		src := tool.Icons[0].Src
		b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(src, "data:image/png;base64,"))
		if err != nil {
			t.Fatalf("ICON-03 %s: %v", tool.Name, err)
		}
		if img, err := png.Decode(bytes.NewReader(b)); err != nil || img.Bounds().Dx() != 48 || img.Bounds().Dy() != 48 {
			t.Errorf("ICON-01 %s: %v", tool.Name, err)
		}
		if other, ok := icons[src]; ok {
			t.Errorf("%s and %s have the same icon", tool.Name, other)
		}
		icons[src] = tool.Name
	}
}

func TestMainArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"-h"}, 0, "loopback"}, {[]string{"--http", "0.0.0.0:0"}, 1, "only loopback"}, {[]string{"--http", "x"}, 1, "missing port"},
		{[]string{"--nonsense"}, 2, "nonsense"}, {[]string{"word"}, 2, "unknown word"}, {nil, 0, ""},
	} {
		var out, errs strings.Builder
		if code := Main(t.Context(), c.args, strings.NewReader(""), &out, &errs); code != c.code || !strings.Contains(errs.String(), c.says) || out.Len() > 0 {
			t.Errorf("%q: code %d, out %q, errors %q", c.args, code, out.String(), errs.String())
		}
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, w := io.Pipe()
	defer w.Close()
	cancel()
	if code := Main(ctx, nil, in, io.Discard, io.Discard); code != 0 {
		t.Errorf("code %d", code)
	}
}

func TestTellsOfOddMessages(t *testing.T) {
	cmd := childCommand()
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil || !strings.Contains(errs.String(), "response to nothing") {
		t.Errorf("BASE-05 %v, %q", err, errs.String())
	}
}
