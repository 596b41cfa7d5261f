package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"countersign/mcpclient"
)

const (
	// debounce is how long after a notice the tools are listed, so that a burst
	// of notices is one listing. For a server that announces changes without end
	// it grows to debounceMax.
	debounce    = 200 * time.Millisecond
	debounceMax = 10 * time.Second
	// listLimit bounds one listing with all its pages.
	listLimit = 2 * time.Minute

	codeMethodNotFound = -32601
)

// link is a connection and what goes with it. The fields below the line are
// guarded by the supervisor's mutex.
type link struct {
	prepared Prepared
	conn     conn
	info     mcpclient.Info
	// dirty holds one token when the tools must be listed: with the listing that
	// may be running, there is one running and one queued, never more.
	dirty chan struct{}

	notices int64        // changes announced so far
	waiters []chan error // for the next listing
	over    bool         // nothing is listed any more
	deaf    string       // why changes are not heard of, or ""
}

// listing is the list of tools that was received last.
type listing struct {
	list        *mcpclient.ToolList
	received    time.Time
	fingerprint string
	warning     string
	link        *link // which connection gave it
	notices     int64 // of that link, when it was asked for
}

// toolsChanged takes in a notice. The list counts as old from now on, not from
// when the new one is asked for (CACHE-10).
func (s *supervisor) toolsChanged(l *link) {
	s.mu.Lock()
	l.notices++
	s.mu.Unlock()
	l.soil()
}

func (l *link) soil() {
	select {
	case l.dirty <- struct{}{}:
	default:
	}
}

// refresh asks for a listing and waits for it.
func (s *supervisor) refresh(ctx context.Context) error {
	s.mu.Lock()
	l := s.link
	if l == nil || l.over {
		s.mu.Unlock()
		return ErrNotRunning
	}
	done := make(chan error, 1)
	l.waiters = append(l.waiters, done)
	s.mu.Unlock()
	l.soil()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("waiting for the list of tools: %w", ctx.Err())
	}
}

// takeWaiters gives those who wait for the listing that begins now.
func (s *supervisor) takeWaiters(l *link, over bool) []chan error {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiters := l.waiters
	l.waiters, l.over = nil, over
	return waiters
}

func (s *supervisor) awaited(l *link) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(l.waiters) > 0
}

// keepListed lists the tools now and after each notice, until ctx ends.
func (s *supervisor) keepListed(ctx context.Context, l *link) {
	defer func() {
		for _, waiter := range s.takeWaiters(l, true) {
			waiter <- ErrNotRunning
		}
	}()
	gap := debounce
	if !s.takeKept(ctx, l) {
		s.list(ctx, l)
	}
	for ; ; s.list(ctx, l) {
		listed := time.Now()
		select {
		case <-l.dirty:
		case <-ctx.Done():
			return
		}
		if time.Since(listed) > 2*gap {
			gap = debounce
		}
		if !s.awaited(l) {
			timer := time.NewTimer(gap)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return
			}
			gap = min(2*gap, debounceMax)
		}
		select { // what was announced up to here, this listing answers
		case <-l.dirty:
		default:
		}
	}
}

// takeKept takes a list of an earlier run that is still fresh for the server's
// own. A server that was started again by this run is asked: it may be another
// by now.
func (s *supervisor) takeKept(ctx context.Context, l *link) bool {
	s.mu.Lock()
	first := s.listing.list == nil && len(l.waiters) == 0
	s.mu.Unlock()
	if !first || s.m.deps.KeptListing == nil {
		return false
	}
	list, received, ok := s.m.deps.KeptListing(ctx, s.id, l.prepared, l.info)
	if !ok {
		return false
	}
	s.mu.Lock()
	s.listing = listing{list: list, received: received, fingerprint: l.prepared.Fingerprint, link: l}
	s.mu.Unlock()
	s.note("info", nil, "The list of tools of %s is still fresh and was not asked for again.", received.Local().Format("2 January 2006, 15:04:05"))
	if s.m.deps.OnTools != nil {
		s.m.deps.OnTools(s.id)
	}
	return true
}

// list makes one listing. The former list is replaced only by a complete one;
// where there is none, it stays, with a warning (CACHE-07).
func (s *supervisor) list(ctx context.Context, l *link) {
	waiters := s.takeWaiters(l, false)
	s.mu.Lock()
	notices := l.notices
	s.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, listLimit)
	list, err := l.conn.ListTools(limited)
	cancel()
	received := time.Now()
	if err != nil && offersNone(l.info, err) {
		list, err = &mcpclient.ToolList{Warnings: []string{"The server offers no tools."}}, nil
	}
	if ctx.Err() == nil {
		if err == nil {
			s.keep(ctx, l, listing{list: list, received: received,
				fingerprint: l.prepared.Fingerprint, link: l, notices: notices})
		} else {
			s.keepFormer(l, err)
		}
		if s.m.deps.OnTools != nil {
			s.m.deps.OnTools(s.id)
		}
	} else if err == nil {
		err = ErrNotRunning
	}
	if err != nil {
		err = fmt.Errorf("listing the tools: %w", err)
	}
	for _, waiter := range waiters {
		waiter <- err
	}
}

func (s *supervisor) keep(ctx context.Context, l *link, fresh listing) {
	s.mu.Lock()
	s.listing = fresh
	s.mu.Unlock()
	if s.m.deps.SaveListing == nil {
		return
	}
	err := s.m.deps.SaveListing(ctx, s.id, l.prepared, fresh.list, l.info)
	if err == nil || ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	s.listing.link = nil // what is shown is the former list
	s.mu.Unlock()
	s.warn(l, fmt.Sprintf("The list of tools could not be kept, so the former one is shown: %v.", err))
}

func (s *supervisor) keepFormer(l *link, err error) {
	s.mu.Lock()
	had := s.listing.list != nil
	s.listing.link = nil // whatever is shown, it is not live
	s.mu.Unlock()
	text := fmt.Sprintf("The tools could not be listed: %s", sentence(err.Error()))
	if had {
		text = fmt.Sprintf("The list of tools could not be renewed, so the former one is shown: %s", sentence(err.Error()))
	}
	s.warn(l, text)
}

func (s *supervisor) warn(l *link, text string) {
	if l.prepared.Mask != nil {
		text = l.prepared.Mask(text)
	}
	s.mu.Lock()
	s.listing.warning = text
	s.mu.Unlock()
	s.note("warning", nil, "%s", text)
}

// offersNone tells that a server which did not promise tools does not know the
// method either: it has none, and nothing is wrong.
func offersNone(info mcpclient.Info, err error) bool {
	var rpc *mcpclient.RPCError
	if !errors.As(err, &rpc) || rpc.Code != codeMethodNotFound {
		return false
	}
	var promised struct {
		Tools json.RawMessage `json:"tools"`
	}
	return json.Unmarshal(info.Capabilities, &promised) != nil || promised.Tools == nil
}
