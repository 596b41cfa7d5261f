package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// waits records how long is waited, and lets no time pass but where it is days.
type waits struct {
	days chan struct{} // gets one for each such wait
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) tuning() tuning {
	t := defaultTuning
	t.after = func(d time.Duration) <-chan time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.list = append(w.list, d)
		passed := make(chan time.Time, 1)
		if d > 24*time.Hour {
			w.days <- struct{}{}
			return passed
		}
		passed <- time.Time{}
		return passed
	}
	return t
}

func (w *waits) seen() []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.list)
}

// resumable is a legacy server whose calls answer as scripted: one script for the
// POST, the next ones for each GET that takes the stream up again. GETs without
// Last-Event-ID are refused.
func resumable(t *testing.T, era Era, scripts ...func(e *webExchange, id string)) (*webServer, *Client, *waits) {
	s := newWebServer(t, era)
	s.session = "s-1"
	var id string
	n := 0
	s.handle = func(e *webExchange) {
		switch {
		case e.msg.Method == "tools/call":
			id = string(e.msg.ID)
		case e.r.Method == http.MethodDelete:
			return
		case e.header.Get("Last-Event-ID") == "":
			e.w.WriteHeader(405)
			return
		case n >= len(scripts):
			e.w.WriteHeader(400)
			return
		}
		n++
		scripts[n-1](e, id)
	}
	cfg, _, _ := s.config(t)
	w := &waits{days: make(chan struct{}, 1)}
	c, err := connect(context.Background(), cfg, w.tuning())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return s, c, w
}

// stream writes lines of an event stream as they are.
func (e *webExchange) stream(lines string) {
	e.w.Header().Set("Content-Type", "text/event-stream")
	_, _ = e.w.Write([]byte(lines))
	_ = http.NewResponseController(e.w).Flush()
}

