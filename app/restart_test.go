package app_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// childWords are the words that this test binary understands as a child.
var childWords = map[string]func([]string) int{"recorder": apptest.Recorder, "echo-secrets": apptest.EchoSecrets, "puppet": apptest.Puppet}

const (
	childDir      = "COUNTERSIGN_TEST_DIR"
	childScenario = "COUNTERSIGN_TEST_SCENARIO"
)

// TestKilledChild is the program that TestKilled kills: it brings one call
// into a state, says so, and waits for its end.
func TestKilledChild(t *testing.T) {
	dir, scenario := os.Getenv(childDir), os.Getenv(childScenario)
	if dir == "" {
		return // not started by TestKilled
	}
	r := apptest.New(t, filepath.Join(dir, "data"))
	r.Secrets = apptest.NoKeyring()
	r.Open()
	self, _ := os.Executable()
	if scenario == "orphan" {
		id := r.AddServer(app.ServerDraft{Name: "Stays", Kind: "stdio", Command: "/bin/sh",
			Args: []string{"-c", `"$0" recorder "$1"; while :; do sleep 1; done`, self, filepath.Join(dir, "recorded")}})
		d, err := r.Servers.Get(r.Token, id)
		fmt.Printf("REACHED %s %d %v\n", id, d.Server.PID, err)
		select {}
	}
	args := []string{"recorder", filepath.Join(dir, "recorded")}
	if strings.HasPrefix(scenario, "legacy") {
		args = append(args, "legacy")
	}
	id := r.AddServer(app.ServerDraft{Name: "Recorder", Kind: "stdio", Command: self, Args: args})
	call := map[string]string{"waiting": `{"x":1}`, "sent": `{"slow":true}`, "asked": `{"ask":true}`, "asked only to wait": `{"later":true}`, "legacy asked": `{"ask":true}`, "legacy sent": `{"slow":true}`}[scenario]
	card := r.Propose(id, "record", call)
	if scenario != "waiting" {
		r.Decide(card, true, "")
		want := "sent"
		if strings.Contains(scenario, "asked") {
			want = "input_required"
		}
		r.State(card.Call.ID, want)
	}
	if scenario == "sent" || scenario == "legacy sent" {
		r.Until("the server has the call", func() bool {
			got, err := apptest.Recorded(filepath.Join(dir, "recorded"))
			return err == nil && len(got) == 1
		})
	}
	fmt.Printf("REACHED %s %s\n", id, card.Call.ID)
	select {}
}

// TestKilled kills the program with a call in each state that lasts, and looks
// at what the next start makes of it. The states that do not last (proposed,
// approved) are brought about by hand in package calls.
func TestKilled(t *testing.T) {
	for _, c := range []struct{ scenario, after string }{
		{"waiting", "awaiting_approval"},
		{"sent", "interrupted"},
		{"asked", "input_required"},
		{"asked only to wait", "input_required"},
		{"legacy sent", "interrupted"},
		{"legacy asked", "interrupted"},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
				t.Fatal(err)
			}
			server, call := runAndKill(t, dir, c.scenario)
			r := apptest.New(t, filepath.Join(dir, "data"))
			r.Secrets = apptest.NoKeyring()
			r.Open()
			d := r.Detail(call)
			if d.Call.State != c.after {
				t.Fatalf("after the kill the call is %s, want %s", d.Call.State, c.after)
			}
			r.Running(server)
			before := len(recorded(t, filepath.Join(dir, "recorded")))
			if err := os.WriteFile(filepath.Join(dir, "recorded.open"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			goOn(t, r, c.after, call)
			after := recorded(t, filepath.Join(dir, "recorded"))
			if c.after == "interrupted" && len(after) != before {
				t.Errorf("an interrupted call was sent again: %v", after)
			}
		})
	}
}

// goOn shows that what survived still works, by a new act of the person.
func goOn(t *testing.T, r *apptest.Rig, state, call string) {
	switch state {
	case "awaiting_approval":
		r.Decide(r.Card(call), true, "")
		r.State(call, "succeeded")
	case "input_required":
		q := r.Question(call)
		if q.Mode == "resume" && (q.Schema != "" || q.Problem != "") {
			t.Errorf("a call that only waits asks for more: %+v", q)
		}
		if errs := r.Answer(q, "accept", `{"why":"because"}`); len(errs) > 0 {
			t.Fatal(errs)
		}
		r.State(call, "succeeded")
	}
}

func runAndKill(t *testing.T, dir, scenario string) (server, call string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestKilledChild$", "-test.v")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childScenario+"="+scenario)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	lines := bufio.NewScanner(out)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		if rest, ok := strings.CutPrefix(lines.Text(), "REACHED "); ok {
			server, call, _ = strings.Cut(rest, " ")
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			return server, call
		}
	}
	t.Fatalf("the child did not reach %q:\n%s", scenario, strings.Join(said, "\n"))
	return "", ""
}
