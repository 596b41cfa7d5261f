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

// asking has a modern server ask for one input with these parameters, each round.
func asking(params string) apptest.Act {
	return say(`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":` + params + `}}}}`)
}

// TestQuestionForms: what a server may ask, and what is only ever declined.
func TestQuestionForms(t *testing.T) {
	r := apptest.Start(t)
	modern, legacy := newPuppet(t, r, nil), newPuppet(t, r, map[string]string{"legacy": ""})
	const form = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"why":{"type":"string"}},"required":["why"]}`
	t.Run("ELIC-03 ELIC-08 a question without a mode is a form, in both eras", func(t *testing.T) {
		r := r.For(t)
		const params = `{"message":"Why?","requestedSchema":` + form + `}`
		for _, ask := range []struct {
			puppet
			acts []apptest.Act
		}{
			{modern, []apptest.Act{asking(params)}},
			{legacy, []apptest.Act{say(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":` + params + `}`), {Await: `"id":"q1"`}, say(done)}},
		} {
			call := ask.begin(r, ask.acts...)
			q := r.Question(call)
			if q.Mode != "form" || q.Message != "Why?" || q.Schema != form || q.Problem != "" || q.URL != "" {
				t.Errorf("asked as %+v", q)
			}
			if errs := r.Answer(q, "accept", `{}`); len(errs) != 1 {
				t.Errorf("without what is required: %v", errs)
			}
			if errs := r.Answer(q, "accept", `{"why":"so"}`); len(errs) != 0 {
				t.Fatal(errs)
			}
			r.Until("the answer arrives", func() bool {
				return strings.Contains(strings.Join(ask.received(t), "\n"), `{"action":"accept","content":{"why":"so"}}`)
			})
			if ask.dir == modern.dir {
				r.Question(call) // it asks for ever
				if err := r.Calls.Cancel(r.Token, call); err != nil {
					t.Fatal(err)
				}
			}
			r.State(call, finals...)
		}
	})
	t.Run("ELIC-13 what nests is said to have no answer, is not accepted, and can be declined", func(t *testing.T) {
		r := r.For(t)
		for i, schema := range []string{
			`{"type":"object","properties":{"name":{"type":"string"},"home":{"type":"object","properties":{"street":{"type":"string"}}}}}`,
			`{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object"}}}}`,
		} {
			id := fmt.Sprintf(`"id":"n%d"`, i)
			call := legacy.begin(r, say(`{"jsonrpc":"2.0",`+id+`,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":`+schema+`}}`), apptest.Act{Await: id}, say(done))
			q := r.Question(call)
			if !strings.Contains(q.Problem, "neither a text, a number") {
				t.Errorf("it says %q", q.Problem)
			}
			if _, err := r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: "accept", ContentText: `{"name":"Ada"}`}); codeOf(t, err) != app.CodeRefused {
				t.Errorf("accepted: %v", err)
			}
			if errs := r.Answer(q, "decline", ""); len(errs) != 0 {
				t.Fatal(errs)
			}
			r.State(call, "succeeded")
		}
		if all := strings.Join(legacy.received(t), "\n"); strings.Count(all, `"result":{"action":"decline"}`) != 2 || strings.Contains(all, "Ada") {
			t.Errorf("sent\n%s", all)
		}
	})
}

