package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// examplesOf reads the published examples of a type, by file name, each on one line.
func examplesOf(t *testing.T, kind string) map[string]json.RawMessage {
	t.Helper()
	files, err := filepath.Glob("testdata/spec/examples-2026-07-28/" + kind + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no examples of %s (%v)", kind, err)
	}
	all := map[string]json.RawMessage{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var line bytes.Buffer
		if err := json.Compact(&line, raw); err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = line.Bytes()
	}
	return all
}

// TestExamples has a server answer with every published example that it may, and
// reads each of them without loss.
func TestExamples(t *testing.T) {
	s := newWebServer(t, EraModern)
	var answer func(e *webExchange)
	s.handle = func(e *webExchange) { answer(e) }
	c, _, _ := s.connect(t)
	for _, kind := range []string{"CallToolResult", "InputRequiredResult"} {
		for name, raw := range examplesOf(t, kind) {
			t.Run("CALL-01 CALL-12 RES-01 MRTR-01 MRTR-02 MRTR-03 "+kind+" "+name, func(t *testing.T) {
				answer = func(e *webExchange) { e.result(string(raw)) }
				out := mustCall(t, c, call("any", `{}`))
				if !bytes.Equal(out.Raw, raw) {
					t.Errorf("got %s, want %s", out.Raw, raw)
				}
				var want struct {
					ResultType    string                     `json:"resultType"`
					IsError       bool                       `json:"isError"`
					InputRequests map[string]json.RawMessage `json:"inputRequests"`
					RequestState  *string                    `json:"requestState"`
				}
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
				if string(out.Kind) != want.ResultType || out.IsError != want.IsError || len(out.InputRequests) != len(want.InputRequests) {
					t.Errorf("read as %+v", out)
				}
				if (out.RequestState == nil) != (want.RequestState == nil) || out.RequestState != nil && *out.RequestState != *want.RequestState {
					t.Errorf("the state is %v", out.RequestState)
				}
			})
		}
	}
	for name, raw := range examplesOf(t, "ListToolsResult") {
		t.Run("LIST-01 TOOL-01 "+name, func(t *testing.T) {
			first := true
			answer = func(e *webExchange) {
				if first {
					first = false
					e.result(string(raw))
					return
				}
				e.result(`{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`)
			}
			list, err := c.ListTools(context.Background())
			if err != nil || !bytes.Equal(list.Pages[0].Raw, raw) || len(list.Problems) != 0 {
				t.Fatalf("got %+v, %v", list, err)
			}
			var want struct{ Tools []json.RawMessage }
			if err := json.Unmarshal(raw, &want); err != nil || len(want.Tools) != len(list.Tools) {
				t.Errorf("%d tools, want %d (%v)", len(list.Tools), len(want.Tools), err)
			}
			for i := range list.Tools {
				if !bytes.Equal(list.Tools[i], want.Tools[i]) {
					t.Errorf("got %s, want %s", list.Tools[i], want.Tools[i])
				}
			}
		})
	}
	for _, kind := range []string{"HeaderMismatchError", "MissingRequiredClientCapabilityError", "UnsupportedProtocolVersionError", "InternalError", "InvalidParamsError", "MethodNotFoundError", "ParseError"} {
		for name, raw := range examplesOf(t, kind) {
			t.Run("BASE-08 BASE-20 "+name, func(t *testing.T) {
				if body, ok := member(raw, "error"); ok {
					raw = body
				}
				answer = func(e *webExchange) { e.json(400, `{"jsonrpc":"2.0","id":%s,"error":%s}`, e.msg.ID, raw) }
				out := mustCall(t, c, call("any", `{}`))
				if out.Kind != OutcomeError || !bytes.Equal(out.Raw, raw) || out.RPCError == nil || out.RPCError.Code == 0 {
					t.Errorf("got %+v", out)
				}
			})
		}
	}
	for _, kind := range []string{"ProgressNotification", "LoggingMessageNotification", "ToolListChangedNotification", "PromptListChangedNotification",
		"ResourceListChangedNotification", "ResourceUpdatedNotification", "SubscriptionsAcknowledgedNotification"} {
		for name, raw := range examplesOf(t, kind) {
			t.Run("PROG-03 LOG-02 SUB-02 notices cost nothing: "+name, func(t *testing.T) {
				answer = func(e *webExchange) {
					e.event("%s", raw)
					e.event(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[]}}`, e.msg.ID)
				}
				if out := mustCall(t, c, call("any", `{}`)); out.Kind != OutcomeComplete {
					t.Errorf("got %+v", out)
				}
			})
		}
	}

}

// TestDiscoverExamples opens a session with each published answer to the probe.
func TestDiscoverExamples(t *testing.T) {
	for name, raw := range examplesOf(t, "DiscoverResult") {
		t.Run("VER-02 "+name, func(t *testing.T) {
			s := newWebServer(t, "")
			s.handle = func(e *webExchange) {
				if e.msg.Method == "server/discover" {
					e.result(string(raw))
					return
				}
				e.w.WriteHeader(http.StatusMethodNotAllowed)
			}
			c, _, _ := s.connect(t)
			capabilities, _ := member(raw, "capabilities")
			if info := c.Info(); info.Era != EraModern || !bytes.Equal(info.Capabilities, capabilities) || fmt.Sprint(info.Fallbacks) != "[]" {
				t.Errorf("got %+v", info)
			}
		})
	}
}

func member(raw json.RawMessage, key string) (json.RawMessage, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil, false
	}
	v, ok := m[key]
	return v, ok
}
