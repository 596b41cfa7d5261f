package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

const (
	// maxGivenUp bounds the requests whose late answers are known for such.
	maxGivenUp = 1024
	// lateError is how long after a request was given up an error without id may
	// still be meant for it.
	lateError = 2 * time.Minute
)

// rememberLocked notes that an answer may come late. c.mu is held.
func (c *Conn) rememberLocked(id int64, at time.Time) {
	if len(c.givenUp) >= maxGivenUp {
		oldest := id
		for other := range c.givenUp {
			oldest = min(oldest, other)
		}
		delete(c.givenUp, oldest)
	}
	c.givenUp[id] = at
}

// AnswerID reads the id of an answer as that of a request of ours, which are
// whole numbers (BASE-07). One that a server wrote in another form, as 3.0 or as
// text, is taken only where it can mean nothing else; odd tells so.
func AnswerID(raw []byte) (id int64, odd, ok bool) {
	if id, ok = Int(raw); ok {
		return id, false, true
	}
	if s, isText := String(raw); isText {
		id, ok = Int([]byte(s))
		return id, true, ok && strconv.FormatInt(id, 10) == s
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	whole := err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
	return int64(f), true, whole
}

// match gives an answer to the request it belongs to and reports whether one
// waited for it. Notes come first: whoever gets the answer finds them written.
func (c *Conn) match(m Message) bool {
	id, odd, known := int64(0), false, false
	if m.HasID() {
		id, odd, known = AnswerID(m.ID)
	} else if m.Error != nil {
		if id, known = c.onlyWaiting(); known {
			c.note(fmt.Sprintf("an error without id was taken for the answer to request %d, the only one waiting", id))
		}
	}
	c.mu.Lock()
	p := c.pending[id]
	_, late := c.givenUp[id]
	newest := c.newest
	if late = late && known; late {
		delete(c.givenUp, id)
	}
	c.mu.Unlock()
	if odd && known && (p != nil || late) {
		c.note(fmt.Sprintf("the answer to request %d came with the id in another form: %s", id, m.ID))
	}
	switch {
	case p != nil && known:
		return c.give(p, m, nil)
	case late:
		if c.opt.Late != nil {
			c.opt.Late(id, m)
		}
	case c.opt.Stray == nil:
	case !m.HasID():
		c.opt.Stray(m, "without id")
	case known && id > 0 && id <= newest:
		c.opt.Stray(m, fmt.Sprintf("with the id of request %d, which had its answer before,", id))
	default:
		c.opt.Stray(m, "with the unknown id "+string(m.ID[:min(len(m.ID), 64)]))
	}
	return false
}

// onlyWaiting tells the one request that an answer without id can be for. There
// is none while two wait, or while another may still be answered late.
func (c *Conn) onlyWaiting() (id int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, at := range c.givenUp {
		if time.Since(at) < lateError {
			return 0, false
		}
	}
	for _, p := range c.pending {
		if p.quiet {
			continue
		}
		if ok {
			return 0, false
		}
		id, ok = p.id, true
	}
	return id, ok
}

// give ends the wait of p, unless that was given up in this moment.
func (c *Conn) give(p *Pending, m Message, err error) bool {
	c.mu.Lock()
	waits := c.pending[p.id] == p
	if waits {
		delete(c.pending, p.id)
		p.finish(m, err)
	} else {
		delete(c.givenUp, p.id)
	}
	c.mu.Unlock()
	if !waits && err == nil && c.opt.Late != nil {
		c.opt.Late(p.id, m)
	}
	return waits
}

// failUnreadable ends the request that an unreadable answer seems to belong to:
// head and tail are the ends of the answer.
func (c *Conn) failUnreadable(head, tail []byte, err error) bool {
	id, ok := PeekID(head, tail)
	var long *TooLongError
	if !ok && errors.As(err, &long) && beginsAnswer(head) {
		id, ok = c.onlyWaiting()
	}
	if !ok {
		return false
	}
	c.mu.Lock()
	p := c.pending[id]
	c.mu.Unlock()
	return p != nil && c.give(p, Message{}, err)
}

// PeekID finds the id of an answer of which only the first and the last bytes were
// kept: among the first members of what begins like an answer, or else as its
// very last member. What is a JSON object but no JSON-RPC, such as a
// line of a log, has none.
func PeekID(head, tail []byte) (id int64, ok bool) {
	answer := false
	isAnswer := walkHead(head, func(key string, value []byte) {
		switch key {
		case "jsonrpc", "result", "error":
			answer = true
		case "id":
			if value != nil {
				id, _, ok = AnswerID(value)
			}
		}
	})
	if !isAnswer || !answer {
		return 0, false
	}
	if ok {
		return id, true
	}
	tail = bytes.TrimRight(tail, "} \t\r\n")
	i := bytes.LastIndex(tail, []byte(`"id"`))
	if i < 0 {
		return 0, false
	}
	i = skipSpace(tail, i+len(`"id"`))
	if i >= len(tail) || tail[i] != ':' {
		return 0, false
	}
	id, _, ok = AnswerID(tail[skipSpace(tail, i+1):])
	return id, ok
}

func beginsAnswer(head []byte) bool {
	answer := false
	ok := walkHead(head, func(key string, _ []byte) {
		answer = answer || key == "result" || key == "error"
	})
	return ok && answer
}

// walkHead visits the members at the start of a message that may be cut or
// broken; the value is nil where it is not whole. It reports false for what is
// no object, or is a request.
func walkHead(head []byte, visit func(key string, value []byte)) bool {
	i := skipSpace(head, 0)
	if i >= len(head) || head[i] != '{' {
		return false
	}
	i = skipSpace(head, i+1)
	for {
		quoted, at, err := skipKey(head, i)
		if err != nil {
			return true
		}
		key, _ := String(quoted)
		if key == "method" {
			return false
		}
		end, err := skipValue(head, at, 1)
		if err != nil || end == len(head) { // a number may go on
			visit(key, nil)
			return true
		}
		visit(key, head[at:end])
		next, done, err := skipComma(head, end, '}')
		if err != nil || done {
			return true
		}
		i = next
	}
}
