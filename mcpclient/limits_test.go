package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/mcpclient/jsonrpc"
)

func TestProgress(t *testing.T) {
	for _, era := range []Era{EraModern, EraLegacy} {
		t.Run("PROG-02 PROG-03 as the server writes it, "+string(era), func(t *testing.T) {
			c, _, _ := connectStdio(t, string(era))
			var got []Progress
			k := call("progress", `{}`)
			k.OnProgress = func(p Progress) { got = append(got, p) } // without a lock: it runs here
			mustCall(t, c, k)
			want := []Progress{{"0.50", "3", "step"}, {"1.50", "3", "step"}, {"2.50", "3", "step"}, {"1", "", ""}, {"", "", ""}}
			if !slices.Equal(got, want) {
				t.Errorf("got %+v", got)
			}
		})
	}
	t.Run("PROG-01 field-140 each call has a token of its own, a whole number", func(t *testing.T) {
		cfg, _, k := stdioConfig(t, "modern")
		c := mustConnect(t, cfg)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 5 {
					if _, err := c.CallTool(context.Background(), call("echo", `{}`)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		seen := map[string]bool{}
		for _, s := range k.sends {
			token, _ := jsonrpc.Get(s.Meta, "progressToken")
			if _, err := strconv.ParseInt(string(token), 10, 64); err != nil || seen[string(token)] {
				t.Errorf("the token %s", token)
			}
			seen[string(token)] = true
		}
		if len(seen) != 40 {
			t.Errorf("%d tokens", len(seen))
		}
	})
	t.Run("PROG-05 the token goes with the answer", func(t *testing.T) {
		c, _, _ := connectStdio(t, "legacy")
		mustCall(t, c, call("progress", `{}`))
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.running)+len(c.followed) > 0 {
			t.Errorf("%d running, %d followed", len(c.running), len(c.followed))
		}
	})
	t.Run("PROG-04 of a flood the newest are kept", func(t *testing.T) {
		var got []Progress
		x := &exchange{onProgress: func(p Progress) { got = append(got, p) }}
		for n := range 10_000 {
			x.progressed(Progress{Progress: number(strconv.AppendInt(nil, int64(n), 10))})
		}
		x.flush()
		if len(got) != maxQueuedProgress || got[len(got)-1].Progress != "9999" {
			t.Errorf("%d, the last %+v", len(got), got[len(got)-1])
		}
	})
}

// TestIdleAndHardLimit waits as a call does, in a time of its own.
func TestIdleAndHardLimit(t *testing.T) {
	// beat waits with the limits of a call whose server reports progress each 20 s,
	// so often.
	beat := func(t *testing.T, times int) (after time.Duration, err error) {
		synctest.Test(t, func(t *testing.T) {
			x := &exchange{clock: &clock{idle: defaultIdle, max: defaultMax}}
			w := &httpWait{x: x, signal: make(chan struct{}, 1)}
			began := time.Now()
			x.begin(w.wake)
			var wg sync.WaitGroup
			wg.Go(func() {
				for range times {
					time.Sleep(20 * time.Second)
					x.progressed(Progress{Progress: "1"})
				}
				if times < 50 {
					w.settle(reply{}, nil)
				}
			})
			_, err = w.wait(context.Background())
			after = time.Since(began)
			wg.Wait()
		})
		return after, err
	}
	t.Run("CANCEL-10 field-140 a call of three minutes that reports progress", func(t *testing.T) {
		if after, err := beat(t, 9); err != nil || after != 3*time.Minute {
			t.Errorf("after %v: %v", after, err)
		}
	})
	t.Run("CANCEL-09 an idle limit beyond the usual hard one holds", func(t *testing.T) {
		c, _, k := connectStdio(t, "modern")
		b := call("echo", `{}`)
		b.IdleTimeout = 2 * defaultMax
		var limit time.Duration
		c.cfg.Gate = gateFunc(func(context.Context, Send) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			for _, r := range c.running {
				limit = r.x.clock.max
			}
			return nil
		})
		if mustCall(t, c, b); limit != b.IdleTimeout || len(k.sends) > 0 {
			t.Errorf("the hard limit is %v", limit)
		}
	})
	t.Run("CANCEL-10 progress without end meets the hard limit", func(t *testing.T) {
		after, err := beat(t, 100)
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || timeout.Idle || after != defaultMax {
			t.Errorf("after %v: %v", after, err)
		}
	})
}

func TestLogNotifications(t *testing.T) {
	t.Run("LOG-01 LOG-02 data of any type, any level, without being asked for", func(t *testing.T) {
		c, w, _ := connectStdio(t, "modern")
		for _, data := range []string{`{"a":[1]}`, `[1,2]`, `17`, `null`, `true`, `"text"`} {
			line := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"shout","logger":"x","data":` + data + `}}`
			mustCall(t, c, call("send", `{"line":`+quote(line)+`}`))
			if l := w.line("message", strings.Trim(data, `"`)); l.Level != "shout" {
				t.Errorf("got %+v", l)
			}
		}
		mustCall(t, c, call("send", `{"line":"{\"method\":\"notifications/message\",\"params\":[1]}"}`))
		mustCall(t, c, call("echo", `{}`))
	})
}

