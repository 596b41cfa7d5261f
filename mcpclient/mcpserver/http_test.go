package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestModernHTTP(t *testing.T) {
	s, _ := testServer(t)
	s.Resources = []Resource{{URI: "a:é", Contents: json.RawMessage(`{"uri":"a:é","text":"x"}`)}}
	w := httpPeer(t, s)
	h := func(method string, more ...string) []string {
		return append([]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, more...)
	}
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`
	read := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{` + modernMeta + `,"uri":"a:é"}}`
	mirror := func(args string) string { return call("1", "mirror", args, "") }
	toMirror := func(more ...string) []string { return append(h("tools/call", "Mcp-Name: mirror"), more...) }
	for _, c := range []struct {
		name, body string
		headers    []string
		status     int
		want       string
	}{
		{"HTTP-04 one object", list, h("tools/list"), 200, "1 complete"},
		{"HDR-24 names without case", list, []string{"mcp-protocol-version: 2026-07-28", "MCP-METHOD: tools/list"}, 200, "1 complete"},
		{"HDR-01 no version", list, []string{"Mcp-Method: tools/list"}, 400, "1 -32020"},
		{"HDR-01 another version", list, []string{"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/list"}, 400, "1 -32020"},
		{"HDR-02 no method", list, []string{"MCP-Protocol-Version: 2026-07-28"}, 400, "1 -32020"},
		{"HDR-02 another method", list, h("tools/List"), 400, "1 -32020"},
		{"HDR-03 no name", call("1", "echo", "{}", ""), h("tools/call"), 400, "1 -32020"},
		{"HDR-03 a name", call("1", "echo", "{}", ""), h("tools/call", "Mcp-Name: echo"), 200, "1 {}"},
		{"HDR-03 a name twice", call("1", "echo", "{}", ""), h("tools/call", "Mcp-Name: echo", "Mcp-Name: echo"), 400, "1 -32020"},
		{"HDR-05 a URI in Base64", read, h("resources/read", "Mcp-Name: =?base64?YTrDqQ==?="), 200, "1 complete"},
		{"HDR-05 a URI as it is", read, h("resources/read", "Mcp-Name: a:é"), 400, "1 -32020"},
		{"HDR-18 Base64 that is none", read, h("resources/read", "Mcp-Name: =?base64?YTrDqQ?="), 400, "1 -32020"},
		{"HDR-15 absent and null", mirror(`{"city":null}`), toMirror(), 200, "1 mirrored"},
		{"HDR-15 all", mirror(`{"city":"Oslo","at":{"n":-7},"ok":false}`), toMirror("Mcp-Param-City: Oslo", "Mcp-Param-At-N: -7", "Mcp-Param-Method: false"), 200, "1 mirrored"},
		{"HDR-15 one lacks", mirror(`{"city":"Oslo"}`), toMirror(), 400, "1 -32020"},
		{"HDR-15 one too many", mirror(`{}`), toMirror("Mcp-Param-City: Oslo"), 400, "1 -32020"},
		{"HDR-16 case counts", mirror(`{"ok":true}`), toMirror("Mcp-Param-Method: True"), 400, "1 -32020"},
		{"HDR-20 Base64", mirror(`{"city":"Hello, 世界"}`), toMirror("Mcp-Param-City: =?base64?SGVsbG8sIOS4lueVjA==?="), 200, "1 mirrored"},
		{"HDR-21 the empty string", mirror(`{"city":""}`), toMirror("Mcp-Param-City: "), 200, "1 mirrored"},
		{"HDR-24 integers by value", mirror(`{"at":{"n":42.0}}`), toMirror("Mcp-Param-At-N: 42"), 200, "1 mirrored"},
		{"HDR-24 other integers", mirror(`{"at":{"n":42}}`), toMirror("Mcp-Param-At-N: 43"), 400, "1 -32020"},
		{"HTTP-11 no _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, h("tools/list"), 400, "1 -32602"},
		{"HTTP-11 an unsupported version", strings.ReplaceAll(list, "2026-07-28", "1900-01-01"), []string{"MCP-Protocol-Version: 1900-01-01", "Mcp-Method: tools/list"}, 400, "1 -32022"},
		{"HTTP-11 a lacking capability", strings.Replace(call("1", "ask", "{}", ""), `"elicitation":{"form":{},"url":{}}`, "", 1), h("tools/call", "Mcp-Name: ask"), 400, "1 -32021"},
		{"HTTP-11 an unknown method", strings.ReplaceAll(list, "tools/list", "prompts/list"), h("prompts/list"), 404, "1 -32601"},
		{"HTTP-11 an unknown tool", call("1", "none", "{}", ""), h("tools/call", "Mcp-Name: none"), 200, "1 -32602"},
		{"HTTP-02 Accept", list, append(h("tools/list"), "Accept", "Accept: application/json"), 406, " -32600"},
		{"HTTP-03 a media type", list, append(h("tools/list"), "Content-Type", "Content-Type: text/plain"), 415, " -32600"},
		{"HTTP-03 an array", `[` + list + `]`, h("tools/list"), 400, " -32600"},
		{"HTTP-03 no JSON", `{`, h("tools/list"), 400, " -32700"},
		{"HTTP-05 a notification", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, h("notifications/cancelled"), 202, ""},
		{"BASE-05 a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 400, " -32600"},
		{"HTTP-10 a session id does no harm", list, append(h("tools/list"), "Mcp-Session-Id: none"), 200, "1 complete"},
		{"HTTP-11 a foreign origin", list, append(h("tools/list"), "Origin: https://evil.test"), 403, " -32600"},
		{"HTTP-11 our own origin", list, append(h("tools/list"), "Origin: http://localhost:9"), 200, "1 complete"},
		{"HTTP-11 a name that points here", list, append(h("tools/list"), "Host: evil.test"), 403, " -32600"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := web{t, w.url}
			status, frames := w.post(c.body, c.headers...)
			if status != c.status || strings.Join(frames, ",") != c.want {
				t.Errorf("got %d %q, want %d %q", status, frames, c.status, c.want)
			}
		})
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		if res := w.request(t.Context(), method, ""); res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("HTTP-10 %s: %d", method, res.StatusCode)
		}
	}
}

