package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	firstBuffer = 64 << 10
	// keepHead and keepTail are what stays of a line over the limit, so that the
	// request it answered can be told.
	keepHead = 4 << 10
	keepTail = 256
)

// TooLongError: a line was over the limit and has been skipped to its end.
type TooLongError struct {
	Limit int64
	// Head and Tail are the line's first and last bytes.
	Head, Tail []byte
}

// Error implements error.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("a line is longer than %d bytes", e.Limit)
}

// lineReader cuts a stream into lines. An error of the stream leaves it as it
// was, so that a read interrupted by a deadline can be taken up again.
type lineReader struct {
	r          io.Reader
	max        int64
	buf        []byte
	start, end int // unread bytes
	scanned    int // bytes after start known to hold no line feed
	long       *TooLongError
	atEOF      error
}

// next returns the next line without its end. The line is the caller's own.
func (l *lineReader) next() ([]byte, error) {
	for {
		from := l.start + l.scanned
		if i := bytes.IndexByte(l.buf[from:l.end], '\n'); i >= 0 {
			return l.take(from + i)
		}
		l.scanned = l.end - l.start
		if l.long != nil || int64(l.scanned) > l.max {
			l.dropLong()
		}
		if l.atEOF != nil {
			if l.end > l.start || l.long != nil { // last line without an end
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
func (l *lineReader) take(at int) (line []byte, err error) {
	line = l.buf[l.start:at]
	rest := min(at+1, l.end)
	if l.long == nil && int64(len(line)) > l.max {
		l.long = &TooLongError{Limit: l.max, Head: bytes.Clone(line[:min(len(line), keepHead)])}
	}
	if l.long != nil {
		long := l.long
		l.keepTail(long, line)
		l.long, l.start, l.scanned = nil, rest, 0
		return nil, long
	}
	if len(line) > firstBuffer && len(line) >= cap(l.buf)/2 {
		// A big line keeps its buffer; what follows it moves to a new one.
		left := l.buf[rest:l.end]
		l.buf = make([]byte, max(firstBuffer, len(left)))
		l.end = copy(l.buf, left)
		l.start, l.scanned = 0, 0
		return line[:len(line):len(line)], nil
	}
	line = bytes.Clone(line)
	l.start, l.scanned = rest, 0
	if l.start == l.end {
		l.start, l.end = 0, 0
		if len(l.buf) > 16*firstBuffer {
			l.buf = make([]byte, firstBuffer)
		}
	}
	return line, nil
}

// dropLong forgets the bytes of a line that is over the limit but for its ends.
func (l *lineReader) dropLong() {
	line := l.buf[l.start:l.end]
	if l.long == nil {
		l.long = &TooLongError{Limit: l.max, Head: bytes.Clone(line[:min(len(line), keepHead)])}
	}
	l.keepTail(l.long, line)
	l.start, l.end, l.scanned = 0, 0, 0
	if len(l.buf) > 16*firstBuffer {
		l.buf = make([]byte, firstBuffer)
	}
}

func (l *lineReader) keepTail(long *TooLongError, more []byte) {
	long.Tail = append(long.Tail, more[max(0, len(more)-keepTail):]...)
	if over := len(long.Tail) - keepTail; over > 0 {
		long.Tail = append(long.Tail[:0], long.Tail[over:]...)
	}
}

// fill reads once, making room first.
func (l *lineReader) fill() error {
	if l.buf == nil {
		l.buf = make([]byte, firstBuffer)
	}
	if l.end == len(l.buf) {
		if l.start > 0 {
			l.end = copy(l.buf, l.buf[l.start:l.end])
			l.start = 0
		} else {
			bigger := make([]byte, 2*len(l.buf))
			copy(bigger, l.buf[:l.end])
			l.buf = bigger
		}
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
