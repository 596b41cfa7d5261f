package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// quickWrite is how long a write may take before it is made interruptible.
const quickWrite = 5 * time.Millisecond

// AdmitError: the function asked before the write said no.
type AdmitError struct{ Reason error }

// Error implements error.
func (e *AdmitError) Error() string { return "not admitted: " + e.Reason.Error() }

// Unwrap returns the reason.
func (e *AdmitError) Unwrap() error { return e.Reason }

// WriteError: the frame was admitted and did not go out as a whole while the
// caller waited. When Written is 0, no byte of it was or will be written; else
// the rest follows by itself where that is possible, and Cause may be the
// context's error or os.ErrDeadlineExceeded.
type WriteError struct {
	Written int
	Cause   error
}

// Error implements error.
func (e *WriteError) Error() string {
	return fmt.Sprintf("write ended after %d bytes: %v", e.Written, e.Cause)
}

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Cause }

// Write writes one frame and a line feed under the write lock. admit, when not
// nil, is asked with the lock held, right before. Errors: that of the context
// or the connection before anything was asked, AdmitError, WriteError. deadline
// zero means none. The byte after the frame's end is used when its capacity
// allows.
func (c *Conn) Write(ctx context.Context, frame []byte, deadline time.Time, admit func() error) error {
	if bytes.IndexByte(frame, '\n') >= 0 {
		return errors.New("jsonrpc: a message on one line cannot hold a line feed")
	}
	select {
	case c.writeLock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		return c.Err()
	}
	if err := c.mayWrite(ctx); err != nil {
		<-c.writeLock
		return err
	}
	if admit != nil {
		if err := admit(); err != nil {
			<-c.writeLock
			return &AdmitError{err}
		}
	}
	data := append(frame, '\n')
	if c.out == nil {
		return c.writeBlocking(ctx, data)
	}
	_ = c.out.SetWriteDeadline(time.Now().Add(quickWrite))
	n, err := c.opt.Out.Write(data)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return c.writeSlow(ctx, data, n, deadline)
	}
	<-c.writeLock
	if err != nil {
		return &WriteError{n, err}
	}
	return nil
}

func (c *Conn) mayWrite(ctx context.Context) error {
	select {
	case <-c.done:
		return c.Err()
	default:
		return ctx.Err()
	}
}

// writeSlow goes on with a write that the other end does not take at once. When
// the caller gives up half way a goroutine writes the rest, since half a line
// would spoil the connection. The lock is held and is given back by whoever
// ends.
func (c *Conn) writeSlow(ctx context.Context, data []byte, n int, deadline time.Time) error {
	defer context.AfterFunc(ctx, func() { _ = c.out.SetWriteDeadline(past) })()
	for {
		_ = c.out.SetWriteDeadline(deadline)
		cause := ctx.Err()
		if cause == nil {
			k, err := c.opt.Out.Write(data[n:])
			n += k
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				<-c.writeLock
				if err != nil {
					return &WriteError{n, err}
				}
				return nil
			}
			cause = ctx.Err()
			if cause == nil && !deadline.IsZero() && !time.Now().Before(deadline) {
				cause = os.ErrDeadlineExceeded
			}
		}
		if cause == nil {
			continue
		}
		if n == 0 {
			<-c.writeLock
		} else {
			c.detach(func() { c.writeRest(data[n:]) })
		}
		return &WriteError{n, cause}
	}
}

// detach runs fn on a goroutine that Close waits for. While closing, fn runs
// here: the pipes are closed and nothing blocks.
func (c *Conn) detach(fn func()) {
	c.mu.Lock()
	sealed := c.sealed
	if !sealed {
		c.wg.Add(1)
	}
	c.mu.Unlock()
	if sealed {
		fn()
		return
	}
	go func() {
		defer c.wg.Done()
		fn()
	}()
}

func (c *Conn) writeRest(rest []byte) {
	defer func() { <-c.writeLock }()
	for {
		_ = c.out.SetWriteDeadline(time.Time{})
		n, err := c.opt.Out.Write(rest)
		rest = rest[n:]
		if !errors.Is(err, os.ErrDeadlineExceeded) { // a late kick is no reason to stop
			return
		}
	}
}

// writeBlocking is for pipes without deadlines: the write goes on by itself
// when the caller leaves.
func (c *Conn) writeBlocking(ctx context.Context, data []byte) error {
	end := make(chan error, 1)
	c.detach(func() {
		n, err := c.opt.Out.Write(data)
		<-c.writeLock
		if err != nil {
			err = &WriteError{n, err}
		}
		end <- err
	})
	select {
	case err := <-end:
		return err
	case <-ctx.Done():
		return &WriteError{1, ctx.Err()} // how much is not known
	}
}

// Post queues a frame for the outbox and reports whether there was room. It
// never blocks.
func (c *Conn) Post(frame []byte) bool {
	select {
	case c.outbox <- frame:
		return true
	default:
		return false
	}
}

func (c *Conn) outLoop() {
	for {
		select {
		case <-c.closing:
			return
		case <-c.done:
			return
		case frame := <-c.outbox:
			// A frame that cannot be written means a dead pipe: the reader sees it.
			_ = c.Write(context.Background(), frame, time.Time{}, nil)
		}
	}
}
