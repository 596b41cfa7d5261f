package mcpclient

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type yes struct{}

func (yes) Admit(context.Context, Send) error { return nil }

// BenchmarkStdioLarge compares what is large: one result of 20 MB, and a list of
// 10,000 tools (9 MB). The SDK's client has no result to show for the former: its
// line limit ends the connection.
func BenchmarkStdioLarge(b *testing.B) {
	b.Run("result/floor", func(b *testing.B) { benchLargeFloor(b, `"method":"tools/call","params":{"name":"big","arguments":{}}`) })
	b.Run("result/countersign", func(b *testing.B) {
		c := benchConnect(b, "large")
		b.ReportAllocs()
		for b.Loop() {
			out, err := c.CallTool(context.Background(), Call{Tool: "big", Arguments: []byte(`{}`)})
			if err != nil || len(out.Raw) < 20<<20 {
				b.Fatal(err)
			}
		}
	})
	b.Run("list/floor", func(b *testing.B) { benchLargeFloor(b, `"method":"tools/list"`) })
	b.Run("list/countersign", func(b *testing.B) {
		c := benchConnect(b, "large")
		b.ReportAllocs()
		for b.Loop() {
			list, err := c.ListTools(context.Background())
			if err != nil || len(list.Tools) != 10_000 {
				b.Fatal(err)
			}
		}
	})
	b.Run("list/sdk", func(b *testing.B) {
		s := benchSDKConnect(b, "large")
		b.ReportAllocs()
		for b.Loop() {
			list, err := s.ListTools(context.Background(), nil)
			if err != nil || len(list.Tools) != 10_000 {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkStdioCall compares one small tools/call over stdio: raw bytes without
// a client (the floor), this client, and the official SDK's, all against the
// same child.
func BenchmarkStdioCall(b *testing.B) {
	b.Run("floor", benchFloor)
	b.Run("countersign", func(b *testing.B) { benchOurs(b, "echo") })
	b.Run("sdk", func(b *testing.B) { benchSDK(b, "echo") })
}

// floorPipe is a child without a client.
func floorPipe(b *testing.B, child string) (io.Writer, *bufio.Reader) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = childConfig(child).Env
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return in, bufio.NewReaderSize(out, 64<<10)
}

func benchFloor(b *testing.B) {
	in, out := floorPipe(b, "echo")
	frame := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}` + "\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Write(frame); err != nil {
			b.Fatal(err)
		}
		if _, err := out.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
}

func benchLargeFloor(b *testing.B, what string) {
	in, out := floorPipe(b, "large")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":7,`+what+"}\n"); err != nil {
			b.Fatal(err)
		}
		if line, err := out.ReadBytes('\n'); err != nil || len(line) < 9<<20 {
			b.Fatal(err)
		}
	}
}

func benchConnect(b *testing.B, child string) *Client {
	b.Helper()
	c, err := Connect(context.Background(), Config{Stdio: childConfig(child), Gate: yes{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

func benchOurs(b *testing.B, child string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := benchConnect(b, child)
	args := []byte(`{"text":"hi"}`)
	b.ReportAllocs()
	for b.Loop() {
		out, err := c.CallTool(ctx, Call{ID: "c", Attempt: 1, Tool: "echo", Arguments: args})
		if err != nil || out.Kind != OutcomeComplete {
			b.Fatal(out, err)
		}
	}
}

func benchSDKConnect(b *testing.B, child string) *mcp.ClientSession {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = childConfig(child).Env
	s, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func benchSDK(b *testing.B, child string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := benchSDKConnect(b, child)
	args := map[string]any{"text": "hi"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "echo", Arguments: args}); err != nil {
			b.Fatal(err)
		}
	}
}
