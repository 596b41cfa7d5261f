package mcpclient

import (
	"bytes"
	"io"
	"strconv"
)

// sseEvent is one event of a text/event-stream.
type sseEvent struct {
	// Type is the event field, "" when absent.
	Type string
	// Data are the data lines joined by line feeds; the caller's own.
	Data []byte
	// HasData tells an empty data field from none (LEG-16).
	HasData bool
}

// sseReader cuts a text/event-stream into events. Lines end with LF, CR LF or
// CR; comments and unknown fields are ignored (HTTP-07). Bytes are not decoded,
// so characters may be cut anywhere by the network. LastID and RetryMs are for
// resumption (LEG-14, LEG-15).
type sseReader struct {
	r     io.Reader
	limit int64 // of one event's data

	// LastID is the last event id, RetryMs the last retry field, -1 for none. An
	// id counts from the end of its event on: one that is cut must come again.
	LastID  string
	RetryMs int64

	id         []byte // of the event being read
	hasID      bool
	buf        []byte
	start, end int
	scanned    int
	begun      bool // the byte order mark has been dealt with
	afterCR    bool // a line feed that follows belongs to the line end before
	err        error
}

func newSSEReader(r io.Reader, limit int64) *sseReader {
	return &sseReader{r: r, limit: limit, RetryMs: -1, buf: make([]byte, 16<<10)}
}

// next returns the next event that has data. At the end of the stream it
// returns io.EOF; an event that is not complete by then is dropped, as the
// format demands.
func (s *sseReader) next() (sseEvent, error) {
	var ev sseEvent
	for {
		line, err := s.line()
		if err != nil {
			return sseEvent{}, err
		}
		if len(line) == 0 {
			if s.hasID {
				s.LastID, s.hasID = string(s.id), false
			}
			if ev.HasData {
				return ev, nil
			}
			ev = sseEvent{}
			continue
		}
		field, value := cutField(line)
		switch string(field) {
		case "data":
			if int64(len(ev.Data)+len(value)) > s.limit {
				return sseEvent{}, &TooLargeError{s.limit}
			}
			if ev.HasData {
				ev.Data = append(ev.Data, '\n')
			}
			ev.Data = append(ev.Data, value...)
			ev.HasData = true
		case "event":
			ev.Type = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				s.id, s.hasID = append(s.id[:0], value...), true
			}
		case "retry":
			if n, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				s.RetryMs = int64(n)
			}
		}
	}
}

// cutField splits a line at its first colon and takes off one space after it. A
// comment has the empty field.
func cutField(line []byte) (field, value []byte) {
	field, value, _ = bytes.Cut(line, []byte{':'})
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	return field, value
}

// line returns the next line without its end, valid until the next call.
func (s *sseReader) line() ([]byte, error) {
	for {
		if s.afterCR && s.start < s.end {
			s.afterCR = false
			if s.buf[s.start] == '\n' {
				s.start++
			}
		}
		if !s.begun && s.bom() {
			s.begun = true
		}
		if from := s.start + s.scanned; s.begun {
			if i := lineEnd(s.buf[from:s.end]); i >= 0 {
				line := s.buf[s.start : from+i]
				s.afterCR = s.buf[from+i] == '\r'
				s.start, s.scanned = from+i+1, 0
				return line, nil
			}
			s.scanned = s.end - s.start
		}
		if int64(s.end-s.start) > s.limit+64 {
			return nil, &TooLargeError{s.limit}
		}
		if s.err != nil {
			return nil, s.err
		}
		s.fill()
	}
}

// lineEnd finds the first CR or LF. Long lines are all data, so two fast scans
// beat one slow one.
func lineEnd(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return bytes.IndexByte(b, '\r')
	}
	if j := bytes.IndexByte(b[:i], '\r'); j >= 0 {
		return j
	}
	return i
}

// bom skips a byte order mark; it reports false while it cannot yet tell.
func (s *sseReader) bom() bool {
	const mark = "\xEF\xBB\xBF"
	have := s.buf[s.start:s.end]
	if len(have) < len(mark) && s.err == nil && bytes.HasPrefix([]byte(mark), have) {
		return false
	}
	if bytes.HasPrefix(have, []byte(mark)) {
		s.start += len(mark)
	}
	return true
}

func (s *sseReader) fill() {
	if s.start == s.end {
		s.start, s.end = 0, 0
	}
	if s.end == len(s.buf) {
		if s.start > 0 {
			s.end = copy(s.buf, s.buf[s.start:s.end])
			s.start = 0
		} else {
			bigger := make([]byte, 2*len(s.buf))
			copy(bigger, s.buf[:s.end])
			s.buf = bigger
		}
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	s.err = err
}
