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
	"time"

	"countersign/app"
	"countersign/app/apptest"
)

// stateless is a modern server over HTTP that outlives the program. It refuses a
// call whose mirrored argument is missing or wrong, and a round whose state is
// not the one that it gave.
type stateless struct {
	mu      sync.Mutex
	header  string // that tools/list annotates
	wanted  string // that tools/call wants
	ttl     int
	failing bool // tools/list fails
	refuse  int  // code that the next calls are refused with
	times   int  // how many of them
	inputs  string
	state   string
	rounds  int // how often the tool asks
	lists   int
	calls   []statelessCall
}

type statelessCall struct {
	ID     json.RawMessage
	Params struct {
		Name           string
		Arguments      json.RawMessage
		InputResponses map[string]json.RawMessage
		RequestState   *string
	}
	header http.Header
}

func (s *stateless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct{ Method string }
	var c statelessCall
	_ = json.Unmarshal(body, &m)
	_ = json.Unmarshal(body, &c)
	c.header = r.Header
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	fail := func(code int, text string) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, c.ID, code, text)
	}
	result := ""
	switch m.Method {
	case "server/discover":
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stateless","version":"1"}}}`
	case "tools/list":
		s.lists++
		if s.failing {
			fail(-32603, "not now")
			return
		}
		result = fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"do","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":%q}}}}],"ttlMs":%d,"cacheScope":"private"}`, s.header, s.ttl)
	case "tools/call":
		s.calls = append(s.calls, c)
		round := len(c.Params.InputResponses) > 0
		switch {
		case s.times > 0:
			s.times--
			fail(s.refuse, "refused")
			return
		case c.header.Get("Mcp-Param-"+s.wanted) != "eu":
			fail(-32020, "header mismatch: Mcp-Param-"+s.wanted)
			return
		case round && (c.Params.RequestState == nil || *c.Params.RequestState != s.state):
			fail(-32602, "another state")
			return
		case s.rounds > 0:
			s.rounds--
			state, _ := json.Marshal(s.state)
			result = fmt.Sprintf(`{"resultType":"input_required","requestState":%s,"inputRequests":%s}`, state, s.inputs)
		default:
			result = `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
		}
	default:
		fail(-32601, "no such method")
		return
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, result)
}

func (s *stateless) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *stateless) seen() (lists int, calls []statelessCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists, s.calls
}

// newStateless adds one to the application, running and listed.
func newStateless(t *testing.T, r *apptest.Rig, ttl int) (*stateless, string) {
	t.Helper()
	s := &stateless{header: "Region", wanted: "Region", ttl: ttl}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	id := r.AddServer(app.ServerDraft{Name: "Stateless " + server.URL, Kind: "http", URL: server.URL + "/mcp"})
	r.Running(id)
	return s, id
}

const inEurope = `{"region":"eu"}`

const anHour = 3600 * 1000

