package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/mcpclient/jsonrpc"
)

type sdkText struct {
	Text string `json:"text"`
}

// sdkServer is a server of the official SDK with a few tools. release ends the
// tool that waits: over stateless HTTP this SDK tells a handler nothing of a
// request that was cancelled.
func sdkServer(release <-chan struct{}) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ServerOptions{Instructions: "use the tools", PageSize: 2})
	text := func(t string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: t}}}
	}
	add := func(name string, handle func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, error)) {
		mcp.AddTool(s, &mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, any, error) {
			res, err := handle(ctx, r, in)
			return res, nil, err
		})
	}
	add("echo", func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, error) {
		return text(in.Text), nil
	})
	add("progress", func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, error) {
		for n := range 3 {
			err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: r.Params.GetProgressToken(), Progress: float64(n), Total: 3, Message: "working",
			})
			if err != nil {
				return nil, err
			}
		}
		return text("done"), nil
	})
	add("wait", func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, error) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1})
		select {
		case <-ctx.Done():
			fmt.Fprintln(os.Stderr, "wait was cancelled")
		case <-release:
		}
		return nil, errors.New("not waited for")
	})
	add("ask", func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["who"].(*mcp.ElicitResult); ok {
			return text(fmt.Sprintf("%s %v %s", answer.Action, answer.Content["name"], r.Params.RequestState)), nil
		}
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{
				Message: "who are you?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}},
			}},
			RequestState: "state-1",
		}, nil
	})
	add("grow", func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, error) {
		mcp.AddTool(s, &mcp.Tool{Name: in.Text}, func(ctx context.Context, r *mcp.CallToolRequest, in sdkText) (*mcp.CallToolResult, any, error) {
			return text("grown"), nil, nil
		})
		return text("added"), nil
	})
	return s
}

// TestOfficialSDK drives servers of the official SDK, over both transports and
// in both eras, through the whole of what a host does.
func TestOfficialSDK(t *testing.T) {
	for _, era := range []Era{EraModern, EraLegacy} {
		for _, transport := range []string{"stdio", "http"} {
			t.Run(string(era)+" "+transport, func(t *testing.T) {
				w, k := newWatcher(t), &keeper{}
				cfg := Config{
					ClientInfo: Implementation{Name: "test", Version: "0"}, Elicitation: true, Gate: k, Events: w.events(), ProbeTimeout: patience,
				}
				if era == EraLegacy {
					cfg.RememberedEra = EraLegacy // it serves both; how one opens decides
				}
				if transport == "stdio" {
					cfg.Stdio = childConfig("sdk")
				} else {
					release := make(chan struct{})
					server := sdkServer(release)
					handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == EraModern})
					web := httptest.NewServer(handler)
					t.Cleanup(web.Close)
					t.Cleanup(func() { close(release) })
					cfg.HTTP = &HTTPConfig{URL: web.URL}
				}
				driveSDK(t, cfg, era, w)
			})
		}
	}
}

// TestSDKOverHTTPAndSSE: the official SDK's server of 2024-11-05's transport, which
// we did not write.
func TestSDKOverHTTPAndSSE(t *testing.T) {
	server := sdkServer(nil)
	web := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(web.Close)
	cfg := Config{
		HTTP: &HTTPConfig{URL: web.URL + "/sse"}, ClientInfo: Implementation{Name: "test", Version: "0"},
		Gate: &keeper{}, ProbeTimeout: patience,
	}
	c := mustConnect(t, cfg)
	t.Run("LEG-23 LEG-24 LEG-12 the official SDK over HTTP+SSE", func(t *testing.T) {
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "ask echo grow progress wait" {
			t.Fatalf("got %q (%v)", names(list), err)
		}
		if out := mustCall(t, c, call("echo", `{"text":"héllo"}`)); !strings.Contains(string(out.Raw), `"text":"héllo"`) {
			t.Errorf("got %s", out.Raw)
		}
		var got []string
		k := call("progress", `{"text":""}`)
		k.OnProgress = func(p Progress) { got = append(got, string(p.Progress)) }
		mustCall(t, c, k)
		if strings.Join(got, ",") != "0,1,2" {
			t.Errorf("progress %v", got)
		}
	})
	if !c.tr.(*httpTransport).isOld() {
		t.Error("it was reached in another way")
	}
}

