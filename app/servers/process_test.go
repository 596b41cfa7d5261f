package servers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"countersign/app/servers"
	"countersign/mcpclient"
)

// patience bounds what waits for another process; nothing is measured by it.
const patience = 30 * time.Second

// bench is a Manager over real processes and connections.
type bench struct {
	t *testing.T
	*servers.Manager

	mu     sync.Mutex
	launch map[string]servers.Prepared
	news   chan struct{} // closed and made anew whenever anything was told
	ended  []error
}

func newBench(t *testing.T) *bench {
	t.Helper()
	checkLeaks(t)
	b := &bench{t: t, launch: map[string]servers.Prepared{}, news: make(chan struct{})}
	b.Manager = servers.New(servers.Deps{
		Prepare: func(_ context.Context, id string) (servers.Prepared, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.launch[id], nil
		},
		Gate:    openGate{},
		OnState: func(servers.Status) { b.told(nil, false) },
		OnTools: func(string) { b.told(nil, false) },
		OnLog:   func(string) { b.told(nil, false) },
		OnEnded: func(_ string, err error) { b.told(err, true) },
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := b.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return b
}

// openGate admits everything: these tests are about connections, not approvals.
type openGate struct{}

func (openGate) Admit(context.Context, mcpclient.Send) error { return nil }

func (b *bench) told(err error, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ended {
		b.ended = append(b.ended, err)
	}
	close(b.news)
	b.news = make(chan struct{})
}

// until waits for a condition, which is looked at after each thing told.
func (b *bench) until(what string, done func() bool) {
	b.t.Helper()
	timeout := time.After(patience)
	for {
		b.mu.Lock()
		news := b.news
		b.mu.Unlock()
		if done() {
			return
		}
		select {
		case <-news:
		case <-timeout:
			b.t.Fatalf("waited in vain until %s; servers: %+v", what, b.All())
		}
	}
}

func (b *bench) untilState(id string, state servers.State) servers.Status {
	b.t.Helper()
	b.until(fmt.Sprintf("%s is %s", id, state), func() bool { return b.Status(id).State == state })
	return b.Status(id)
}

func (b *bench) setLaunch(id string, p servers.Prepared) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.launch[id] = p
}

// role makes the launch of this test binary in one of its roles.
func (b *bench) role(name string) servers.Prepared {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	// A child under the race detector would rest for a second before it ends.
	return b.program(self, roleVar+"="+name, "GORACE=atexit_sleep_ms=0")
}

func (b *bench) program(path string, env ...string) servers.Prepared {
	return servers.Prepared{Name: "Weather", Command: filepath.Base(path), Fingerprint: path,
		Config: mcpclient.Config{
			Stdio:        &mcpclient.StdioConfig{Path: path, Env: env},
			ClientInfo:   mcpclient.Implementation{Name: "countersign", Version: "0"},
			ProbeTimeout: patience, RequestTimeout: patience,
		}}
}

// start starts a server and waits until its tools are listed.
func (b *bench) start(id string, p servers.Prepared) servers.Status {
	b.t.Helper()
	b.setLaunch(id, p)
	b.Start(id)
	b.until(id+" runs and is listed", func() bool {
		list, _, live, _ := b.Listing(id)
		return b.Status(id).State == servers.Running && list != nil && live
	})
	return b.Status(id)
}

func (b *bench) stop(id string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := b.Stop(ctx, id); err != nil {
		b.t.Fatal(err)
	}
}

// alive tells whether a process runs. One that has ended and waits for its
// parent to ask (which may be an init that takes its time) does not.
func alive(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')'):]), " ")
		return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
	}
	return syscall.Kill(pid, 0) == nil
}

// checkLeaks looks at the end of the test that no goroutine of a supervisor or
// a connection is left.
func checkLeaks(t *testing.T) {
	t.Cleanup(func() {
		var left []string
		for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); runtime.Gosched() {
			buf := make([]byte, 1<<20)
			left = nil
			for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
				if strings.Contains(g, "countersign/app/servers.(") || strings.Contains(g, "countersign/mcpclient") {
					left = append(left, g)
				}
			}
			if left == nil {
				return
			}
		}
		t.Errorf("goroutines left:\n%s", strings.Join(left, "\n\n"))
	})
}

func TestProcessRunsAndStops(t *testing.T) {
	b := newBench(t)
	st := b.start("a", b.role("plain"))
	if st.Era != "legacy" || st.ServerName != "plain" || !alive(st.PID) || len(st.Fallbacks) == 0 {
		t.Fatalf("status %+v", st)
	}
	client, p, err := b.Client("a")
	if err != nil || p.Name != "Weather" {
		t.Fatalf("client of %+v: %v", p, err)
	}
	out, err := client.CallTool(t.Context(), mcpclient.Call{ID: "c1", Attempt: 1, Tool: "t1", Arguments: []byte(`{}`)})
	if err != nil || out.Kind != mcpclient.OutcomeError || out.RPCError.Code != -32601 {
		t.Fatalf("outcome %+v, error %v", out, err)
	}
	b.stop("a")
	if alive(st.PID) {
		t.Errorf("STDIO-07 process %d is still there", st.PID)
	}
	if _, _, err := b.Client("a"); !errors.Is(err, servers.ErrNotRunning) {
		t.Errorf("the client of a stopped server: %v", err)
	}
}

func TestProcessThatIsKilledComesBack(t *testing.T) {
	t.Run("STDIO-09 a new process", processThatIsKilledComesBack)
}

