package app_test

import (
	"testing"

	"countersign/app/apptest"
)

// TestAnnotationsOverStdio: what hides a tool over HTTP does not do so here.
func TestAnnotationsOverStdio(t *testing.T) {
	t.Run("STDIO-10 a tool with a bad annotation is listed and called", func(t *testing.T) {
		r := apptest.Start(t)
		p := newPuppet(t, r, map[string]string{"tools.json": toolsOf(
			`{"name":"do","inputSchema":{"type":"object","properties":{"acts":{"type":"array","x-mcp-header":"not a token"}}}}`)})
		if g := groupOf(t, r, p.id); len(g.Tools) != 1 || g.Tools[0].Hidden != "" {
			t.Fatalf("listed: %+v", g.Tools)
		}
		id := p.begin(r, say(done))
		if d := r.State(id, finals...); d.Call.State != "succeeded" {
			t.Errorf("the call is %s: %s", d.Call.State, d.Call.Summary)
		}
	})
}
