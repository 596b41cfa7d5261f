//go:build unix

package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeShell writes a program that stands for a login shell.
func fakeShell(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shell")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoginPath(t *testing.T) {
	answer := "shift 3\nPATH=/login/bin:$PATH exec /bin/sh -c \"$1\"\n"
	for _, tt := range []struct{ name, script, want, note string }{
		{"answers", answer, "/login/bin:/own/bin", "login shell's"},
		{"prints a banner before and behind", "echo 'Welcome! PATH=/evil <countersign-'\n( shift 3; PATH=/login/bin:$PATH /bin/sh -c \"$1\" )\necho bye\n", "/login/bin:/own/bin", "login shell's"},
		{"prints escape codes", `printf '\033]0;title\007\033[1m'` + "\n" + answer, "/login/bin:/own/bin", "login shell's"},
		{"ends at once", "exit 1\n", "/own/bin", "ended without telling"},
		{"prints without end", "exec /usr/bin/yes banner\n", "/own/bin", "too much"},
		{"has an empty PATH", "shift 3\nPATH= exec /bin/sh -c \"$1\"\n", "/own/bin", "cannot be used"},
		{"reads its input", "read line\n" + answer, "/login/bin:/own/bin", "login shell's"},
		{"wants a terminal", "if read line </dev/tty; then exit 1; fi\n" + answer, "/login/bin:/own/bin", "login shell's"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newBaseEnv(t.Context(), []string{"SHELL=" + fakeShell(t, tt.script), "PATH=/own/bin::rel", "HOME=/"}, time.Minute)
			defer e.Close()
			if got := envValue(e.Vars(t.Context()), "PATH"); got != tt.want {
				t.Errorf("PATH is %q, want %q", got, tt.want)
			}
			if note := e.Note(t.Context()); !strings.Contains(note, tt.note) {
				t.Errorf("note: %s", note)
			}
		})
	}
	for name, shell := range map[string]string{"not set": "", "relative": "sh", "missing": "/no/such/shell", "refuses": "/bin/false"} {
		t.Run("shell "+name, func(t *testing.T) {
			e := newBaseEnv(t.Context(), []string{"SHELL=" + shell, "PATH=/own/bin"}, time.Minute)
			defer e.Close()
			if got := envValue(e.Vars(t.Context()), "PATH"); got != "/own/bin" {
				t.Errorf("PATH is %q (%s)", got, e.Note(t.Context()))
			}
		})
	}
}

// Each shell of this machine is asked with a start file of its own that sets PATH.
func TestRealShells(t *testing.T) {
	files := map[string]map[string]string{
		"bash": {".bash_profile": "export PATH=/profile/bin:$PATH; echo hello", ".bashrc": "exit 3"},
		"sh":   {".profile": "PATH=/profile/bin:$PATH; export PATH; echo hello"},
		"dash": {".profile": "PATH=/profile/bin:$PATH; export PATH; echo hello"},
		"zsh":  {".zshrc": "export PATH=/profile/bin:$PATH; echo hello"},
		"fish": {".config/fish/config.fish": "set -gx PATH /profile/bin $PATH; echo hello"},
	}
	asked := 0
	for name, starts := range files {
		shell, err := exec.LookPath(name)
		if err != nil {
			continue // the machine's own shells are asked; which there are differs
		}
		asked++
		t.Run("field-77 PATH of the login shell, "+name, func(t *testing.T) {
			home := t.TempDir()
			for file, text := range starts {
				path := filepath.Join(home, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			e := newBaseEnv(t.Context(), []string{"SHELL=" + shell, "PATH=" + os.Getenv("PATH"), "HOME=" + home, "USER=ann"}, time.Minute)
			defer e.Close()
			if got := envValue(e.Vars(t.Context()), "PATH"); !strings.HasPrefix(got, "/profile/bin:") {
				t.Errorf("PATH is %q (%s)", got, e.Note(t.Context()))
			}
		})
	}
	if asked == 0 {
		t.Fatal("this machine has no shell")
	}
}

// A shell that hangs, with a child that holds its output, is ended with it. Both hold
// a pipe, whose end tells that they are gone.
func TestHangingShell(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	shell := fakeShell(t, fmt.Sprintf("exec 3>%s\n/bin/sleep 600 &\necho running >&3\n/bin/sleep 600\n", pipe))
	ctx, cancel := context.WithCancel(t.Context())
	e := newBaseEnv(ctx, []string{"SHELL=" + shell, "PATH=/own/bin", "HOME=/"}, time.Hour)
	reader, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	reader.SetReadDeadline(time.Now().Add(time.Minute)) // so that a failure is told
	running := make([]byte, len("running\n"))
	if _, err := io.ReadFull(reader, running); err != nil {
		t.Fatal(err)
	}
	early, stop := context.WithCancel(t.Context())
	stop()
	if got := envValue(e.Vars(early), "PATH"); got != "/own/bin" {
		t.Errorf("before the answer PATH is %q", got)
	}
	cancel()
	if got := envValue(e.Vars(t.Context()), "PATH"); got != "/own/bin" {
		t.Errorf("PATH is %q", got)
	}
	if note := e.Note(t.Context()); !strings.Contains(note, "in time") {
		t.Errorf("note: %s", note)
	}
	e.Close()
	if rest, err := io.ReadAll(reader); err != nil || len(rest) > 0 {
		t.Errorf("the shell or its child lives on: %q, %v", rest, err)
	}
}

func TestBaseEnvFillsIn(t *testing.T) {
	e := newBaseEnv(t.Context(), []string{"PATH=/own/bin", "SECRET=x", "XDG_RUNTIME_DIR=/run/x", "LC_ALL=C", "=odd"}, time.Minute)
	defer e.Close()
	vars := e.Vars(t.Context())
	for _, v := range vars {
		if name, _, _ := strings.Cut(v, "="); name != "HOME" && name != "USER" && name != "PATH" && name != "XDG_RUNTIME_DIR" {
			t.Errorf("a child would get %s", v)
		}
	}
	if envValue(vars, "HOME") == "" || envValue(vars, "USER") == "" {
		t.Errorf("vars: %q", vars)
	}
}
