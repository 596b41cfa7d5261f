package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestHTTPCancel(t *testing.T) {
	t.Run("CANCEL-03 HTTP-05 HTTP-13 HTTP-14 modern: the stream is closed and nothing is posted", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		began, gone := make(chan struct{}, 1), make(chan struct{}, 1)
		s.handle = func(e *webExchange) {
			e.event(`{"method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, e.msg.ID)
			began <- struct{}{}
			<-e.r.Context().Done()
			gone <- struct{}{}
		}
		cfg, _, _ := s.config(t)
		heard := make(chan Aftermath, 1)
		cfg.Events.Aftermath = func(a Aftermath) { heard <- a }
		c := mustConnect(t, cfg)
		ctx, cancel := context.WithCancel(context.Background())
		progress := make(chan Progress, 1)
		k := call("x", `{}`)
		k.OnProgress = func(p Progress) { progress <- p }
		r := start(ctx, c, k)
		wait(t, began, "the call")
		if p := wait(t, progress, "progress"); p.Progress != "1" {
			t.Errorf("got %+v", p)
		}
		cancel()
		if got := wait(t, r, "the end"); !errors.As(got.err, new(*CancelledError)) {
			t.Errorf("got %v", got.err)
		}
		wait(t, gone, "the server's notice")
		if a := wait(t, heard, "the aftermath"); a.Kind != AfterClosed {
			t.Errorf("got %+v", a)
		}
		if n := len(s.seen("notifications/cancelled")); n != 0 {
			t.Error("a cancellation was posted")
		}
	})
	t.Run("CANCEL-12 legacy: a notification, and the stream still brings what became of it", func(t *testing.T) {
		s := newWebServer(t, EraLegacy)
		began, told, stopped := make(chan struct{}, 1), make(chan string, 1), make(chan struct{})
		s.handle = func(e *webExchange) {
			switch e.msg.Method {
			case "tools/call":
				e.event(`{"method":"notifications/message","params":{}}`)
				began <- struct{}{}
				<-stopped
				e.event(`{"id":%s,"result":{"content":[]}}`, e.msg.ID)
			case "notifications/cancelled":
				told <- e.body
				e.w.WriteHeader(202)
				close(stopped)
			default:
				e.w.WriteHeader(405)
			}
		}
		cfg, _, _ := s.config(t)
		heard := make(chan Aftermath, 1)
		cfg.Events.Aftermath = func(a Aftermath) { heard <- a }
		c := mustConnect(t, cfg)
		k := call("x", `{}`)
		k.MaxTimeout = 100 * time.Millisecond
		r := start(context.Background(), c, k)
		wait(t, began, "the call")
		if got := wait(t, r, "the end"); !errors.As(got.err, new(*TimeoutError)) {
			t.Errorf("got %v", got.err)
		}
		if body := wait(t, told, "the cancellation"); !strings.Contains(body, fmt.Sprintf(`"requestId":%d`, c.nextID.Load())) {
			t.Errorf("got %s", body)
		}
		if a := wait(t, heard, "the aftermath"); a.Kind != AfterFinished || a.CallID != k.ID {
			t.Errorf("got %+v", a)
		}
	})
	t.Run("Close ends calls in flight", func(t *testing.T) {
		s := newWebServer(t, EraModern)
		began := make(chan struct{}, 1)
		s.handle = func(e *webExchange) {
			began <- struct{}{}
			<-e.r.Context().Done()
		}
		c, _, _ := s.connect(t)
		r := start(context.Background(), c, call("x", `{}`))
		wait(t, began, "the call")
		_ = c.Close(context.Background())
		if got := wait(t, r, "the end"); !errors.As(got.err, new(*LostError)) || !errors.Is(got.err, ErrClosed) {
			t.Errorf("got %v", got.err)
		}
		if wait(t, c.Done(), "the end"); c.Err() != nil {
			t.Error(c.Err())
		}
	})
}
