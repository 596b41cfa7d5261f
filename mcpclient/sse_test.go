package mcpclient

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// pieces gives a text in reads of at most n bytes.
type pieces struct {
	text string
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(p.n, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

// readSSE lists what a stream holds: type|data for each event, then the end.
func readSSE(text string, n int, limit int64) string {
	s := newSSEReader(&pieces{text, n}, limit)
	var out strings.Builder
	for {
		ev, err := s.next()
		if err != nil {
			fmt.Fprintf(&out, "id=%s retry=%d", s.LastID, s.RetryMs)
			if !errors.Is(err, io.EOF) {
				fmt.Fprintf(&out, " %v", err)
			}
			return out.String()
		}
		if ev.Over != nil {
			fmt.Fprintf(&out, "%s|over %.20s...%s ; ", ev.Type, ev.Over.Head, ev.Over.Tail[max(0, len(ev.Over.Tail)-20):])
			continue
		}
		fmt.Fprintf(&out, "%s|%s ; ", ev.Type, ev.Data)
	}
}

func TestSSE(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"LF", "data: a\n\ndata: b\n\n", "|a ; |b ; id= retry=-1"},
		{"field-80 CR LF", "event: message\r\ndata: {\"id\":1}\r\n\r\n", `message|{"id":1} ; id= retry=-1`},
		{"CR", "data: a\rdata: b\r\rdata: c\r\r", "|a\nb ; |c ; id= retry=-1"},
		{"mixed", "data: a\r\n\ndata: b\n\r\ndata:c\r\r\n", "|a ; |b ; |c ; id= retry=-1"},
		{"HTTP-07 field-83 comments, unknown fields, no data", ": keep-alive\n\n:\n\nfoo: bar\nbaz\n\ndata: a\n: in between\ndata: b\n\n", "|a\nb ; id= retry=-1"},
		{"one space is taken off", "data:  a\n\ndata:a\n\n", "| a ; |a ; id= retry=-1"},
		{"LEG-16 priming event", "id: 7\ndata:\n\ndata: a\n\n", "| ; |a ; id=7 retry=-1"},
		{"LEG-15 retry", "retry: 1500\n\nretry: x\n\n", "id= retry=1500"},
		{"an event without its end is dropped", "data: a\n\ndata: b\n", "|a ; id= retry=-1"},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", "|a ; id= retry=-1"},
		{"id with a null is ignored", "id: a\x00\ndata: a\n\n", "|a ; id= retry=-1"},
		{"type is for one event", "event: x\n\ndata: a\n\n", "|a ; id= retry=-1"},
		{"field-66 a character in two reads", "data: 河 – 🚲\n\n", "|河 – 🚲 ; id= retry=-1"},
		{"empty", "", "id= retry=-1"},
	}
	for _, test := range tests {
		for _, n := range []int{1, 2, 3, 1 << 20} {
			t.Run(fmt.Sprintf("%s in pieces of %d", test.name, n), func(t *testing.T) {
				if got := readSSE(test.in, n, 1<<20); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		}
	}
	t.Run("an event over the limit is skipped, and only that", func(t *testing.T) {
		x := strings.Repeat("x", 1<<20)
		for in, want := range map[string]string{
			"data: 12" + x + "34\n\ndata: b\n\n":                                               "|over 12xxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxx34 ; |b ; id= retry=-1",
			"id: 5\ndata: 12\n" + strings.Repeat("data: xxxxxxxxxx\n", 1000) + "\ndata: b\n\n": "|over 12\nxxxxxxxxxx\nxxxxxx...xxxxxxxxxxxxxxxxxxxx ; |b ; id=5 retry=-1",
			"data: a\ndata: " + x + "\nevent: y\n\ndata: b\n\n":                                "y|over ax...x ; |b ; id= retry=-1",
			"foo: " + x + "\ndata: b\n\n":                                                      "|b ; id= retry=-1",
		} {
			for _, n := range []int{999, 4096, 1 << 21} {
				got := readSSE(in, n, 1000)
				if i := strings.Index(want, "ax...x"); i >= 0 {
					got = strings.Replace(got, "over a"+strings.Repeat("x", 19)+"..."+strings.Repeat("x", 20), "over ax...x", 1)
				}
				if got != want {
					t.Errorf("in pieces of %d: %.20q gives %q, want %q", n, in, got, want)
				}
			}
		}
	})
	t.Run("a big event", func(t *testing.T) {
		text := strings.Repeat("x", 3<<20)
		if got := readSSE("data: "+text+"\n\ndata: b\n\n", 64<<10, 4<<20); got != "|"+text+" ; |b ; id= retry=-1" {
			t.Errorf("got %d bytes", len(got))
		}
	})
}

// FuzzSSE checks that cutting a stream differently changes nothing.
func FuzzSSE(f *testing.F) {
	f.Add("data: a\r\n\r\n:c\n\rdata: b\n\n", 1)
	f.Add("\xef\xbb\xbfevent: x\rdata\rdata:\r\n\nid: 4\nretry: 9\n\n", 2)
	f.Add("data: 🚲\n\n", 3)
	f.Add("data: a\nid: "+strings.Repeat("x", 90)+"\ndata: "+strings.Repeat("y", 90)+"\n\n", 7)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || n > 1<<16 || len(text) > 1<<15 {
			return
		}
		for _, limit := range []int64{1 << 16, 10} {
			if a, b := readSSE(text, n, limit), readSSE(text, 1<<20, limit); a != b {
				t.Fatalf("%q in pieces of %d: %q, whole: %q", text, n, a, b)
			}
		}
	})
}

func BenchmarkSSE(b *testing.B) {
	text := "event: message\ndata: " + strings.Repeat("x", 1<<20) + "\n\n"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := newSSEReader(&pieces{text, 32 << 10}, 1<<30).next(); err != nil {
			b.Fatal(err)
		}
	}
}
