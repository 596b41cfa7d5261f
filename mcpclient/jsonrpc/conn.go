package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

// idleDelay is how long after the last call the idle reader takes over. Calls
// that follow each other more closely read for themselves.
const idleDelay = time.Millisecond

// outboxSize bounds the answers and goodbyes that wait to be written.
const outboxSize = 256

var past = time.Unix(1, 0)

// ErrClosed: the connection has ended.
var ErrClosed = errors.New("jsonrpc: connection closed")

// Options are a Conn's two pipes and its listeners. All functions may be nil;
// they are called by whoever reads, one at a time, and must not block.
type Options struct {
	// In and Out are closed by the owner, never by the Conn. Where both have
	// SetReadDeadline and SetWriteDeadline that work (pipes on Unix), callers
	// read for themselves.
	In  io.Reader
	Out io.Writer
	// MaxMessage bounds one line in bytes.
	MaxMessage int64
	// Incoming gets requests and notifications in the order they came.
	Incoming func(Message)
	// Late gets the answer to a request that was given up, once.
	Late func(id int64, m Message)
	// Stray gets answers to no request, and why they are none.
	Stray func(m Message, why string)
	// Skipped gets lines that are no message, perhaps cut, and the reason.
	Skipped func(line []byte, reason error)
	// Note gets sentences about lenience that was needed.
	Note func(text string)
	// Ended is called once, on a goroutine of its own, when reading is over. What
	// it returns becomes Err. It may take its time.
	Ended func(read error) error
}

// Conn is a two-way connection: one message a line.
//
// There is one reader at a time, and it is whoever holds the baton. A caller
// that waits for its answer takes the baton when it is free, reads and
// dispatches messages until its own answer has come, and puts it back; so a
// lone caller pays for no goroutine switch. Other callers wait for their answer
// or for the baton, whichever comes first. When the baton has lain for
// idleDelay, the idle reader takes it and keeps it until it has delivered an
// answer. A reader is interrupted by a read deadline in the past; one that is
// hit by a kick meant for its predecessor just reads on, since a partial line
// stays in the buffer. Where pipes know no deadlines the idle reader is the
// only one.
//
// Writing is serialised by a lock that a caller can stop waiting for. Answers
// and goodbyes go through an outbox with its own goroutine, so that a reader
// never blocks in a write.
//
// Goroutines: the idle reader and the outbox writer, plus for a moment the
// finisher of a frame whose writer gave up half way. Close waits for all.
type Conn struct {
	opt       Options
	in        deadliner // nil: callers do not read
	out       deadliner // nil: writes cannot be interrupted
	lines     lineReader
	baton     chan struct{} // holds the token while nobody reads
	idle      *time.Timer
	overCh    chan error // the read error, to the idle reader
	marked    bool       // a byte order mark came; the reader's
	writeLock chan struct{}
	outbox    chan []byte
	closing   chan struct{}
	closeOnce sync.Once
	wg        sync.WaitGroup

	mu      sync.Mutex
	pending map[int64]*Pending
	newest  int64               // the highest id ever expected
	givenUp map[int64]time.Time // requests whose answers may still come, and since when
	err     error               // set before done is closed
	sealed  bool                // no more goroutines
	done    chan struct{}
}

