package demoserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/mcpclient/mcpserver"
)

// sdkClient is a client of the official SDK and what it was told.
type sdkClient struct {
	*mcp.ClientSession
	progress chan float64
	changed  chan bool
	asked    chan *mcp.ElicitParams
}

func connectSDK(t *testing.T, version string, transport mcp.Transport) *sdkClient {
	t.Helper()
	c := &sdkClient{progress: make(chan float64, 100), changed: make(chan bool, 10), asked: make(chan *mcp.ElicitParams, 10)}
	client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			c.asked <- r.Params
			if r.Params.Mode == "url" {
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada", "pieces": 2}}, nil
		},
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { c.changed <- true },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { c.progress <- r.Params.Progress },
	})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	c.ClientSession = session
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return c
}

// TestOfficialSDK lets the client of the official SDK do what a host does.
func TestOfficialSDK(t *testing.T) {
	for _, version := range []string{modern, legacy} {
		t.Run("stdio "+version, func(t *testing.T) {
			drive(t, connectSDK(t, version, &mcp.CommandTransport{Command: childCommand()}), version)
		})
		t.Run("http "+version, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			address, done := make(chan string, 1), make(chan error, 1)
			go func() { done <- New().ServeHTTP(ctx, "127.0.0.1:0", func(a string) { address <- a }) }()
			t.Cleanup(func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
			drive(t, connectSDK(t, version, &mcp.StreamableClientTransport{Endpoint: "http://" + <-address + mcpserver.Path}), version)
		})
	}
}

func (c *sdkClient) run(t *testing.T, tool string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r
}

func drive(t *testing.T, c *sdkClient, version string) {
	if got := c.InitializeResult(); got.ProtocolVersion != version || got.ServerInfo.Name != "countersign-demo" || len(got.ServerInfo.Icons) != 1 {
		t.Fatalf("opened as %+v", got)
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 12 {
		t.Fatalf("%v: %+v", err, list)
	}
	if r := c.run(t, "weather", map[string]any{"city": "Łódź "}); r.IsError || r.StructuredContent == nil {
		t.Errorf("weather: %+v", r)
	}
	if r := c.run(t, "mixed", nil); len(r.Content) != 5 {
		t.Errorf("mixed: %+v", r)
	}
	if r := c.run(t, "table", map[string]any{"rows": 10}); r.IsError {
		t.Errorf("table: %+v", r)
	}
	if r := c.run(t, "tool_error", nil); !r.IsError {
		t.Errorf("tool_error: %+v", r)
	}
	var wire *jsonrpc.Error
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "protocol_error"}); !errors.As(err, &wire) || wire.Code != -32603 {
		t.Errorf("protocol_error: %v", err)
	}
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: guideURI}); err != nil {
		t.Errorf("the guide: %v", err)
	}

	params := &mcp.CallToolParams{Name: "long_job", Arguments: map[string]any{"steps": 3, "delay_ms": 0}}
	params.SetProgressToken("p")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Errorf("long_job: %v", err)
	}
	for want := 1.0; want <= 3; want++ {
		if got := <-c.progress; got != want {
			t.Errorf("progress %v, want %v", got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	params.Arguments = map[string]any{"steps": 1000, "delay_ms": 20}
	ended := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, params)
		ended <- err
	}()
	<-c.progress
	cancel()
	if err := <-ended; err == nil {
		t.Error("the cancelled call succeeded")
	}

	if got, err := json.Marshal(c.run(t, "ask_form", nil).StructuredContent); err != nil || !strings.Contains(string(got), `"name":"Ada","pieces":2`) {
		t.Errorf("ask_form: %s, %v", got, err) // it fills in defaults itself
	}
	if asked := <-c.asked; asked.Message == "" {
		t.Errorf("asked %+v", asked)
	}
	if r := c.run(t, "ask_url", nil); r.IsError {
		t.Errorf("ask_url: %+v", r)
	}
	if asked := <-c.asked; asked.URL != "https://example.com/countersign-demo" {
		t.Errorf("asked %+v", asked)
	}

	c.run(t, "add_tool", map[string]any{"name": "fresh"})
	<-c.changed
	if list, err := c.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 13 {
		t.Errorf("%v: %+v", err, list)
	}
}
