package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"countersign/mcpclient/jsonrpc"
)

// wireRules holds every message of ours to what JSON-RPC and MCP demand of a
// client. All scripted servers of these tests do so, and fail the test (over
// stdio by ending) where one is broken.
type wireRules struct {
	era Era // "" while it is open
	ids map[string]bool
}

// ourID is the form of all our ids: a positive whole number (BASE-02).
var ourID = regexp.MustCompile(`^[1-9][0-9]*$`)

func (r *wireRules) check(message string) error {
	var m map[string]json.RawMessage
	switch err := json.Unmarshal([]byte(message), &m); {
	case err != nil:
		return err
	case !utf8.ValidString(message) || strings.ContainsAny(message, "\r\n"):
		return errors.New("not UTF-8 on one line")
	case string(m["jsonrpc"]) != `"2.0"`:
		return errors.New("not JSON-RPC 2.0")
	}
	id, hasID := m["id"]
	method, ok := jsonrpc.String(m["method"])
	for key := range m {
		switch key {
		case "jsonrpc", "id":
		case "method", "params":
			ok = ok && m["result"] == nil && m["error"] == nil
		case "result", "error":
		default:
			return fmt.Errorf("the member %s is none of JSON-RPC", key)
		}
	}
	switch {
	case m["method"] == nil && r.era == EraModern:
		return errors.New("an answer to a modern server")
	case m["method"] == nil:
		if !hasID || (m["result"] == nil) == (m["error"] == nil) {
			return errors.New("an answer without an id, or without exactly one of result and error")
		}
		return ownCode(m["error"])
	case !ok || m["params"] != nil && !jsonrpc.IsObject(m["params"]):
		return errors.New("neither a request nor a notification")
	case strings.HasPrefix(method, "notifications/"):
		if hasID {
			return errors.New("a notification with an id")
		}
		return nil
	case !hasID || !ourID.Match(id) || r.ids[string(id)]:
		return errors.New("a request without a new whole number for its id")
	}
	if r.ids == nil {
		r.ids = make(map[string]bool)
	}
	r.ids[string(id)] = true
	return nil
}

// ownCode refuses an error of ours whose code is not JSON-RPC's own: those of MCP
// are a server's, and the rest of their range has no meaning (BASE-18).
func ownCode(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	var e struct{ Code int64 }
	if err := json.Unmarshal(raw, &e); err != nil {
		return err
	}
	switch e.Code {
	case -32700, -32600, -32601, -32602, -32603:
		return nil
	}
	if e.Code >= -32768 && e.Code <= -32000 {
		return fmt.Errorf("the code %d is not ours to send", e.Code)
	}
	return nil
}

// TestWireRules: the judge of the tests below refuses what it must.
func TestWireRules(t *testing.T) {
	for _, bad := range []string{
		`{"id":1,"method":"a"}`, `{"jsonrpc":"1.0","id":1,"method":"a"}`, `[]`, `{`,
		`{"jsonrpc":"2.0","method":"a"}`, `{"jsonrpc":"2.0","id":null,"method":"a"}`, `{"jsonrpc":"2.0","id":1.5,"method":"a"}`,
		`{"jsonrpc":"2.0","id":7,"method":"a"}`, `{"jsonrpc":"2.0","id":8,"method":"a","params":[]}`,
		`{"jsonrpc":"2.0","id":8,"method":"notifications/a"}`, `{"jsonrpc":"2.0","id":8,"method":"a","x":1}`,
		`{"jsonrpc":"2.0","id":8,"result":{}}`, `{"jsonrpc":"2.0","id":8,"method":"a","result":{}}`,
		"{\"jsonrpc\":\"2.0\",\n\"id\":8,\"method\":\"a\"}", "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"\x97\"}",
	} {
		r := wireRules{era: EraModern}
		if err := r.check(`{"jsonrpc":"2.0","id":7,"method":"a"}`); err != nil {
			t.Fatal(err)
		}
		if r.check(bad) == nil {
			t.Errorf("accepted %s", bad)
		}
	}
	r := wireRules{era: EraLegacy}
	if r.check(`{"jsonrpc":"2.0","id":"q","result":{}}`) != nil || r.check(`{"jsonrpc":"2.0","result":{}}`) == nil {
		t.Error("answers to a legacy server")
	}
	t.Run("BASE-18 codes that are not ours to send", func(t *testing.T) {
		for code, good := range map[string]bool{"-32601": true, "-32602": true, "-1": true, "-32000": false, "-32002": false, "-32042": false, "-32022": false, "-32099": false} {
			if err := r.check(`{"jsonrpc":"2.0","id":"q","error":{"code":` + code + `,"message":"m"}}`); (err == nil) != good {
				t.Errorf("%s: %v", code, err)
			}
		}
	})
}

