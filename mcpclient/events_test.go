package mcpclient

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDispatcher(t *testing.T) {
	t.Run("LOG-03 a flood of lines is dropped and counted, and nobody waits", func(t *testing.T) {
		block := make(chan struct{})
		var lines []LogLine
		d := newDispatcher(Events{Log: func(l LogLine) {
			<-block
			lines = append(lines, l)
		}})
		const sent = 3 * maxQueuedLog
		for n := range sent {
			d.log("stderr", "info", fmt.Sprint(n))
		}
		close(block)
		d.log("stderr", "info", "last")
		d.close()
		kept, dropped := 0, 0
		for _, l := range lines {
			if l.Source == "stderr" {
				kept++
				continue
			}
			var n int
			if _, err := fmt.Sscan(l.Text, &n); err != nil {
				t.Errorf("got %+v", l)
			}
			dropped += n
		}
		if kept+dropped != sent && kept+dropped != sent+1 || dropped == 0 {
			t.Errorf("%d kept and %d dropped of %d", kept, dropped, sent)
		}
	})
	t.Run("changes are merged while one waits", func(t *testing.T) {
		block, begun := make(chan struct{}), make(chan struct{})
		count := 0
		d := newDispatcher(Events{ToolsChanged: func() {
			if count++; count == 1 {
				close(begun)
			}
			<-block
		}})
		d.toolsChanged()
		<-begun
		for range 100 {
			d.toolsChanged()
		}
		close(block)
		d.close()
		if count != 2 {
			t.Errorf("told %d times", count)
		}
		d.toolsChanged() // after the end: nothing
	})
	t.Run("without listeners", func(t *testing.T) {
		d := newDispatcher(Events{})
		d.toolsChanged()
		d.elicitGone("1")
		d.log("a", "b", "c")
		d.note("x")
		d.close()
	})
}

func TestClip(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("é", 100), strings.Repeat("🚲", 100), "\x97" + strings.Repeat("\x97", 100)} {
		for limit := 10; limit < 20; limit++ {
			got := clip(s, limit)
			if len(s) <= limit && got != s || len(s) > limit && !strings.Contains(got, "bytes more") || utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Errorf("clip(%q, %d) = %q", s, limit, got)
			}
		}
	}
}
