package servers

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// want is what was last asked for.
type want int

const (
	wantOff  want = iota
	wantOn        // run, and try again
	wantGone      // stop and forget
)

// supervisor looks after one server. Its goroutine (loop) makes one run after
// another; everybody else only changes want, ends the run, and wakes it.
type supervisor struct {
	m   *Manager
	id  string
	log ring
	// wake holds one token when something changed that the goroutine waits for.
	wake chan struct{}
	past history // the goroutine's

	mu      sync.Mutex // guards what follows; taken after the Manager's
	want    want
	status  Status
	cancel  context.CancelFunc // ends the run that is being made; nil between runs
	halted  bool               // wanted, but a person must act first
	due     time.Time          // not before then; zero: now
	clean   bool               // a person asked: forget former failures
	link    *link              // the connection, while Running
	listing listing
	exited  bool          // the goroutine is at its end
	changed chan struct{} // closed and made anew with every change of the above

	queue      []func() // states to be told, in order
	delivering bool
}

func newSupervisor(m *Manager, id string) *supervisor {
	return &supervisor{
		m: m, id: id,
		wake:    make(chan struct{}, 1),
		status:  Status{ServerID: id, State: Stopped},
		changed: make(chan struct{}),
	}
}

func (s *supervisor) broadcastLocked() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *supervisor) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// deliver tells the queued states, in order and without the lock. Only one
// goroutine does so at a time; what others add meanwhile, it tells too. So a
// callback may itself change the state.
func (s *supervisor) deliver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.delivering {
		return
	}
	s.delivering = true
	for len(s.queue) > 0 {
		tell := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		tell()
		s.mu.Lock()
	}
	s.delivering = false
}

func (s *supervisor) startLocked() {
	if s.want == wantOn && !s.halted && s.due.IsZero() {
		return
	}
	s.want, s.halted, s.due, s.clean = wantOn, false, time.Time{}, true
	if s.status.State != Stopping { // else the end of the run goes on to start
		s.moveLocked(Starting, nil)
	}
	s.broadcastLocked()
	s.poke()
}

func (s *supervisor) restartLocked() {
	if s.cancel == nil {
		s.startLocked()
		return
	}
	s.cancel()
	s.want, s.halted, s.due, s.clean = wantOn, false, time.Time{}, true
	s.leaveLocked()
	s.poke()
}

// end makes the server unwanted. What is to be forgotten stays so.
func (s *supervisor) end(w want) {
	s.mu.Lock()
	if s.want != wantGone {
		s.want = w
	}
	s.halted, s.due = false, time.Time{}
	if s.cancel != nil {
		s.cancel()
		s.leaveLocked()
	} else if s.status.State != Stopped {
		s.moveLocked(Stopped, nil)
	}
	s.broadcastLocked()
	s.poke()
	s.mu.Unlock()
	s.deliver()
}

// leaveLocked shows that the run is being ended.
func (s *supervisor) leaveLocked() {
	s.link = nil
	fingerprint := s.status.Fingerprint
	s.moveLocked(Stopping, func(st *Status) { st.Fingerprint = fingerprint })
}

// wait blocks until done, which is asked under the lock, or until ctx ends.
func (s *supervisor) wait(ctx context.Context, done func() bool) error {
	for {
		s.mu.Lock()
		ok, changed := done(), s.changed
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for the server to stop: %w", ctx.Err())
		}
	}
}

// loop is the supervisor's goroutine.
func (s *supervisor) loop() {
	for {
		s.mu.Lock()
		want, halted, due := s.want, s.halted, s.due
		s.mu.Unlock()
		switch {
		case want == wantGone:
			if s.exit() {
				return
			}
		case want == wantOff, halted:
			<-s.wake
		case time.Until(due) > 0:
			s.sleep(due)
		default:
			s.run()
		}
	}
}

func (s *supervisor) sleep(until time.Time) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.wake:
	}
}

// exit takes the supervisor out of the Manager, unless it was wanted again in
// that moment.
func (s *supervisor) exit() bool {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.want != wantGone {
		return false
	}
	delete(s.m.servers, s.id)
	s.exited = true
	s.broadcastLocked()
	return true
}
