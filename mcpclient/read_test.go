package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestReadResource(t *testing.T) {
	const uri = `file:///a b/%2e%2e/é"?x=<&>#f`
	for _, era := range []Era{EraModern, EraLegacy} {
		t.Run("RSRC-07 "+string(era)+": the URI goes out as it is, through the gate", func(t *testing.T) {
			s := newWebServer(t, era)
			s.handle = func(e *webExchange) {
				e.result(`{"resultType":"complete","contents":[{"uri":"a:b","text":"one","x":1.0},{"uri":"a:c","blob":"AA=="}],"ttlMs":5,"cacheScope":"private"}`)
			}
			c, _, k := s.connect(t)
			c.info.Capabilities = json.RawMessage(`{"resources":{}}`)
			out, err := c.ReadResource(context.Background(), Read{ID: "r-1", Attempt: 1, URI: uri})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(out.Raw), `"x":1.0`) || out.Kind != OutcomeComplete {
				t.Errorf("RSRC-01 got %s", out.Raw)
			}
			sent := s.seen("resources/read")
			if len(sent) != 1 || textAt(sent[0].msg.Params, "uri") != uri {
				t.Fatalf("sent %d times: %s", len(sent), sent[0].body)
			}
			g := k.sends[len(k.sends)-1]
			if g.Kind != SendRead || g.URI != uri || g.Tool != "" || g.Arguments != nil || g.CallID != "r-1" || g.Attempt != 1 || string(g.Frame) != sent[0].body {
				t.Errorf("the gate was asked about %+v", g)
			}
		})
	}
	t.Run("RSRC-04 a server may ask for input before it gives a resource", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		s.handle = func(e *webExchange) {
			if textAt(e.msg.Params, "requestState") == "" {
				e.result(`{"resultType":"input_required","requestState":"s","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`)
				return
			}
			e.result(`{"resultType":"complete","contents":[],"ttlMs":0,"cacheScope":"private"}`)
		}
		c, _, k := s.connect(t)
		c.info.Capabilities = json.RawMessage(`{"resources":{}}`)
		out, err := c.ReadResource(context.Background(), Read{ID: "r", Attempt: 1, URI: uri})
		if err != nil || out.Kind != OutcomeInputRequired || len(out.InputRequests) != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
		out, err = c.ReadResource(context.Background(), Read{ID: "r", Attempt: 1, Round: 1, URI: uri, RequestState: out.RequestState,
			InputResponses: json.RawMessage(`{"k":{"action":"accept","content":{}}}`)})
		if err != nil || out.Kind != OutcomeComplete {
			t.Fatalf("%+v, %v", out, err)
		}
		if g := k.sends[1]; g.Round != 1 || string(g.InputResponses) != `{"k":{"action":"accept","content":{}}}` || *g.RequestState != "s" {
			t.Errorf("the gate was asked about %+v", g)
		}
	})
	t.Run("RSRC-09 a server without resources is not asked", func(t *testing.T) {
		for _, declared := range []string{``, `{}`, `{"tools":{}}`, `{"resources":null}`} {
			s := newWebServer(t, EraModern)
			s.handle = func(e *webExchange) { e.result(`{"tools":[]}`) }
			c, _, k := s.connect(t)
			c.info.Capabilities = json.RawMessage(declared)
			if _, err := c.ReadResource(context.Background(), Read{ID: "r", Attempt: 1, URI: uri}); !errors.Is(err, ErrNoResources) {
				t.Errorf("%s: %v", declared, err)
			}
			if len(s.seen("resources/read")) != 0 || len(k.sends) != 0 {
				t.Errorf("%s: it was asked", declared)
			}
		}
	})
}
