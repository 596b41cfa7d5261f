package mcpserver

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestModernStdio(t *testing.T) {
	for _, c := range []struct{ name, send, want string }{
		{"VER-02 discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`, "1 complete"},
		{"BASE-07 ids come back as they are", call(`"1"`, "echo", `{"a":1.50}`, ""), `"1" {"a":1.50}`},
		{"CALL-01 arguments may be absent", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + modernMeta + `,"name":"echo"}}`, "1 {}"},
		{"BASE-09 no _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, "1 -32602"},
		{"BASE-12 no params", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "1 -32602"},
		{"BASE-10 no capabilities", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, "1 -32602"},
		{"BASE-11 clientInfo without version", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x"}}}}`, "1 -32602"},
		{"LOG-01 an unknown level", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}}}`, "1 -32602"},
		{"VER-01 another version", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`, "1 -32022"},
		{"BASE-02 id null", `{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{` + modernMeta + `}}`, " -32600"},
		{"BASE-02 id with a fraction", `{"jsonrpc":"2.0","id":1.0,"method":"tools/list","params":{` + modernMeta + `}}`, " -32600"},
		{"BASE-01 another jsonrpc", `{"jsonrpc":"1.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`, "1 -32600"},
		{"member names are exact", `{"jsonrpc":"2.0","ID":1,"Method":"tools/list","params":{` + modernMeta + `}}`, " -32600"},
		{"params as an array", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, "1 -32600"},
		{"LEG-22 a batch", `[` + call("1", "echo", "{}", "") + `]`, " -32600"},
		{"STDIO-02 no JSON", `hello`, " -32700"},
		{"BASE-01 no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", " -32700"},
		{"BASE-20 an unknown method", `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{` + modernMeta + `}}`, "1 -32601"},
		{"CHG ping is gone", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + modernMeta + `}}`, "1 -32601"},
		{"CALL-10 an unknown tool", call("1", "nothing", "{}", ""), "1 -32602"},
		{"report 29 arguments null", call("1", "echo", "null", ""), "1 {}"},
		{"report 31 arguments as a string", call("1", "echo", `"{}"`, ""), "1 -32602"},
		{"LIST-06 an unknown cursor", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `,"cursor":""}}`, "1 -32602"},
		{"RSRC-02 no such resource", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{` + modernMeta + `,"uri":"a:b"}}`, "1 -32602"},
		{"an error of a tool", call("1", "fail", "{}", ""), "1 -32603"},
		{"PROG-01 a token that is neither string nor integer", strings.Replace(call("1", "echo", "{}", ""), `"_meta":{`, `"_meta":{"progressToken":true,`, 1), "1 -32602"},
		{"SUB-01 no filter", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modernMeta + `}}`, "1 -32602"},
		{"SUB-01 an odd filter", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":"yes"}}}`, "1 -32602"},
		{"BASE-14 an undeclared capability", strings.Replace(call("1", "ask", "{}", ""), `"elicitation":{"form":{},"url":{}}`, "", 1), "1 -32021"},
		{"ELIC-02 elicitation is form only", strings.Replace(call("1", "visit", "{}", ""), `{"form":{},"url":{}}`, "{}", 1), "1 -32021"},
		{"ELIC-02 elicitation is form at least", strings.Replace(call("1", "ask", "{}", ""), `{"form":{},"url":{}}`, "{}", 1), "1 input_required"},
		{"MRTR-06 answers without the state", call("1", "ask", "{}", `,"inputResponses":{"q":{"action":"accept"}}`), "1 -32602"},
		{"MRTR-09 a state of nothing", call("1", "ask", "{}", `,"inputResponses":{"q":{"action":"accept"}},"requestState":"x"`), "1 -32602"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := testServer(t)
			p := stdioPeer(t, s)
			p.send(c.send)
			p.want(c.want)
		})
	}
}

func TestModernRounds(t *testing.T) {
	s, _ := testServer(t)
	p := stdioPeer(t, s)
	p.send(call("1", "ask", `{"a":1}`, ""))
	var first struct {
		Result struct {
			RequestState  string
			InputRequests map[string]struct{ Method string }
		}
	}
	if err := json.Unmarshal(p.raw(), &first); err != nil {
		t.Fatal(err)
	}
	if first.Result.InputRequests["q"].Method != "elicitation/create" || first.Result.RequestState == "" {
		t.Fatalf("MRTR-03 got %+v", first)
	}
	state := `,"requestState":"` + first.Result.RequestState + `"`
	answer := func(v string) string { return `,"inputResponses":{"q":` + v + `}` + state }
	for _, c := range []struct{ name, send, want string }{
		{"MRTR-06 the answer", call("2", "ask", `{"a":1}`, answer(`{"action":"accept","content":{"n":1.0}}`)), `2 accept{"n":1.0}`},
		{"ELIC-14 declined", call("3", "ask", `{"a":1}`, answer(`{"action":"decline"}`)), "3 decline"},
		{"MRTR-12 with other arguments", call("4", "ask", `{"a":2}`, answer(`{"action":"accept"}`)), "4 -32602"},
		{"MRTR-09 with another tool", call("5", "visit", `{"a":1}`, answer(`{"action":"accept"}`)), "5 -32602"},
		{"MRTR-11 in an envelope", call("6", "ask", `{"a":1}`, answer(`{"result":{"action":"accept"}}`)), "6 -32602"},
		{"ELIC-15 content with decline", call("7", "ask", `{"a":1}`, answer(`{"action":"decline","content":{}}`)), "7 -32602"},
		{"MRTR-10 an answer to something else", call("8", "ask", `{"a":1}`, strings.Replace(answer(`{"action":"accept"}`), `"q"`, `"r"`, 1)), "8 input_required"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.send(c.send)
			p.want(c.want)
		})
	}
}

