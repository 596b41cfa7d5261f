package app

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"countersign/app/approval"
	"countersign/app/calls"
	"countersign/store"
)

// replay holds one draft of a rule against the history. There is one at a time: a
// new one ends the one before. Safe to call together.
type replay struct {
	mu   sync.Mutex
	view ReplayView
	stop context.CancelFunc
	run  int
}

const (
	maxUnusual   = 50
	replayedArgs = 2 << 10 // of each, in bytes
	replayTells  = 200 * time.Millisecond
)

// Replay begins to hold a draft against the calls of its tools that were made so
// far, newest first; Replayed tells how far it is. Only the arguments are judged:
// what the definition and the findings were then is not.
func (p *Rules) Replay(token string, d RuleDraft) error {
	a := p.a
	return act(a, token, "Rules.Replay", func(ctx context.Context) error {
		r, err := a.ruleOf(ctx, d)
		var fault draftFault
		if errors.As(err, &fault) {
			return &Error{Code: CodeInvalid, Message: a.mask.line(string(fault))}
		}
		if err != nil {
			return err
		}
		tool := ""
		if len(r.Tools) == 1 {
			tool = r.Tools[0].Name
		}
		total, err := a.store.CallCount(ctx, store.CallFilter{ServerID: r.ServerID, Tool: tool})
		if err != nil {
			return err
		}
		run, ctx := a.replay.begin(ctx, total)
		a.background(func(context.Context) { a.runReplay(ctx, run, r, tool) })
		return nil
	})
}

// Replayed tells how far the newest replay is, and what it found.
func (p *Rules) Replayed(token string) (ReplayView, error) {
	return guard(p.a, token, "Rules.Replayed", func(context.Context) (ReplayView, error) {
		p.a.replay.mu.Lock()
		defer p.a.replay.mu.Unlock()
		v := p.a.replay.view
		v.Unusual = slices.Clone(list(v.Unusual))
		return v, nil
	})
}

// StopReplay ends the replay.
func (p *Rules) StopReplay(token string) error {
	return act(p.a, token, "Rules.StopReplay", func(context.Context) error {
		p.a.replay.end()
		return nil
	})
}

func (r *replay) begin(ctx context.Context, total int64) (int, context.Context) {
	r.end()
	ctx, stop := context.WithCancel(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run++
	r.stop, r.view = stop, ReplayView{Total: total, Running: true, Unusual: []ReplayItem{}}
	return r.run, ctx
}

func (r *replay) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		r.stop()
	}
	r.view.Running = false
}

// tell makes progress known, unless another replay began.
func (r *replay) tell(run int, fn func(*ReplayView)) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run != run {
		return false
	}
	fn(&r.view)
	return true
}

func (a *App) runReplay(ctx context.Context, run int, r approval.Rule, tool string) {
	// What limits a rule in time is no matter here, nor is what it is tied to.
	r.Limited, r.Length, r.Run, r.Paused = false, 0, "", false
	set, _ := approval.New([]approval.Rule{r})
	pins := map[string]string{}
	for _, t := range r.Tools {
		pins[t.Name] = t.Definition
	}
	var now ReplayView
	var items []ReplayItem
	told := time.Now()
	tell := func(over bool) bool {
		return a.replay.tell(run, func(v *ReplayView) {
			v.Done, v.Matched, v.Rest, v.Running = now.Done, now.Matched, now.Rest, !over
			v.Unusual = unusualFirst(items)
		})
	}
	err := a.store.EachCall(ctx, r.ServerID, tool, func(c store.Call, args []byte) bool {
		now.Done++
		f := approval.Facts{Binding: approval.Binding{ServerID: c.ServerID, Tool: c.Tool, LaunchFingerprint: r.Launch, DefinitionHash: pins[c.Tool], Origin: r.Origin},
			Arguments: args}
		if r.Exact != "" && c.ArgsPayload == c.ArgsHash {
			f.Exact = a.trust.exact(c.ServerID, c.Tool, args)
		}
		if d := set.Decide(f); d.Rule == "" {
			now.Rest++
		} else {
			now.Matched++
			items = keepUnusual(items, a.replayItem(c, args))
		}
		if time.Since(told) > replayTells {
			told = time.Now()
			if !tell(false) {
				return false
			}
			a.events.publish(TopicRules, "replay")
		}
		return ctx.Err() == nil
	})
	if err != nil && ctx.Err() == nil {
		a.replay.tell(run, func(v *ReplayView) { v.Problem = a.mask.line(sentence(err.Error())) })
	}
	tell(true)
	a.events.publish(TopicRules, "replay")
}

// replayItem shows one call that a draft would have decided.
func (a *App) replayItem(c store.Call, args []byte) ReplayItem {
	item := ReplayItem{Call: a.callView(c), Args: clip(a.mask.text(string(args)), replayedArgs)}
	switch {
	case c.Decision == calls.VerdictDenied && c.Rule == "":
		item.Why = "You denied it."
	case calls.State(c.State) == calls.ToolFailed:
		item.Why = "The tool reported an error."
	case calls.State(c.State) == calls.Lost || calls.State(c.State) == calls.Interrupted:
		item.Why = "Its outcome is unknown."
	}
	return item
}

// keepUnusual keeps what is unusual, and of the rest the newest.
func keepUnusual(items []ReplayItem, item ReplayItem) []ReplayItem {
	if len(items) < maxUnusual {
		return append(items, item)
	}
	if item.Why == "" {
		return items
	}
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Why == "" {
			return append(slices.Delete(items, i, i+1), item)
		}
	}
	return items
}

func unusualFirst(items []ReplayItem) []ReplayItem {
	sorted := slices.Clone(list(items))
	slices.SortStableFunc(sorted, func(x, y ReplayItem) int {
		switch {
		case x.Why != "" && y.Why == "":
			return -1
		case x.Why == "" && y.Why != "":
			return 1
		}
		return 0
	})
	return sorted
}
