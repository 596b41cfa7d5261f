package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"countersign/app/approval"
	"countersign/app/rawjson"
	"countersign/store"
)

// trustBook holds what a person trusts: rules, and which definitions of tools they
// reviewed. It is made from the events of trust alone, each of which carries a seal
// under a key that is not in the database, and a number that only grows: what
// somebody else wrote into the file, or copied within it, counts for nothing but
// makes calls ask. Safe to call together.
type trustBook struct {
	store *store.Store
	key   []byte
	run   string // this run of the program

	write sync.Mutex // held while an event of trust is written

	mu      sync.RWMutex
	n       int64 // of the newest event
	rules   map[string]*keptRule
	foreign []approval.Rule
	strange int // events that are not ours
	tools   map[toolKey]keptTool
	set     *approval.Set
}

type toolKey struct{ server, tool string }

// keptRule is a rule with its story.
type keptRule struct {
	approval.Rule
	made, changed time.Time
	revoked       bool
}

// keptTool is what was last said of a tool.
type keptTool struct {
	definition string // that was reviewed, or ""
	held       bool   // it changed too often, and was not reviewed since
	at         time.Time
}

// What the events of trust say.
const (
	actMade     = "made"
	actChanged  = "changed"
	actUsed     = "used"
	actRevoked  = "revoked"
	actReviewed = "reviewed"
	actHeld     = "held"
)

// trustWhat is the sealed part of an event of trust.
type trustWhat struct {
	N    int64          `json:"n"`
	Act  string         `json:"act"`
	Rule *approval.Rule `json:"rule,omitempty"`
	// Tools that were reviewed or held, all of one server.
	Server string             `json:"server,omitempty"`
	Tools  []approval.ToolPin `json:"tools,omitempty"`
}

// trustBody is the body of an event of trust.
type trustBody struct {
	Seal string          `json:"seal"`
	What json.RawMessage `json:"what"`
}

func newTrustBook(s *store.Store, key []byte, run string) *trustBook {
	return &trustBook{store: s, key: key, run: run, rules: map[string]*keptRule{}, tools: map[toolKey]keptTool{}}
}

func (b *trustBook) seal(kind string, what []byte) string {
	return b.mac("trust", []byte(kind), what)
}

