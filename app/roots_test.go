package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// rootsServer is a modern server whose tool asks for the folders and answers with
// what it was told. It refuses an answer that is no ListRootsResult, and the
// question itself where the client did not declare roots.
type rootsServer struct {
	mu       sync.Mutex
	declared []bool // of each tools/call
	refused  string
}

func (s *rootsServer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			InputResponses map[string]json.RawMessage `json:"inputResponses"`
			Meta           struct {
				Capabilities map[string]json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
			} `json:"_meta"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &m)
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`
	switch m.Method {
	case "tools/list":
		result = `{"resultType":"complete","tools":[{"name":"do","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`
	case "tools/call":
		_, declared := m.Params.Meta.Capabilities["roots"]
		result = s.call(declared, m.Params.InputResponses)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (s *rootsServer) call(declared bool, inputs map[string]json.RawMessage) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if inputs == nil {
		s.declared = append(s.declared, declared)
		if !declared {
			return `{"resultType":"complete","content":[{"type":"text","text":"not declared"}]}`
		}
		return `{"resultType":"input_required","inputRequests":{"where":{"method":"roots/list"}},"requestState":"s"}`
	}
	var told struct {
		Roots []struct {
			URI  string `json:"uri"`
			Name string `json:"name"`
		} `json:"roots"`
	}
	dec := json.NewDecoder(strings.NewReader(string(inputs["where"])))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&told); err != nil || told.Roots == nil || len(inputs) != 1 {
		s.refused = fmt.Sprintf("%s: %v", inputs["where"], err)
	}
	text := ""
	for _, root := range told.Roots {
		u, err := url.Parse(root.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" || !strings.HasPrefix(root.URI, "file:///") {
			s.refused = "no file URI: " + root.URI
			continue
		}
		text += u.Path + "|"
	}
	quoted, _ := json.Marshal(text)
	return `{"resultType":"complete","content":[{"type":"text","text":` + string(quoted) + `}]}`
}

