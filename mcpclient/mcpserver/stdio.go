package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// maxMessage is the longest message that is taken, in bytes.
const maxMessage = 64 << 20

// parting is how long requests may go on after the client closed its end. It
// lets the answers of short ones come out when messages are piped in.
const parting = 250 * time.Millisecond

// pipe writes frames as lines.
type pipe struct {
	mu  sync.Mutex
	out io.Writer
}

func (p *pipe) send(frame []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.out.Write(append(frame, '\n')) // a client that left is seen at its other end
}

// ServeStdio speaks to one client over a pair of pipes until in or ctx ends.
// Requests run together; it waits for them before it returns. After ctx ended,
// the goroutine that reads in goes on until in ends or has a further line.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &connection{session: newSession(s), out: &pipe{out: out}}
	c.listening, c.endListening = context.WithCancel(ctx)
	defer c.endListening()
	lines, readErr := make(chan line), make(chan error, 1)
	go func() { readErr <- readLines(ctx, in, lines) }()
	for {
		select {
		case l := <-lines:
			c.take(ctx, l)
			continue
		case err := <-readErr:
			c.endListening()
			waitFor(&c.work, parting)
			cancel()
			c.work.Wait()
			return err
		case <-ctx.Done():
			c.work.Wait()
			return nil
		}
	}
}

func (p *pipe) finish(frame []byte, _ *Error) { p.send(frame) }

// line is what was read up to a line end.
type line struct {
	bytes   []byte
	tooLong bool
}

// readLines hands on the lines of in until it ends; nil for an end in good
// order, or when ctx ended.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		var l line
		var err error
		for more := true; more; {
			var part []byte
			part, err = r.ReadSlice('\n')
			more = errors.Is(err, bufio.ErrBufferFull)
			if len(l.bytes)+len(part) > maxMessage {
				l = line{tooLong: true}
			}
			if !l.tooLong {
				l.bytes = append(l.bytes, part...)
			}
		}
		if len(l.bytes) > 0 || l.tooLong {
			select {
			case lines <- l:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// connection is a stdio client.
type connection struct {
	session      *session
	out          *pipe
	work         sync.WaitGroup
	listening    context.Context
	endListening context.CancelFunc
}

// take runs a request on a goroutine, but for initialize, which decides how
// everything after it is read.
func (c *connection) take(ctx context.Context, l line) {
	if l.tooLong {
		c.out.send(failure(nil, &Error{Code: codeInvalidRequest, Message: "The message is too long"}))
		return
	}
	if len(trimLine(l.bytes)) == 0 {
		return
	}
	m, fault := parse(l.bytes)
	switch {
	case fault != nil:
		c.session.srv.note("an unsound message: %s", fault.Message)
		c.out.send(failure(m.id, fault))
	case !m.isRequest():
		c.session.take(m)
	case m.method == "initialize":
		before := c.session.isLegacy()
		c.session.serve(ctx, m, c.out)
		if !before && c.session.isLegacy() {
			c.work.Go(c.tellChanges)
		}
	case m.method == "subscriptions/listen":
		c.work.Go(func() { c.session.serve(c.listening, m, c.out) })
	default:
		c.work.Go(func() { c.session.serve(ctx, m, c.out) })
	}
}

func trimLine(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r' || b[len(b)-1] == ' ') {
		b = b[:len(b)-1]
	}
	return b
}

// tellChanges tells a legacy client when the tools change (LEG-18).
func (c *connection) tellChanges() {
	changed, stop := c.session.srv.watch()
	defer stop()
	for {
		select {
		case <-changed:
			c.out.send(notification("notifications/tools/list_changed", nil))
		case <-c.listening.Done():
			return
		}
	}
}

// waitFor waits for work, but not longer than limit.
func waitFor(work *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work.Wait()
	}()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}