func answer(id string) string {
	return fmt.Sprintf("id: end\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, okResult)
}

// resumes lists the Last-Event-ID of each GET that had one.
func resumes(s *webServer) (ids []string) {
	for _, e := range s.seen(http.MethodGet) {
		if id := e.header.Get("Last-Event-ID"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestResumption(t *testing.T) {
	prime := func(lines string) func(*webExchange, string) {
		return func(e *webExchange, _ string) { e.stream(lines) }
	}
	end := func(e *webExchange, id string) { e.stream(answer(id)) }
	t.Run("LEG-14 LEG-15 LEG-16 a stream that was closed after an id is taken up again, not before retry", func(t *testing.T) {
		s, c, w := resumable(t, EraLegacy,
			prime("retry: 7000\nid: a-1\ndata:\n\n"),
			prime("id: a-2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"x\"}}\n\n"), end)
		mustCall(t, c, call("x", `{}`))
		if got := resumes(s); !slices.Equal(got, []string{"a-1", "a-2"}) {
			t.Errorf("asked for what comes after %v", got)
		}
		if got := w.seen(); !slices.Equal(got, []time.Duration{7 * time.Second, 7 * time.Second}) {
			t.Errorf("waited %v", got)
		}
		e := s.seen(http.MethodGet)[1]
		if e.header.Get("Mcp-Session-Id") != "s-1" || e.header.Get("Mcp-Protocol-Version") != LegacyVersion || e.header.Get("Accept") != "text/event-stream" || e.body != "" {
			t.Errorf("GET with %v", e.header)
		}
		if len(s.seen("tools/call")) != 1 {
			t.Error("the call was sent again")
		}
	})
	t.Run("LEG-14 an event that was cut comes again", func(t *testing.T) {
		s, c, _ := resumable(t, EraLegacy, func(e *webExchange, id string) {
			e.stream("id: a-1\ndata:\n\nid: a-2\ndata: {\"jsonrpc\":")
			panic(http.ErrAbortHandler)
		}, end)
		mustCall(t, c, call("x", `{}`))
		if got := resumes(s); !slices.Equal(got, []string{"a-1"}) {
			t.Errorf("asked for what comes after %v", got)
		}
	})
	t.Run("LEG-14 without an id there is nothing to ask for", func(t *testing.T) {
		s, c, w := resumable(t, EraLegacy, prime("retry: 5\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"), end)
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		if !errors.As(err, new(*LostError)) || len(resumes(s)) != 0 || len(w.seen()) != 0 {
			t.Errorf("got %v after %v", err, w.seen())
		}
	})
	t.Run("LEG-14 a refusal is the end", func(t *testing.T) {
		s, c, _ := resumable(t, EraLegacy, prime("id: a-1\ndata:\n\n"))
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		if !errors.As(err, new(*LostError)) || !strings.Contains(err.Error(), "400") || len(resumes(s)) != 1 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("LEG-14 a server in trouble is asked with growing waits, and not for ever", func(t *testing.T) {
		scripts := []func(*webExchange, string){prime("id: a-1\ndata:\n\n")}
		for range resumeTries + 5 {
			scripts = append(scripts, func(e *webExchange, _ string) { e.w.WriteHeader(503) })
		}
		s, c, w := resumable(t, EraLegacy, scripts...)
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		got := w.seen()
		if !errors.As(err, new(*LostError)) || len(resumes(s)) != resumeTries || len(got) != resumeTries || got[resumeTries-1] < 30*time.Second {
			t.Errorf("got %v after %v", err, got)
		}
	})
	t.Run("LEG-16 a poll that brings nothing goes on within the call's time", func(t *testing.T) {
		scripts := []func(*webExchange, string){prime("retry: 1\nid: a-1\ndata:\n\n")}
		for range 2 * resumeTries {
			scripts = append(scripts, prime(": nothing\n\n"))
		}
		_, c, w := resumable(t, EraLegacy, append(scripts, end)...)
		mustCall(t, c, call("x", `{}`))
		if got := w.seen(); got[len(got)-1] > defaultTuning.streamMost {
			t.Errorf("waited %v", got)
		}
	})
	t.Run("HTTP-08 HTTP-09 a modern request is lost", func(t *testing.T) {
		s, c, w := resumable(t, EraModern, prime("retry: 1\nid: a-1\ndata:\n\n"), end)
		_, err := c.CallTool(context.Background(), call("x", `{}`))
		if !errors.As(err, new(*LostError)) || len(s.seen(http.MethodGet)) != 0 || len(w.seen()) != 0 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a person who gives up ends the waiting", func(t *testing.T) {
		s, c, w := resumable(t, EraLegacy, prime("retry: 900000000\nid: a-1\ndata:\n\n"))
		ctx, cancel := context.WithCancel(context.Background())
		r := start(ctx, c, call("x", `{}`))
		wait(t, w.days, "the wait")
		cancel()
		if got := wait(t, r, "the end"); !errors.As(got.err, new(*CancelledError)) || len(resumes(s)) != 0 {
			t.Errorf("got %v", got.err)
		}
	})
}

func TestServerStream(t *testing.T) {
	// collect connects to a server whose GETs are answered by get until it has
	// seen enough, and gives the waits.
	var heard *watcher
	collect := func(t *testing.T, get func(e *webExchange, n int), enough int) (*webServer, *waits, *Client) {
		s := newWebServer(t, EraLegacy)
		var mu sync.Mutex
		n, done := 0, make(chan struct{})
		s.handle = func(e *webExchange) {
			if e.r.Method != http.MethodGet {
				e.result(okResult)
				return
			}
			mu.Lock()
			if n++; n == enough {
				close(done)
			}
			mine := n
			mu.Unlock()
			get(e, mine)
		}
		cfg, watch, _ := s.config(t)
		heard = watch
		w := &waits{days: make(chan struct{}, 1)}
		c, err := connect(context.Background(), cfg, w.tuning())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		wait(t, done, "enough GETs")
		return s, w, c
	}
	t.Run("field-90 a stream that ends in good order each time is given up", func(t *testing.T) {
		s, w, c := collect(t, func(e *webExchange, _ int) { e.stream(": hello\n\n") }, resumeTries)
		mustCall(t, c, call("x", `{}`))
		_ = c.Close(context.Background()) // waits for the stream's goroutine
		got := w.seen()
		if n := len(s.seen(http.MethodGet)); n != resumeTries || got[5] < 8*time.Second {
			t.Errorf("asked %d times, waited %v", n, got)
		}
		if why := wait(t, heard.deaf, "word of the stream"); !strings.Contains(why, "not tried again") || len(heard.deaf) != 0 {
			t.Errorf("told %q, and %d times more", why, len(heard.deaf))
		}
	})
	t.Run("a broken stream is told, and that it stands again", func(t *testing.T) {
		stands := make(chan struct{})
		collect(t, func(e *webExchange, n int) {
			switch n {
			case 1:
				e.stream("id: 1\ndata:\n\n")
			case 2, 3:
				e.w.WriteHeader(503)
			default:
				e.stream(": hello\n\n")
				close(stands)
				<-e.r.Context().Done()
			}
		}, 4)
		wait(t, stands, "the stream")
		for _, want := range []string{"503", "503", ""} {
			if why := wait(t, heard.deaf, "word of the stream"); !strings.Contains(why, want) || want == "" && why != "" {
				t.Errorf("told %q, want %q", why, want)
			}
		}
	})
	t.Run("field-90 LEG-16 one that only says an id each time is polled with growing waits", func(t *testing.T) {
		_, w, c := collect(t, func(e *webExchange, _ int) { e.stream("id: 1\ndata:\n\n") }, 3*resumeTries)
		_ = c.Close(context.Background())
		got := w.seen()
		if got[len(got)-1] < time.Minute || got[len(got)-1] > defaultTuning.streamMost {
			t.Errorf("waited %v", got)
		}
	})
	t.Run("LEG-14 LEG-15 it is taken up where it was left", func(t *testing.T) {
		s, w, _ := collect(t, func(e *webExchange, n int) {
			switch n {
			case 1:
				e.stream("id: 7\nretry: 3000\ndata:\n\n")
			case 2:
				e.w.WriteHeader(400) // does not know the event
			default:
				<-e.r.Context().Done()
			}
		}, 3)
		gets := s.seen(http.MethodGet)
		if a, b := gets[1].header.Get("Last-Event-ID"), gets[2].header.Get("Last-Event-ID"); a != "7" || b != "" {
			t.Errorf("asked for %q and %q", a, b)
		}
		if got := w.seen(); got[0] != 3*time.Second {
			t.Errorf("waited %v", got)
		}
	})
}