func TestCancellation(t *testing.T) {
	t.Run("CANCEL-08 cancellations of theirs that mean nothing", func(t *testing.T) {
		for _, era := range []Era{EraModern, EraLegacy} {
			c, w, _ := connectStdio(t, string(era))
			if era == EraModern {
				wait(t, w.changed, "the subscription")
			}
			for _, params := range []string{`{}`, `[]`, `null`, `{"requestId":null}`, `{"requestId":99}`, `{"requestId":"q"}`, `{"requestId":{}}`,
				fmt.Sprintf(`{"requestId":%d}`, c.nextID.Load()+1), `{"requestId":1,"reason":7}`} {
				line := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`
				mustCall(t, c, call("send", `{"line":`+quote(line)+`}`))
			}
			mustCall(t, c, call("echo", `{}`))
		}
	})
	t.Run("CANCEL-11 neither initialize nor the probe is cancelled", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "reader")
		cfg.ProbeTimeout, cfg.RequestTimeout = 20*time.Millisecond, 50*time.Millisecond
		lines := recordTo(t, &cfg)
		if _, err := Connect(context.Background(), cfg); !errors.As(err, new(*TimeoutError)) {
			t.Fatal(err)
		}
		for _, l := range lines() {
			if strings.Contains(l, "cancelled") {
				t.Errorf("sent %s", l)
			}
		}
	})
	t.Run("CANCEL-04 what was answered or never sent is not cancelled", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "modern")
		lines := recordTo(t, &cfg)
		c := mustConnect(t, cfg)
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := c.CallTool(ctx, call("echo", `{}`)); err != nil {
			t.Fatal(err)
		}
		c.cfg.Gate = gateFunc(func(context.Context, Send) error { cancel(); return errors.New("no") })
		if _, err := c.CallTool(ctx, call("echo", `{}`)); !errors.As(err, new(*RefusedError)) {
			t.Fatal(err)
		}
		c.cfg.Gate = &keeper{}
		mustCall(t, c, call("echo", `{"last":1}`))
		waitLine(t, lines, `"last":1`)
		for _, l := range lines() {
			if strings.Contains(l, "cancelled") {
				t.Errorf("sent %s", l)
			}
		}
	})
	t.Run("field-142 field-143 a stop goes out at once, in the id's own form, and nobody else is held up", func(t *testing.T) {
		cfg, w, _ := stdioConfig(t, "modern")
		lines := recordTo(t, &cfg)
		c := mustConnect(t, cfg)
		wait(t, w.changed, "the subscription")
		ctx, stop := context.WithCancel(context.Background())
		slow := make(chan error, 1)
		id := c.nextID.Load() + 1
		go func() {
			_, err := c.CallTool(ctx, call("hang", `{}`))
			slow <- err
		}()
		w.line("message", "hanging")
		other, end := context.WithCancel(context.Background())
		defer end()
		second := make(chan error, 1)
		go func() {
			_, err := c.CallTool(other, call("hang", `{"second":1}`))
			second <- err
		}()
		waitLine(t, lines, `"second":1`)
		stop()
		if err := wait(t, slow, "the stop"); !errors.As(err, new(*CancelledError)) {
			t.Error(err)
		}
		waitLine(t, lines, fmt.Sprintf(`"method":"notifications/cancelled","params":{"requestId":%d,`, id))
		mustCall(t, c, call("echo", `{}`))
		select {
		case err := <-second:
			t.Errorf("the second call ended: %v", err)
		default:
		}
		end()
		<-second
	})
}

func TestClock(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(1000+int64(s), 0) }
	k := &clock{idle: 10 * time.Second, max: 60 * time.Second}
	k.start(at(0))
	steps := []struct {
		name string
		do   func()
		now  int
		next int // seconds; -1 none, -2 idle timeout, -3 max timeout
	}{
		{"idle comes first", func() {}, 0, 10},
		{"CANCEL-10 field-140 progress restarts it", func() { k.progress(at(8)) }, 8, 18},
		{"LEG-21 a pause stops all", func() { k.pause(at(10)) }, 1000, -1},
		{"progress in a pause", func() { k.progress(at(20)) }, 1000, -1},
		{"two pauses", func() { k.pause(at(25)); k.resume(at(30)) }, 1000, -1},
		{"the end of it", func() { k.resume(at(110)) }, 110, 120},
		{"max moved by the pause", func() { k.progress(at(155)) }, 155, 160},
		{"CANCEL-10 and holds, whatever progress comes", func() { k.progress(at(159)) }, 160, -3},
		{"idle", func() { k.endAt = at(9999) }, 169, -2},
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			s.do()
			next, err := k.check(at(s.now))
			got := -1
			var timeout *TimeoutError
			switch {
			case errors.As(err, &timeout) && timeout.Idle:
				got = -2
			case err != nil:
				got = -3
			case !next.IsZero():
				got = int(next.Unix() - 1000)
			}
			if got != s.next {
				t.Errorf("got %d, want %d", got, s.next)
			}
		})
	}
}
