package apptest

import (
	"sync"

	"countersign/app"
	"countersign/app/approval"
	"countersign/app/secrets"
)

// must fails the test on an error.
func must[T any](r *Rig, what string) func(T, error) T {
	return func(v T, err error) T {
		r.T.Helper()
		if err != nil {
			r.T.Fatalf("%s: %v", what, app.FormatError(err))
		}
		return v
	}
}

// Running waits until a server runs and its list is live.
func (r *Rig) Running(serverID string) {
	r.T.Helper()
	r.Until("server "+serverID+" runs", func() bool {
		for _, g := range must[[]app.ToolGroup](r, "listing tools")(r.Tools.List(r.Token)) {
			if g.Server.ID == serverID {
				if g.Server.State == "attention" {
					r.T.Fatalf("server %s needs attention: %s %s", serverID, g.Server.Reason, g.Server.Hint)
				}
				return g.Freshness == "live"
			}
		}
		return false
	})
}

// Propose proposes a call and gives its card.
func (r *Rig) Propose(serverID, tool, args string) app.CardView {
	r.T.Helper()
	res := must[app.ProposeResult](r, "proposing "+tool)(r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: serverID, Tool: tool, ArgsText: args}))
	if len(res.Errors) > 0 {
		r.T.Fatalf("proposing %s: %v", tool, res.Errors)
	}
	return r.Card(res.Call.ID)
}

// Card gives an open card.
func (r *Rig) Card(id string) app.CardView {
	r.T.Helper()
	for _, c := range must[[]app.CardView](r, "listing cards")(r.Approvals.List(r.Token)) {
		if c.Call.ID == id {
			return c
		}
	}
	r.T.Fatalf("there is no card of call %s", id)
	return app.CardView{}
}

// Look has a card on screen long enough.
func (r *Rig) Look(c app.CardView) {
	r.T.Helper()
	if err := r.Approvals.Shown(r.Token, c.Call.ID, c.Revision); err != nil {
		r.T.Fatalf("showing the card: %v", err)
	}
	r.Advance(approval.MinOnScreen)
}

// Decide looks at a card and answers it.
func (r *Rig) Decide(c app.CardView, approve bool, reason string) app.CallView {
	r.T.Helper()
	r.Look(c)
	return must[app.CallView](r, "answering the card")(r.Approvals.Decide(r.Token,
		app.DecideRequest{CallID: c.Call.ID, Revision: c.Revision, Hash: c.Hash, Approve: approve, Reason: reason}))
}

// Review reviews every tool of a server as it is listed.
func (r *Rig) Review(serverID string) {
	r.T.Helper()
	var all []app.ReviewedTool
	for _, g := range must[[]app.ToolGroup](r, "listing tools")(r.Tools.List(r.Token)) {
		if g.Server.ID != serverID {
			continue
		}
		for _, tool := range g.Tools {
			all = append(all, app.ReviewedTool{Name: tool.Name, Definition: tool.DefinitionHash})
		}
	}
	if err := r.Tools.Review(r.Token, serverID, all); err != nil {
		r.T.Fatalf("reviewing: %v", app.FormatError(err))
	}
}

// Save saves a rule.
func (r *Rig) Save(d app.RuleDraft, settle ...string) app.RuleView {
	r.T.Helper()
	return must[app.RuleView](r, "saving the rule")(r.Rules.Save(r.Token, d, settle))
}

// Try proposes a call and gives it once it waits or has ended.
func (r *Rig) Try(serverID, tool, args string) app.CallDetail {
	r.T.Helper()
	res := must[app.ProposeResult](r, "proposing "+tool)(r.Calls.Propose(r.Token, app.ProposeRequest{ServerID: serverID, Tool: tool, ArgsText: args}))
	if len(res.Errors) > 0 {
		r.T.Fatalf("proposing %s: %v", tool, res.Errors)
	}
	return r.State(res.Call.ID, "awaiting_approval", "denied", "succeeded", "tool_failed", "protocol_failed", "cancelled", "timed_out", "lost", "refused", "not_sent")
}

// Detail gives everything about a call.
func (r *Rig) Detail(id string) app.CallDetail {
	r.T.Helper()
	return must[app.CallDetail](r, "reading the call")(r.Calls.Detail(r.Token, id))
}

// State waits until a call is in one of the states, and gives it.
func (r *Rig) State(id string, states ...string) app.CallDetail {
	r.T.Helper()
	var d app.CallDetail
	r.Until("the call is in a state of the test", func() bool {
		d = r.Detail(id)
		for _, s := range states {
			if d.Call.State == s {
				return true
			}
		}
		return false
	})
	return d
}

// Call proposes, approves and waits for the end of a call.
func (r *Rig) Call(serverID, tool, args string) app.CallDetail {
	r.T.Helper()
	c := r.Propose(serverID, tool, args)
	r.Decide(c, true, "")
	return r.State(c.Call.ID, "succeeded", "tool_failed", "protocol_failed", "cancelled", "timed_out", "lost", "refused", "not_sent")
}

// Question waits for a question of a call and has it on screen long enough.
func (r *Rig) Question(callID string) app.QuestionView {
	r.T.Helper()
	var q app.QuestionView
	r.Until("the server asks", func() bool {
		for _, open := range must[[]app.QuestionView](r, "listing questions")(r.Questions.List(r.Token)) {
			if open.CallID == callID {
				q = open
				return true
			}
		}
		return false
	})
	if err := r.Questions.Shown(r.Token, q.ID); err != nil {
		r.T.Fatalf("showing the question: %v", err)
	}
	r.Advance(approval.MinOnScreen)
	return q
}

// Answer answers a question.
func (r *Rig) Answer(q app.QuestionView, action, content string) []app.FieldError {
	r.T.Helper()
	return must[[]app.FieldError](r, "answering")(r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: action, ContentText: content}))
}

// AddServer saves a server, agrees to its launch and waits until it runs.
func (r *Rig) AddServer(d app.ServerDraft) string {
	r.T.Helper()
	d.Enabled = true
	res := must[app.SaveResult](r, "saving the server")(r.Servers.Save(r.Token, d))
	if res.ID == "" {
		r.T.Fatalf("the server was not saved: %v", res.Problems)
	}
	r.Window.AnswerWith(true)
	if !must[bool](r, "agreeing to the launch")(r.Servers.Consent(r.Token, res.ID)) {
		r.T.Fatal("consent was not given")
	}
	r.Running(res.ID)
	return res.ID
}

// memory is a keyring for tests: it outlives a Restart of its rig.
type memory struct {
	mu      sync.Mutex
	values  map[string]string
	session bool
}

// NewSecrets makes an empty keyring in memory.
func NewSecrets() secrets.Store { return &memory{values: map[string]string{}} }

// NoKeyring is the state of a system without a keyring: secrets last for the
// run, and the key of launch fingerprints lies in the data folder.
func NoKeyring() secrets.Store { return &memory{values: map[string]string{}, session: true} }

func (m *memory) Get(server, name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[server+"/"+name]
	if !ok {
		return "", secrets.ErrNotFound
	}
	return v, nil
}

func (m *memory) Set(server, name, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[server+"/"+name] = value
	return nil
}

func (m *memory) Delete(server, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, server+"/"+name)
	return nil
}

func (m *memory) Persistent() bool { return !m.session }

func (m *memory) Reason() string {
	if m.session {
		return "this test has no keyring"
	}
	return ""
}
