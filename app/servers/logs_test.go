package servers

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRing(t *testing.T) {
	t.Run("gives what is newer, in order", func(t *testing.T) {
		var r ring
		if lines, dropped := r.after(0); len(lines) != 0 || dropped != 0 {
			t.Fatalf("an empty log gives %v, %d", lines, dropped)
		}
		for i := range 5 {
			r.add(Line{Text: fmt.Sprint("line ", i+1)})
		}
		for after, want := range []int{5, 4, 3, 2, 1, 0, 0} {
			lines, dropped := r.after(int64(after))
			if len(lines) != want || dropped != 0 {
				t.Fatalf("after %d: %d lines, %d dropped", after, len(lines), dropped)
			}
			for i, l := range lines {
				if l.N != int64(after+i+1) || l.Text != fmt.Sprint("line ", l.N) {
					t.Fatalf("after %d: line %+v at %d", after, l, i)
				}
			}
		}
	})
	t.Run("is bounded, and counts what is gone", func(t *testing.T) {
		var r ring
		const n = 1000
		for range n {
			r.add(Line{Text: strings.Repeat("x", 4096)})
		}
		lines, dropped := r.after(0)
		if r.bytes > logBytes || int64(len(lines))+dropped != n || lines[len(lines)-1].N != n {
			t.Fatalf("%d bytes, %d lines, %d dropped", r.bytes, len(lines), dropped)
		}
		if len(lines) < logBytes/(4096+lineCost)-1 {
			t.Fatalf("only %d lines are kept", len(lines))
		}
		if _, dropped := r.after(10); int64(len(lines))+dropped != n-10 {
			t.Fatalf("after 10 %d are dropped", dropped)
		}
	})
	t.Run("empty lines are bounded too", func(t *testing.T) {
		var r ring
		for range 100_000 {
			r.add(Line{})
		}
		if len(r.lines) > logBytes/lineCost {
			t.Fatalf("%d lines are kept", len(r.lines))
		}
	})
	t.Run("long lines are cut between characters", func(t *testing.T) {
		for shift := range 4 {
			var r ring
			text := strings.Repeat("a", shift) + strings.Repeat("😀", 4000)
			r.add(Line{Text: text})
			lines, _ := r.after(0)
			got, _, cut := strings.Cut(lines[0].Text, "… (cut, ")
			if !cut || len(got) > lineMax || len(got) < lineMax-4 || !utf8.ValidString(got) || !strings.HasPrefix(text, got) {
				t.Fatalf("shift %d: kept %d bytes, ends %q", shift, len(got), lines[0].Text[len(lines[0].Text)-40:])
			}
		}
		var r ring
		r.add(Line{Text: strings.Repeat("\x80", 10000)})
		if lines, _ := r.after(0); len(lines[0].Text) > lineMax+40 {
			t.Fatalf("a line that is no text keeps %d bytes", len(lines[0].Text))
		}
	})
}