func TestModernHTTPStreams(t *testing.T) {
	s, entered := testServer(t)
	w := httpPeer(t, s)
	head := []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: wait"}
	t.Run("HTTP-14 a dropped connection cancels", func(t *testing.T) {
		w := web{t, w.url}
		ctx, cancel := context.WithCancel(t.Context())
		res := w.request(ctx, http.MethodPost, strings.Replace(call("1", "wait", "{}", ""), `"_meta":{`, `"_meta":{"progressToken":1,`, 1), head...)
		if got := nextEvent(t, bufio.NewReader(res.Body)); got != "notifications/progress" {
			t.Fatal(got)
		}
		<-entered
		cancel()
		<-entered
	})
	t.Run("SUB-07 listen", func(t *testing.T) {
		w := web{t, w.url}
		listen := `{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}`
		res := w.request(t.Context(), http.MethodPost, listen, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen")
		r := bufio.NewReader(res.Body)
		if got := nextEvent(t, r); got != "notifications/subscriptions/acknowledged" {
			t.Fatal(got)
		}
		echo, _ := s.tool("echo")
		s.AddTool(Tool{Name: "new", Definition: json.RawMessage(`{"name":"new","inputSchema":{"type":"object"}}`), Run: echo.Run})
		if got := nextEvent(t, r); got != "notifications/tools/list_changed" {
			t.Fatal(got)
		}
	})
}

func TestLegacyHTTP(t *testing.T) {
	s, entered := testServer(t)
	w := httpPeer(t, s)
	res := w.request(t.Context(), http.MethodPost, opening)
	id := res.Header.Get("Mcp-Session-Id")
	if res.StatusCode != 200 || id == "" {
		t.Fatalf("LEG-07 got %d, session %q", res.StatusCode, id)
	}
	session, version := "Mcp-Session-Id: "+id, "MCP-Protocol-Version: 2025-11-25"
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	legacyCall := func(id, tool string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","_meta":{"progressToken":"p"}}}`
	}
	for _, c := range []struct {
		name, body string
		headers    []string
		status     int
		want       string
	}{
		{"LEG-03 too early", list, []string{session, version}, 200, "1 -32600"},
		{"LEG-12 a notification", ready, []string{session, version}, 202, ""},
		{"a list", list, []string{session, version}, 200, "1 ok"},
		{"LEG-05 no version", list, []string{session}, 400, " -32600"},
		{"LEG-05 another version", list, []string{session, "MCP-Protocol-Version: 2025-06-18"}, 400, " -32600"},
		{"LEG-08 no such session", list, []string{"Mcp-Session-Id: none", version}, 404, " -32001"},
		{"LEG-07 no session", list, []string{version}, 400, "1 -32602"},
		{"an unknown method is no lost session", strings.Replace(list, "tools/list", "prompts/list", 1), []string{session, version}, 200, "1 -32601"},
		{"initialize without a version", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, nil, 400, "1 -32602"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := web{t, w.url}
			status, frames := w.post(c.body, c.headers...)
			if status != c.status || strings.Join(frames, " ") != c.want {
				t.Errorf("got %d %q, want %d %q", status, frames, c.status, c.want)
			}
		})
	}
	get := w.request(t.Context(), http.MethodGet, "", session, version)
	events := bufio.NewReader(get.Body)
	echo, _ := s.tool("echo")
	s.AddTool(Tool{Name: "new", Definition: json.RawMessage(`{"name":"new","inputSchema":{"type":"object"}}`), Run: echo.Run})
	if got := nextEvent(t, events); got != "notifications/tools/list_changed" {
		t.Errorf("LEG-13 got %s", got)
	}
	asks := bufio.NewReader(w.request(t.Context(), http.MethodPost, legacyCall("2", "ask"), session, version).Body)
	if got := nextEvent(t, asks); got != `"ask-1" elicitation/create` {
		t.Errorf("LEG-12 got %s", got)
	}
	if status, _ := w.post(`{"jsonrpc":"2.0","id":"ask-1","result":{"action":"cancel"}}`, session, version); status != 202 {
		t.Errorf("LEG-12 the answer got %d", status)
	}
	if got := nextEvent(t, asks); got != "2 cancel" {
		t.Errorf("the call got %s", got)
	}
	ctx, drop := context.WithCancel(t.Context())
	res = w.request(ctx, http.MethodPost, legacyCall("3", "wait"), session, version)
	<-entered
	drop()
	_ = res.Body.Close()
	if status, frames := w.post(legacyCall("3", "echo"), session, version); status != 200 || !slices.Equal(frames, []string{"3 -32600"}) {
		t.Errorf("CANCEL-12 a dropped connection ended the call: %d %q", status, frames)
	}
	if status, _ := w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`, session, version); status != 202 {
		t.Errorf("the cancel got %d", status)
	}
	<-entered
	if res := w.request(t.Context(), http.MethodDelete, "", session, version); res.StatusCode != 204 {
		t.Errorf("LEG-09 got %d", res.StatusCode)
	}
	if _, err := events.ReadString(0); err == nil || err.Error() != "EOF" {
		t.Errorf("LEG-09 the GET stream ended with %v", err)
	}
	if status, _ := w.post(list, session, version); status != 404 {
		t.Errorf("LEG-08 after the end: %d", status)
	}
}

func TestServeHTTPOnLoopbackOnly(t *testing.T) {
	s, _ := testServer(t)
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.com:80", "nonsense"} {
		if err := s.ServeHTTP(t.Context(), addr, func(string) { t.Errorf("%s is listened on", addr) }); err == nil {
			t.Errorf("%s was taken", addr)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	address, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- s.ServeHTTP(ctx, "localhost:0", func(a string) { address <- a }) }()
	w := web{t, "http://" + <-address + Path}
	res := w.request(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{`+modernMeta+`,"notifications":{}}}`,
		"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen")
	r := bufio.NewReader(res.Body)
	if got := nextEvent(t, r); got != "notifications/subscriptions/acknowledged" {
		t.Fatal(got)
	}
	cancel()
	if got := nextEvent(t, r); got != "5 complete" {
		t.Errorf("SUB-09 got %s", got)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAnnotations(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		ok           bool
	}{
		{"HDR-11 nested", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}}}}`, true},
		{"HDR-07 a space", `{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`, false},
		{"HDR-07 empty", `{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, false},
		{"HDR-08 equal but for case", `{"properties":{"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"string","x-mcp-header":"r"}}}`, false},
		{"HDR-09 number", `{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, false},
		{"HDR-12 under items", `{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`, false},
		{"HDR-13 in $defs", `{"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`, false},
		{"SCHEMA no object", `[]`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := mirroredParams(json.RawMessage(`{"inputSchema":` + c.schema + `}`)); (err == nil) != c.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
