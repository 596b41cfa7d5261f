package app_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// attention waits until a server needs a person, and gives its page.
func attention(r *apptest.Rig, id, part string) app.ServerDetail {
	r.T.Helper()
	var d app.ServerDetail
	r.Until("the server needs attention: "+part, func() bool {
		var err error
		if d, err = r.Servers.Get(r.Token, id); err != nil {
			r.T.Fatal(err)
		}
		return d.Server.State == "attention" && strings.Contains(d.Server.Reason, part)
	})
	return d
}

// TestOwnCA reaches a server whose certificate only the chosen file vouches for.
func TestOwnCA(t *testing.T) {
	r := apptest.Start(t)
	server := httptest.NewTLSServer(&rootsServer{})
	t.Cleanup(server.Close)
	dir := t.TempDir()
	good, other := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "other.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for path, text := range map[string][]byte{good: block, other: []byte("no certificate")} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	draft := app.ServerDraft{Name: "Own CA", Kind: "http", URL: server.URL, CAFile: good, Enabled: true}
	if res, err := r.Servers.Save(r.Token, draft); err != nil || res.ID != "" || len(res.Problems) == 0 || res.Problems[0].Field != "caFile" {
		t.Fatalf("a path that nobody chose was taken: %v %v", res, err)
	}
	r.Window.Choose(other)
	if got, err := r.Servers.ChooseCA(r.Token); err == nil {
		t.Fatalf("a file without certificates was taken: %q", got)
	}
	r.Window.Choose(good)
	if got, err := r.Servers.ChooseCA(r.Token); err != nil || got != good {
		t.Fatalf("%q %v", got, err)
	}
	id := r.AddServer(draft)
	if asked := strings.Join(r.Window.Asked(), "\n"); !strings.Contains(asked, "the certificates in "+good) {
		t.Errorf("the question does not tell of the file: %s", asked)
	}
	t.Run("SEC-07 a file with other authorities is another launch", func(t *testing.T) {
		if err := os.WriteFile(good, append(block, block...), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := r.Servers.Get(r.Token, id)
		if err != nil || d.Launch.Consented || !strings.Contains(strings.Join(d.Launch.Changed, ","), "certificate file") {
			t.Errorf("%+v %v", d.Launch, err)
		}
	})
	draft.CAFile, draft.ID = "", id
	if res, err := r.Servers.Save(r.Token, draft); err != nil || res.ID == "" {
		t.Fatal(res, err)
	}
	if yes, err := r.Servers.Consent(r.Token, id); err != nil || !yes {
		t.Fatal(yes, err)
	}
	attention(r, id, "certificate is not trusted")
}

// TestProxy sends what goes to a server through the proxy that was set.
func TestProxy(t *testing.T) {
	r := apptest.Start(t)
	server := httptest.NewServer(&rootsServer{})
	t.Cleanup(server.Close)
	var asked atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked.Add(1)
		if u, err := url.Parse(server.URL); err != nil || req.URL.Host != "mcp.invalid" {
			http.Error(w, "another host", http.StatusBadGateway)
		} else {
			req.URL.Host = u.Host
			(&rootsServer{}).ServeHTTP(w, req)
		}
	}))
	t.Cleanup(proxy.Close)
	draft := app.ServerDraft{Name: "Behind", Kind: "http", URL: "http://mcp.invalid/mcp", Proxy: proxy.URL}
	if res, err := r.Servers.Save(r.Token, draft); err != nil || res.ID != "" || !strings.Contains(res.Problems[0].Message, "allow plain http") {
		t.Fatalf("plain http beyond this computer was taken: %v %v", res, err)
	}
	draft.PlainHTTP = true
	r.AddServer(draft) // only the proxy knows that name
	if asked.Load() == 0 {
		t.Error("the proxy was not asked")
	}
	text := strings.Join(r.Window.Asked(), "\n")
	if !strings.Contains(text, proxy.URL) || !strings.Contains(text, "read and changed on the way") {
		t.Errorf("the question does not tell of proxy and plain http: %s", text)
	}
}

// TestLimits bounds calls as the settings say: progress does not keep one alive
// beyond its longest time, and one large result fails alone.
func TestLimits(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	d, err := r.Servers.Get(r.Token, p.id)
	if err != nil {
		t.Fatal(err)
	}
	d.Draft.MaxSeconds, d.Draft.MaxResultMiB = 1, 1
	if res, err := r.Servers.Save(r.Token, d.Draft); err != nil || res.ID == "" {
		t.Fatal(res, err)
	}
	r.Running(p.id) // without new consent: limits are no part of the launch
	big := p.begin(r, apptest.Act{Say: `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"$BULK"}]}}`, Bulk: 2 << 20})
	if d := r.State(big, finals...); d.Call.State == "succeeded" || !strings.Contains(d.Call.Summary, "1 MiB") && !strings.Contains(d.Call.Summary, "1048576") {
		t.Errorf("a result over the limit: %s, %s", d.Call.State, d.Call.Summary)
	}
	slow := p.begin(r, apptest.Act{Await: "never comes"})
	if d := r.State(slow, finals...); d.Call.State != "timed_out" {
		t.Errorf("beyond its longest time: %s", d.Call.State)
	}
}
