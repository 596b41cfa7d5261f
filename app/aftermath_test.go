package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// TestStoppedAndHeardOf: what became of a call after the person stopped it is
// recorded as an event after its end, and changes nothing else.
func TestStoppedAndHeardOf(t *testing.T) {
	r := apptest.Start(t)
	for _, legacy := range []bool{false, true} {
		files := map[string]string{}
		if legacy {
			files["legacy"] = ""
		}
		p := newPuppet(t, r, files)
		for _, c := range []struct{ name, answer, heard, says string }{
			{"finished", done, `"heard":"finished"`, "finished it all the same"},
			{"refused", `{"jsonrpc":"2.0","id":$ID,"error":{"code":0,"message":"Request cancelled"}}`, `"heard":"acknowledged"`, "an error: Request cancelled"},
		} {
			t.Run(fmt.Sprintf("CANCEL-05 CANCEL-07 %s, legacy %v", c.name, legacy), func(t *testing.T) {
				r := r.For(t)
				id := p.begin(r, apptest.Act{Say: fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}`, c.name)},
					apptest.Act{Await: `"requestId":$ID,`}, apptest.Act{Say: c.answer})
				r.Until("the server has the call", func() bool { return strings.Contains(strings.Join(p.received(t), "\n"), c.name) })
				if err := r.Calls.Cancel(r.Token, id); err != nil {
					t.Fatal(err)
				}
				r.State(id, "cancelled")
				var last app.TimelineItem
				r.Until("what became of it is recorded", func() bool {
					all := r.Detail(id).Timeline
					last = all[len(all)-1]
					return last.Kind == "call.aftermath"
				})
				if !strings.Contains(last.Title, c.says) || !strings.Contains(last.Detail, c.heard) {
					t.Errorf("it reads %+v", last)
				}
				if d := sound(t, r, id); d.Call.State != "cancelled" {
					t.Errorf("the call is %s now", d.Call.State)
				}
			})
		}
	}
}

// TestEraIsKept: a restart opens an unchanged server as it was opened before,
// and finds out anew when that does not hold any more.
func TestEraIsKept(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, map[string]string{"legacy": ""})
	r.Running(p.id)
	count := func(method string) int {
		return strings.Count(strings.Join(p.received(t), "\n"), `"method":"`+method+`"`)
	}
	listed := func(n int) {
		t.Helper()
		r.Until("the list is kept", func() bool { return count("tools/list") == n })
	}
	listed(1)
	if count("server/discover") != 1 || count("initialize") != 1 {
		t.Fatalf("first: %v", p.received(t))
	}
	t.Run("VER-15 VER-16 an unchanged server is not probed again", func(t *testing.T) {
		r.Restart()
		r.Running(p.id)
		listed(2)
		if count("server/discover") != 1 || count("initialize") != 2 {
			t.Errorf("got %v", p.received(t))
		}
	})
	t.Run("VER-16 one that behaves otherwise is", func(t *testing.T) {
		if err := os.Remove(filepath.Join(p.dir, "legacy")); err != nil {
			t.Fatal(err)
		}
		const other = `{"resultType":"complete","supportedVersions":["2026-07-28"],"protocolVersion":"2099-01-01","capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`
		if err := os.WriteFile(filepath.Join(p.dir, "discover.json"), []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Restart()
		r.Running(p.id)
		if d, err := r.Servers.Get(r.Token, p.id); err != nil || d.Server.Era != "modern" {
			t.Errorf("era %s (%v)", d.Server.Era, err)
		}
	})
}
