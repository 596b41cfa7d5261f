package mcpclient

import (
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// maxLogLine bounds the text of one LogLine in bytes.
	maxLogLine = 8 << 10
	// maxQueuedLog bounds the lines that wait for Events.Log.
	maxQueuedLog = 1024
)

// dispatcher runs the caller's event functions on one goroutine, in order, so
// that no reader ever waits for them.
type dispatcher struct {
	to   Events
	wg   sync.WaitGroup
	more chan struct{} // holds at most one

	mu      sync.Mutex
	queue   []func()
	logs    int // LogLines in queue
	dropped int
	changed bool // a ToolsChanged is in queue
	deaf    bool // Deaf was told last
	closed  bool
}

func newDispatcher(to Events) *dispatcher {
	d := &dispatcher{to: to, more: make(chan struct{}, 1)}
	d.wg.Go(d.run)
	return d
}

func (d *dispatcher) run() {
	for range d.more {
		for {
			d.mu.Lock()
			queue := d.queue
			d.queue = nil
			closed := d.closed
			d.mu.Unlock()
			for _, f := range queue {
				f()
			}
			if len(queue) == 0 {
				if closed {
					return
				}
				break
			}
		}
	}
}

// close lets what is queued run and waits for it.
func (d *dispatcher) close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.ring()
	d.wg.Wait()
}

func (d *dispatcher) ring() {
	select {
	case d.more <- struct{}{}:
	default:
	}
}

// add queues f. d.mu is held.
func (d *dispatcher) add(f func()) {
	if !d.closed {
		d.queue = append(d.queue, f)
		d.ring()
	}
}

func (d *dispatcher) toolsChanged() {
	if d.to.ToolsChanged == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.changed {
		return // the one in queue will do
	}
	d.changed = true
	d.add(func() {
		d.mu.Lock()
		d.changed = false
		d.mu.Unlock()
		d.to.ToolsChanged()
	})
}

// behind reports whether so much is queued that questions must be refused.
func (d *dispatcher) behind() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queue)-d.logs > 4*maxQuestions
}

func (d *dispatcher) elicit(e LegacyElicitation) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(func() { d.to.Elicit(e) })
}

func (d *dispatcher) aftermath(a Aftermath) {
	if d.to.Aftermath == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(func() { d.to.Aftermath(a) })
}

// hears reports whether changes of the server can be heard of: why is empty, or
// why they cannot.
func (d *dispatcher) hears(why string) {
	if d.to.Deaf == nil {
		return
	}
	why = clip(why, maxLogLine)
	d.mu.Lock()
	defer d.mu.Unlock()
	if why == "" && !d.deaf {
		return
	}
	d.deaf = why != ""
	d.add(func() { d.to.Deaf(why) })
}

func (d *dispatcher) elicitGone(requestID string) {
	if d.to.ElicitGone == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(func() { d.to.ElicitGone(requestID) })
}

func (d *dispatcher) elicitComplete(elicitationID string) {
	if d.to.ElicitComplete == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(func() { d.to.ElicitComplete(elicitationID) })
}

// log queues a line, cut to maxLogLine.
func (d *dispatcher) log(source, level, text string) {
	if d.to.Log == nil {
		return
	}
	line := LogLine{Time: time.Now(), Source: source, Level: level, Text: strings.ToValidUTF8(clip(text, maxLogLine), "\uFFFD")}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.logs >= maxQueuedLog {
		d.dropped++
		return
	}
	d.logs++
	d.add(func() {
		d.mu.Lock()
		d.logs--
		dropped := d.dropped
		d.dropped = 0
		d.mu.Unlock()
		d.to.Log(line)
		if dropped > 0 {
			d.to.Log(LogLine{Time: time.Now(), Source: "protocol", Level: "warning",
				Text: fmt.Sprintf("%d log lines came too fast and were dropped", dropped)})
		}
	})
}

// note logs a sentence of our own on the protocol.
func (d *dispatcher) note(format string, args ...any) {
	if d.to.Log != nil {
		d.log("protocol", "warning", fmt.Sprintf(format, args...))
	}
}

// clip cuts s to at most limit bytes, at a character, and says so.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > limit-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s … (%d bytes more)", s[:cut], len(s)-cut)
}