func processThatIsKilledComesBack(t *testing.T) {
	b := newBench(t)
	first := b.start("a", b.role("plain"))
	if err := syscall.Kill(first.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.until("the end is noticed", func() bool { return !b.Status("a").NextTry.IsZero() })
	if st := b.Status("a"); st.State != servers.Starting || st.Code != servers.CodeCrashed || !strings.Contains(st.Reason, "SIGKILL") {
		t.Fatalf("status %+v", st)
	}
	b.Start("a") // no need to wait for the next try
	if second := b.untilState("a", servers.Running); second.PID == first.PID {
		t.Fatal("STDIO-09 the process is the old one")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.ended) != 1 || b.ended[0] == nil {
		t.Errorf("ends told: %v", b.ended)
	}
}

func TestProcessThatExitsAtOnce(t *testing.T) {
	t.Run("field-74 with its exit code and last words", processThatExitsAtOnce)
}

func processThatExitsAtOnce(t *testing.T) {
	b := newBench(t)
	b.setLaunch("a", b.role("exits"))
	b.Start("a")
	b.until("the end is noticed", func() bool { return !b.Status("a").NextTry.IsZero() })
	want := "Weather did not start: it ended with exit code 7. It last wrote: “reading settings”, “missing TOKEN”"
	if st := b.Status("a"); !strings.HasPrefix(st.Reason, want) || st.Code != servers.CodeCrashed {
		t.Fatalf("status %+v", st)
	}
	for range 3 {
		b.Start("a")
		b.until("it is tried again", func() bool { return !b.Status("a").NextTry.IsZero() })
	}
	b.stop("a")
}

func TestProcessThatNeverAnswers(t *testing.T) {
	t.Run("field-76 with its last words, and nobody else waits", processThatNeverAnswers)
}

func processThatNeverAnswers(t *testing.T) {
	b := newBench(t)
	p := b.role("silent")
	p.Config.ProbeTimeout, p.Config.RequestTimeout = 100*time.Millisecond, 200*time.Millisecond
	b.setLaunch("a", p)
	other := b.role("plain")
	other.Name = "Other"
	b.Start("a")
	b.start("b", other) // field report 76: others start meanwhile
	b.until("it is given up", func() bool { return !b.Status("a").NextTry.IsZero() })
	st := b.Status("a")
	if st.Code != servers.CodeFailed || !strings.Contains(st.Reason, "no answer within 200ms") || !strings.Contains(st.Reason, "“loading the model”") {
		t.Fatalf("status %+v", st)
	}
	b.stop("a")

	p.Config.ProbeTimeout, p.Config.RequestTimeout = time.Hour, time.Hour
	b.setLaunch("a", p)
	b.Start("a")
	b.until("it is asked", func() bool {
		lines, _ := b.Log("a", 0)
		return strings.Count(fmt.Sprint(lines), "loading the model") > 2
	})
	b.stop("a") // a stop need not wait for the hour
}

func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	folder := func(p servers.Prepared) servers.Prepared { p.Config.Stdio.Dir = filepath.Join(dir, "gone"); return p }
	b := newBench(t)
	for _, tt := range []struct {
		name, code, reason string
		p                  servers.Prepared
	}{
		{"absent", servers.CodeNotFound, "`absent` was not found", b.program(filepath.Join(dir, "absent"))},
		{"not executable", servers.CodeConfig, "`plain.txt` may not be executed", b.program(write("plain.txt", "x", 0o600))},
		{"no program", servers.CodeConfig, "`junk` is not a program for this system", b.program(write("junk", "\x00junk", 0o700))},
		{"no interpreter", servers.CodeNotFound, "`script` was not found", b.program(write("script", "#!/nowhere/sh\n", 0o700))},
		{"no folder", servers.CodeConfig, "is not a folder that can be used", folder(b.role("plain"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.setLaunch(tt.name, tt.p)
			b.Start(tt.name)
			st := b.untilState(tt.name, servers.Attention)
			if st.Code != tt.code || !strings.HasPrefix(st.Reason, "Weather did not start: ") || !strings.Contains(st.Reason, tt.reason) || st.Hint == "" {
				t.Fatalf("status %+v", st)
			}
		})
	}
}

func TestProcessThatStays(t *testing.T) {
	t.Run("STDIO-07 it is killed", processThatStays)
}

func processThatStays(t *testing.T) {
	b := newBench(t)
	p := b.role("stays")
	p.Config.StopGrace = 100 * time.Millisecond
	st := b.start("a", p)
	b.stop("a")
	if alive(st.PID) {
		t.Errorf("STDIO-07 process %d is still there", st.PID)
	}
	// With a long grace, closing everything is cut short by the deadline.
	p.Config.StopGrace = time.Hour
	st = b.start("a", p)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := b.Close(ctx); err != nil {
		t.Error(err)
	}
	if alive(st.PID) {
		t.Errorf("process %d is still there after Close", st.PID)
	}
}

func TestWholeFamilyIsStopped(t *testing.T) {
	t.Run("field-72 STDIO-07 processes of the process too", wholeFamilyIsStopped)
}

func wholeFamilyIsStopped(t *testing.T) {
	shell := "/bin/sh"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.start("a", b.role("family"))
	wrapper := b.program(shell, roleVar+"=plain")
	wrapper.Config.Stdio.Args = []string{"-c", `sleep 9000 & echo "grandchild $!" >&2; exec "$0"`, self}
	b.start("b", wrapper)
	for _, id := range []string{"a", "b"} {
		pid := 0
		b.until("the grandchild is known", func() bool {
			lines, _ := b.Log(id, 0)
			for _, l := range lines {
				if n, _ := fmt.Sscanf(l.Text, "grandchild %d", &pid); n == 1 {
					return true
				}
			}
			return false
		})
		if !alive(pid) {
			t.Fatalf("grandchild %d is not there to begin with", pid)
		}
		b.stop(id)
		if alive(pid) {
			t.Errorf("field report 72: grandchild %d of %s lives on", pid, id)
		}
	}
}
