package servers_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"countersign/app/icons"
	"countersign/app/servers"
	"countersign/mcpclient"
	"countersign/mcpclient/demoserver"
)

// toolNames gives the names in a server's list.
func (b *bench) toolNames(id string) string {
	list, _, _, _ := b.Listing(id)
	var all []string
	if list != nil {
		for _, raw := range list.Tools {
			var tool struct{ Name string }
			if err := json.Unmarshal(raw, &tool); err != nil {
				b.t.Fatal(err)
			}
			all = append(all, tool.Name)
		}
	}
	return strings.Join(all, " ")
}

// addTool calls the demo server's tool that adds one, and waits until the list
// shows it.
func (b *bench) addTool(id, name string) {
	b.t.Helper()
	client, _, err := b.Client(id)
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := client.CallTool(b.t.Context(), mcpclient.Call{ID: "c-" + name, Attempt: 1, Tool: "add_tool",
		Arguments: []byte(`{"name":"` + name + `"}`)})
	if err != nil || out.Kind != mcpclient.OutcomeComplete || out.IsError {
		b.t.Fatalf("outcome %+v, error %v", out, err)
	}
	b.until("LIST-11 the added tool is listed", func() bool {
		_, _, live, warning := b.Listing(id)
		return live && warning == "" && strings.Contains(" "+b.toolNames(id)+" ", " "+name+" ")
	})
}

func TestDemoServerAsProcess(t *testing.T) {
	b := newBench(t)
	st := b.start("a", b.role("demo"))
	if st.Era != "modern" || st.Version != mcpclient.ModernVersion || st.ServerName != "Countersign demo" || !alive(st.PID) {
		t.Fatalf("status %+v", st)
	}
	before := b.toolNames("a")
	b.addTool("a", "extra_one")
	b.addTool("a", "extra_two")
	if after := b.toolNames("a"); after == before {
		t.Fatalf("tools %q", after)
	}

	b.Restart("a") // another process: the additions are gone
	b.until("it runs again, with its first list", func() bool {
		now := b.Status("a")
		_, _, live, _ := b.Listing("a")
		return now.State == servers.Running && now.PID != st.PID && live && b.toolNames("a") == before
	})
	if alive(st.PID) {
		t.Errorf("process %d is still there", st.PID)
	}
	b.stop("a")
	if got := b.toolNames("a"); got != before {
		t.Errorf("the list of a stopped server is %q", got)
	}
}

func TestDemoServerInTheLegacyEra(t *testing.T) {
	b := newBench(t)
	p := b.role("demo")
	p.Config.RememberedEra = mcpclient.EraLegacy
	if st := b.start("a", p); st.Era != "legacy" || st.Version != mcpclient.LegacyVersion {
		t.Fatalf("status %+v", st)
	}
	b.addTool("a", "extra_one") // announced by notifications/tools/list_changed
}

func TestDemoServerOverHTTP(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(context.Background())
	address, served := make(chan string, 1), make(chan error, 1)
	go func() { served <- demoserver.New().ServeHTTP(ctx, "127.0.0.1:0", func(a string) { address <- a }) }()
	defer func() {
		b.stop("a") // before the server, or it would wait for our stream
		cancel()
		<-served
	}()
	st := b.start("a", b.web("http://"+<-address+"/mcp"))
	if st.Era != "modern" || st.PID != 0 || st.ServerName != "Countersign demo" {
		t.Fatalf("status %+v", st)
	}
	b.addTool("a", "extra_one")
}

func TestDemoServerIcons(t *testing.T) {
	b := newBench(t)
	b.start("a", b.role("demo"))
	client, _, err := b.Client("a")
	if err != nil {
		t.Fatal(err)
	}
	list, _, _, _ := b.Listing("a")
	var fetcher icons.Fetcher
	for _, raw := range append(list.Tools, client.Info().ServerInfoRaw) {
		var thing struct {
			Name  string
			Icons json.RawMessage
		}
		if err := json.Unmarshal(raw, &thing); err != nil {
			t.Fatal(err)
		}
		sources, refusals := icons.Pick(thing.Icons, "light", "")
		if len(sources) == 0 || len(refusals) != 0 {
			t.Errorf("%s: %d icons, refusals %v", thing.Name, len(sources), refusals)
			continue
		}
		if mime, image, err := fetcher.Fetch(t.Context(), sources[0]); err != nil || mime != "image/png" || len(image) == 0 {
			t.Errorf("%s: %q, %d bytes, %v", thing.Name, mime, len(image), err)
		}
	}
}
