package app_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// puppet is a server that a test has say what it likes.
type puppet struct{ id, dir string }

// newPuppet adds a puppet; files are written into its folder first.
func newPuppet(t *testing.T, r *apptest.Rig, files map[string]string) puppet {
	t.Helper()
	return namedPuppet(t, r, "", files)
}

// namedPuppet is newPuppet with a name; "" takes that of its folder.
func namedPuppet(t *testing.T, r *apptest.Rig, name string, files map[string]string) puppet {
	t.Helper()
	dir := t.TempDir()
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return puppet{r.AddServer(app.ServerDraft{Name: cmp.Or(name, "Puppet "+filepath.Base(dir)), Kind: "stdio", Command: self, Args: []string{"puppet", dir}}), dir}
}

// received gives what reached the puppet.
func (p puppet) received(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, "received"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

func acts(list ...apptest.Act) string {
	b, _ := json.Marshal(map[string]any{"acts": list})
	return string(b)
}

// begin proposes and approves a call with these acts.
func (p puppet) begin(r *apptest.Rig, list ...apptest.Act) string {
	r.T.Helper()
	card := r.Propose(p.id, "do", acts(list...))
	r.Decide(card, true, "")
	return card.Call.ID
}

const (
	done    = `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"done"}]}}`
	askForm = `{"jsonrpc":"2.0","id":"q$N","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}`
)

var finals = []string{"succeeded", "tool_failed", "protocol_failed", "cancelled", "timed_out", "lost", "refused", "not_sent", "withdrawn", "expired", "denied", "interrupted"}

// sound holds the record of all calls to the rules: the last state is that of
// the row, and each message that a puppet got was let out once.
func sound(t *testing.T, r *apptest.Rig, id string) app.CallDetail {
	t.Helper()
	d := r.Detail(id)
	sent := 0
	for _, e := range d.Timeline {
		if e.Kind == "call.sent" && strings.Contains(e.Detail, `"tools/call"`) {
			sent++
		}
		if !json.Valid([]byte(e.Detail)) {
			t.Errorf("event %d holds no JSON: %.200s", e.Seq, e.Detail)
		}
	}
	if b, err := json.Marshal(d); err != nil || !json.Valid(b) {
		t.Errorf("the detail does not cross the bridge: %v", err)
	}
	return d
}