// TestKeptLists: a list that its server vouches for is not asked for again, one
// that it does not vouch for is checked before a call is made from it, and a
// person is told where that failed.
func TestKeptLists(t *testing.T) {
	t.Run("CACHE-02 CACHE-05 CACHE-14 HDR-22 a fresh list of an earlier run is not asked for, and headers are made from it", func(t *testing.T) {
		r := apptest.Start(t)
		s, id := newStateless(t, r, anHour)
		r.Restart()
		r.Running(id)
		if d := r.Call(id, "do", inEurope); d.Call.State != "succeeded" {
			t.Errorf("the call is %s: %s", d.Call.State, d.Call.Summary)
		}
		if lists, _ := s.seen(); lists != 1 {
			t.Errorf("listed %d times", lists)
		}
		r.Advance(2 * time.Hour)
		if lists, _ := s.seen(); lists != 1 {
			t.Errorf("CACHE-06 listed %d times by the clock alone", lists)
		}
		if d := r.Call(id, "do", inEurope); d.Call.State != "succeeded" {
			t.Errorf("the call is %s: %s", d.Call.State, d.Call.Summary)
		}
		if lists, _ := s.seen(); lists < 2 {
			t.Error("the list is old, and a call was made from it")
		}
	})
	t.Run("CACHE-04 without a lifetime it is asked for at each start", func(t *testing.T) {
		r := apptest.Start(t)
		s, id := newStateless(t, r, 0)
		r.Restart()
		r.Running(id)
		r.Until("the list comes", func() bool { lists, _ := s.seen(); return lists == 2 })
	})
	t.Run("CACHE-07 a list that cannot be checked is used, and the card and the record say so", func(t *testing.T) {
		r := apptest.Start(t)
		s, id := newStateless(t, r, 0)
		s.set(func() { s.failing = true })
		card := r.Propose(id, "do", inEurope)
		if told := r.Card(card.Call.ID).Unchecked; !strings.HasPrefix(told, "Definition as of ") || !strings.HasSuffix(told, ", not checked since.") {
			t.Errorf("the card says %q", told)
		}
		r.Decide(card, true, "")
		d := r.State(card.Call.ID, "succeeded")
		if n := strings.Count(titles(d), "by the definition as of "); n != 2 { // proposed and approved
			t.Errorf("the record says\n%s", titles(d))
		}
	})
}

// TestRefusedHeaders: only a refusal that a newer list can mend is tried once
// more, and only if the list says the same of the tool as the approval did.
func TestRefusedHeaders(t *testing.T) {
	for _, c := range []struct {
		name   string
		refuse int
		times  int
		change string // the header that the list annotates from now on
		state  string
		sends  int
	}{
		{"HDR-23 once more after a new list", -32020, 1, "", "succeeded", 2},
		{"HDR-23 not for ever", -32020, 9, "", "protocol_failed", 2},
		{"HDR-23 not with another definition", -32020, 1, "Area", "not_sent", 1},
		{"a capability that is missing comes again", -32021, 1, "", "protocol_failed", 1},
		{"a version that is refused comes again", -32022, 1, "", "protocol_failed", 1},
		{"no other error", -32603, 1, "", "protocol_failed", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := apptest.Start(t)
			s, id := newStateless(t, r, anHour)
			s.set(func() { s.refuse, s.times = c.refuse, c.times })
			if c.change != "" {
				s.set(func() { s.header = c.change })
			}
			card := r.Propose(id, "do", inEurope)
			r.Decide(card, true, "")
			d := r.State(card.Call.ID, finals...)
			lists, calls := s.seen()
			if d.Call.State != c.state || len(calls) != c.sends {
				t.Fatalf("the call is %s after %d sends: %s", d.Call.State, len(calls), d.Call.Summary)
			}
			if want := c.refuse == -32020; (lists > 1) != want {
				t.Errorf("listed %d times", lists)
			}
			if c.sends > 1 && (string(calls[0].ID) == string(calls[1].ID) || !strings.Contains(titles(d), "attempt 2")) {
				t.Errorf("BASE-03 sent under the ids %s and %s\n%s", calls[0].ID, calls[1].ID, titles(d))
			}
		})
	}
	t.Run("CALL-13 an unknown tool or bad parameters: the list is asked for again", func(t *testing.T) {
		r := apptest.Start(t)
		s, id := newStateless(t, r, anHour)
		s.set(func() { s.refuse, s.times = -32602, 1 })
		r.Call(id, "do", inEurope)
		r.Until("the list comes", func() bool { lists, _ := s.seen(); return lists == 2 })
	})
}

const twoForms = `{"a":{"method":"elicitation/create","params":{"message":"A?","requestedSchema":{"type":"object","properties":{}}}},` +
	`"b":{"method":"elicitation/create","params":{"message":"B?","requestedSchema":{"type":"object","properties":{}}}}}`

