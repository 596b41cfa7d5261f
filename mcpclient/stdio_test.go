package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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
		{"VER-07 a late refusal of the probe without id is nobody else's", "latecomer", "", 50 * time.Millisecond, EraLegacy, LegacyVersion, 1},
		{"VER-06 a modern server too slow for the probe", "slow", "", 50 * time.Millisecond, EraModern, ModernVersion, 2},
		{"VER-06 VER-15 a server of both eras too slow for the probe", "slowboth", "", 50 * time.Millisecond, EraLegacy, LegacyVersion, 1},
		{"VER-07 a child that ends at the probe is started again", "picky", "", 0, EraLegacy, LegacyVersion, 1},
		{"VER-08 field-102 any code, an older version", "oldversion", "", 0, EraLegacy, "2024-11-05", 1},
		{"VER-16 a remembered era spares the probe", "picky", EraLegacy, 0, EraLegacy, LegacyVersion, 0},
		{"VER-16 a wrong memory is mended", "modern", EraLegacy, 0, EraModern, ModernVersion, 1},
		{"VER-16 a wrong memory is mended, though initialize ends the child", "pickymodern", EraLegacy, 0, EraModern, ModernVersion, 1},
		{"VER-16 a wrong memory is mended, though initialize is not answered", "modernonly", EraLegacy, 50 * time.Millisecond, EraModern, ModernVersion, 1},
		{"VER-16 a wrong memory is mended, the other way", "legacy", EraModern, 0, EraLegacy, LegacyVersion, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg, _, _ := stdioConfig(t, test.child)
			cfg.RememberedEra = test.remembered
			if test.probe > 0 {
				cfg.ProbeTimeout = test.probe
				if test.remembered == EraLegacy { // then it is the other that is not answered
					cfg.ProbeTimeout, cfg.RequestTimeout = patience, test.probe
				}
			}
			c := mustConnect(t, cfg)
			info := c.Info()
			if info.Era != test.era || info.Version != test.version || len(info.Fallbacks) != test.fallbacks {
				t.Errorf("got %+v", info)
			}
			if slow := strings.HasPrefix(test.child, "slow") || test.child == "silent"; info.Remember != info.Era && !slow || slow && info.Remember != EraModern {
				t.Errorf("to be remembered: %s", info.Remember)
			}
			for _, reason := range info.Fallbacks {
				if !strings.Contains(reason, ": ") {
					t.Errorf("given up without a reason: %s", reason)
				}
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
	t.Run("field-74 exit code and stderr at once", func(t *testing.T) {
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
	t.Run("VER-01 VER-06 GAP-02 unsupported version never falls back", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "unsupported")
		_, err := connectErr(t, cfg)
		var v *VersionError
		if !errors.As(err, &v) || len(v.Theirs) != 2 || !slices.Equal(v.Ours, []string{ModernVersion}) {
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
	t.Run("field-76 a server that never answers", func(t *testing.T) {
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
	t.Run("STDIO-11 the environment is exactly the given one", func(t *testing.T) {
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

func TestArguments(t *testing.T) {
	t.Run("field-78 arguments reach the child as they were given, whatever a shell would make of them", func(t *testing.T) {
		given := []string{
			"", " ", "a b", `"`, `say "hi"`, `'`, `\`, `C:\dir with space\`, `\\"`, "%PATH%", "%%", "!x!", "^", "a^b", "a&b", "a|b", "<in", ">out",
			"$HOME", "$(id)", "`id`", ";exit", "#", "*", "?", "~", "{a,b}", "(", ")", "a\tb", "a\nb", "\r", "日本 語", "\xff", "-y", "--", "--x=1", "@scope/pkg",
		}
		cfg, w, _ := stdioConfig(t, "")
		cfg.Stdio = childConfig("argv", given...)
		mustCall(t, mustConnect(t, cfg), call("x", `{}`))
		w.line("stderr", fmt.Sprintf("arg %q", given[len(given)-1]))
		var got []string
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, l := range w.logs {
			if quoted, ok := strings.CutPrefix(l.Text, "arg "); ok {
				arg, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, arg)
			}
		}
		if !slices.Equal(got, given) {
			t.Errorf("got\n%q, given\n%q", got, given)
		}
	})
}

func TestEarlyPing(t *testing.T) {
	t.Run("STDIO-13 LEG-17 field-106 asked before it was opened, a legacy server is answered", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "eager")
		lines := recordTo(t, &cfg)
		mustConnect(t, cfg)
		waitLine(t, lines, `{"jsonrpc":"2.0","id":0,"result":{}}`)
	})
}

func TestNoise(t *testing.T) {
	c, w, _ := connectStdio(t, "noise")
	t.Run("STDIO-04 field-63 lines that are no message", func(t *testing.T) {
		mustCall(t, c, call("echo", `{}`))
		w.line("stdout", "Starting server on stdio...")
		w.line("stdout", "[dbg] {not json")
		w.line("protocol", "the first is Starting server on stdio...")
		w.line("stdout", "handling echo")
	})
	t.Run("field-69 a byte that is not UTF-8 in a result stays", func(t *testing.T) {
		out := mustCall(t, c, call("codepage", `{}`))
		if !strings.Contains(string(out.Raw), "a \x97 b") {
			t.Errorf("got %q", out.Raw)
		}
		w.line("protocol", "not UTF-8")
	})
	t.Run("STDIO-03 field-70 a flood on stderr", func(t *testing.T) {
		mustCall(t, c, call("flood", `{}`))
		w.line("stderr", "eeee")
		mustCall(t, c, call("echo", `{}`))
	})
	t.Run("field-64 a result of 20 MB", func(t *testing.T) {
		if out := mustCall(t, c, call("big", `{}`)); len(out.Raw) < 20<<20 {
			t.Errorf("got %d bytes", len(out.Raw))
		}
	})
	t.Run("field-64 arguments of 4 MB", func(t *testing.T) {
		args := `{"a":"` + strings.Repeat("x", 4<<20) + `"}`
		if out := mustCall(t, c, call("echo", args)); !strings.Contains(string(out.Raw), args) {
			t.Errorf("got %d bytes", len(out.Raw))
		}
	})
	t.Run("field-109 the id as text", func(t *testing.T) {
		next := c.nextID.Load() + 1
		out := mustCall(t, c, call("send", fmt.Sprintf(`{"line":"{\"id\":\"%d\",\"result\":{\"content\":[]}}"}`, next)))
		if string(out.Raw) != `{"content":[]}` {
			t.Errorf("got %s", out.Raw)
		}
		w.line("protocol", "the id in another form")
	})
	t.Run("field-111 an answer of unknown id is no answer, and a hint", func(t *testing.T) {
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
	t.Run("BASE-05 BASE-06 a request on a modern connection is logged, not answered", func(t *testing.T) {
		mustCall(t, c, call("send", `{"line":"{\"id\":1,\"method\":\"ping\"}"}`))
		w.line("protocol", "forbids")
		mustCall(t, c, call("echo", `{}`)) // an answer would have been read as a message by the child
	})
}

func TestAnnotationsMeanNothing(t *testing.T) {
	t.Run("STDIO-10 a bad x-mcp-header annotation does not stop a call", func(t *testing.T) {
		c, _, k := connectStdio(t, "modern")
		b := call("echo", `{"a":1}`)
		b.Definition = []byte(`{"name":"echo","inputSchema":{"type":"object","x-mcp-header":"not a token","properties":{"a":{"type":"number","x-mcp-header":"A"}}}}`)
		if HiddenReason(b.Definition) == "" {
			t.Fatal("a good definition")
		}
		mustCall(t, c, b)
		if k.sends[0].Headers != nil {
			t.Errorf("sent with %v", k.sends[0].Headers)
		}
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
