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
	// Over is set instead of Data when that was over the limit.
	Over *ends
}

// ends are the first and the last bytes of what was too long to be kept.
type ends struct{ Head, Tail []byte }

const keepHead, keepTail = 4 << 10, 256

// add takes the first and the last bytes of what comes next.
func (e *ends) add(first, last []byte) {
	e.Head = append(e.Head, first[:min(len(first), keepHead-len(e.Head))]...)
	e.Tail = append(e.Tail, last[max(0, len(last)-keepTail):]...)
	e.Tail = append(e.Tail[:0], e.Tail[max(0, len(e.Tail)-keepTail):]...)
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
	over       *ends // of the line being read, when it is over the limit
	begun      bool  // the byte order mark has been dealt with
	afterCR    bool  // a line feed that follows belongs to the line end before
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
		line, over, err := s.line()
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
		if over != nil && string(field) != "data" {
			continue
		}
		switch string(field) {
		case "data":
			ev.add(value, over, s.limit)
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

// add adds a data line, of which over are the ends if it is too long by itself.
func (ev *sseEvent) add(value []byte, over *ends, limit int64) {
	last := value
	if over != nil {
		last = over.Tail
	}
	switch {
	case ev.Over != nil:
		ev.Over.add(value, last)
	case over != nil || int64(len(ev.Data)+len(value)) > limit:
		ev.Over = &ends{}
		ev.Over.add(ev.Data, ev.Data)
		ev.Over.add(value, last)
		ev.Data = nil
	default:
		if ev.HasData {
			ev.Data = append(ev.Data, '\n')
		}
		ev.Data = append(ev.Data, value...)
	}
	ev.HasData = true
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

// line returns the next line without its end, valid until the next call. Of a
// line over the limit it returns the beginning, and both ends.
func (s *sseReader) line() ([]byte, *ends, error) {
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
				if s.over == nil && !s.tooLong(len(line)) {
					return line, nil, nil
				}
				over := s.drop(line)
				s.over = nil
				return over.Head, over, nil
			}
			s.scanned = s.end - s.start
		}
		if s.over != nil || s.tooLong(s.end-s.start) {
			s.drop(s.buf[s.start:s.end])
			s.start, s.end, s.scanned = 0, 0, 0
		}
		if s.err != nil {
			return nil, nil, s.err
		}
		s.fill()
	}
}

// tooLong: a line is, when its data alone must be.
func (s *sseReader) tooLong(n int) bool { return int64(n) > s.limit+64 }

// drop keeps only the ends of what is read of a line.
func (s *sseReader) drop(part []byte) *ends {
	if s.over == nil {
		s.over = &ends{}
	}
	s.over.add(part, part)
	return s.over
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
