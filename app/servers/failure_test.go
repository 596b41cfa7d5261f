package servers

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"countersign/mcpclient"
)

func TestCrashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.Start("a")
		synctest.Wait()
		began := time.Now()
		for i := range crashLimit - 1 {
			r.last().end(errExit)
			synctest.Wait()
			st := r.want("a", Starting)
			wait, least := time.Until(st.NextTry), firstWait<<i
			if wait < least || wait > least+least/4 {
				t.Fatalf("crash %d: the next try is in %s, want about %s", i+1, wait, least)
			}
			if st.Code != CodeCrashed || !strings.Contains(st.Reason, "exit code 7") || !strings.Contains(st.Reason, "missing TOKEN") {
				t.Fatalf("crash %d: status %+v", i+1, st)
			}
			time.Sleep(wait)
			synctest.Wait()
			if st := r.want("a", Running); st.Reason != "" || !st.NextTry.IsZero() {
				t.Fatalf("runs again with %+v", st)
			}
		}
		r.last().end(errExit)
		synctest.Wait()
		if time.Since(began) > crashWindow {
			t.Fatal("the test took longer than the window")
		}
		st := r.want("a", Attention)
		want := "a stopped 5 times within 2 minutes. The last time: a stopped: it ended with exit code 7. It last wrote: “missing TOKEN”."
		if st.Code != CodeCrashed || st.Reason != want || st.Hint == "" || !st.NextTry.IsZero() {
			t.Fatalf("status %+v", st)
		}
		time.Sleep(24 * time.Hour)
		r.want("a", Attention)
		if n := r.connected(); n != crashLimit {
			t.Fatalf("connected %d times", n)
		}
		r.Start("a") // a person asks: all is forgotten
		synctest.Wait()
		r.want("a", Running)
		r.last().end(errExit)
		synctest.Wait()
		if wait := time.Until(r.want("a", Starting).NextTry); wait > 2*firstWait {
			t.Fatalf("the first wait after a start by hand is %s", wait)
		}
	})
}

func TestNeedsAPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		tries := 0
		r.prepare = func(context.Context, string) (Prepared, error) {
			if tries++; tries == 1 {
				return Prepared{Name: "Weather"}, &AttentionError{CodeConsent, "Weather waits for your consent.", "Look at what it starts."}
			}
			return stdioLaunch("Weather", "f1"), nil
		}
		r.Start("a")
		time.Sleep(24 * time.Hour)
		st := r.want("a", Attention)
		if st.Code != CodeConsent || st.Reason != "Weather waits for your consent." || st.Hint != "Look at what it starts." || tries != 1 {
			t.Fatalf("after %d tries: %+v", tries, st)
		}
		if err := r.Refresh(t.Context(), "a"); !errors.Is(err, ErrNotRunning) {
			t.Fatalf("refreshing gives %v", err)
		}
		r.Start("a")
		synctest.Wait()
		r.want("a", Running)
	})
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.prepare = func(context.Context, string) (Prepared, error) {
			return Prepared{}, &AttentionError{Code: CodeConsent, Reason: "Waits."}
		}
		r.Start("a")
		synctest.Wait()
		if err := r.Stop(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		r.want("a", Stopped)
	})
}

func TestUnreachableServerIsTriedForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		refused := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		var tries atomic.Int64
		var up atomic.Bool
		r.prepare = func(context.Context, string) (Prepared, error) { return httpLaunch("Weather"), nil }
		r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
			if tries.Add(1); !up.Load() {
				return nil, refused
			}
			return dialFake(ctx, cfg)
		}
		r.Start("a")
		for i := range 100 {
			synctest.Wait()
			st := r.want("a", Starting)
			wait := time.Until(st.NextTry)
			if int(tries.Load()) != i+1 || wait < firstWait || wait > longestWait || st.Code != CodeFailed {
				t.Fatalf("try %d of %d: next in %s, %+v", i+1, tries.Load(), wait, st)
			}
			time.Sleep(wait)
		}
		synctest.Wait()
		up.Store(true)
		before := tries.Load()
		r.Start("a") // try now
		synctest.Wait()
		r.want("a", Running)
		if n := tries.Load() - before; n != 1 {
			t.Fatalf("%d tries for one start", n)
		}
	})
}

func TestForgottenSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.prepare = func(context.Context, string) (Prepared, error) { return httpLaunch("Weather"), nil }
		r.Start("a")
		time.Sleep(10 * time.Minute)
		r.last().end(mcpclient.ErrSessionGone)
		synctest.Wait()
		r.want("a", Running)
		if r.connected() != 2 || r.last().listings() != 1 {
			t.Fatalf("LEG-08 connected %d times, listed %d times", r.connected(), r.last().listings())
		}
		lines, _ := r.Log("a", 0)
		if !slices.ContainsFunc(lines, func(l Line) bool { return strings.Contains(l.Text, "no longer knows this session") }) {
			t.Errorf("the log does not mention it: %v", lines)
		}
	})
}

func TestEraIsRemembered(t *testing.T) {
	t.Run("VER-15 for the life of the program", eraIsRemembered)
}

func eraIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		fingerprint, era, fails := "f1", mcpclient.EraLegacy, false
		r.prepare = func(context.Context, string) (Prepared, error) { return stdioLaunch("a", fingerprint), nil }
		var seen []mcpclient.Era
		r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
			seen = append(seen, cfg.RememberedEra)
			if fails {
				return nil, errExit
			}
			c, err := dialFake(ctx, cfg)
			c.info.Era, c.info.Remember = era, era
			return c, err
		}
		again := func() { r.Restart("a"); synctest.Wait() }
		again()            // probes
		again()            // remembers
		fingerprint = "f2" // another launch
		again()            // probes
		fingerprint = "f1" // the first
		fails = true       // and it fails
		again()            // remembers, fails, forgets
		fails = false      //
		era = mcpclient.EraModern
		again() // probes
		again() // remembers what is new
		want := []mcpclient.Era{"", "legacy", "", "legacy", "", "modern"}
		if !slices.Equal(seen, want) {
			t.Fatalf("remembered eras %q, want %q", seen, want)
		}
	})
}

func TestEventsAreHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		var asked, gone, logged []string
		r.deps.OnElicit = func(id string, e mcpclient.LegacyElicitation) { asked = append(asked, id+" "+e.RequestID) }
		r.deps.OnElicitGone = func(id, request string) { gone = append(gone, id+" "+request) }
		r.deps.OnAftermath = func(id string, m mcpclient.Aftermath) { gone = append(gone, id+" "+string(m.Kind)) }
		r.deps.OnLog = func(id string) { logged = append(logged, id) }
		r.prepare = func(context.Context, string) (Prepared, error) {
			p := stdioLaunch("a", "f1")
			p.Mask = func(s string) string { return strings.ReplaceAll(s, "hunter2", "«secret:TOKEN»") }
			return p, nil
		}
		r.Start("a")
		synctest.Wait()
		events := r.last().cfg.Events
		events.Elicit(mcpclient.LegacyElicitation{RequestID: "7"})
		events.ElicitGone("7")
		events.Aftermath(mcpclient.Aftermath{Kind: mcpclient.AfterSilent})
		before := len(logged)
		events.Log(mcpclient.LogLine{Source: "stderr", Text: "the token is hunter2"})
		if !slices.Equal(asked, []string{"a 7"}) || !slices.Equal(gone, []string{"a 7", "a silent"}) || len(logged) != before+1 {
			t.Fatalf("asked %v, gone %v, logged %d", asked, gone, len(logged)-before)
		}
		lines, dropped := r.Log("a", int64(before))
		if dropped != 0 || len(lines) != 1 || lines[0].Text != "the token is «secret:TOKEN»" || lines[0].Source != "stderr" {
			t.Fatalf("log %+v", lines)
		}
		events.Log(mcpclient.LogLine{Source: "stderr", Text: "giving up"})
		r.last().end(&mcpclient.ExitError{Code: 1}) // without its own record of stderr
		synctest.Wait()
		want := "a stopped: it ended with exit code 1. It last wrote: “the token is «secret:TOKEN»”, “giving up”."
		if st := r.Status("a"); st.Reason != want {
			t.Fatalf("reason %q", st.Reason)
		}
		if r.ended[0] == nil {
			t.Error("a crash was told as a wanted end")
		}
	})
}
