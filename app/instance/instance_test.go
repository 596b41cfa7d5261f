//go:build unix

package instance_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"countersign/app/instance"
)

// holdVar names the folder that the test binary, run again, holds until its standard
// input ends. It prints what happens, a line each.
const holdVar = "COUNTERSIGN_INSTANCE_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVar); dir != "" {
		hold(dir)
		return
	}
	os.Exit(m.Run())
}

func hold(dir string) {
	h, err := instance.Lock(dir)
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	defer h.Close()
	if err := h.Serve(func() { fmt.Println("raise") }); err != nil {
		fmt.Println("no raise:", err)
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
}

// holder is another process that holds a folder.
type holder struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func startHolder(t *testing.T, dir string, env ...string) *holder {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), holdVar+"="+dir), env...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := &holder{t, cmd, in, bufio.NewScanner(out)}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return h
}

func (h *holder) want(line string) {
	h.t.Helper()
	if !h.lines.Scan() || h.lines.Text() != line {
		h.t.Fatalf("the holder said %q, want %q", h.lines.Text(), line)
	}
}

func TestTwoProcesses(t *testing.T) {
	run := t.TempDir()
	os.Chmod(run, 0o700)
	for _, tt := range []struct{ name, runtimeDir string }{{"socket in the runtime folder", run}, {"socket in the data folder", ""}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", tt.runtimeDir)
			dir := filepath.Join(shortTemp(t), "data")
			first := startHolder(t, dir)
			first.want("held")

			var held *instance.HeldError
			_, err := instance.Lock(dir)
			if !errors.As(err, &held) || held.PID != first.cmd.Process.Pid || !strings.Contains(err.Error(), fmt.Sprint(held.PID)) {
				t.Fatalf("a second start: %v; the holder is %d", err, first.cmd.Process.Pid)
			}
			// The second start may come from another session.
			t.Setenv("XDG_RUNTIME_DIR", "")
			for range 3 {
				if err := instance.Raise(dir); err != nil {
					t.Fatal(err)
				}
				first.want("raise")
			}
			sockets := func() []string {
				a, _ := filepath.Glob(filepath.Join(run, "*.sock"))
				b, _ := filepath.Glob(filepath.Join(dir, "*.sock"))
				return append(a, b...)
			}
			if s := sockets(); len(s) != 1 || (filepath.Dir(s[0]) == dir) != (tt.runtimeDir == "") {
				t.Errorf("sockets: %s", s)
			} else if info, _ := os.Lstat(s[0]); info.Mode().Perm() != 0o600 {
				t.Errorf("socket mode %v", info.Mode())
			}

			first.cmd.Process.Kill()
			first.cmd.Wait()
			if err := instance.Raise(dir); !errors.Is(err, instance.ErrNoRaise) {
				t.Errorf("raising a holder that was killed: %v", err)
			}
			second := startHolder(t, dir, "XDG_RUNTIME_DIR="+tt.runtimeDir)
			second.want("held") // the dead holder's lock is free, its socket replaced
			if err := instance.Raise(dir); err != nil {
				t.Error(err)
			}
			second.want("raise")
			second.in.Close()
			if err := second.cmd.Wait(); err != nil {
				t.Error(err)
			}
			if s := sockets(); len(s) != 0 {
				t.Errorf("left behind: %s", s)
			}
		})
	}
}

// shortTemp is a temporary folder whose path leaves room for a socket's name.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "cs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestChildDoesNotKeepTheLock(t *testing.T) {
	dir := t.TempDir()
	h, err := instance.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { child.Process.Kill(); child.Wait() }()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err = instance.Lock(dir); err != nil {
		t.Fatalf("a child that lives on keeps the lock: %v", err)
	}
	h.Close()
}

func TestSameFolderByTwoNames(t *testing.T) {
	base := t.TempDir()
	link := filepath.Join(base, "link")
	if err := os.Symlink(filepath.Join(base, "real"), link); err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(base, "real"), 0o700)
	h, err := instance.Lock(link)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	full, _ := filepath.EvalSymlinks(filepath.Join(base, "real"))
	if h.Dir() != full {
		t.Errorf("Dir is %s", h.Dir())
	}
	var held *instance.HeldError
	if _, err := instance.Lock(full); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("the same folder under its other name: %v", err)
	}
	other, err := instance.Lock(filepath.Join(base, "other"))
	if err != nil {
		t.Fatalf("another folder runs beside it: %v", err)
	}
	other.Close()
}