func TestModernStreams(t *testing.T) {
	s, entered := testServer(t)
	p := stdioPeer(t, s)
	waiting := strings.Replace(call("7", "wait", "{}", ""), `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
	p.send(waiting)
	progress := p.raw()
	if brief(progress) != "notifications/progress" || !strings.Contains(string(progress), `"message":"<waiting>"`) || !strings.Contains(string(progress), `"progressToken":"p"`) {
		t.Fatalf("PROG-03 got %s", progress)
	}
	<-entered
	p.send(call("7", "echo", "{}", ""))
	p.want("7 -32600") // BASE-03
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}`, call("8", "echo", "{}", ""))
	p.want("8 {}") // CANCEL-04: "7" is not 7
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	<-entered
	p.send(call("9", "echo", "{}", ""))
	p.want("9 {}") // STDIO-06: 7 has no response

	listen := `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a:b"]}}}`
	p.send(listen)
	if ack := string(p.raw()); !strings.Contains(ack, `"notifications":{"toolsListChanged":true}`) || !strings.Contains(ack, `"io.modelcontextprotocol/subscriptionId":"l"`) {
		t.Fatalf("SUB-03, SUB-04 got %s", ack)
	}
	echo, _ := s.tool("echo")
	s.AddTool(Tool{Name: "new", Definition: json.RawMessage(`{"name":"new","inputSchema":{"type":"object"}}`), Run: echo.Run})
	if changed := string(p.raw()); !strings.Contains(changed, `"io.modelcontextprotocol/subscriptionId":"l"`) || !strings.Contains(changed, "notifications/tools/list_changed") {
		t.Fatalf("SUB-05 got %s", changed)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}`, strings.Replace(listen, `"id":"l"`, `"id":"m"`, 1))
	p.want("notifications/subscriptions/acknowledged") // SUB-08: the first had no response
	p.send(opening)
	p.want(`"i" -32600`) // VER-06
	p.send(`{"jsonrpc":"2.0","id":9,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/odd"}`, call("10", "echo", "{}", ""))
	p.want("10 {}")
	if notes := p.notes(); !strings.Contains(notes, "a response to nothing") || !strings.Contains(notes, "notifications/odd") {
		t.Errorf("BASE-05 the log has %q", notes)
	}
	_ = p.in.Close()
	p.want(`"m" complete`) // SUB-09
}

func TestLegacyStdio(t *testing.T) {
	s, entered := testServer(t)
	p := stdioPeer(t, s)
	for _, bad := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t"}}}`,
	} {
		p.send(bad)
		p.want("1 -32602")
	}
	p.send(strings.Replace(opening, `"2025-11-25"`, `"2024-11-05"`, 1))
	if got := string(p.raw()); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) || !strings.Contains(got, `"listChanged":true`) {
		t.Fatalf("LEG-06 got %s", got)
	}
	legacyCall := func(id, tool string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	p.want("1 ok") // LEG-17
	p.send(legacyCall("2", "echo"))
	p.want("2 -32600") // LEG-03
	p.send(ready, opening)
	p.want(`"i" -32600`)
	p.send(`{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{` + modernMeta + `}}`)
	p.want("3 -32601")
	p.send(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
	if got := string(p.raw()); strings.Contains(got, "resultType") || strings.Contains(got, "ttlMs") {
		t.Errorf("LEG-18 got %s", got)
	}
	p.send(legacyCall("5", "ask"))
	p.want(`"ask-1" elicitation/create`)
	p.send(`{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"n":1}}}`)
	p.want(`5 accept{"n":1}`)
	p.send(legacyCall("6", "visit"))
	p.want("6 -32603") // ELIC-26: elicitation {} is form only
	p.send(legacyCall("7", "ask"))
	p.want(`"ask-2" elicitation/create`)
	p.send(`{"jsonrpc":"2.0","id":"ask-2","error":{"code":-32603,"message":"cannot"}}`)
	p.want("7 -32603")
	p.send(legacyCall("8", "ask"))
	p.want(`"ask-3" elicitation/create`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}`)
	p.want("notifications/cancelled") // CANCEL-13, and 8 has no response
	p.send(legacyCall("9", "wait"))
	<-entered
	echo, _ := s.tool("echo")
	s.AddTool(Tool{Name: "new", Definition: json.RawMessage(`{"name":"new","inputSchema":{"type":"object"}}`), Run: echo.Run})
	p.want("notifications/tools/list_changed") // LEG-18
	_ = p.in.Close()
	p.want("9 -32603") // the server ends, and says so
}

func TestPipedMessagesAreAnswered(t *testing.T) {
	s, _ := testServer(t)
	var out strings.Builder
	in := strings.NewReader(call("1", "echo", "{}", "")) // no line end
	if err := s.ServeStdio(t.Context(), in, &out); err != nil || brief([]byte(out.String())) != "1 {}" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestLongLines(t *testing.T) {
	s, _ := testServer(t)
	p := stdioPeer(t, s)
	big := strings.Repeat("a", 1<<20)
	p.send(call("1", "echo", `{"t":"`+big+`"}`, ""))
	p.want(`1 {"t":"` + big + `"}`) // report 64
	go func() {
		chunk := strings.Repeat(" ", 1<<20)
		for range maxMessage>>20 + 1 {
			if _, err := io.WriteString(p.in, chunk); err != nil {
				return
			}
		}
		_, _ = io.WriteString(p.in, "\n"+call("2", "echo", `{}`, "")+"\n")
	}()
	p.want(" -32600", "2 {}")
}
