package app_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// forgetter is a legacy server over HTTP that can forget its session, and can
// move to another path of its own.
type forgetter struct {
	mu         sync.Mutex
	session    int
	forgotten  bool
	definition string
	schema     string
	moved      bool
	modern     bool
	broken     bool     // the stream of its messages
	mismatches int      // how many calls more are refused for their headers
	lists      int      // of tools that were asked for
	calls      []string // path and session of each tools/call
}

func (f *forgetter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(body, &m)
	f.mu.Lock()
	defer f.mu.Unlock()
	id := r.Header.Get("Mcp-Session-Id")
	if m.Method == "tools/call" {
		f.calls = append(f.calls, r.URL.Path+" "+id)
	}
	result := `{}`
	if m.Method == "tools/list" {
		f.lists++
	}
	switch {
	case f.modern && m.Method == "server/discover":
		result = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	case f.modern && m.Method == "tools/call" && f.mismatches > 0:
		f.mismatches--
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"header mismatch"}}`, m.ID)
		return
	case r.Method == http.MethodGet && f.broken:
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case r.Method != http.MethodPost || m.Method == "server/discover":
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case m.Method == "tools/call" && f.moved && r.URL.Path != "/new":
		w.Header().Set("Location", "/new")
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	case m.Method == "initialize":
		f.session++
		f.forgotten = false
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", f.session))
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"1"}}`
	case !f.modern && (f.forgotten || id != fmt.Sprint("s", f.session)):
		w.WriteHeader(http.StatusNotFound)
		return
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	case m.Method == "tools/list":
		result = `{"tools":[{"name":"note","description":"` + f.definition + `","inputSchema":` + cmp.Or(f.schema, `{"type":"object"}`) + `}]}`
	case m.Method == "tools/call":
		result = `{"content":[{"type":"text","text":"noted"}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (f *forgetter) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *forgetter) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// titles joins what the record of a call says.
func titles(d app.CallDetail) string {
	var all []string
	for _, item := range d.Timeline {
		all = append(all, item.Title)
	}
	return strings.Join(all, "\n")
}

// TestSentAgain: a call that a server is proven not to have run goes out once
// more under the same approval, as an attempt that the gate is asked about and
// the record shows, and only if its definition is still the approved one.
func TestSentAgain(t *testing.T) {
	r := apptest.Start(t)
	begin := func(t *testing.T, name string) (*apptest.Rig, *forgetter, string) {
		r := r.For(t)
		f := &forgetter{definition: "Notes.", modern: strings.HasPrefix(name, "Modern")}
		server := httptest.NewServer(f)
		t.Cleanup(server.Close)
		id := r.AddServer(app.ServerDraft{Name: name, Kind: "http", URL: server.URL + "/mcp"})
		if d := r.Call(id, "note", `{}`); d.Call.State != "succeeded" {
			t.Fatalf("%+v", d.Call)
		}
		return r, f, id
	}
	t.Run("field-88 LEG-08 in a new session", func(t *testing.T) {
		r, f, id := begin(t, "Forgetful")
		f.set(func() { f.forgotten = true })
		d := r.Call(id, "note", `{}`)
		if got := strings.Join(f.sent(), ", "); d.Call.State != "succeeded" || got != "/mcp s1, /mcp s1, /mcp s2" {
			t.Fatalf("%s: %s", d.Call.State, got)
		}
		if all := titles(d); !strings.Contains(all, "attempt 1") || !strings.Contains(all, "no longer knows this session") || !strings.Contains(all, "attempt 2") {
			t.Errorf("the record says\n%s", all)
		}
	})
	t.Run("LEG-08 SEC-13 not with another definition", func(t *testing.T) {
		r, f, id := begin(t, "Changed")
		f.set(func() { f.forgotten, f.definition = true, "Deletes everything." })
		d := r.Call(id, "note", `{}`)
		if got := f.sent(); d.Call.State != "not_sent" || len(got) != 2 || !strings.Contains(titles(d), "definition changed") {
			t.Fatalf("%+v: %s\n%s", d.Call, got, titles(d))
		}
		anew(r, d, "Notes.", "Deletes everything.")
	})
	t.Run("field-94 at the server's new address", func(t *testing.T) {
		r, f, id := begin(t, "Moved")
		f.set(func() { f.moved = true })
		d := r.Call(id, "note", `{}`)
		if got := strings.Join(f.sent(), ", "); d.Call.State != "succeeded" || got != "/mcp s1, /mcp s1, /new s1" {
			t.Fatalf("%s: %s", d.Call.State, got)
		}
	})
	t.Run("HDR-23 after a header mismatch, with the list fetched anew", func(t *testing.T) {
		r, f, id := begin(t, "Modern")
		f.set(func() { f.mismatches, f.lists = 1, 0 })
		if d := r.Call(id, "note", `{}`); d.Call.State != "succeeded" || len(f.sent()) != 3 {
			t.Fatalf("%s: %s", d.Call.State, f.sent())
		}
		f.set(func() {
			if f.lists == 0 {
				t.Error("the list was not fetched anew")
			}
		})
	})
	t.Run("HDR-23 once", func(t *testing.T) {
		r, f, id := begin(t, "Modern twice")
		f.set(func() { f.mismatches = 2 })
		if d := r.Call(id, "note", `{}`); d.Call.State != "protocol_failed" || len(f.sent()) != 3 {
			t.Fatalf("%s: %s", d.Call.State, f.sent())
		}
	})
	t.Run("HDR-23 not with another definition", func(t *testing.T) {
		r, f, id := begin(t, "Modern changed")
		f.set(func() { f.mismatches, f.definition = 1, "Deletes everything." })
		d := r.Call(id, "note", `{"n":1}`)
		if d.Call.State != "not_sent" || len(f.sent()) != 2 {
			t.Fatalf("%s: %s", d.Call.State, f.sent())
		}
		c := anew(r, d, "Notes.", "Deletes everything.")
		if c.Rearranged == nil || len(c.Rearranged.Changes) != 0 {
			t.Errorf("the arguments are those that were approved: %+v", c.Rearranged)
		}
		r.Decide(c, true, "")
		if d := r.State(c.Call.ID, finals...); d.Call.State != "succeeded" || len(f.sent()) != 3 || d.ParentID == "" {
			t.Errorf("approved with the new definition it is %s after %s", d.Call.State, f.sent())
		}
	})
}

// anew finds the one card that takes the place of a call whose definition
// changed, and the difference on it.
func anew(r *apptest.Rig, d app.CallDetail, before, after string) app.CardView {
	r.T.Helper()
	var found []app.CardView
	r.Until("the call is proposed anew", func() bool {
		cards, err := r.Approvals.List(r.Token)
		if err != nil {
			r.T.Fatal(err)
		}
		found = nil
		for _, c := range cards {
			if detail := r.Detail(c.Call.ID); detail.ParentID == d.Call.ID {
				found = append(found, c)
			}
		}
		return len(found) > 0
	})
	c := found[0]
	if len(found) != 1 || c.Call.Origin != d.Call.Origin || c.Args.Text != d.Args.Text {
		r.T.Fatalf("%d cards in place of one; %s proposes %s", len(found), c.Call.Origin, c.Args.Text)
	}
	if c.Redefined == nil || len(c.Redefined.Changes) != 1 || c.Redefined.Changes[0] != (app.ChangeView{Pointer: "/description", Kind: "changed", Before: `"` + before + `"`, After: `"` + after + `"`}) {
		r.T.Fatalf("the card shows as changed: %+v", c.Redefined)
	}
	return c
}

// TestDeaf: a server whose stream of messages breaks says so, and is asked for its
// list before each call, since it cannot tell that it changed.
func TestDeaf(t *testing.T) {
	r := apptest.Start(t)
	f := &forgetter{definition: "Notes.", broken: true}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	id := r.AddServer(app.ServerDraft{Name: "Deaf", Kind: "http", URL: server.URL + "/mcp"})
	r.Until("the server's page says so", func() bool {
		d, err := r.Servers.Get(r.Token, id)
		return err == nil && d.Server.State == "running" && strings.Contains(d.Server.Reason, "not announced now") && strings.Contains(d.Server.Reason, "503")
	})
	f.set(func() { f.lists, f.definition = 0, "Deletes everything." })
	card := r.Propose(id, "note", `{}`)
	f.set(func() {
		if f.lists == 0 {
			t.Error("the list was not asked for")
		}
	})
	if card.ToolDescription != "Deletes everything." || card.Unchecked != "" {
		t.Errorf("the card is of %q, %q", card.ToolDescription, card.Unchecked)
	}
}

// TestRedefined: a card whose tool changes while it waits is taken back, and its
// arguments are proposed anew; nothing is sent by the old one.
func TestRedefined(t *testing.T) {
	r := apptest.Start(t)
	f := &forgetter{definition: "Notes.", modern: true}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	id := r.AddServer(app.ServerDraft{Name: "Redefined", Kind: "http", URL: server.URL + "/mcp"})
	relist := func() {
		t.Helper()
		if err := r.Tools.Refresh(r.Token, id); err != nil {
			t.Fatal(app.FormatError(err))
		}
	}
	card := r.Propose(id, "note", `{"n":1.50}`)
	r.Look(card)
	f.set(func() { f.definition = "Deletes everything." })
	relist()
	old := r.State(card.Call.ID, "withdrawn")
	next := anew(r, old, "Notes.", "Deletes everything.")
	if !strings.Contains(titles(old), "definition changed") || !strings.Contains(titles(r.Detail(next.Call.ID)), "Proposed anew") {
		t.Errorf("the records say\n%s\n%s", titles(old), titles(r.Detail(next.Call.ID)))
	}
	_, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: card.Call.ID, Revision: 1, Hash: card.Hash, Approve: true})
	if err == nil {
		t.Error("the old card took an answer")
	}
	if _, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: next.Call.ID, Revision: 1, Hash: next.Hash, Approve: true}); err == nil {
		t.Error("the new card took an answer that nobody can have read")
	}

	// With a schema that the arguments do not fit any more.
	f.set(func() { f.schema = `{"type":"object","properties":{"n":{"type":"string"}}}` })
	relist()
	card = next
	r.State(card.Call.ID, "withdrawn")
	r.Until("the call is proposed anew", func() bool {
		cards, err := r.Approvals.List(r.Token)
		if err != nil || len(cards) != 1 || cards[0].Call.ID == card.Call.ID {
			return false
		}
		next = cards[0]
		return true
	})
	if len(next.SchemaErrors) == 0 {
		t.Errorf("the card does not say that its arguments do not fit: %+v", next)
	}
	r.Look(next)
	if _, err := r.Approvals.Decide(r.Token, app.DecideRequest{CallID: next.Call.ID, Revision: 1, Hash: next.Hash, Approve: true}); err == nil || !strings.Contains(err.Error(), "fit") {
		t.Errorf("arguments that do not fit were approved: %v", err)
	}
	res, err := r.Approvals.Edit(r.Token, next.Call.ID, 1, `{"n":"1.50"}`)
	if err != nil || len(res.Errors) > 0 {
		t.Fatal(err, res.Errors)
	}
	r.Decide(r.Card(next.Call.ID), true, "")
	if d := r.State(next.Call.ID, finals...); d.Call.State != "succeeded" || len(f.sent()) != 1 {
		t.Errorf("%s after %s", d.Call.State, f.sent())
	}

	// The tool changed while the program was closed.
	card = r.Propose(id, "note", `{"n":"2"}`)
	f.set(func() { f.definition = "Otherwise." })
	r.Restart()
	r.Running(id)
	anew(r, r.State(card.Call.ID, "withdrawn"), "Deletes everything.", "Otherwise.")
}