// TestQuestionAddresses: what a server may want opened, who opens it, and what comes
// after.
func TestQuestionAddresses(t *testing.T) {
	r := apptest.Start(t)
	p := newPuppet(t, r, nil)
	t.Run("ELIC-16 an address needs no elicitationId, and must be one", func(t *testing.T) {
		r := r.For(t)
		for params, problem := range map[string]string{
			`{"mode":"url","message":"Look","url":"https://pay.example.test/a?b=c#d"}`: "",
			`{"mode":"url","message":"Look"}`:                                          "no whole address",
			`{"mode":"url","message":"Look","url":"not an address"}`:                   "spaces or control characters",
			`{"mode":"url","message":"Look","url":7}`:                                  "no whole address",
		} {
			call := p.begin(r, asking(params))
			q := r.Question(call)
			if q.Mode != "url" || q.Message != "Look" || (q.Problem == "") != (problem == "") || !strings.Contains(q.Problem, problem) {
				t.Errorf("%s is asked as %+v", params, q)
			}
			if problem != "" {
				if _, err := r.Questions.Open(r.Token, q.ID); codeOf(t, err) != app.CodeRefused {
					t.Errorf("%s: opened: %v", params, err)
				}
			}
			if err := r.Calls.Cancel(r.Token, call); err != nil {
				t.Fatal(err)
			}
			r.State(call, "cancelled")
		}
	})
	t.Run("ELIC-23 ELIC-19 one that was opened is asked about again by hand, without opening it twice, until the person stops", func(t *testing.T) {
		r := r.For(t)
		before := len(r.Window.Opened())
		call := p.begin(r, asking(`{"mode":"url","message":"Pay","url":"https://pay.example.test/1"}`))
		q := r.Question(call)
		if q.Opened {
			t.Error("it is said to have been opened")
		}
		if _, err := r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: "accept"}); codeOf(t, err) != app.CodeRefused {
			t.Errorf("accepted without consent: %v", err)
		}
		if opened, err := r.Questions.Open(r.Token, q.ID); err != nil || !opened {
			t.Fatal(opened, err)
		}
		for round := 1; round < 3; round++ {
			q = r.Question(call)
			if !q.Opened || q.Round != round {
				t.Fatalf("in round %d it is asked as %+v", round, q)
			}
			if errs := r.Answer(q, "accept", ""); len(errs) != 0 {
				t.Fatal(errs)
			}
		}
		r.Question(call)
		if got := r.Window.Opened(); len(got) != before+1 || got[before] != "https://pay.example.test/1" {
			t.Errorf("the system's browser got %v", got)
		}
		if err := r.Calls.Cancel(r.Token, call); err != nil {
			t.Fatal(err)
		}
		r.State(call, "cancelled")
	})
}

// gatekeeper is a modern server over HTTP that wants an address opened, and notes
// what each request shows for its right to ask.
type gatekeeper struct {
	mu   sync.Mutex
	seen []string
}

func (g *gatekeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			InputResponses json.RawMessage `json:"inputResponses"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &m)
	g.mu.Lock()
	g.seen = append(g.seen, m.Method+" "+strings.Join(r.Header.Values("Authorization"), ","))
	g.mu.Unlock()
	result := `{"content":[{"type":"text","text":"done"}]}`
	switch {
	case m.Method == "server/discover":
		result = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	case m.Method == "tools/list":
		result = `{"tools":[{"name":"do","inputSchema":{"type":"object"}}]}`
	case m.Method != "tools/call":
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case m.Params.InputResponses == nil:
		result = `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"Sign in","url":"https://login.example.test/?token=theirs"}}}}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func TestAddressIsNoSignIn(t *testing.T) {
	r := apptest.Start(t)
	g := &gatekeeper{}
	server := httptest.NewServer(g)
	defer server.Close()
	id := r.AddServer(app.ServerDraft{Name: "Gatekeeper", Kind: "http", URL: server.URL, Headers: []app.Var{{Name: "Authorization", Value: "Bearer ours"}}})
	t.Run("ELIC-24 an opened address neither gets our token nor changes it", func(t *testing.T) {
		r := r.For(t)
		card := r.Propose(id, "do", `{}`)
		r.Decide(card, true, "")
		q := r.Question(card.Call.ID)
		if _, err := r.Questions.Open(r.Token, q.ID); err != nil {
			t.Fatal(err)
		}
		r.State(card.Call.ID, "succeeded")
		if err := r.Tools.Refresh(r.Token, id); err != nil {
			t.Fatal(err)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, line := range g.seen {
			if !strings.HasSuffix(line, " Bearer ours") {
				t.Errorf("sent %s", line)
			}
		}
		if got := r.Window.Opened(); len(got) != 1 || got[0] != "https://login.example.test/?token=theirs" {
			t.Errorf("opened %v", got)
		}
	})
}