// folders makes folders in a new place.
func folders(t *testing.T, names ...string) []string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range names {
		out = append(out, filepath.Join(base, name))
		if err := os.Mkdir(out[len(out)-1], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func addRoot(t *testing.T, r *apptest.Rig, id, path string) {
	t.Helper()
	r.Window.Choose(path)
	if got, err := r.Servers.AddRoot(r.Token, id); err != nil || got != path {
		t.Fatalf("adding %s: %q, %v", path, got, err)
	}
}

// TestRoots has a modern server ask for the folders that a person opened to it.
func TestRoots(t *testing.T) {
	r := apptest.Start(t)
	fake := &rootsServer{}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	id := r.AddServer(app.ServerDraft{Name: "Roots", Kind: "http", URL: server.URL})
	dirs := folders(t, "my notes #1", "gone", "kept")
	ask := func(r *apptest.Rig) app.CallDetail {
		t.Helper()
		r.Running(id)
		d := r.Call(id, "do", `{}`)
		fake.mu.Lock()
		defer fake.mu.Unlock()
		if fake.refused != "" {
			t.Fatal(fake.refused)
		}
		return d
	}

	t.Run("ROOTS-01 nothing is declared while no folder is open", func(t *testing.T) {
		if d := ask(r.For(t)); d.Call.State != "succeeded" || fake.declared[0] {
			t.Errorf("%s, declared %v", d.Call.State, fake.declared)
		}
	})
	for _, dir := range dirs {
		addRoot(t, r, id, dir)
	}
	t.Run("ROOTS-01 ROOTS-02 ROOTS-03 a modern server is told the folders as file URIs, without a question", func(t *testing.T) {
		d := ask(r.For(t))
		if want := strings.Join(dirs, "|") + "|"; !strings.Contains(d.Result.Raw.Text, want) {
			t.Errorf("the server was told %s, want %s", d.Result.Raw.Text, want)
		}
		answered := 0
		for _, e := range d.Timeline {
			if e.Kind == "call.input_answered" && strings.Contains(e.Detail, `"roots"`) {
				answered++
			}
		}
		if answered != 1 {
			t.Errorf("the answer stands in the record %d times", answered)
		}
	})
	t.Run("ROOTS-04 ROOTS-05 a folder that is missing is left out, with a note", func(t *testing.T) {
		if err := os.Remove(dirs[1]); err != nil {
			t.Fatal(err)
		}
		r := r.For(t)
		if d := ask(r); !strings.Contains(d.Result.Raw.Text, dirs[0]+"|"+dirs[2]) {
			t.Errorf("the server was told %s", d.Result.Raw.Text)
		}
		log, err := r.Servers.Log(r.Token, id, 0)
		if text := fmt.Sprint(log.Lines); err != nil || !strings.Contains(text, dirs[1]+" is not there") {
			t.Errorf("the log does not tell: %v %s", err, text)
		}
		detail, err := r.Servers.Get(r.Token, id)
		if err != nil || len(detail.Roots) != 3 || detail.Roots[1].Fault == "" || detail.Roots[0].Fault != "" {
			t.Errorf("shown: %v %v", detail.Roots, err)
		}
	})
	t.Run("ROOTS-05 only a person's choice opens a folder, and it can be closed", func(t *testing.T) {
		for _, bad := range []string{filepath.Join(dirs[0], "nothing"), "relative"} {
			r.Window.Choose(bad)
			if _, err := r.Servers.AddRoot(r.Token, id); err == nil {
				t.Errorf("%s was opened", bad)
			}
		}
		r.Window.Choose("")
		if got, err := r.Servers.AddRoot(r.Token, id); err != nil || got != "" {
			t.Errorf("a closed dialog opened %q, %v", got, err)
		}
		d, err := r.Servers.Get(r.Token, id)
		if err != nil {
			t.Fatal(err)
		}
		if res, err := r.Servers.Save(r.Token, d.Draft); err != nil || res.ID == "" {
			t.Fatalf("%v %v", res, err)
		}
		if err := r.Servers.RemoveRoot(r.Token, id, dirs[0]); err != nil {
			t.Fatal(err)
		}
		d, err = r.Servers.Get(r.Token, id)
		if err != nil || len(d.Roots) != 2 || d.Roots[1].Path != dirs[2] {
			t.Errorf("after saving and removing: %v %v", d.Roots, err)
		}
	})
}

// TestRootsLegacy has a legacy server ask for them, and told of a change.
func TestRootsLegacy(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, map[string]string{"legacy": ""})
	dirs := folders(t, "one", "two")
	addRoot(t, r, p.id, dirs[0])
	ask := func(r *apptest.Rig, id string) {
		t.Helper()
		r.Running(p.id)
		call := p.begin(r, say(`{"jsonrpc":"2.0","id":"`+id+`","method":"roots/list"}`), apptest.Act{Await: `"id":"` + id + `"`}, say(done))
		r.State(call, "succeeded")
	}
	got := func(part string) (line string) {
		for _, l := range p.received(t) {
			if strings.Contains(l, part) && !strings.Contains(l, "tools/call") {
				line = l
			}
		}
		return line
	}
	t.Run("ROOTS-01 ROOTS-02 a legacy server is told in initialize and asks by a request", func(t *testing.T) {
		ask(r.For(t), "r1")
		if init := got(`"initialize"`); !strings.Contains(init, `"roots":{"listChanged":true}`) {
			t.Errorf("initialize: %s", init)
		}
		if answer := got(`"r1"`); !strings.Contains(answer, `{"roots":[{"uri":"file://`+dirs[0]+`","name":"one"}]}`) {
			t.Errorf("answer: %s", answer)
		}
	})
	t.Run("ROOTS-07 a change is told to a legacy server", func(t *testing.T) {
		addRoot(t, r, p.id, dirs[1])
		r := r.For(t)
		r.Until("the notice came", func() bool { return got("notifications/roots/list_changed") != "" })
		ask(r, "r2")
		if answer := got(`"r2"`); !strings.Contains(answer, dirs[1]) {
			t.Errorf("answer: %s", answer)
		}
	})
}
