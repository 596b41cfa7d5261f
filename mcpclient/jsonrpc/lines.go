package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	firstBuffer   = 64 << 10
	largestBuffer = 1 << 20
	// keepHead and keepTail are what stays of a line over the limit, so that the
	// request it answered can be told.
	keepHead = 4 << 10
	keepTail = 256
	// noiseLimit is how much of a line is held that does not begin as JSON-RPC.
	noiseLimit = 1 << 20
)

// TooLongError: a line was over the limit and has been skipped to its end.
type TooLongError struct {
	Limit int64
	// Head and Tail are the line's first and last bytes.
	Head, Tail []byte
}

// Error implements error.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("a line is longer than the limit of %d bytes", e.Limit)
}

// lineReader cuts a stream into lines. An error of the stream leaves it as it
// was, so that a read interrupted by a deadline can be taken up again.
type lineReader struct {
	r          io.Reader
	max        int64
	buf        []byte
	start, end int // unread bytes
	scanned    int // bytes after start known to hold no line feed
	// parts are the full buffers before buf that a big line began in: joined
	// once, it costs twice its length, where one growing buffer costs more.
	parts [][]byte
	held  int // bytes in parts
	long  *TooLongError
	atEOF error
}

// next returns the next line without its end. The line is the caller's own.
func (l *lineReader) next() ([]byte, error) {
	for {
		from := l.start + l.scanned
		if i := bytes.IndexByte(l.buf[from:l.end], '\n'); i >= 0 {
			return l.take(from + i)
		}
		l.scanned = l.end - l.start
		if l.long != nil || int64(l.held+l.scanned) > l.max || l.held > noiseLimit && l.isNoise() {
			l.dropLong()
		}
		if l.atEOF != nil {
			if l.held > 0 || l.end > l.start || l.long != nil { // last line without an end
				return l.take(l.end)
			}
			return nil, l.atEOF
		}
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

// take hands out the bytes up to at and steps over the line feed there.
func (l *lineReader) take(at int) ([]byte, error) {
	last := l.buf[l.start:at]
	if l.long == nil && int64(l.held+len(last)) > l.max {
		l.tooLong(last)
	}
	rest := min(at+1, l.end)
	long, line := l.long, []byte(nil)
	if long != nil {
		l.keepTail(long, last)
	} else {
		line = make([]byte, 0, l.held+len(last))
		for _, part := range l.parts {
			line = append(line, part...)
		}
		line = append(line, last...)
	}
	l.long, l.parts, l.held, l.start, l.scanned = nil, nil, 0, rest, 0
	if l.start == l.end {
		l.start, l.end = 0, 0
		if len(l.buf) > firstBuffer {
			l.buf = make([]byte, firstBuffer)
		}
	}
	if long != nil {
		return nil, long
	}
	return line, nil
}

// isNoise reports whether the line that begins in parts cannot be a message.
func (l *lineReader) isNoise() bool {
	first := bytes.TrimLeft(l.parts[0], "\xEF\xBB\xBF \t\r")
	return len(first) > 0 && first[0] != '{' && first[0] != '['
}

// tooLong begins to skip the line of which more was read last.
func (l *lineReader) tooLong(more []byte) {
	head := more
	if len(l.parts) > 0 {
		head = l.parts[0]
	}
	limit := l.max
	if int64(l.held+len(more)) <= limit {
		limit = noiseLimit
	}
	l.long = &TooLongError{Limit: limit, Head: bytes.Clone(head[:min(len(head), keepHead)])}
	l.parts, l.held = nil, 0
}

// dropLong forgets the bytes of a line that is over the limit but for its ends.
func (l *lineReader) dropLong() {
	line := l.buf[l.start:l.end]
	if l.long == nil {
		l.tooLong(line)
	}
	l.keepTail(l.long, line)
	l.start, l.end, l.scanned = 0, 0, 0
}

func (l *lineReader) keepTail(long *TooLongError, more []byte) {
	long.Tail = append(long.Tail, more[max(0, len(more)-keepTail):]...)
	if over := len(long.Tail) - keepTail; over > 0 {
		long.Tail = append(long.Tail[:0], long.Tail[over:]...)
	}
}

// fill reads once, making room first.
func (l *lineReader) fill() error {
	switch {
	case l.buf == nil:
		l.buf = make([]byte, firstBuffer)
	case l.end < len(l.buf):
	case l.start > 0:
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	default:
		l.parts = append(l.parts, l.buf)
		l.held += len(l.buf)
		l.buf = make([]byte, min(2*len(l.buf), largestBuffer))
		l.end, l.scanned = 0, 0
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	if n > 0 {
		return nil // an error comes again with the next read
	}
	if errors.Is(err, io.EOF) {
		l.atEOF = io.EOF
		return nil
	}
	return err
}