// TestMessages holds whole sessions to the rules: the scripted server ends at
// the first message that breaks them.
func TestMessages(t *testing.T) {
	for _, era := range []Era{EraModern, EraLegacy} {
		t.Run("BASE-01 BASE-02 BASE-03 BASE-04 BASE-05 STDIO-01 STDIO-02 a whole session, "+string(era), func(t *testing.T) {
			cfg, w, _ := stdioConfig(t, string(era))
			lines := recordTo(t, &cfg)
			c := mustConnect(t, cfg)
			if era == EraModern {
				wait(t, w.changed, "the subscription") // whose id is open from now on
			}
			if _, err := c.ListTools(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, line := range []string{ // none of these is answered
				`{"jsonrpc":"2.0","method":"notifications/unheard/of","params":{}}`,
				`{"jsonrpc":"2.0","method":"notifications/progress"}`,
				`{"jsonrpc":"2.0","id":null,"method":"notifications/message","params":{"level":"info","data":"x"}}`,
			} {
				mustCall(t, c, call("send", `{"line":`+quote(line)+`}`))
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := c.CallTool(ctx, call("echo", `{}`)); err == nil {
				t.Error("called after the end")
			}
			k := call("hang", `{}`)
			k.MaxTimeout = 10 * time.Millisecond
			if _, err := c.CallTool(context.Background(), k); !errors.As(err, new(*TimeoutError)) {
				t.Error(err)
			}
			mustCall(t, c, call("echo", "{\"text\":\"a\\nb \u2028 \U0001F6B2\"}"))
			rules := wireRules{era: era}
			for _, line := range lines() {
				if err := rules.check(line); err != nil {
					t.Errorf("%v: %s", err, line)
				}
				if err := sentFits(map[Era]string{EraModern: ModernVersion, EraLegacy: LegacyVersion}[era], []byte(line)); err != nil {
					t.Errorf("%v: %s", err, line)
				}
			}
		})
	}
	t.Run("BASE-08 an error of any shape is the answer", func(t *testing.T) {
		c, w, _ := connectStdio(t, "modern")
		wait(t, w.changed, "the subscription") // it takes an id too
		next := func() int64 { return c.nextID.Load() + 1 }
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"m","data":[1,"x",null]}}`,
			`{"jsonrpc":"2.0","id":%d,"error":{}}`,
			`{"jsonrpc":"2.0","id":%d,"error":{"code":"4","message":5},"result":null}`,
		} {
			out := mustCall(t, c, call("send", `{"line":`+quote(fmt.Sprintf(line, next()))+`}`))
			if out.Kind != OutcomeError || out.RPCError == nil {
				t.Errorf("%s: %+v", line, out)
			}
		}
	})
	t.Run("VER-02 VER-05 VER-18 VER-20 BASE-27 the probe comes first, with our version and no extension", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "modern")
		lines := recordTo(t, &cfg)
		mustConnect(t, cfg)
		m := mustParse(t, lines()[0])
		var params map[string]map[string]any
		if err := json.Unmarshal(m.Params, &params); err != nil || m.Method != "server/discover" || len(params) != 1 {
			t.Fatalf("first came %s (%v)", m.Raw, err)
		}
		if params["_meta"][metaVersion] != ModernVersion {
			t.Errorf("it says %s", m.Params)
		}
		declared, _ := params["_meta"][metaCapabilities].(map[string]any)
		for name := range declared {
			if name != "elicitation" {
				t.Errorf("%s is declared", name)
			}
		}
	})
}

// TestOddServers: what a server says beside the point costs nothing.
func TestOddServers(t *testing.T) {
	shown := func(t *testing.T, result string) Info {
		t.Helper()
		s := newWebServer(t, "")
		s.handle = func(e *webExchange) {
			switch e.msg.Method {
			case "server/discover":
				e.result(result)
			default:
				e.w.WriteHeader(405)
			}
		}
		cfg, _, _ := s.config(t)
		return mustConnect(t, cfg).Info()
	}
	for name, capabilities := range map[string]string{
		"wrong-typed members":          `{"tools":{"listChanged":"yes","x":1},"completions":{},"logging":[],"future":null,"resources":true}`,
		"an extension of theirs alone": `{"tools":{},"extensions":{"com.example/odd":{"must":true}}}`,
		"an array":                     `[]`, "null": `null`, "a word": `"tools"`,
	} {
		t.Run("VER-19 field-113 capabilities: "+name, func(t *testing.T) {
			info := shown(t, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`}`)
			if info.Era != EraModern || (info.Capabilities != nil) != (capabilities[0] == '{') {
				t.Errorf("got %+v", info)
			}
		})
	}
	t.Run("field-113 field-102 odd capabilities in the handshake of an older server", func(t *testing.T) {
		s := newWebServer(t, "")
		s.handle = func(e *webExchange) {
			switch e.msg.Method {
			case "initialize":
				e.result(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":"yes","x":1},"completions":{},"logging":{},"future":null},"serverInfo":{"name":"odd","version":"1"}}`)
			case "notifications/initialized":
				e.w.WriteHeader(202)
			case "tools/list":
				e.result(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
			case "tools/call":
				e.result(okResult)
			default:
				e.w.WriteHeader(405)
			}
		}
		cfg, _, _ := s.config(t)
		c := mustConnect(t, cfg)
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "t" || c.Info().Version != "2025-06-18" {
			t.Errorf("got %+v (%v), %+v", list, err, c.Info())
		}
		mustCall(t, c, call("t", `{}`))
		// The revision that was agreed goes with every further request (field report 102).
		if h := s.seen("tools/call")[0].header.Get("Mcp-Protocol-Version"); h != "2025-06-18" {
			t.Errorf("sent as %q", h)
		}
	})
	t.Run("VER-03 VER-21 the version is one of those offered", func(t *testing.T) {
		if info := shown(t, `{"supportedVersions":["2099-01-01",7,"2026-07-28","2025-11-25"],"capabilities":{}}`); info.Version != ModernVersion {
			t.Errorf("got %+v", info)
		}
	})
	t.Run("VER-17 what a server says to initialize is told", func(t *testing.T) {
		s := newWebServer(t, "")
		s.handle = func(e *webExchange) {
			e.json(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"only 2027-09-09 is spoken here"}}`, e.msg.ID)
		}
		for _, remembered := range []Era{"", EraLegacy} {
			cfg, _, _ := s.config(t)
			cfg.RememberedEra = remembered
			if _, err := Connect(context.Background(), cfg); err == nil || strings.Count(err.Error(), "only 2027-09-09 is spoken here") != 2 {
				t.Errorf("got %v", err)
			}
		}
	})
	t.Run("field-111 an answer of unknown id on a stream is a hint at the time limit", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		s.handle = func(e *webExchange) {
			e.event(`{"jsonrpc":"2.0","id":0,"result":{"content":[]}}`)
			<-e.r.Context().Done()
		}
		c, w, _ := s.connect(t)
		k := call("x", `{}`)
		k.IdleTimeout = time.Second
		_, err := c.CallTool(context.Background(), k)
		w.line("protocol", "unknown id 0")
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || !strings.Contains(timeout.Hint, "unknown id 0") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("field-69 instructions in another code page", func(t *testing.T) {
		if info := shown(t, "{\"supportedVersions\":[\"2026-07-28\"],\"instructions\":\"a \x97 b\"}"); info.Instructions != "a \uFFFD b" {
			t.Errorf("got %q", info.Instructions)
		}
	})
}
