package app_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// npmServer is the path of a server from npm that `make` installs for tests.
func npmServer(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../build/test-servers/node_modules/.bin/mcp-server-" + name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: make test installs it; by hand: npm ci in build/test-servers", err)
	}
	return path
}

// sdkServer builds the server made with the official Go SDK, once per test.
func sdkServer(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sdkserver")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, "../build/test-servers/sdkserver").CombinedOutput()
	if err != nil {
		t.Fatalf("building the SDK's server: %v\n%s", err, out)
	}
	return path
}

// background starts a program, waits for a line that holds ready, and ends it
// with the test. It gives the line.
func background(t *testing.T, ready string, env []string, path string, args ...string) string {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), ready) {
			line := lines.Text()
			go func() {
				for lines.Scan() { // drained until the process ends
				}
			}()
			return line
		}
	}
	t.Fatalf("%s did not say %q", path, ready)
	return ""
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func text(d app.CallDetail) string {
	if d.Result == nil || len(d.Result.Blocks) == 0 || d.Result.Blocks[0].Text == nil {
		return fmt.Sprintf("%+v", d.Call)
	}
	return d.Result.Blocks[0].Text.Text
}

// TestRealServers does the main job with servers that nobody here wrote.
func TestRealServers(t *testing.T) {
	r := apptest.Start(t)
	t.Run("server-everything over stdio", func(t *testing.T) {
		r := r.For(t)
		id := r.AddServer(app.ServerDraft{Name: "Everything", Kind: "stdio", Command: npmServer(t, "everything")})
		everything(t, r, id)
		killAndRestart(t, r, id)
	})
	t.Run("server-everything over HTTP", func(t *testing.T) {
		r := r.For(t)
		port := freePort(t)
		background(t, "listening on port", []string{"PORT=" + port}, npmServer(t, "everything"), "streamableHttp")
		id := r.AddServer(app.ServerDraft{Name: "Everything over HTTP", Kind: "http", URL: "http://127.0.0.1:" + port + "/mcp"})
		everything(t, r, id)
	})
	t.Run("LEG-23 LEG-24 server-everything over HTTP+SSE", func(t *testing.T) {
		r := r.For(t)
		port := freePort(t)
		background(t, "running on port", []string{"PORT=" + port}, npmServer(t, "everything"), "sse")
		id := r.AddServer(app.ServerDraft{Name: "Everything over HTTP+SSE", Kind: "http", URL: "http://127.0.0.1:" + port + "/sse"})
		everything(t, r, id)
	})
	t.Run("server-filesystem", func(t *testing.T) {
		r := r.For(t)
		dir := t.TempDir()
		id := r.AddServer(app.ServerDraft{Name: "Files", Kind: "stdio", Command: npmServer(t, "filesystem"), Args: []string{dir}})
		path := filepath.Join(dir, "a b.txt")
		if d := r.Call(id, "write_file", fmt.Sprintf(`{"path":%q,"content":"one\ntwo"}`, path)); d.Call.State != "succeeded" {
			t.Fatal(text(d))
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "one\ntwo" {
			t.Fatalf("%q %v", got, err)
		}
		if d := r.Call(id, "read_text_file", fmt.Sprintf(`{"path":%q}`, path)); text(d) != "one\ntwo" {
			t.Error(text(d))
		}
		if d := r.Call(id, "read_text_file", `{"path":"/etc/passwd"}`); d.Call.State != "tool_failed" {
			t.Error(text(d))
		}
	})
	t.Run("server-memory", func(t *testing.T) {
		r := r.For(t)
		file := filepath.Join(t.TempDir(), "memory.jsonl")
		id := r.AddServer(app.ServerDraft{Name: "Memory", Kind: "stdio", Command: npmServer(t, "memory"), Env: []app.Var{{Name: "MEMORY_FILE_PATH", Value: file}}})
		r.Call(id, "create_entities", `{"entities":[{"name":"Wren","entityType":"ship","observations":["sails"]}]}`)
		if d := r.Call(id, "read_graph", `{}`); !strings.Contains(text(d), "Wren") {
			t.Error(text(d))
		}
	})
	sdk := sdkServer(t)
	t.Run("the official Go SDK over stdio", func(t *testing.T) {
		r := r.For(t)
		sdkTools(t, r, r.AddServer(app.ServerDraft{Name: "SDK", Kind: "stdio", Command: sdk}), "modern")
	})
	for name, args := range map[string][]string{"sessions": nil, "stateless": {"--stateless"}} {
		t.Run("the official Go SDK over HTTP, "+name, func(t *testing.T) {
			r := r.For(t)
			line := background(t, "listening on", nil, sdk, append([]string{"--http", "127.0.0.1:0"}, args...)...)
			addr := line[strings.Index(line, "listening on ")+len("listening on "):]
			id := r.AddServer(app.ServerDraft{Name: "SDK " + name, Kind: "http", URL: "http://" + strings.TrimSpace(addr) + "/mcp"})
			sdkTools(t, r, id, "")
		})
	}
}

func everything(t *testing.T, r *apptest.Rig, id string) {
	t.Helper()
	if d := r.Call(id, "echo", `{"message":"hé\u0000llo"}`); !strings.Contains(text(d), "hé\u0000llo") {
		t.Error(text(d))
	}
	if d := r.Call(id, "get-sum", `{"a":1.5,"b":2}`); !strings.Contains(text(d), "3.5") {
		t.Error(text(d))
	}
	if d := r.Call(id, "get-tiny-image", `{}`); len(d.Result.Blocks) < 2 || d.Result.Blocks[1].Sniffed != "image/png" {
		t.Errorf("%+v", d.Result)
	}
	if d := r.Call(id, "get-structured-content", `{"location":"Chicago"}`); d.Result.Structured == nil || len(d.Result.SchemaErrors) != 0 {
		t.Errorf("%+v", d.Result)
	}
	if d := r.Call(id, "get-resource-links", `{"count":2}`); len(d.Result.Blocks) < 3 || d.Result.Blocks[1].Type != "resource_link" {
		t.Errorf("%+v", d.Result)
	}
	card := r.Propose(id, "trigger-long-running-operation", `{"duration":60,"steps":600}`)
	r.Decide(card, true, "")
	r.Until("PROG-03 progress shows", func() bool {
		running, err := r.Calls.Running(r.Token)
		return err == nil && len(running) == 1 && running[0].Progress != nil && running[0].Progress.Progress >= 2
	})
	if err := r.Calls.Cancel(r.Token, card.Call.ID); err != nil {
		t.Fatal(err)
	}
	r.State(card.Call.ID, "cancelled")
	card = r.Propose(id, "trigger-elicitation-request", `{}`)
	r.Decide(card, true, "")
	q := r.Question(card.Call.ID)
	if q.Problem != "" || !strings.Contains(q.Schema, "properties") {
		t.Errorf("%+v", q)
	}
	r.Answer(q, "decline", "")
	r.State(card.Call.ID, "succeeded")
}

func sdkTools(t *testing.T, r *apptest.Rig, id, era string) {
	t.Helper()
	for _, g := range must(r.Tools.List(r.Token)) {
		if g.Server.ID == id && era != "" && g.Server.Era != era {
			t.Errorf("the era is %s, want %s", g.Server.Era, era)
		}
	}
	if d := r.Call(id, "echo", `{"message":"hello"}`); !strings.Contains(text(d), "hello") {
		t.Error(text(d))
	}
	before := toolCount(r, id)
	if d := r.Call(id, "add_tool", `{"name":"fresh"}`); d.Call.State != "succeeded" {
		t.Error(text(d))
	}
	r.Until("LIST-11 the added tool is listed", func() bool { return toolCount(r, id) > before })
	card := r.Propose(id, "ask", `{}`)
	r.Decide(card, true, "")
	q := r.Question(card.Call.ID)
	r.Answer(q, "cancel", "")
	r.State(card.Call.ID, "succeeded", "tool_failed")
}

func toolCount(r *apptest.Rig, id string) int {
	for _, g := range must(r.Tools.List(r.Token)) {
		if g.Server.ID == id {
			return len(g.Tools)
		}
	}
	return -1
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// killAndRestart kills a running server from outside: what it was doing is
// lost, and it is started again by itself.
func killAndRestart(t *testing.T, r *apptest.Rig, id string) {
	t.Helper()
	card := r.Propose(id, "trigger-long-running-operation", `{"duration":60,"steps":60}`)
	r.Decide(card, true, "")
	r.State(card.Call.ID, "sent")
	var pid int
	for _, s := range must(r.Servers.List(r.Token)) {
		if s.ID == id {
			pid = s.PID
		}
	}
	if pid == 0 {
		t.Fatal("the server's process is not known")
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	d := r.State(card.Call.ID, "lost", "succeeded", "cancelled", "timed_out")
	if d.Call.State != "lost" {
		t.Errorf("STDIO-08 the call is %s", d.Call.State)
	}
	r.Until("STDIO-09 it runs again", func() bool {
		for _, s := range must(r.Servers.List(r.Token)) {
			if s.ID == id {
				return s.State == "running" && s.PID != pid
			}
		}
		return false
	})
	r.Running(id)
	if d := r.Call(id, "echo", `{"message":"again"}`); !strings.Contains(text(d), "again") {
		t.Error(text(d))
	}
}