func TestFolder(t *testing.T) {
	tests := []struct {
		name  string
		make  func(dir string) error
		wrong string // part of the error; "" where the folder can be used
	}{
		{"missing, with its parents", func(string) error { return nil }, ""},
		{"empty and open to others", func(d string) error { return os.MkdirAll(d, 0o755) }, ""},
		{"ours and open to others", func(d string) error {
			return errors.Join(os.MkdirAll(d, 0o755), os.WriteFile(filepath.Join(d, "lock"), nil, 0o644))
		}, ""},
		{"somebody's documents", func(d string) error {
			return errors.Join(os.MkdirAll(d, 0o755), os.WriteFile(filepath.Join(d, "thesis.odt"), nil, 0o644))
		}, "holds other files"},
		{"private, with other files", func(d string) error {
			return errors.Join(os.MkdirAll(d, 0o700), os.WriteFile(filepath.Join(d, "notes"), nil, 0o600))
		}, ""},
		{"a file", func(d string) error {
			return errors.Join(os.MkdirAll(filepath.Dir(d), 0o755), os.WriteFile(d, nil, 0o600))
		}, "making the data folder"},
		{"the lock is a link", func(d string) error {
			return errors.Join(os.MkdirAll(d, 0o700), os.Symlink("/etc/hostname", filepath.Join(d, "lock")))
		}, "opening the lock"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a", "data")
			if err := tt.make(dir); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Stat(dir)
			h, err := instance.Lock(dir)
			if tt.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wrong) {
					t.Fatalf("got %v", err)
				}
				if after, _ := os.Stat(dir); after.Mode() != before.Mode() {
					t.Errorf("a refused folder was changed: %v", after.Mode())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
				t.Errorf("mode %v", info.Mode())
			}
		})
	}
}

func TestForeignFolder(t *testing.T) {
	dir := "/usr" // belongs to root; a root user's test looks at a folder it gave away
	if os.Geteuid() == 0 {
		dir = t.TempDir()
		if err := os.Chown(dir, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := instance.Lock(dir); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("got %v", err)
	}
}

func TestLongPathHasNoSocket(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	h, err := instance.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Serve(func() {}); !errors.Is(err, instance.ErrNoRaise) {
		t.Errorf("Serve: %v", err)
	}
	if err := instance.Raise(dir); !errors.Is(err, instance.ErrNoRaise) {
		t.Errorf("Raise: %v", err)
	}
	var held *instance.HeldError
	if _, err := instance.Lock(dir); !errors.As(err, &held) {
		t.Errorf("the lock holds all the same: %v", err)
	}
}

func TestCallersThatMisbehave(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	dir := shortTemp(t)
	h, err := instance.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	raised := 0
	if err := h.Serve(func() { raised++ }); err != nil {
		t.Fatal(err)
	}
	talk := func(text string) string {
		conn, err := net.Dial("unix", filepath.Join(dir, "raise.sock"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, text)
		conn.(*net.UnixConn).CloseWrite()
		got, _ := io.ReadAll(conn)
		return string(got)
	}
	for _, text := range []string{"", "quit\n", "raise", strings.Repeat("x", 1<<20)} {
		if got := talk(text); got != "" {
			t.Errorf("%.10q was answered with %q", text, got)
		}
	}
	if got := talk("raise\n"); got != "raised\n" {
		t.Errorf("the right word was answered with %q", got)
	}
	silent, err := net.Dial("unix", filepath.Join(dir, "raise.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if err := h.Close(); err != nil { // does not wait for the silent one
		t.Error(err)
	}
	if raised != 1 {
		t.Errorf("raised %d times", raised)
	}
	if err := h.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

func TestLockFile(t *testing.T) {
	dir := t.TempDir()
	h, err := instance.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if text, _ := os.ReadFile(filepath.Join(dir, "lock")); !strings.HasPrefix(string(text), fmt.Sprintf("%d\n", os.Getpid())) {
		t.Errorf("the lock says %q", text)
	}
	if err := instance.Raise(filepath.Join(dir, "none")); !errors.Is(err, instance.ErrNoRaise) {
		t.Errorf("raising in a folder that is not there: %v", err)
	}
}

func TestDefaultDir(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Setenv("HOME", "/home/ann")
		if dir, err := instance.DefaultDir(); err != nil || dir != "/home/ann/Library/Application Support/Countersign" {
			t.Errorf("got %s, %v", dir, err)
		}
		return
	}
	for _, tt := range []struct{ name, xdg, home, want string }{
		{"set", "/srv/data", "/home/ann", "/srv/data/countersign"},
		{"not set", "", "/home/ann", "/home/ann/.local/share/countersign"},
		{"relative is ignored", "data", "/home/ann", "/home/ann/.local/share/countersign"},
		{"no home", "", "", ""},
		{"relative home", "", "ann", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("XDG_DATA_HOME", tt.xdg)
			t.Setenv("HOME", tt.home)
			if dir, err := instance.DefaultDir(); dir != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("got %s, %v", dir, err)
			}
		})
	}
}