const oneForm = `{"a":{"method":"elicitation/create","params":{"message":"A?","requestedSchema":{"type":"object","properties":{}}}}}`

// TestRounds carries calls through rounds of a server that is stateless.
func TestRounds(t *testing.T) {
	const state = "sealed \"\\\u0000é/ 9007199254740993"
	begin := func(t *testing.T, inputs string, rounds int) (*apptest.Rig, *stateless, string) {
		r := apptest.Start(t)
		s, id := newStateless(t, r, anHour)
		s.set(func() { s.inputs, s.rounds, s.state = inputs, rounds, state })
		card := r.Propose(id, "do", inEurope)
		r.Decide(card, true, "")
		return r, s, card.Call.ID
	}
	answer := func(t *testing.T, r *apptest.Rig, call string) {
		if errs := r.Answer(r.Question(call), "accept", `{}`); len(errs) > 0 {
			t.Fatal(errs)
		}
	}
	t.Run("MRTR-04 MRTR-10 MRTR-19 HDR-27 nothing is sent before all inputs are there", func(t *testing.T) {
		r, s, call := begin(t, twoForms, 1)
		answer(t, r, call)
		if _, calls := s.seen(); len(calls) != 1 {
			t.Fatalf("sent %d times", len(calls))
		}
		answer(t, r, call)
		d := r.State(call, "succeeded")
		_, calls := s.seen()
		last := calls[1].Params
		if len(calls) != 2 || len(last.InputResponses) != 2 || last.RequestState == nil || *last.RequestState != state {
			t.Errorf("sent %+v", last)
		}
		if kept, _ := json.Marshal(d); strings.Contains(string(kept), "sealed") {
			t.Errorf("MRTR-19 the record holds the server's state: %s", kept)
		}
	})
	t.Run("MRTR-08 MRTR-12 a call that waits goes on after a restart", func(t *testing.T) {
		r, s, call := begin(t, oneForm, 2)
		answer(t, r, call)
		r.Until("it asks again", func() bool { _, calls := s.seen(); return len(calls) == 2 })
		r.Question(call)
		r.Restart()
		r.Running(r.Detail(call).Call.ServerID)
		answer(t, r, call)
		r.State(call, "succeeded")
		_, calls := s.seen()
		last := calls[len(calls)-1]
		if len(calls) != 3 || string(last.Params.Arguments) != inEurope || last.header.Get("Mcp-Name") != "do" || last.header.Get("Mcp-Param-Region") != "eu" ||
			*last.Params.RequestState != state || last.Params.Name != "do" {
			t.Errorf("sent %+v", last)
		}
	})
	t.Run("MRTR-05 MRTR-06 without a question it is asked again by itself, with the state alone", func(t *testing.T) {
		r, s, call := begin(t, "null", 1)
		r.State(call, "succeeded")
		_, calls := s.seen()
		if len(calls) != 2 || calls[1].Params.InputResponses != nil || calls[1].Params.RequestState == nil || *calls[1].Params.RequestState != state ||
			string(calls[0].ID) == string(calls[1].ID) {
			t.Errorf("sent %+v", calls)
		}
	})
	t.Run("MRTR-14 a server that asks for ever", func(t *testing.T) {
		r, s, call := begin(t, oneForm, 1000)
		for n := 1; ; n++ {
			r.Until("it asks or ends", func() bool {
				_, calls := s.seen()
				open, err := r.Questions.List(r.Token)
				return err == nil && len(calls) == n && (len(open) == 1 || r.Detail(call).Call.State != "sent")
			})
			if r.Detail(call).Call.State != "input_required" {
				break
			}
			answer(t, r, call)
		}
		d := r.Detail(call)
		if _, calls := s.seen(); d.Call.State != "protocol_failed" || !strings.Contains(d.Call.Summary, "more than 20 times") || len(calls) != 21 {
			t.Errorf("the call is %s after %d sends: %s", d.Call.State, len(calls), d.Call.Summary)
		}
	})
}