type deadliner interface {
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// NewConn makes a connection that reads and writes nothing until Start.
func NewConn(opt Options) *Conn {
	c := &Conn{
		opt:       opt,
		lines:     lineReader{r: opt.In, max: opt.MaxMessage},
		baton:     make(chan struct{}, 1),
		overCh:    make(chan error, 1),
		writeLock: make(chan struct{}, 1),
		outbox:    make(chan []byte, outboxSize),
		closing:   make(chan struct{}),
		pending:   make(map[int64]*Pending),
		givenUp:   make(map[int64]time.Time),
		done:      make(chan struct{}),
	}
	if d, ok := opt.In.(deadliner); ok && d.SetReadDeadline(time.Time{}) == nil {
		c.in = d
	}
	if d, ok := opt.Out.(deadliner); ok && d.SetWriteDeadline(time.Time{}) == nil {
		c.out = d
	}
	c.baton <- struct{}{}
	c.idle = time.NewTimer(0)
	return c
}

// Start starts the connection's goroutines. Only from here on are the listeners
// called.
func (c *Conn) Start() {
	c.wg.Go(c.idleLoop)
	c.wg.Go(c.outLoop)
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err tells why Done is closed; nil before.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection with err, unless it has ended before, and waits for
// its goroutines. The owner closes both pipes first, else it may wait for long.
func (c *Conn) Close(err error) {
	c.closeOnce.Do(func() { close(c.closing) })
	c.fail(err)
	c.mu.Lock()
	c.sealed = true
	c.mu.Unlock()
	c.wg.Wait()
	c.idle.Stop()
}

// fail ends the connection and every request in flight.
func (c *Conn) fail(err error) {
	if err == nil {
		err = ErrClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	close(c.done)
	for id, p := range c.pending {
		delete(c.pending, id)
		p.finish(Message{}, err)
	}
}

// release puts the baton back, for the next waiting caller or, if none takes
// it, the idle reader.
func (c *Conn) release() {
	c.baton <- struct{}{}
	c.idle.Reset(idleDelay)
}

// idleLoop reads while nobody else does and finishes the connection.
func (c *Conn) idleLoop() {
	for {
		select {
		case <-c.closing:
			return
		case err := <-c.overCh:
			c.finish(err)
			return
		case <-c.idle.C:
		}
		select {
		case <-c.baton:
		default:
			continue // whoever has it sets the timer anew
		}
		if err := c.readIdle(); err != nil {
			c.finish(err)
			return
		}
	}
}

func (c *Conn) finish(err error) {
	if c.opt.Ended != nil {
		err = c.opt.Ended(err)
	}
	c.fail(err)
}

// readIdle reads until an answer was delivered, then gives the baton back. The
// baton is kept when an error is returned: nobody reads again.
func (c *Conn) readIdle() error {
	for {
		if c.in != nil {
			if err := c.in.SetReadDeadline(time.Time{}); err != nil {
				return err
			}
		}
		delivered, err := c.readOne()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil:
			return err
		case delivered && c.in != nil:
			c.release()
			return nil
		}
	}
}

// readOne reads and dispatches one line. It reports whether an answer reached a
// waiting request. The caller holds the baton.
func (c *Conn) readOne() (delivered bool, err error) {
	line, err := c.lines.next()
	if err != nil {
		var long *TooLongError
		if errors.As(err, &long) {
			return c.dispatchLong(long), nil
		}
		return false, err
	}
	return c.dispatch(line), nil
}

func (c *Conn) dispatch(line []byte) (delivered bool) {
	line = bytes.TrimSpace(c.unmarked(line))
	if len(line) == 0 {
		return false
	}
	if line[0] == '[' {
		return c.dispatchBatch(line)
	}
	m, err := Parse(line)
	if err == nil && !utf8.Valid(line) {
		c.note("a message holds bytes that are not UTF-8; they are kept as they are")
	}
	if err != nil {
		c.skip(line, err)
		if c.lines.atEOF != nil { // half a line: the end of the connection says why
			return false
		}
		return c.failUnreadable(line, line, fmt.Errorf("the answer cannot be read: %w", err))
	}
	if m.Method != "" {
		if c.opt.Incoming != nil {
			c.opt.Incoming(m)
		}
		return false
	}
	return c.match(m)
}

// dispatchBatch takes an array of messages apart (LEG-22). Anything else that
// begins with a bracket is noise.
func (c *Conn) dispatchBatch(line []byte) (delivered bool) {
	var items [][]byte
	err := Elements(line, func(v []byte) bool {
		items = append(items, v)
		return IsObject(v)
	})
	if err != nil || len(items) == 0 || !IsObject(items[len(items)-1]) {
		if err == nil {
			err = ErrNotMessage
		}
		c.skip(line, err)
		return false
	}
	for _, item := range items {
		delivered = c.dispatch(item) || delivered
	}
	return delivered
}

func (c *Conn) dispatchLong(long *TooLongError) (delivered bool) {
	c.skip(long.Head, long)
	return c.failUnreadable(c.unmarked(long.Head), long.Tail, long)
}

// unmarked takes off a byte order mark, which some runtimes write first.
func (c *Conn) unmarked(line []byte) []byte {
	bare := bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
	if len(bare) < len(line) && !c.marked {
		c.marked = true
		c.note("the server writes a byte order mark, which does not belong there; it was skipped")
	}
	return bare
}

func (c *Conn) note(text string) {
	if c.opt.Note != nil {
		c.opt.Note(text)
	}
}

func (c *Conn) skip(line []byte, reason error) {
	if c.opt.Skipped != nil {
		c.opt.Skipped(line, reason)
	}
}
