package app

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"countersign/app/approval"
	"countersign/app/launch"
	"countersign/store"
)

// judge decides a call by the rules.
func (a *App) judge(_ context.Context, b approval.Binding, args []byte, unchecked bool) approval.Decision {
	f, ok := a.factsOf(b, args, unchecked)
	if !ok {
		return approval.Decision{Verdict: approval.Ask, Reason: "the server does not list the tool"}
	}
	return a.trust.decide(f)
}

// factsOf gathers what is known of a call.
func (a *App) factsOf(b approval.Binding, args []byte, unchecked bool) (approval.Facts, bool) {
	e, ok := a.catalog.tool(b.ServerID, b.Tool)
	if !ok {
		return approval.Facts{}, false
	}
	kept, masked := a.mask.bytes(args)
	found := len(a.definitionFindings(b.ServerID, e)) + len(a.argumentFindings(b.ServerID, b.ArgumentsHash, kept))
	if masked > 0 {
		found++ // one of the person's own secrets
	}
	state := a.toolTrust(b.ServerID, e)
	return approval.Facts{
		Binding: b, Arguments: args, Exact: a.trust.exact(b.ServerID, b.Tool, args), Findings: found,
		Unchecked: unchecked, Unreviewed: state != trusted, OnHold: state == onHold, Destructive: claimsDestructive(e),
		Paused: a.settings.paused(), Clock: a.clock(), Run: a.trust.run,
	}, true
}

// spend has a rule decide.
func (a *App) spend(ruleID string, commit func(*store.NewEvent) error) (bool, error) {
	ok, err := a.trust.spend(ruleID, a.clock(), commit)
	if ok {
		a.events.publish(TopicRules, ruleID)
	}
	return ok, err
}

// clock reads both clocks. Where there is no clock that counts sleep, the wall's
// alone counts.
func (a *App) clock() approval.Clock {
	c := approval.Clock{Wall: a.opt.Now()}
	if boot, id, ok := bootClock(); ok {
		c.Boot, c.BootID = boot, id
	}
	return c
}

// How far a tool's definition is trusted.
const (
	trusted    = ""        // as it was reviewed
	unreviewed = "new"     // nobody has reviewed it
	redefined  = "changed" // it is not the one that was reviewed
	onHold     = "held"    // it changes all the time
)

func (a *App) toolTrust(serverID string, e toolEntry) string {
	kept := a.trust.tool(serverID, e.Name)
	switch {
	case kept.held:
		return onHold
	case kept.definition == e.Hash:
		return trusted
	case kept.definition == "":
		return unreviewed
	}
	return redefined
}

// vouch reviews what the server in this program lists first in a run: its
// definitions are part of the program.
func (a *App) vouch(ctx context.Context, serverID string, l *listing) {
	if !a.builtin(serverID) || a.vouched.Swap(true) {
		return
	}
	var pins []approval.ToolPin
	for _, e := range l.tools {
		if a.toolTrust(serverID, e) != trusted {
			pins = append(pins, approval.ToolPin{Name: e.Name, Definition: e.Hash})
		}
	}
	if len(pins) == 0 {
		return
	}
	if err := a.trust.put(trustWhat{Act: actReviewed, Server: serverID, Tools: pins}, serverID, a.trust.record(ctx)); err != nil {
		a.log.Error("the built-in tools could not be vouched for", slog.String("error", err.Error()))
	}
}

// builtin tells the server that is part of this program.
func (a *App) builtin(serverID string) bool {
	c, ok := a.config.get(serverID)
	return ok && c.row.Kind == launch.KindBuiltin
}

func claimsDestructive(e toolEntry) bool {
	for _, c := range e.annotations {
		if strings.HasPrefix(c.Claim, "destructiveHint: true") {
			return true
		}
	}
	return false
}

const (
	// holdAfter changes within holdWithin put a tool on hold.
	holdAfter  = 3
	holdWithin = time.Minute
)

// watchChanges counts how often the definitions of a server change, and puts on
// hold what changes too often.
func (a *App) watchChanges(ctx context.Context, serverID string, before, now *listing) {
	if before == nil {
		return
	}
	var held []approval.ToolPin
	at := a.opt.Now()
	a.changesMu.Lock()
	for _, e := range now.tools {
		i, ok := before.byName[e.Name]
		if !ok || before.tools[i].Hash == e.Hash {
			continue
		}
		key := toolKey{serverID, e.Name}
		recent := a.changes[key][:0:0]
		for _, t := range a.changes[key] {
			if at.Sub(t) < holdWithin {
				recent = append(recent, t)
			}
		}
		a.changes[key] = append(recent, at)
		if len(a.changes[key]) >= holdAfter {
			held = append(held, approval.ToolPin{Name: e.Name, Definition: e.Hash})
			delete(a.changes, key)
		}
	}
	a.changesMu.Unlock()
	if len(held) == 0 {
		return
	}
	if err := a.trust.put(trustWhat{Act: actHeld, Server: serverID, Tools: held}, serverID, a.trust.record(ctx)); err != nil {
		a.notices.add("error", "A tool that changes all the time could not be put on hold: "+a.mask.text(err.Error())+".", "Check that the disk is not full.")
	}
}
