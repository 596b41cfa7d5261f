//go:build unix

package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/mcpclient/jsonrpc"
)

func init() { children["wrapper"] = wrapperChild }

// wrapperChild starts two processes that end by nothing but a kill, one of them
// in a session of its own, tells their pids on stderr, and serves.
func wrapperChild() {
	for _, own := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{childEnv + "=sleeper"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: own}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintf(os.Stderr, "pid %d\n", cmd.Process.Pid)
	}
	p := newPeer()
	p.serve(EraModern, p.tools)
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
	t.Run("field-72 the whole tree goes", func(t *testing.T) {
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
	t.Run("field-72 a crashed wrapper's group goes too", func(t *testing.T) {
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
