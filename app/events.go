package app

import (
	"sync"
	"time"
)

// EventName is the one event that the page listens to.
const EventName = "countersign"

// Change tells the page that something changed; the page fetches what. It is
// small on purpose: the bridge runs each event as script.
type Change struct {
	Seq   int64  `json:"seq"` // grows by one; a gap means that the page missed some
	Topic string `json:"topic"`
	ID    string `json:"id"`
}

// Topics of Change besides those of package calls.
const (
	TopicServers  = "servers"
	TopicTools    = "tools"
	TopicHistory  = "history"
	TopicSettings = "settings"
	TopicLog      = "log"
	TopicLists    = "lists"
	TopicProgress = "progress"
	TopicRules    = "rules"
)

const (
	notableWait = 15 * time.Millisecond  // joins the moves of one act
	dullWait    = 100 * time.Millisecond // at most ten a second
)

// publisher merges changes: each topic and id once per flush. Safe to call
// together.
type publisher struct {
	emit func(Change)

	mu      sync.Mutex
	seq     int64
	waiting map[Change]bool // with Seq 0
	order   []Change
	timer   *time.Timer
	at      time.Time
	closed  bool
	running sync.WaitGroup
}

func newPublisher(emit func(Change)) *publisher {
	return &publisher{emit: emit, waiting: map[Change]bool{}}
}

func (p *publisher) publish(topic, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := Change{Topic: topic, ID: id}
	if p.closed || p.waiting[c] {
		return
	}
	p.waiting[c] = true
	p.order = append(p.order, c)
	wait := notableWait
	if topic == TopicProgress || topic == TopicLog {
		wait = dullWait
	}
	at := time.Now().Add(wait)
	if p.timer != nil && !p.at.After(at) {
		return
	}
	if p.timer != nil && p.timer.Stop() {
		p.running.Done()
	}
	p.at = at
	p.running.Add(1)
	p.timer = time.AfterFunc(wait, p.flush)
}

func (p *publisher) flush() {
	defer p.running.Done()
	p.mu.Lock()
	list := p.order
	p.order, p.timer = nil, nil
	clear(p.waiting)
	for i := range list {
		p.seq++
		list[i].Seq = p.seq
	}
	closed := p.closed
	p.mu.Unlock()
	if closed {
		return
	}
	for _, c := range list {
		p.emit(c)
	}
}

// close stops publishing and waits for what is being emitted.
func (p *publisher) close() {
	p.mu.Lock()
	p.closed = true
	if p.timer != nil && p.timer.Stop() {
		p.running.Done()
		p.timer = nil
	}
	p.mu.Unlock()
	p.running.Wait()
}
