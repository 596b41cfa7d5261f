package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	big := []byte(`{"method":"` + strings.Repeat("x", 1<<20) + `"}`)
	write := func(r *rig, ctx context.Context, frame []byte, deadline time.Time, admit func() error) error {
		return r.conn.Write(ctx, frame, deadline, admit)
	}
	t.Run("a refusal writes nothing", func(t *testing.T) {
		r := newRig(t, 1<<20)
		no := errors.New("no")
		var refused *AdmitError
		err := write(r, context.Background(), []byte(`{"method":"a"}`), time.Time{}, func() error { return no })
		if !errors.As(err, &refused) || !errors.Is(err, no) {
			t.Errorf("got %v", err)
		}
		if err := write(r, context.Background(), []byte(`{"method":"b"}`), time.Time{}, nil); err != nil {
			t.Fatal(err)
		}
		if got := r.read(); got != `{"method":"b"}` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("STDIO-01 a line feed within is refused", func(t *testing.T) {
		r := newRig(t, 1<<20)
		if write(r, context.Background(), []byte("{\n}"), time.Time{}, nil) == nil {
			t.Error("written")
		}
	})
	t.Run("a full pipe: who gives up returns, the frame is finished", func(t *testing.T) {
		r := newRig(t, 1<<20)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- write(r, ctx, big, time.Time{}, nil) }()
		if b, err := r.in.Peek(1); err != nil || b[0] != '{' {
			t.Fatal(err)
		}
		cancel()
		var half *WriteError
		if err := <-done; !errors.As(err, &half) || half.Written == 0 || !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		// The lock is not free before the rest is out.
		late, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer stop()
		if err := write(r, late, []byte(`{"method":"b"}`), time.Time{}, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if got := r.read(); got != string(big) {
			t.Errorf("the frame came with %d bytes", len(got))
		}
		if err := write(r, context.Background(), []byte(`{"method":"c"}`), time.Time{}, nil); err != nil {
			t.Fatal(err)
		}
		if got := r.read(); got != `{"method":"c"}` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a deadline ends a write too", func(t *testing.T) {
		r := newRig(t, 1<<20)
		var half *WriteError
		err := write(r, context.Background(), big, time.Now().Add(20*time.Millisecond), nil)
		if !errors.As(err, &half) || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a dead reader", func(t *testing.T) {
		r := newRig(t, 1<<20)
		rr, w := mustPipe(t)
		_ = rr.Close()
		conn := NewConn(Options{In: rr, Out: w, MaxMessage: 1})
		conn.Start()
		defer conn.Close(nil)
		defer w.Close()
		_ = r
		var failed *WriteError
		err := conn.Write(context.Background(), []byte(`{}`), time.Time{}, nil)
		if err == nil || errors.As(err, &failed) && failed.Written != 0 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("posted frames go out in order, and none blocks", func(t *testing.T) {
		r := newRig(t, 1<<20)
		for n := range 5 {
			if !r.conn.Post([]byte(fmt.Sprintf(`{"method":"%d"}`, n))) {
				t.Fatal("no room")
			}
		}
		for n := range 5 {
			if got, want := r.read(), fmt.Sprintf(`{"method":"%d"}`, n); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// noDeadline hides what callers would need to read for themselves.
type noDeadline struct{ f *os.File }

func (n noDeadline) Read(b []byte) (int, error)  { return n.f.Read(b) }
func (n noDeadline) Write(b []byte) (int, error) { return n.f.Write(b) }

func TestWithoutDeadlines(t *testing.T) {
	ourR, theirW := mustPipe(t)
	theirR, ourW := mustPipe(t)
	r := &rig{t: t, in: bufio.NewReader(theirR), out: theirW}
	r.conn = NewConn(Options{In: noDeadline{ourR}, Out: noDeadline{ourW}, MaxMessage: 1 << 20})
	r.conn.Start()
	for id := range int64(3) {
		got := r.start(context.Background(), id+1)
		r.read()
		r.send(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", id+1))
		if a := <-got; a.err != nil {
			t.Fatal(a.err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	got := r.start(ctx, 9)
	r.read()
	cancel()
	if a := <-got; !errors.Is(a.err, context.Canceled) {
		t.Error(a.err)
	}
	for _, f := range []*os.File{theirW, theirR, ourR, ourW} {
		_ = f.Close()
	}
	r.conn.Close(nil)
}

// FuzzLines feeds the line reader in pieces and compares with a plain split.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), 3, 1)
	f.Add([]byte("{\"id\":1}\r\n"), 2, 5)
	f.Add([]byte("aaaaaaaaaa\nb\n"), 4, 2)
	f.Fuzz(func(t *testing.T, data []byte, max, step int) {
		if max < 1 || max > 1<<16 || step < 1 || step > 1<<16 {
			return
		}
		l := &lineReader{r: &stepReader{data, step}, max: int64(max)}
		want := strings.Split(string(data), "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for _, w := range want {
			line, err := l.next()
			var long *TooLongError
			switch {
			case len(w) > max:
				if !errors.As(err, &long) || !strings.HasSuffix(w, string(long.Tail)) || !strings.HasPrefix(w, string(long.Head)) {
					t.Fatalf("long line %q: %v", w, err)
				}
			case err != nil || string(line) != w:
				t.Fatalf("got %q (%v), want %q", line, err, w)
			}
		}
		if line, err := l.next(); err != io.EOF {
			t.Fatalf("after the end: %q (%v)", line, err)
		}
	})
}

type stepReader struct {
	data []byte
	step int
}

func (r *stepReader) Read(b []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.data[:min(r.step, len(r.data))])
	r.data = r.data[n:]
	return n, nil
}
