package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"countersign/app/apptest"
	"countersign/app/servers"
)

// TestOrphan kills the program under a server that does not mind the end of its
// input: the next start ends it, and starts another.
func TestOrphan(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	id, rest := runAndKill(t, dir, "orphan")
	pid, err := strconv.Atoi(strings.TrimSuffix(rest, " <nil>"))
	if err != nil {
		t.Fatal(rest)
	}
	mark, ok := servers.MarkOf(pid)
	if !ok {
		t.Fatalf("process %d did not outlive the program: nothing is tested", pid)
	}
	t.Cleanup(func() { servers.EndIfSame(mark) })
	r := apptest.New(t, filepath.Join(dir, "data"))
	r.Secrets = apptest.NoKeyring()
	r.Open()
	if now, ok := servers.MarkOf(pid); ok && now == mark {
		t.Errorf("process %d lives on", pid)
	}
	r.Running(id)
	d, err := r.Servers.Get(r.Token, id)
	if err != nil || d.Server.PID == pid || d.Server.PID == 0 {
		t.Errorf("running is process %d, %v", d.Server.PID, err)
	}
	if now, ok := servers.MarkOf(d.Server.PID); !ok || fmt.Sprint(now) == fmt.Sprint(mark) {
		t.Errorf("the new process is %+v", now)
	}
}
