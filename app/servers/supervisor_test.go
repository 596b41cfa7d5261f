package servers

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/mcpclient"
)

func TestStartAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		if st := r.want("a", Stopped); !st.Since.IsZero() || st.ServerID != "a" {
			t.Fatalf("a server never started is %+v", st)
		}
		for range 3 {
			r.Start("a")
		}
		synctest.Wait()
		st := r.want("a", Running)
		if st.Era != "modern" || st.ServerName != "weather" || st.PID != 4711 || st.Fingerprint != "f1" || st.Reason != "" {
			t.Fatalf("status %+v", st)
		}
		for range 3 {
			r.Start("a")
		}
		synctest.Wait()
		if n := r.connected(); n != 1 {
			t.Fatalf("connected %d times, want once: Start is idempotent", n)
		}
		if err := r.Stop(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		if st := r.want("a", Stopped); st.PID != 0 || st.Fingerprint != "" {
			t.Fatalf("stopped, and still says %+v", st)
		}
		if err := r.Stop(t.Context(), "a"); err != nil {
			t.Fatalf("stopping again: %v", err)
		}
		if err := r.Stop(t.Context(), "unknown"); err != nil {
			t.Fatalf("stopping an unknown one: %v", err)
		}
		want := []State{Starting, Running, Stopping, Stopped}
		if got := r.states("a"); !slices.Equal(got, want) {
			t.Fatalf("told %v, want %v", got, want)
		}
		r.Start("a")
		synctest.Wait()
		r.want("a", Running)
	})
}

// TestDeaf: that changes are not heard of stands in the state while it lasts, and
// the rest of the state stays.
func TestDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.Start("a")
		synctest.Wait()
		before := r.want("a", Running)
		tell := r.last().cfg.Events.Deaf
		tell("the stream broke")
		st := r.want("a", Running)
		if st.Code != CodeDeaf || st.Reason != "Changes of its tools are not announced now: the stream broke." || st.Hint == "" || st.PID != before.PID || st.Since != before.Since {
			t.Fatalf("status %+v", st)
		}
		tell("")
		if st := r.want("a", Running); !reflect.DeepEqual(st, before) {
			t.Fatalf("status %+v, want %+v", st, before)
		}
		_ = r.Stop(t.Context(), "a")
		tell("too late")
		if st := r.want("a", Stopped); st.Reason != "" {
			t.Fatalf("a stopped server says %q", st.Reason)
		}
	})
}

func TestStopDuringStartWorksAtOnce(t *testing.T) {
	block := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for name, set := range map[string]func(*rig){
		"while it is prepared": func(r *rig) {
			r.prepare = func(ctx context.Context, _ string) (Prepared, error) { return Prepared{}, block(ctx) }
		},
		"while it connects": func(r *rig) {
			r.dial = func(ctx context.Context, _ mcpclient.Config) (*fakeConn, error) { return nil, block(ctx) }
		},
		"when it has just connected": func(r *rig) {
			r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
				block(ctx)
				return dialFake(ctx, cfg)
			}
		},
		"while it waits for the next try": func(r *rig) {
			r.dial = func(context.Context, mcpclient.Config) (*fakeConn, error) { return nil, errExit }
		},
		"before it could begin": nil,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				defer r.close()
				if set != nil {
					set(r)
				}
				began := time.Now()
				r.Start("a")
				if set != nil {
					synctest.Wait()
					r.want("a", Starting)
				}
				if err := r.Stop(t.Context(), "a"); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != 0 {
					t.Errorf("stopping took %s", took)
				}
				if st := r.want("a", Stopped); st.Reason != "" || !st.NextTry.IsZero() {
					t.Errorf("status %+v", st)
				}
				time.Sleep(time.Hour) // synctest's hour: nothing may come of it
				r.want("a", Stopped)
			})
		})
	}
}

func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.Restart("a")
		synctest.Wait()
		r.want("a", Running)
		first := r.last()
		first.stuck = make(chan struct{})
		r.Restart("a")
		r.Restart("a")
		synctest.Wait()
		r.want("a", Stopping)
		if r.connected() != 1 {
			t.Fatal("the new process was started before the old one had ended")
		}
		close(first.stuck)
		synctest.Wait()
		r.want("a", Running)
		want := []State{Starting, Running, Stopping, Stopped, Starting, Running}
		if got := r.states("a"); !slices.Equal(got, want) || r.connected() != 2 {
			t.Fatalf("told %v, connected %d times", got, r.connected())
		}
	})
}

func TestStartWhileStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.Start("a")
		synctest.Wait()
		stuck := make(chan struct{})
		r.last().stuck = stuck
		stopped := make(chan error, 1)
		go func() { stopped <- r.Stop(context.Background(), "a") }()
		synctest.Wait()
		r.want("a", Stopping)
		r.Start("a")
		if err := <-stopped; err != nil {
			t.Fatalf("the overtaken stop gives %v", err)
		}
		close(stuck)
		synctest.Wait()
		r.want("a", Running)
	})
}

func TestStopThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.Start("a")
		r.Start("b")
		synctest.Wait()
		for _, c := range r.conns {
			c.stuck = make(chan struct{})
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.Stop(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v", err)
		}
		r.want("a", Stopping)
		r.want("b", Running)
		synctest.Wait()
		// Closing the rest is cut short before the deadline, so the fakes, which
		// obey their context, end in time.
		began := time.Now()
		closing, cancelClosing := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancelClosing()
		if err := r.Close(closing); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 8*time.Second {
			t.Fatalf("closing took %s", took)
		}
		r.Start("a")
		synctest.Wait()
		if r.connected() != 2 {
			t.Error("something was started after Close")
		}
	})
}

func TestCloseSaysWhatIsStillRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		release := make(chan struct{})
		r.prepare = func(ctx context.Context, id string) (Prepared, error) {
			if id == "stuck" {
				<-release // a launch that does not heed its context
			}
			return stdioLaunch(id, "f1"), ctx.Err()
		}
		r.Start("fine")
		r.Start("stuck")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var still *StillRunningError
		if err := r.Close(ctx); !errors.As(err, &still) || !slices.Equal(still.Servers, []string{"stuck"}) {
			t.Fatalf("error %v", err)
		}
		close(release)
		r.close()
	})
}

func TestRemove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.Start("pine")
		r.Start("pine__cone") // field report 36: nobody goes by prefixes
		synctest.Wait()
		if err := r.Remove(t.Context(), "pine"); err != nil {
			t.Fatal(err)
		}
		if all := r.All(); len(all) != 1 || all[0].ServerID != "pine__cone" || all[0].State != Running {
			t.Fatalf("left are %+v", all)
		}
		if lines, _ := r.Log("pine", 0); len(lines) != 0 {
			t.Error("the log is still there")
		}
		if list, _, _, _ := r.Listing("pine__cone"); list == nil {
			t.Error("the other server's list is gone")
		}
		r.Start("pine")
		synctest.Wait()
		r.want("pine", Running)

		r.last().stuck = make(chan struct{})
		removed := make(chan error, 1)
		go func() { removed <- r.Remove(context.Background(), "pine") }()
		synctest.Wait()
		stuck := r.last().stuck
		r.Start("pine") // it is wanted again before it was gone
		if err := <-removed; err != nil {
			t.Fatal(err)
		}
		close(stuck)
		synctest.Wait()
		r.want("pine", Running)
	})
}

func TestCallbacksMayChangeTheState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		inner := r.deps.OnState
		restarts := 0
		r.deps.OnState = func(st Status) {
			inner(st)
			if st.State == Running && restarts < 3 {
				restarts++
				r.Restart(st.ServerID)
			}
			r.Status(st.ServerID)
			r.All()
		}
		r.Start("a")
		synctest.Wait()
		r.want("a", Running)
		if r.connected() != 4 {
			t.Fatalf("connected %d times", r.connected())
		}
	})
}

// TestAnythingAtAnyTime lets people, processes and clocks do as they like, and
// looks that every told state follows the table, that no connection is left
// open, and that the last wish wins.
func TestAnythingAtAnyTime(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			var mu sync.Mutex
			rnd := rand.New(rand.NewPCG(seed, 1))
			roll := func(n int) int { mu.Lock(); defer mu.Unlock(); return rnd.IntN(n) }
			r.prepare = func(ctx context.Context, id string) (Prepared, error) {
				if roll(10) == 0 {
					return Prepared{}, &AttentionError{Code: CodeConsent, Reason: "Waits."}
				}
				return stdioLaunch(id, []string{"f1", "f2"}[roll(2)]), nil
			}
			r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
				select {
				case <-time.After(time.Duration(roll(3000)) * time.Millisecond):
				case <-ctx.Done():
					return nil, ctx.Err()
				}
				if roll(3) == 0 {
					return nil, errExit
				}
				c, err := dialFake(ctx, cfg)
				if life := roll(20_000); life < 15_000 {
					time.AfterFunc(time.Duration(life)*time.Millisecond, func() { c.end(errExit) })
				}
				return c, err
			}
			var people sync.WaitGroup
			for range 3 {
				people.Go(func() {
					for range 60 {
						ctx, cancel := context.WithTimeout(context.Background(), time.Duration(roll(2000))*time.Millisecond)
						id := []string{"a", "b"}[roll(2)]
						switch roll(6) {
						case 0, 1:
							r.Start(id)
						case 2:
							r.Stop(ctx, id)
						case 3:
							r.Restart(id)
						case 4:
							r.Remove(ctx, id)
						case 5:
							r.Refresh(ctx, id)
						}
						cancel()
						time.Sleep(time.Duration(roll(3000)) * time.Millisecond)
					}
				})
			}
			people.Wait()
			if err := r.Stop(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
			r.want("a", Stopped)
			r.set(nil, nil)
			r.Restart("b")
			time.Sleep(time.Minute)
			r.want("b", Running)
			r.close()
		})
	}
}
