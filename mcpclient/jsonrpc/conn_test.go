package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// rig is a Conn on real pipes, with the test at the other end.
type rig struct {
	t        *testing.T
	conn     *Conn
	in       *bufio.Reader // what the Conn wrote
	out      *os.File      // what it will read
	incoming chan Message
	stray    chan string
	late     chan int64
	skipped  chan string
	notes    chan string
}

func newRig(t *testing.T, max int64) *rig {
	t.Helper()
	ourR, theirW := mustPipe(t)
	theirR, ourW := mustPipe(t)
	r := &rig{
		t: t, in: bufio.NewReaderSize(theirR, 1<<20), out: theirW,
		incoming: make(chan Message, 100), stray: make(chan string, 100), late: make(chan int64, 100),
		skipped: make(chan string, 100), notes: make(chan string, 100),
	}
	r.conn = NewConn(Options{
		In: ourR, Out: ourW, MaxMessage: max,
		Incoming: func(m Message) { r.incoming <- m },
		Stray:    func(_ Message, why string) { r.stray <- why },
		Late:     func(id int64, _ Message) { r.late <- id },
		Skipped:  func(b []byte, _ error) { r.skipped <- string(b) },
		Note:     func(s string) { r.notes <- s },
	})
	r.conn.Start()
	t.Cleanup(func() {
		for _, f := range []*os.File{ourR, ourW, theirR, theirW} {
			_ = f.Close()
		}
		r.conn.Close(nil)
	})
	return r
}

func mustPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func (r *rig) send(s string) {
	r.t.Helper()
	if _, err := io.WriteString(r.out, s); err != nil {
		r.t.Fatal(err)
	}
}

// sendLater is for what is more than a pipe holds.
func (r *rig) sendLater(s string) {
	go func() {
		if _, err := io.WriteString(r.out, s); err != nil {
			r.t.Error(err)
		}
	}()
}

func (r *rig) read() string {
	r.t.Helper()
	s, err := r.in.ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSuffix(s, "\n")
}

func noLimit() (time.Time, error) { return time.Time{}, nil }

// call makes one request and waits for it.
func (r *rig) call(ctx context.Context, id int64) (Message, error) {
	p, err := r.conn.Expect(id, false)
	if err != nil {
		return Message{}, err
	}
	defer p.Forget()
	if err := r.conn.Write(ctx, AppendRequest(nil, id, "m", nil), time.Time{}, nil); err != nil {
		return Message{}, err
	}
	return p.Wait(ctx, noLimit)
}

type answer struct {
	m   Message
	err error
}

func (r *rig) start(ctx context.Context, id int64) chan answer {
	c := make(chan answer, 1)
	go func() {
		m, err := r.call(ctx, id)
		c <- answer{m, err}
	}()
	return c
}

func TestLines(t *testing.T) {
	t.Run("STDIO-04 field-63 noise is skipped", func(t *testing.T) {
		r := newRig(t, 1<<20)
		got := r.start(context.Background(), 1)
		r.read()
		r.send("Starting...\n\n42\n[dbg] {not json\n[1,2]\n[]\n{\"x\":1}\n{\"id\":1,\"result\":{}}\n")
		if a := <-got; a.err != nil {
			t.Fatal(a.err)
		}
		for _, want := range []string{"Starting...", "42", "[dbg] {not json", "[1,2]", "[]", `{"x":1}`} {
			if s := <-r.skipped; s != want {
				t.Errorf("skipped %q, want %q", s, want)
			}
		}
	})
	t.Run("field-64 a line of a megabyte", func(t *testing.T) {
		r := newRig(t, 4<<20)
		got := r.start(context.Background(), 1)
		r.read()
		text := strings.Repeat("a", 1_000_000)
		r.sendLater(`{"id":1,"result":{"t":"` + text + `"}}` + "\n" + `{"method":"after"}` + "\n")
		a := <-got
		if want := `{"t":"` + text + `"}`; string(a.m.Result) != want {
			t.Errorf("got %d bytes (%v)", len(a.m.Result), a.err)
		}
		if m := <-r.incoming; m.Method != "after" {
			t.Errorf("then came %s", m.Raw)
		}
	})
	t.Run("field-66 bytes one at a time", func(t *testing.T) {
		r := newRig(t, 1<<20)
		got := r.start(context.Background(), 1)
		r.read()
		for _, b := range []byte(`{"id":1,"result":{"text":"河 – 🚲"}}` + "\n") {
			r.send(string([]byte{b}))
		}
		if a := <-got; string(a.m.Result) != `{"text":"河 – 🚲"}` {
			t.Errorf("got %s (%v)", a.m.Result, a.err)
		}
	})
	t.Run("a last line without an end counts", func(t *testing.T) {
		r := newRig(t, 1<<20)
		got := r.start(context.Background(), 1)
		r.read()
		r.send(`{"id":1,"result":{}}`)
		_ = r.out.Close()
		if a := <-got; a.err != nil {
			t.Fatal(a.err)
		}
		<-r.conn.Done()
	})
	t.Run("field-63 noise without a line end is not held", func(t *testing.T) {
		l := &lineReader{r: io.MultiReader(strings.NewReader(strings.Repeat("x", 5<<20)), strings.NewReader("\n{}\n")), max: 1 << 30}
		_, err := l.next()
		var long *TooLongError
		if !errors.As(err, &long) || long.Limit != noiseLimit || len(long.Head) != keepHead {
			t.Fatalf("got %v", err)
		}
		if len(l.parts) > 0 || len(l.buf) > largestBuffer {
			t.Errorf("%d parts and %d bytes are held", len(l.parts), len(l.buf))
		}
		if line, err := l.next(); string(line) != "{}" {
			t.Errorf("then came %q (%v)", line, err)
		}
	})
	t.Run("an answer over the limit whose id cannot be found ends the only request", func(t *testing.T) {
		r := newRig(t, 100_000)
		got := r.start(context.Background(), 1)
		r.read()
		r.sendLater(`{"result":"` + strings.Repeat("x", 300_000) + `","id":1,"more":{}}` + "\n")
		if a := <-got; !errors.As(a.err, new(*TooLongError)) {
			t.Errorf("got %v", a.err)
		}
	})
	over := strings.Repeat("x", 300_000)
	for name, line := range map[string]string{
		"id first":   `{"id":1,"result":"` + over + `"}`,
		"id last":    `{"result":"` + over + `","id": 1}`,
		"broken":     `{"id":1,"result":{"a":}}`,
		"two in one": `{"id":1,"result":{}}{"id":1,"result":{}}`,
		"no result":  `{"jsonrpc":"2.0","id":1}`,
	} {
		t.Run("an answer that cannot be read ends its request only: "+name, func(t *testing.T) {
			r := newRig(t, 100_000)
			got, other := r.start(context.Background(), 1), r.start(context.Background(), 2)
			r.read()
			r.read()
			r.sendLater(line + "\n" + `{"id":2,"result":{}}` + "\n")
			if a := <-got; a.err == nil {
				t.Errorf("got %s", a.m.Raw)
			}
			if a := <-other; a.err != nil {
				t.Error(a.err)
			}
		})
	}
}

