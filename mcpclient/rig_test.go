package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// patience bounds every wait of a test for something that must come.
const patience = 20 * time.Second

// watcher collects the events of a client.
type watcher struct {
	t       *testing.T
	changed chan struct{}
	elicits chan LegacyElicitation
	deaf    chan string
	gone    chan string

	mu    sync.Mutex
	logs  []LogLine
	added chan struct{} // holds at most one
}

func newWatcher(t *testing.T) *watcher {
	return &watcher{
		t: t, changed: make(chan struct{}, 100), elicits: make(chan LegacyElicitation, 100),
		gone: make(chan string, 100), deaf: make(chan string, 100), added: make(chan struct{}, 1),
	}
}

func (w *watcher) events() Events {
	return Events{
		ToolsChanged: func() { w.changed <- struct{}{} },
		Elicit:       func(e LegacyElicitation) { w.elicits <- e },
		ElicitGone:   func(id string) { w.gone <- id },
		Deaf:         func(why string) { w.deaf <- why },
		Log: func(l LogLine) {
			w.mu.Lock()
			w.logs = append(w.logs, l)
			w.mu.Unlock()
			select {
			case w.added <- struct{}{}:
			default:
			}
		},
	}
}

// line waits for a log line of the source that holds the text.
func (w *watcher) line(source, text string) LogLine {
	w.t.Helper()
	end := time.After(patience)
	for {
		w.mu.Lock()
		for _, l := range w.logs {
			if l.Source == source && strings.Contains(l.Text, text) {
				w.mu.Unlock()
				return l
			}
		}
		w.mu.Unlock()
		select {
		case <-w.added:
		case <-end:
			w.t.Fatalf("no %s line with %q; have %+v", source, text, w.logs)
		}
	}
}

func wait[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
		panic("unreachable")
	}
}

// gateFunc is a gate.
type gateFunc func(context.Context, Send) error

func (f gateFunc) Admit(ctx context.Context, s Send) error { return f(ctx, s) }

// keeper is a gate that says yes and keeps copies.
type keeper struct {
	mu    sync.Mutex
	sends []Send
}

func (k *keeper) Admit(_ context.Context, s Send) error {
	s.Frame = bytes.Clone(s.Frame)
	s.Arguments = bytes.Clone(s.Arguments)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sends = append(k.sends, s)
	return nil
}

// stdioConfig is a config for a scripted child with a watcher and a keeper.
func stdioConfig(t *testing.T, child string) (Config, *watcher, *keeper) {
	w, k := newWatcher(t), &keeper{}
	return Config{
		Stdio: childConfig(child), LaunchFingerprint: "launch-1",
		ClientInfo: Implementation{Name: "test", Version: "0"}, Elicitation: true,
		Gate: k, Events: w.events(), ProbeTimeout: patience, StopGrace: patience,
	}, w, k
}

func mustConnect(t *testing.T, cfg Config) *Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := Connect(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func connectStdio(t *testing.T, child string) (*Client, *watcher, *keeper) {
	t.Helper()
	cfg, w, k := stdioConfig(t, child)
	return mustConnect(t, cfg), w, k
}

// recordTo makes the child copy what it reads into a file.
func recordTo(t *testing.T, cfg *Config) (lines func() []string) {
	name := filepath.Join(t.TempDir(), "record")
	cfg.Stdio.Env = append(cfg.Stdio.Env, recordEnv+"="+name)
	return func() []string {
		b, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	}
}

func call(tool, args string) Call {
	return Call{ID: "call-1", Attempt: 1, Tool: tool, Arguments: []byte(args)}
}

func mustCall(t *testing.T, c *Client, k Call) *Outcome {
	t.Helper()
	out, err := c.CallTool(context.Background(), k)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func quote(s string) string { return string(jsonrpc.AppendString(nil, s)) }

func mustParse(t *testing.T, s string) jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// waitLine waits for a recorded line that holds the text: the child may be
// behind, and what goes out on the side is in no order with the rest.
func waitLine(t *testing.T, lines func() []string, text string) string {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		for _, l := range lines() {
			if strings.Contains(l, text) {
				return l
			}
		}
		if time.Now().After(end) {
			t.Fatalf("no %s in %v", text, lines())
		}
	}
}

// waitFor waits until something is so that nothing tells of.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come to be so")
		}
	}
}
