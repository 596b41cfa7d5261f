package servers_test

import (
	"os/exec"
	"syscall"
	"testing"

	"countersign/app/servers"
)

// TestEndIfSame ends a process only where all that was recorded of it still
// holds: a number alone may be another's by now.
func TestEndIfSame(t *testing.T) {
	begin := func(t *testing.T, script string) (servers.Mark, <-chan struct{}) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it has come to the loop
			t.Fatal(err)
		}
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_ = cmd.Wait()
		}()
		t.Cleanup(func() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-gone
		})
		m, ok := servers.MarkOf(cmd.Process.Pid)
		if !ok || m.Start == "" || m.Boot == "" || m.Executable == "" {
			t.Fatalf("mark %+v", m)
		}
		return m, gone
	}
	t.Run("another's process is left alone", func(t *testing.T) {
		m, _ := begin(t, "echo; while :; do sleep 1; done")
		for name, change := range map[string]func(*servers.Mark){
			"start": func(m *servers.Mark) { m.Start += "1" }, "boot": func(m *servers.Mark) { m.Boot = "another" },
			"executable": func(m *servers.Mark) { m.Executable += "x" }, "nothing recorded": func(m *servers.Mark) { *m = servers.Mark{PID: m.PID} },
			"pid": func(m *servers.Mark) { m.PID = 1 },
		} {
			other := m
			change(&other)
			if servers.EndIfSame(other) {
				t.Errorf("%s differs, and it was ended", name)
			}
		}
		if now, ok := servers.MarkOf(m.PID); !ok || now != m {
			t.Errorf("it is %+v now", now)
		}
	})
	for name, script := range map[string]string{
		"one that ends when asked": "echo; while :; do sleep 1; done",
		"one that does not":        "trap '' TERM; echo; while :; do sleep 1; done",
	} {
		t.Run(name, func(t *testing.T) {
			m, gone := begin(t, script)
			if !servers.EndIfSame(m) {
				t.Fatal("it was not ended")
			}
			<-gone
			if servers.EndIfSame(m) {
				t.Error("it was ended twice")
			}
		})
	}
}
