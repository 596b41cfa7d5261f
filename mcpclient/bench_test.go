package mcpclient

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type yes struct{}

func (yes) Admit(context.Context, Send) error { return nil }

// BenchmarkStdioCall compares one small tools/call over stdio: raw bytes without
// a client (the floor), this client, and the official SDK's, all against the
// same child.
func BenchmarkStdioCall(b *testing.B) {
	b.Run("floor", benchFloor)
	b.Run("countersign", func(b *testing.B) { benchOurs(b, "echo") })
	b.Run("sdk", func(b *testing.B) { benchSDK(b, "echo") })
}

func benchFloor(b *testing.B) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{childEnv + "=echo"}
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	r := bufio.NewReader(out)
	frame := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}` + "\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Write(frame); err != nil {
			b.Fatal(err)
		}
		if _, err := r.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	_ = in.Close()
	_ = cmd.Wait()
}

func benchOurs(b *testing.B, child string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := Connect(ctx, Config{Stdio: childConfig(child), Gate: yes{}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close(ctx)
	args := []byte(`{"text":"hi"}`)
	b.ReportAllocs()
	for b.Loop() {
		out, err := c.CallTool(ctx, Call{ID: "c", Attempt: 1, Tool: "echo", Arguments: args})
		if err != nil || out.Kind != OutcomeComplete {
			b.Fatal(out, err)
		}
	}
}

func benchSDK(b *testing.B, child string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{childEnv + "=" + child}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	args := map[string]any{"text": "hi"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "echo", Arguments: args}); err != nil {
			b.Fatal(err)
		}
	}
}