func TestBaton(t *testing.T) {
	t.Run("many callers, answers in any order", func(t *testing.T) {
		r := newRig(t, 1<<20)
		const callers, each = 8, 200
		go func() { // where two requests are there, the later is answered first
			var held string
			for n := 0; n < callers*each; n++ {
				line, err := r.in.ReadString('\n')
				if err != nil {
					return
				}
				var id int64
				_, _ = fmt.Sscanf(line, `{"jsonrpc":"2.0","id":%d`, &id)
				reply := fmt.Sprintf(`{"id":%d,"result":{"id":%d}}`+"\n", id, id)
				if held == "" && r.in.Buffered() > 0 {
					held = reply
					continue
				}
				_, _ = io.WriteString(r.out, reply+held)
				held = ""
			}
		}()
		var wg sync.WaitGroup
		for c := range callers {
			wg.Go(func() {
				for n := range each {
					id := int64(c*each + n + 1)
					m, err := r.call(context.Background(), id)
					if want := fmt.Sprintf(`{"id":%d}`, id); err != nil || string(m.Result) != want {
						t.Errorf("call %d: %s (%v)", id, m.Raw, err)
					}
				}
			})
		}
		wg.Wait()
	})
	t.Run("notifications arrive while nobody calls", func(t *testing.T) {
		r := newRig(t, 1<<20)
		for n := range 3 {
			r.send(fmt.Sprintf(`{"method":"n%d"}`+"\n", n))
			if m := <-r.incoming; m.Method != fmt.Sprintf("n%d", n) {
				t.Errorf("got %s", m.Raw)
			}
			got := r.start(context.Background(), int64(n+1))
			r.read()
			r.send(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", n+1))
			<-got
		}
	})
	t.Run("a cancelled reader leaves at once and the next goes on", func(t *testing.T) {
		r := newRig(t, 1<<20)
		ctx, cancel := context.WithCancel(context.Background())
		first := r.start(ctx, 1)
		r.read()
		second := r.start(context.Background(), 2)
		r.read()
		r.send(`{"id":2,"res`) // half a line is in the buffer when the reader leaves
		cancel()
		if a := <-first; !errors.Is(a.err, context.Canceled) {
			t.Errorf("got %v", a.err)
		}
		r.send(`ult":{}}` + "\n")
		if a := <-second; a.err != nil {
			t.Error(a.err)
		}
	})
	t.Run("Wake asks the function again, from its error the wait ends", func(t *testing.T) {
		r := newRig(t, 1<<20)
		p, err := r.conn.Expect(1, false)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Forget()
		stop := errors.New("stop")
		asked := make(chan struct{}, 10)
		var mu sync.Mutex
		var end error
		done := make(chan error, 1)
		go func() {
			_, err := p.Wait(context.Background(), func() (time.Time, error) {
				asked <- struct{}{}
				mu.Lock()
				defer mu.Unlock()
				return time.Time{}, end
			})
			done <- err
		}()
		<-asked
		mu.Lock()
		end = stop
		mu.Unlock()
		p.Wake()
		if err := <-done; err != stop {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the function is asked when its time has come", func(t *testing.T) {
		r := newRig(t, 1<<20)
		late := errors.New("late")
		p, _ := r.conn.Expect(1, false)
		defer p.Forget()
		var first time.Time
		_, err := p.Wait(context.Background(), func() (time.Time, error) {
			if first.IsZero() {
				first = time.Now()
			}
			if end := first.Add(20 * time.Millisecond); time.Now().Before(end) {
				return end, nil
			}
			return time.Time{}, late
		})
		if err != late {
			t.Errorf("got %v", err)
		}
	})
}

func TestEnd(t *testing.T) {
	r := newRig(t, 1<<20)
	a, b := r.start(context.Background(), 1), r.start(context.Background(), 2)
	r.read()
	r.read()
	_ = r.out.Close()
	for _, c := range []chan answer{a, b} {
		if got := <-c; !errors.Is(got.err, io.EOF) {
			t.Errorf("STDIO-08 got %v", got.err)
		}
	}
	<-r.conn.Done()
	if _, err := r.call(context.Background(), 3); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}
