package app_test

import (
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
	moved      bool
	modern     bool
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
		result = `{"tools":[{"name":"note","description":"` + f.definition + `","inputSchema":{"type":"object"}}]}`
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
		if d := r.Call(id, "note", `{}`); d.Call.State != "not_sent" || len(f.sent()) != 2 {
			t.Fatalf("%s: %s", d.Call.State, f.sent())
		}
	})
}
