package servers

import (
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	logBytes = 512 << 10 // kept for one server
	lineMax  = 8 << 10   // longest line kept, in bytes
	lineCost = 128       // what a line takes beyond its text
)

// Line is one line of a server's log. Text is what the server wrote, cut at 8
// KiB and with its secrets masked, and otherwise not cleaned.
type Line struct {
	N    int64 // counts from 1 and is never used twice while the server is known
	Time time.Time
	// Source is as in mcpclient.LogLine, or "countersign" for a note of the
	// supervisor.
	Source string
	Level  string
	Text   string
}

// ring keeps the newest lines of a server, bounded in bytes. Safe for
// concurrent use.
type ring struct {
	mu    sync.Mutex // guards what follows
	lines []Line
	bytes int
	last  int64 // N of the newest line ever added
}

func (r *ring) add(line Line) {
	if len(line.Text) > lineMax {
		cut := lineMax
		for cut > lineMax-utf8.UTFMax && !utf8.RuneStart(line.Text[cut]) {
			cut--
		}
		// Cloned, or the short text would hold on to the long one.
		line.Text = strings.Clone(line.Text[:cut]) + fmt.Sprintf("… (cut, %d bytes more)", len(line.Text)-cut)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	line.N = r.last
	r.lines = append(r.lines, line)
	r.bytes += cost(line)
	for r.bytes > logBytes {
		r.bytes -= cost(r.lines[0])
		r.lines[0] = Line{}
		r.lines = r.lines[1:]
	}
}

func cost(l Line) int { return len(l.Text) + len(l.Source) + len(l.Level) + lineCost }

// after gives the kept lines with N > n, and how many such lines are gone.
func (r *ring) after(n int64) ([]Line, int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n = max(n, 0)
	first := r.last - int64(len(r.lines)) + 1 // N of the oldest kept line
	if n >= r.last {
		return nil, 0
	}
	skip := max(n+1-first, 0)
	return append([]Line(nil), r.lines[skip:]...), max(first-n-1, 0)
}

// newest is the N of the newest line.
func (r *ring) newest() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}
