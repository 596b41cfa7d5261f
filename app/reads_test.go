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

// library is a server over HTTP whose tool gives links, of which it answers
// resources/read.
type library struct {
	legacy bool

	mu      sync.Mutex
	links   string            // content of the tool's result
	answers map[string]string // by URI: the result, or an error where it begins with "error "
	held    chan struct{}     // reads wait for it
	reads   []string
}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			URI   string           `json:"uri"`
			State *string          `json:"requestState"`
			Input *json.RawMessage `json:"inputResponses"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &m)
	l.mu.Lock()
	links, answer, held := l.links, l.answers[m.Params.URI], l.held
	if m.Method == "resources/read" {
		l.reads = append(l.reads, m.Params.URI)
	}
	l.mu.Unlock()
	result := `{}`
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	case m.Method == "server/discover" && l.legacy:
		w.WriteHeader(http.StatusNotFound)
		return
	case m.Method == "server/discover":
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{}},"ttlMs":0,"cacheScope":"private"}`
	case m.Method == "initialize":
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"library","version":"1"}}`
	case m.Method == "tools/list":
		result = `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`
	case m.Method == "tools/call":
		result = `{"content":` + links + `}`
	case m.Method == "resources/read":
		if held != nil {
			select {
			case <-held:
			case <-r.Context().Done():
				return
			}
		}
		if m.Params.Input == nil && strings.HasPrefix(answer, "ask ") {
			result = `{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Which shelf?","requestedSchema":{"type":"object","properties":{"shelf":{"type":"string"}}}}}}}`
			break
		}
		result = strings.TrimPrefix(answer, "ask ")
		if code, ok := strings.CutPrefix(answer, "error "); ok {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"not here"}}`, m.ID, code)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (l *library) asked() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads
}

func (l *library) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// TestReads: what a result links to is read from its server when the person says
// so, through the gate and into the record, and only at an address of the result.
func TestReads(t *testing.T) {
	r := apptest.Start(t)
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) { testReads(t, r.For(t), era == "legacy") })
	}
}

func testReads(t *testing.T, r *apptest.Rig, legacy bool) {
	const file = `file:///etc/../a b`
	l := &library{legacy: legacy, answers: map[string]string{
		file:                       `{"contents":[{"uri":"file:///a","mimeType":"text/plain","text":"from the server","more":1.0},{"uri":"x:y","blob":"iVBORw0KGgo="}],"ttlMs":0,"cacheScope":"private"}`,
		"https://web.example.test": `{"contents":[]}`,
		"gone:1":                   "error -32602", "gone:2": "error -32002",
		"ask:1": `ask {"contents":[{"uri":"ask:1","mimeType":"inode/directory","text":""}]}`,
	}}
	l.links = `[{"type":"resource_link","uri":"` + file + `","name":"a","title":"The file"},{"type":"text","text":"file:///no/link"},
		{"type":"resource_link","uri":"https://web.example.test","name":"w"},{"type":"resource_link","uri":"gone:1","name":"g"},
		{"type":"resource_link","uri":"gone:2","name":"g"},{"type":"resource_link","uri":"ask:1","name":"q"},{"type":"resource_link","name":"nowhere"}]`
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	id := r.AddServer(app.ServerDraft{Name: fmt.Sprint("Library, legacy ", legacy), Kind: "http", URL: server.URL + "/mcp"})
	call := r.Call(id, "find", `{}`)
	if call.Unreadable != "" || len(call.Reads) != 0 || len(l.asked()) != 0 {
		t.Fatalf("before anything was clicked: %+v; asked %v", call, l.asked())
	}
	read := func(t *testing.T, block int) app.CallDetail {
		t.Helper()
		v, err := r.Calls.Read(r.Token, call.Call.ID, block)
		if err != nil {
			t.Fatal(app.FormatError(err))
		}
		return r.State(v.ID, finals...)
	}
	t.Run("RSRC-01 RSRC-06 RSRC-07 what a link names is read from the server, at just that address", func(t *testing.T) {
		d := read(t, 0)
		if got := l.asked(); len(got) != 1 || got[0] != file || d.Call.State != "succeeded" || d.Call.Method != "resources/read" || d.Call.Tool != file {
			t.Fatalf("asked %v; %+v", got, d.Call)
		}
		b := d.Result.Blocks
		if len(b) != 2 || b[0].Text.Text != "from the server" || b[1].Sniffed != "image/png" || b[1].Handle == "" || !strings.Contains(d.Result.Raw.Text, `"more":1.0`) {
			t.Fatalf("%+v", d.Result)
		}
		if res := r.Get("/payload/"+b[1].Handle, r.Token); res.Code != http.StatusOK || res.Body.String() != "\x89PNG\r\n\x1a\n" {
			t.Errorf("its bytes: %d %q", res.Code, res.Body)
		}
		if all := titles(d); !strings.Contains(all, "had the link of a result read") || !strings.Contains(all, "Approved by the person") || !strings.Contains(all, "Sent to the server") {
			t.Errorf("the record says\n%s", all)
		}
		if parent := r.Detail(call.Call.ID); len(parent.Reads) != 1 || parent.Reads[0].ID != d.Call.ID || d.ParentID != call.Call.ID {
			t.Errorf("the result shows %+v", parent.Reads)
		}
	})
	t.Run("RSRC-03 RSRC-05 an empty resource is one, and https is read from the server too", func(t *testing.T) {
		if d := read(t, 2); d.Call.State != "succeeded" || len(d.Result.Notes) != 1 || !strings.Contains(d.Result.Notes[0], "empty") {
			t.Errorf("%+v", d.Result)
		}
	})
	t.Run("RSRC-02 not found, by either code", func(t *testing.T) {
		for block, code := range map[int]int64{3: -32602, 4: -32002} {
			if d := read(t, block); d.Call.State != "protocol_failed" || d.Result.Error == nil || d.Result.Error.Code != code {
				t.Errorf("%+v", d.Result)
			}
		}
	})
	if !legacy {
		t.Run("RSRC-04 the server may ask first", func(t *testing.T) {
			v, err := r.Calls.Read(r.Token, call.Call.ID, 5)
			if err != nil {
				t.Fatal(app.FormatError(err))
			}
			r.Answer(r.Question(v.ID), "accept", `{"shelf":"2"}`)
			if d := r.State(v.ID, finals...); d.Call.State != "succeeded" || !strings.Contains(d.Result.Blocks[0].Problem, "folder") {
				t.Errorf("%+v", d.Result)
			}
		})
	}
	t.Run("what is no link of a result is not read", func(t *testing.T) {
		before := len(l.asked())
		for _, bad := range []struct {
			id    string
			block int
		}{{call.Call.ID, 1}, {call.Call.ID, 6}, {call.Call.ID, -1}, {call.Call.ID, 7}, {call.Call.ID, 1 << 40}, {"no such call", 0}, {r.Detail(call.Call.ID).Reads[0].ID, 0}} {
			if v, err := r.Calls.Read(r.Token, bad.id, bad.block); err == nil {
				t.Errorf("%v gave %+v", bad, v)
			}
		}
		if _, err := r.Calls.Read("wrong", call.Call.ID, 0); err == nil {
			t.Error("a caller without the token was served")
		}
		if _, err := r.Calls.Again(r.Token, r.Detail(call.Call.ID).Reads[0].ID); err == nil {
			t.Error("a read was run again as a call")
		}
		if got := len(l.asked()); got != before {
			t.Errorf("the server was asked %d times", got-before)
		}
	})
	t.Run("one at a time, and it can be stopped", func(t *testing.T) {
		l.set(func() { l.held = make(chan struct{}) })
		v, err := r.Calls.Read(r.Token, call.Call.ID, 0)
		if err != nil {
			t.Fatal(app.FormatError(err))
		}
		r.State(v.ID, "sent")
		if _, err := r.Calls.Read(r.Token, call.Call.ID, 0); err == nil {
			t.Error("it was read a second time meanwhile")
		}
		if err := r.Calls.Cancel(r.Token, v.ID); err != nil {
			t.Fatal(app.FormatError(err))
		}
		r.State(v.ID, "cancelled")
		l.set(func() { close(l.held); l.held = nil })
	})
	t.Run("not while everything is paused", func(t *testing.T) {
		if err := r.Calls.Pause(r.Token, true); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Calls.Read(r.Token, call.Call.ID, 0); err == nil || !strings.Contains(err.Error(), "paused") {
			t.Errorf("got %v", err)
		}
		if err := r.Calls.Pause(r.Token, false); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("it says so where the server is set up otherwise by now, or not running", func(t *testing.T) {
		d, err := r.Servers.Get(r.Token, id)
		if err != nil {
			t.Fatal(err)
		}
		d.Draft.URL = server.URL + "/other"
		r.AddServer(d.Draft)
		if got := r.Detail(call.Call.ID); !strings.Contains(got.ReadNote, "settings changed") || got.Unreadable != "" {
			t.Errorf("%q %q", got.ReadNote, got.Unreadable)
		}
		if err := r.Servers.Stop(r.Token, id); err != nil {
			t.Fatal(err)
		}
		r.Until("the link cannot be read", func() bool { return strings.Contains(r.Detail(call.Call.ID).Unreadable, "not running") })
	})
}
