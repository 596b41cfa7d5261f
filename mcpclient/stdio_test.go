package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/mcpclient/jsonrpc"
)

func TestEraOverStdio(t *testing.T) {
	tests := []struct {
		name, child string
		remembered  Era
		probe       time.Duration
		era         Era
		version     string
		fallbacks   int
	}{
		{"VER-06 a DiscoverResult means modern", "modern", "", 0, EraModern, ModernVersion, 0},
		{"VER-07 an error means legacy", "legacy", "", 0, EraLegacy, LegacyVersion, 1},
		{"VER-07 silence means legacy; its late answer is nobody else's", "silent", "", 50 * time.Millisecond, EraLegacy, LegacyVersion, 1},
		{"VER-07 a child that ends at the probe is started again", "picky", "", 0, EraLegacy, LegacyVersion, 1},
		{"VER-08 field report 102: any code, an older version", "oldversion", "", 0, EraLegacy, "2024-11-05", 1},
		{"VER-16 a remembered era spares the probe", "picky", EraLegacy, 0, EraLegacy, LegacyVersion, 0},
		{"VER-16 a wrong memory is mended", "modern", EraLegacy, 0, EraModern, ModernVersion, 1},
		{"VER-16 a wrong memory is mended, the other way", "legacy", EraModern, 0, EraLegacy, LegacyVersion, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg, _, _ := stdioConfig(t, test.child)
			cfg.RememberedEra = test.remembered
			if test.probe > 0 {
				cfg.ProbeTimeout = test.probe
			}
			c := mustConnect(t, cfg)
			info := c.Info()
			if info.Era != test.era || info.Version != test.version || len(info.Fallbacks) != test.fallbacks {
				t.Errorf("got %+v", info)
			}
			if info.ServerInfo.Name == "" || info.Instructions == "" || info.PID == 0 || info.Capabilities == nil {
				t.Errorf("incomplete: %+v", info)
			}
			if test.child != "oldversion" && test.child != "silent" {
				mustCall(t, c, call("echo", `{}`))
			}
		})
	}
}

func TestConnectFailures(t *testing.T) {
	connectErr := func(t *testing.T, cfg Config) (*watcher, error) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		c, err := Connect(ctx, cfg)
		if err == nil {
			_ = c.Close(context.Background())
			t.Fatal("connected")
		}
		return nil, err
	}
	t.Run("field report 74: exit code and stderr at once", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "exit7")
		began := time.Now()
		_, err := connectErr(t, cfg)
		var exit *ExitError
		if !errors.As(err, &exit) || exit.Code != 7 || !strings.Contains(exit.Stderr, "missing TOKEN") {
			t.Errorf("got %v", err)
		}
		if !strings.Contains(err.Error(), "missing TOKEN") {
			t.Errorf("the message is %q", err)
		}
		if time.Since(began) > cfg.ProbeTimeout/2 {
			t.Errorf("it took %v", time.Since(began))
		}
		w.line("stderr", "starting")
	})
	t.Run("VER-01 VER-06 GAP-02: unsupported version never falls back", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "unsupported")
		_, err := connectErr(t, cfg)
		var v *VersionError
		if !errors.As(err, &v) || len(v.Theirs) != 2 {
			t.Errorf("got %v", err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, l := range w.logs {
			if strings.Contains(l.Text, "initialize came") {
				t.Error("initialize was sent")
			}
		}
	})
	t.Run("LEG-02 a version that is not ours", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "newversion")
		_, err := connectErr(t, cfg)
		var v *VersionError
		if !errors.As(err, &v) || v.Theirs[0] != "2030-01-01" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("field report 76: a server that never answers", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "mute")
		cfg.ProbeTimeout, cfg.RequestTimeout = 20*time.Millisecond, 50*time.Millisecond
		_, err := connectErr(t, cfg)
		var timeout *TimeoutError
		if !errors.As(err, &timeout) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the context ends it", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "mute")
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if _, err := Connect(ctx, cfg); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no such program, relative path, nothing and both", func(t *testing.T) {
		for _, cfg := range []Config{
			{Stdio: &StdioConfig{Path: "/does/not/exist"}},
			{Stdio: &StdioConfig{Path: "sh"}},
			{},
			{Stdio: &StdioConfig{Path: "/bin/sh"}, HTTP: &HTTPConfig{URL: "http://127.0.0.1"}},
			{HTTP: &HTTPConfig{URL: "ftp://127.0.0.1"}},
			{HTTP: &HTTPConfig{URL: "http://127.0.0.1", Headers: []Header{{"A b", "c"}}}},
			{HTTP: &HTTPConfig{URL: "http://127.0.0.1", Headers: []Header{{"A", "c\r\nX: y"}}}},
		} {
			connectErr(t, cfg)
		}
	})
	t.Run("the environment is exactly the given one", func(t *testing.T) {
		t.Setenv("MCPCLIENT_TEST_LEAK", "1")
		cfg, w, _ := stdioConfig(t, "")
		cfg.Stdio = &StdioConfig{Path: "/bin/sh", Args: []string{"-c", "env >&2; pwd >&2; exit 5"}, Dir: "/"}
		connectErr(t, cfg)
		w.line("stderr", "/")
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, l := range w.logs {
			if strings.Contains(l.Text, "MCPCLIENT_TEST_LEAK") {
				t.Error(l.Text)
			}
		}
	})
}

