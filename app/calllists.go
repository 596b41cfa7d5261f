package app

import (
	"slices"
	"sync"
	"time"

	"countersign/app/calllist"
	"countersign/app/calls"
)

// States of a line that has no call.
const (
	lineReady       = "ready"
	lineNotProposed = "not_proposed"
)

// callLists are the call lists that are open. They live in memory only: their
// calls are in the record like all others. Safe to call together.
type callLists struct {
	mu    sync.Mutex
	open  []*openList
	ended bool // the program closes: nothing more is proposed
}

// openList is an open list. Its worker proposes lines and settles those whose
// calls changed; what it does not own is guarded by mu.
type openList struct {
	id, name, format string
	table            *calllist.Table // of a CSV

	mu       sync.Mutex
	lines    []listLine
	byCall   map[string]int // the newest call of a line -> its index
	touched  map[string]bool
	next     int // the first line that may not have been proposed
	busy     int // lines whose call is open
	started  bool
	gone     bool // closed, or the program closes
	serverID string
	tool     string
	atOnce   int
	wait     time.Duration
	problem  string
	wake     chan struct{}
}

type listLine struct {
	calllist.Line
	serverName string
	state      string
	callID     string
	reason     string
}

// done tells whether nothing more will become of a line.
func (l *listLine) done() bool {
	return l.state == lineNotProposed || (l.callID != "" && calls.State(l.state).Final())
}

const maxLists = 20

// add takes a list in, and is false where too many are open.
func (c *callLists) add(l *openList) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || len(c.open) >= maxLists {
		return false
	}
	c.open = append(c.open, l)
	return true
}

func (c *callLists) all() []*openList {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.open)
}

func (c *callLists) get(id string) (*openList, bool) {
	for _, l := range c.all() {
		if l.id == id {
			return l, true
		}
	}
	return nil, false
}

func (c *callLists) remove(l *openList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = slices.DeleteFunc(c.open, func(o *openList) bool { return o == l })
}

// changed hears that a call changed. It returns at once.
func (c *callLists) changed(callID string) {
	for _, l := range c.all() {
		l.mu.Lock()
		if _, ok := l.byCall[callID]; ok && !l.gone {
			l.touched[callID] = true
			l.stir()
		}
		l.mu.Unlock()
	}
}

// stop keeps all lists from proposing more.
func (c *callLists) stop() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	for _, l := range c.all() {
		l.leave()
	}
}

// stir wakes the worker.
func (l *openList) stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// leave ends the worker after what it is doing, and gives the calls that its
// lines have.
func (l *openList) leave() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	l.stir()
	var open []string
	for id, i := range l.byCall {
		if !l.lines[i].done() {
			open = append(open, id)
		}
	}
	return open
}

// take gives the next line to propose, where one may be proposed now. It
// counts as busy from then on.
func (l *openList) take() (int, listLine, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.gone && l.started && l.problem == "" && l.busy < l.atOnce && l.next < len(l.lines) {
		i := l.next
		l.next++
		if l.lines[i].state == lineReady {
			l.busy++
			return i, l.lines[i], true
		}
	}
	return 0, listLine{}, false
}

// counts counts the lines by state.
func (l *openList) counts() []ListCount {
	by := map[string]int{}
	for i := range l.lines {
		by[l.lines[i].state]++
	}
	order := []string{lineReady}
	for _, s := range calls.States() {
		order = append(order, string(s))
	}
	out := []ListCount{}
	for _, s := range append(order, lineNotProposed) {
		if by[s] > 0 {
			out = append(out, ListCount{State: s, Count: by[s]})
		}
	}
	return out
}
