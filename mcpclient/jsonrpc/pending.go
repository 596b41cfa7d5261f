package jsonrpc

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// Pending is a request that waits for its answer. One goroutine waits; Wake may
// come from any.
type Pending struct {
	c       *Conn
	id      int64
	quiet   bool
	signal  chan struct{} // holds at most one
	wakes   atomic.Uint32
	reading atomic.Bool

	// Guarded by c.mu until over is seen.
	over bool
	msg  Message
	err  error
}

// Expect registers a request before it is written. Ids must not be used twice.
// A quiet request may stay unanswered for ever: it never takes the baton and no
// error without id is taken for its answer. Forget or GiveUp must follow.
func (c *Conn) Expect(id int64, quiet bool) (*Pending, error) {
	p := &Pending{c: c, id: id, quiet: quiet, signal: make(chan struct{}, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	if c.pending[id] != nil {
		return nil, errors.New("jsonrpc: the id is in use")
	}
	c.pending[id] = p
	c.newest = max(c.newest, id)
	return p, nil
}

// Forget ends the wait for the answer to a request that was answered or not
// written.
func (p *Pending) Forget() {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if p.c.pending[p.id] == p {
		delete(p.c.pending, p.id)
	}
}

// GiveUp ends the wait for the answer to a request that was written: an answer
// that comes after all goes to Options.Late.
func (p *Pending) GiveUp() {
	p.c.mu.Lock()
	answered := p.over && p.err == nil // after Wait had looked
	if p.c.pending[p.id] == p {
		delete(p.c.pending, p.id)
		at := time.Now()
		if p.quiet {
			at = at.Add(-lateError)
		}
		p.c.rememberLocked(p.id, at)
	}
	p.c.mu.Unlock()
	if answered && p.c.opt.Late != nil {
		p.c.opt.Late(p.id, p.msg)
	}
}

// Wake makes Wait ask its function again.
func (p *Pending) Wake() {
	p.wakes.Add(1)
	p.poke()
	if p.reading.Load() {
		_ = p.c.in.SetReadDeadline(past)
	}
}

func (p *Pending) poke() {
	select {
	case p.signal <- struct{}{}:
	default:
	}
}

// finish ends the wait with an answer or an error. c.mu is held.
func (p *Pending) finish(m Message, err error) {
	p.over, p.msg, p.err = true, m, err
	p.poke()
}

func (p *Pending) isOver() bool {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	return p.over
}

// Wait returns the answer, or the context's error, or next's, or that of the
// connection. next is asked at the start, after each Wake, after each message
// that was read here and when the time it gave has come; it returns the time to
// ask it again (zero: none) or an error to end the wait. It runs on the
// goroutine of Wait.
func (p *Pending) Wait(ctx context.Context, next func() (time.Time, error)) (Message, error) {
	direct := p.c.in != nil && !p.quiet
	if direct && ctx.Done() != nil {
		defer context.AfterFunc(ctx, p.Wake)()
	}
	var timer *time.Timer
	for {
		if p.isOver() {
			return p.msg, p.err
		}
		if err := ctx.Err(); err != nil {
			return Message{}, err
		}
		at, err := next()
		if err != nil {
			if p.isOver() { // the answer came while next made up its mind
				return p.msg, p.err
			}
			return Message{}, err
		}
		var baton chan struct{}
		if direct {
			select {
			case <-p.c.baton:
				if err := p.read(ctx, next); err != nil {
					return Message{}, err
				}
				continue
			default:
				baton = p.c.baton
			}
		}
		var fire <-chan time.Time
		if !at.IsZero() {
			if timer == nil {
				timer = time.NewTimer(time.Until(at))
				defer timer.Stop()
			} else {
				timer.Reset(time.Until(at))
			}
			fire = timer.C
		}
		select {
		case <-p.signal:
		case <-fire:
		case <-ctx.Done():
		case <-baton:
			if err := p.read(ctx, next); err != nil {
				return Message{}, err
			}
		}
	}
}

// read holds the baton and reads until the own answer has come, the context has
// ended or next says so; only next's error is returned. After a read error the
// baton is kept and the idle reader told: it finishes the connection.
func (p *Pending) read(ctx context.Context, next func() (time.Time, error)) error {
	p.reading.Store(true)
	defer p.reading.Store(false)
	for {
		seen := p.wakes.Load()
		if p.isOver() || ctx.Err() != nil {
			p.c.release()
			return nil
		}
		at, err := next()
		if err != nil {
			p.c.release()
			return err
		}
		err = p.c.in.SetReadDeadline(at)
		if err == nil {
			if p.wakes.Load() != seen {
				continue // the kick may have been overwritten
			}
			_, err = p.c.readOne()
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			p.c.overCh <- err
			return nil
		}
	}
}