func TestNoise(t *testing.T) {
	c, w, _ := connectStdio(t, "noise")
	t.Run("STDIO-04 field report 63: lines that are no message", func(t *testing.T) {
		mustCall(t, c, call("echo", `{}`))
		w.line("stdout", "Starting server on stdio...")
		w.line("stdout", "[dbg] {not json")
		w.line("stdout", "handling echo")
	})
	t.Run("field report 69: a byte that is not UTF-8 in a result stays", func(t *testing.T) {
		out := mustCall(t, c, call("raw", "{\"result\":{\"content\":[],\"x\":\"a \x97 b\"}}"))
		if !strings.Contains(string(out.Raw), "a \x97 b") {
			t.Errorf("got %q", out.Raw)
		}
		w.line("protocol", "not UTF-8")
	})
	t.Run("STDIO-03 field report 70: a flood on stderr", func(t *testing.T) {
		mustCall(t, c, call("flood", `{}`))
		w.line("stderr", "eeee")
		mustCall(t, c, call("echo", `{}`))
	})
	t.Run("field report 64: a result of 20 MB", func(t *testing.T) {
		if out := mustCall(t, c, call("big", `{}`)); len(out.Raw) < 20<<20 {
			t.Errorf("got %d bytes", len(out.Raw))
		}
	})
	t.Run("arguments of 4 MB", func(t *testing.T) {
		args := `{"a":"` + strings.Repeat("x", 4<<20) + `"}`
		if out := mustCall(t, c, call("echo", args)); !strings.Contains(string(out.Raw), args) {
			t.Errorf("got %d bytes", len(out.Raw))
		}
	})
	t.Run("field report 109: the id as text", func(t *testing.T) {
		next := c.nextID.Load() + 1
		out := mustCall(t, c, call("send", fmt.Sprintf(`{"line":"{\"id\":\"%d\",\"result\":{\"content\":[]}}"}`, next)))
		if string(out.Raw) != `{"content":[]}` {
			t.Errorf("got %s", out.Raw)
		}
		w.line("protocol", "id as text")
	})
	t.Run("field report 111: an answer of unknown id is no answer, and a hint", func(t *testing.T) {
		mustCall(t, c, call("send", `{"line":"{\"id\":0,\"result\":{\"content\":[]}}"}`))
		w.line("protocol", "unknown id 0")
		k := call("hang", `{}`)
		k.IdleTimeout = 30 * time.Millisecond
		_, err := c.CallTool(context.Background(), k)
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || !strings.Contains(timeout.Hint, "unknown id 0") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("BASE-06 a request on a modern connection is logged, not answered", func(t *testing.T) {
		mustCall(t, c, call("send", `{"line":"{\"id\":1,\"method\":\"ping\"}"}`))
		w.line("protocol", "forbids")
		mustCall(t, c, call("echo", `{}`)) // an answer would have been read as a message by the child
	})
}

func TestMessageLimit(t *testing.T) {
	cfg, w, _ := stdioConfig(t, "modern")
	cfg.MaxMessageBytes = 1 << 20
	c := mustConnect(t, cfg)
	_, err := c.CallTool(context.Background(), call("big", `{}`))
	var lost *LostError
	var large *TooLargeError
	if !errors.As(err, &lost) || !errors.As(err, &large) {
		t.Errorf("got %v", err)
	}
	w.line("protocol", "dropped")
	if _, err := c.CallTool(context.Background(), call("echo", `{"a":"`+strings.Repeat("x", 1<<20)+`"}`)); !errors.As(err, &large) || errors.As(err, new(*NotSentError)) {
		t.Errorf("got %v", err)
	}
	mustCall(t, c, call("echo", `{}`))
}

func TestChildEnds(t *testing.T) {
	t.Run("STDIO-08 a crash during a call", func(t *testing.T) {
		c, _, _ := connectStdio(t, "modern")
		_, err := c.CallTool(context.Background(), call("die", `{}`))
		var lost *LostError
		var exit *ExitError
		if !errors.As(err, &lost) || !errors.As(err, &exit) || exit.Code != 3 || !strings.Contains(exit.Stderr, "out of cheese") {
			t.Errorf("got %v", err)
		}
		wait(t, c.Done(), "the end")
		if !errors.As(c.Err(), &exit) {
			t.Errorf("Err is %v", c.Err())
		}
		// Afterwards nothing is written, and no gate is asked.
		_, err = c.CallTool(context.Background(), call("echo", `{}`))
		if !errors.As(err, &exit) || errors.As(err, &lost) || errors.As(err, new(*RefusedError)) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a signal", func(t *testing.T) {
		c, _, _ := connectStdio(t, "modern")
		_, err := c.CallTool(context.Background(), call("killself", `{}`))
		var exit *ExitError
		if !errors.As(err, &exit) || exit.Signal != "SIGKILL" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a crash while idle is noticed", func(t *testing.T) {
		c, _, _ := connectStdio(t, "legacy")
		if err := syscall.Kill(c.Info().PID, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		wait(t, c.Done(), "the end")
		var exit *ExitError
		if !errors.As(c.Err(), &exit) || exit.Signal != "SIGTERM" {
			t.Errorf("Err is %v", c.Err())
		}
	})
	t.Run("Err is nil after Close, and calls in flight are lost", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "modern")
		c := mustConnect(t, cfg)
		result := make(chan error, 1)
		go func() {
			_, err := c.CallTool(context.Background(), call("hang", `{}`))
			result <- err
		}()
		w.line("message", "hanging")
		if err := c.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		var lost *LostError
		if err := <-result; !errors.As(err, &lost) || !errors.Is(err, ErrClosed) {
			t.Errorf("got %v", err)
		}
		if wait(t, c.Done(), "the end"); c.Err() != nil {
			t.Errorf("Err is %v", c.Err())
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func running1(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestStopLadder(t *testing.T) {
	t.Run("STDIO-07 closing the input is enough for a good server", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "modern")
		c := mustConnect(t, cfg) // its grace is longer than the test may last
		if err := c.Close(context.Background()); err != nil || running1(c.Info().PID) {
			t.Errorf("%v, running: %v", err, running1(c.Info().PID))
		}
	})
	t.Run("STDIO-07 a stubborn server is killed", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "stubborn")
		cfg.StopGrace = 50 * time.Millisecond
		c := mustConnect(t, cfg)
		if err := c.Close(context.Background()); err != nil || running1(c.Info().PID) {
			t.Errorf("%v, running: %v", err, running1(c.Info().PID))
		}
	})
	t.Run("an ended context kills at once", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "stubborn")
		c := mustConnect(t, cfg)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := c.Close(ctx); err != nil || running1(c.Info().PID) {
			t.Errorf("%v, running: %v", err, running1(c.Info().PID))
		}
	})
	t.Run("field report 72: the whole tree goes", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "wrapper")
		c := mustConnect(t, cfg)
		pids := wrapperPIDs(t, w)
		for _, pid := range pids {
			if !running1(pid) {
				t.Fatalf("%d does not run", pid)
			}
		}
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		for _, pid := range pids {
			if running1(pid) {
				t.Errorf("%d still runs", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	t.Run("field report 72: a crashed wrapper's group goes too", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "wrapper")
		c := mustConnect(t, cfg)
		pids := wrapperPIDs(t, w)
		if _, err := c.CallTool(context.Background(), call("die", `{}`)); err == nil {
			t.Error("it lives")
		}
		wait(t, c.Done(), "the end")
		if running1(pids[0]) {
			t.Errorf("%d still runs", pids[0])
		}
		_ = syscall.Kill(pids[1], syscall.SIGKILL) // left the group; nobody can find it now
	})
}

func wrapperPIDs(t *testing.T, w *watcher) []int {
	t.Helper()
	w.line("stderr", "pid ")
	var pids []int
	for end := time.Now().Add(patience); len(pids) < 2 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		pids = nil
		w.mu.Lock()
		for _, l := range w.logs {
			if s, ok := strings.CutPrefix(l.Text, "pid "); ok {
				pid, _ := strconv.Atoi(s)
				pids = append(pids, pid)
			}
		}
		w.mu.Unlock()
	}
	if len(pids) != 2 {
		t.Fatalf("pids: %v", pids)
	}
	return pids
}

func TestFullPipe(t *testing.T) {
	// The child reads nothing: a frame larger than a pipe holds cannot go out.
	cfg, _, _ := stdioConfig(t, "modern")
	c := mustConnect(t, cfg)
	pid := c.Info().PID
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	admitted := make(chan struct{})
	c.cfg.Gate = gateFunc(func(context.Context, Send) error { close(admitted); return nil })
	go func() {
		_, err := c.CallTool(ctx, call("echo", `{"a":"`+strings.Repeat("x", 2<<20)+`"}`))
		result <- err
	}()
	<-admitted
	cancel()
	var cancelled *CancelledError
	var unsent *NotSentError
	if err := wait(t, result, "the end of the call"); !errors.As(err, &cancelled) && !errors.As(err, &unsent) {
		t.Errorf("got %v", err)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.cfg.Gate = &keeper{}
	if out := mustCall(t, c, call("echo", `{"b":1}`)); !jsonrpc.Valid(out.Raw) {
		t.Errorf("got %s", out.Raw)
	}
}