// mac is a keyed hash of parts, each with its length before it.
func (b *trustBook) mac(parts ...any) string {
	h := hmac.New(sha256.New, b.key)
	for _, p := range parts {
		text, ok := p.([]byte)
		if !ok {
			text = []byte(p.(string))
		}
		fmt.Fprintf(h, "%d:", len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// exact names one call of a tool with exactly these argument bytes.
func (b *trustBook) exact(serverID, tool string, args []byte) string {
	return b.mac("call", serverID, tool, args)
}

// load makes the book from the record.
func (b *trustBook) load(ctx context.Context) error {
	vouched, foreign, err := b.store.TrustEvents(ctx)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range vouched {
		what, ok := b.read(e)
		if !ok || what.N <= b.n {
			b.strangeLocked(e)
			continue
		}
		b.n = what.N
		b.applyLocked(what, e.Time)
	}
	for _, e := range foreign {
		b.strangeLocked(e)
	}
	b.remakeLocked()
	return nil
}

// read gives what an event says, if its seal is ours.
func (b *trustBook) read(e store.Event) (what trustWhat, ok bool) {
	raw, _ := rawjson.Get(e.Stored, "body")
	text, _ := rawjson.Get(raw, "what")
	seal, _ := rawjson.GetText(raw, "seal")
	if text == nil || !hmac.Equal([]byte(seal), []byte(b.seal(e.Kind, text))) {
		return what, false
	}
	err := json.Unmarshal(text, &what)
	return what, err == nil
}

// strangeLocked takes note of an event that we did not write. What it would allow
// asks.
func (b *trustBook) strangeLocked(e store.Event) {
	b.strange++
	var stored struct {
		Body struct{ What trustWhat }
	}
	if json.Unmarshal(e.Stored, &stored) != nil || stored.Body.What.Rule == nil {
		return
	}
	r := *stored.Body.What.Rule
	r.ID, r.Foreign = fmt.Sprintf("foreign-%d", e.Seq), true
	if r.Check() == nil {
		b.foreign = append(b.foreign, r)
	}
}

func (b *trustBook) applyLocked(what trustWhat, at time.Time) {
	switch what.Act {
	case actMade, actChanged, actUsed, actRevoked:
		if what.Rule == nil {
			return
		}
		kept := b.rules[what.Rule.ID]
		if kept == nil {
			kept = &keptRule{made: at}
			b.rules[what.Rule.ID] = kept
		}
		kept.Rule = *what.Rule
		kept.revoked = kept.revoked || what.Act == actRevoked
		if what.Act == actChanged || what.Act == actRevoked {
			kept.changed = at
		}
	case actReviewed:
		for _, t := range what.Tools {
			b.tools[toolKey{what.Server, t.Name}] = keptTool{definition: t.Definition, at: at}
		}
	case actHeld:
		for _, t := range what.Tools {
			k := b.tools[toolKey{what.Server, t.Name}]
			k.held, k.at = true, at
			b.tools[toolKey{what.Server, t.Name}] = k
		}
	}
}

// remakeLocked makes the set of the rules that stand.
func (b *trustBook) remakeLocked() {
	all := slices.Clone(b.foreign)
	for _, r := range b.rules {
		if !r.revoked {
			all = append(all, r.Rule)
		}
	}
	b.set, _ = approval.New(all) // each was checked before it was recorded
}

// put records events of trust together with whatever commit writes in the same
// transaction, and makes them count. Nothing counts that is not recorded.
func (b *trustBook) put(what trustWhat, serverID string, commit func(store.NewEvent) error) error {
	b.write.Lock()
	defer b.write.Unlock()
	return b.putHeld(what, serverID, commit)
}

// putHeld is put for whoever holds write.
func (b *trustBook) putHeld(what trustWhat, serverID string, commit func(store.NewEvent) error) error {
	b.mu.RLock()
	what.N = b.n + 1
	b.mu.RUnlock()
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	kind := store.EventTrustRule
	if what.Rule == nil {
		kind = store.EventTrustTool
	}
	if err := commit(store.NewEvent{Kind: kind, ServerID: serverID, Body: trustBody{b.seal(kind, text), text}}); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n = what.N
	b.applyLocked(what, time.Now())
	b.remakeLocked()
	return nil
}

// change puts a rule that stands as fn makes it; false where there is none.
func (b *trustBook) change(ctx context.Context, id, act string, fn func(*approval.Rule)) (bool, error) {
	b.write.Lock()
	defer b.write.Unlock()
	kept, ok := b.rule(id)
	if !ok {
		return false, nil
	}
	r := kept.Rule
	fn(&r)
	return true, b.putHeld(trustWhat{Act: act, Rule: &r}, r.ServerID, b.record(ctx))
}

// record is a commit of nothing but the event.
func (b *trustBook) record(ctx context.Context) func(store.NewEvent) error {
	return func(e store.NewEvent) error { return b.store.Append(ctx, []store.NewEvent{e}) }
}

func (b *trustBook) decide(f approval.Facts) approval.Decision {
	b.mu.RLock()
	set := b.set
	b.mu.RUnlock()
	return set.Decide(f)
}

// rule gives a rule that was not revoked.
func (b *trustBook) rule(id string) (keptRule, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	r, ok := b.rules[id]
	if !ok || r.revoked {
		return keptRule{}, false
	}
	return *r, true
}

// all gives the rules, revoked ones too, newest first, and the foreign ones.
func (b *trustBook) all() (rules []keptRule, foreign []approval.Rule) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, r := range b.rules {
		rules = append(rules, *r)
	}
	slices.SortFunc(rules, func(x, y keptRule) int { return y.made.Compare(x.made) })
	return rules, slices.Clone(b.foreign)
}

// stands tells whether a rule could still decide; a spent limit does not count.
func (b *trustBook) stands(id string, now approval.Clock) bool {
	r, ok := b.rule(id)
	r.Calls = max(r.Calls, 1)
	return ok && !r.Paused && r.Ended(now, b.run) == ""
}

// spend carries out a decision by a rule: commit gets the event that takes one of
// its calls, or nil where it has no limit, and records both together. It reports
// false where the rule does not stand any more.
func (b *trustBook) spend(id string, now approval.Clock, commit func(*store.NewEvent) error) (bool, error) {
	b.write.Lock()
	defer b.write.Unlock()
	r, ok := b.rule(id)
	if !ok || r.Paused || r.Ended(now, b.run) != "" {
		return false, nil
	}
	if !r.Limited {
		return true, commit(nil)
	}
	next := r.Rule
	next.Calls--
	return true, b.putHeld(trustWhat{Act: actUsed, Rule: &next}, next.ServerID, func(e store.NewEvent) error { return commit(&e) })
}

// tool gives what was last said of a tool.
func (b *trustBook) tool(serverID, tool string) keptTool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.tools[toolKey{serverID, tool}]
}