func driveSDK(t *testing.T, cfg Config, era Era, w *watcher) {
	c := mustConnect(t, cfg)
	if info := c.Info(); info.Era != era || info.ServerInfo.Name != "sdk" || info.Instructions != "use the tools" || len(info.Fallbacks) != 0 {
		t.Errorf("got %+v", info)
	}
	list, err := c.ListTools(context.Background())
	if err != nil || names(list) != "ask echo grow progress wait" || len(list.Pages) != 3 {
		t.Fatalf("got %q (%v)", names(list), err)
	}
	t.Run("call", func(t *testing.T) {
		out := mustCall(t, c, call("echo", `{"text":"héllo"}`))
		if !strings.Contains(string(out.Raw), `"text":"héllo"`) || out.IsError {
			t.Errorf("got %s", out.Raw)
		}
	})
	t.Run("unknown tool and bad arguments", func(t *testing.T) {
		out := mustCall(t, c, call("nonesuch", `{}`))
		if out.Kind != OutcomeError || out.RPCError.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("got %+v", out)
		}
		if out := mustCall(t, c, call("echo", `{"text":5}`)); out.Kind == OutcomeComplete && !out.IsError {
			t.Errorf("got %s", out.Raw)
		}
	})
	t.Run("progress", func(t *testing.T) {
		var got []string
		k := call("progress", `{"text":""}`)
		k.OnProgress = func(p Progress) { got = append(got, string(p.Progress)+"/"+string(p.Total)+" "+p.Message) }
		mustCall(t, c, k)
		if strings.Join(got, ",") != "0/3 working,1/3 working,2/3 working" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		k := call("wait", `{"text":""}`)
		k.OnProgress = func(Progress) { cancel() }
		if _, err := c.CallTool(ctx, k); !errors.As(err, new(*CancelledError)) {
			t.Errorf("got %v", err)
		}
		if cfg.Stdio != nil {
			w.line("stderr", "wait was cancelled")
		}
	})
	t.Run("question", func(t *testing.T) { askSDK(t, c, era, w) })
	t.Run("change", func(t *testing.T) {
		mustCall(t, c, call("grow", `{"text":"zz"}`))
		for end := time.Now().Add(patience); ; {
			wait(t, w.changed, "ToolsChanged")
			list, err := c.ListTools(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(names(list), " zz") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("got %q", names(list))
			}
		}
	})
}

// askSDK has a question asked and answered, in rounds or by the server's own
// request.
func askSDK(t *testing.T, c *Client, era Era, w *watcher) {
	k := call("ask", `{"text":""}`)
	answer := json.RawMessage(`{"action":"accept","content":{"name":"Ann"}}`)
	var out *Outcome
	if era == EraModern {
		out = mustCall(t, c, k)
		if out.Kind != OutcomeInputRequired || len(out.InputRequests) != 1 || out.RequestState == nil || out.InputRequests[0].Method != "elicitation/create" {
			t.Fatalf("got %+v", out)
		}
		k.Round, k.RequestState = 1, out.RequestState
		k.InputResponses = json.RawMessage(`{"who":` + string(answer) + `}`)
		out = mustCall(t, c, k)
	} else {
		r := start(context.Background(), c, k)
		e := wait(t, w.elicits, "the question")
		if err := c.AnswerElicitation(context.Background(), ElicitationAnswer{CallID: k.ID, Attempt: 1, RequestID: e.RequestID, Result: answer}); err != nil {
			t.Fatal(err)
		}
		got := wait(t, r, "the result")
		if got.err != nil {
			t.Fatal(got.err)
		}
		out = got.out
	}
	if !strings.Contains(string(out.Raw), "accept Ann") {
		t.Errorf("got %s", out.Raw)
	}
}
