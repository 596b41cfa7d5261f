package servers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/mcpclient"
)

// listRig runs one server "a" whose lists come from the function given.
func listRig(t *testing.T, list func(ctx context.Context) (*mcpclient.ToolList, error)) *rig {
	r := newRig(t)
	r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
		c, err := dialFake(ctx, cfg)
		c.list = list
		return c, err
	}
	r.Start("a")
	synctest.Wait()
	return r
}

func gives(list *mcpclient.ToolList, err error) func(context.Context) (*mcpclient.ToolList, error) {
	return func(context.Context) (*mcpclient.ToolList, error) { return list, err }
}

func (r *rig) wantList(live bool, warning string, want ...string) {
	r.t.Helper()
	list, received, gotLive, gotWarning := r.Listing("a")
	if !slices.Equal(names(list), names(tools(want...))) || gotLive != live || !strings.Contains(gotWarning, warning) || (warning == "") != (gotWarning == "") {
		r.t.Fatalf("list %v, live %v, warning %q; want %v, %v, %q", names(list), gotLive, gotWarning, want, live, warning)
	}
	if list != nil && received.IsZero() {
		r.t.Fatal("nobody knows when it was received")
	}
}

func TestListIsKept(t *testing.T) {
	t.Run("CACHE-07 CACHE-10 field-43 a notice makes the list old at once, and a failed refresh keeps it", listIsKept)
}

func listIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := listRig(t, gives(tools("t1"), nil))
		defer r.close()
		r.wantList(true, "", "t1")
		if r.toldTools() != 1 {
			t.Fatalf("told %d times", r.toldTools())
		}
		events := r.last().cfg.Events

		// CACHE-10: old from the moment of the notice, before the new one is there.
		r.last().setList(gives(tools("t1", "t2"), nil))
		events.ToolsChanged()
		r.wantList(false, "", "t1")
		time.Sleep(debounce)
		synctest.Wait()
		r.wantList(true, "", "t1", "t2")

		// CACHE-07, field report 43: a refresh that fails keeps the former list.
		r.last().setList(gives(nil, errLater))
		events.ToolsChanged()
		time.Sleep(time.Second)
		r.wantList(false, "could not be renewed, so the former one is shown: server error -32603: later.", "t1", "t2")
		lines, _ := r.Log("a", 0)
		if last := lines[len(lines)-1]; last.Level != "warning" || !strings.Contains(last.Text, "later") {
			t.Fatalf("the log ends with %+v", last)
		}
		if err := r.Refresh(t.Context(), "a"); !errors.Is(err, errLater) {
			t.Fatalf("refreshing gives %v", err)
		}
		r.last().setList(gives(tools("t3"), nil))
		if err := r.Refresh(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		r.wantList(true, "", "t3")

		if err := r.Stop(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		r.wantList(false, "", "t3")
		if err := r.Refresh(t.Context(), "a"); !errors.Is(err, ErrNotRunning) {
			t.Fatalf("refreshing a stopped server gives %v", err)
		}
	})
}

func TestFirstListFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := listRig(t, gives(nil, errLater))
		defer r.close()
		r.want("a", Running)
		r.wantList(false, "The tools could not be listed: server error -32603: later.")
		if r.toldTools() != 1 {
			t.Fatalf("told %d times", r.toldTools())
		}
	})
}

func TestServerWithoutTools(t *testing.T) {
	t.Run("BASE-26 a server that offers no tools is not asked for them", serverWithoutTools)
}

func serverWithoutTools(t *testing.T) {
	unknown := &mcpclient.RPCError{Code: codeMethodNotFound, Message: "no such method"}
	for _, tt := range []struct {
		name, capabilities, warning string
	}{
		{"field-105 that promised none", `{"prompts":{}}`, ""},
		{"field-105 that promised nothing", ``, ""},
		{"field-105 that promised some", `{"tools":{}}`, "could not be listed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				defer r.close()
				r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
					c, err := dialFake(ctx, cfg)
					c.list, c.info.Capabilities = gives(nil, unknown), []byte(tt.capabilities)
					return c, err
				}
				r.Start("a")
				synctest.Wait()
				r.wantList(tt.warning == "", tt.warning)
			})
		})
	}
}

func TestBurstsAreOneListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{}, 100)
		running, most := 0, 0
		r := listRig(t, func(ctx context.Context) (*mcpclient.ToolList, error) {
			running++
			most = max(most, running)
			defer func() { running-- }()
			select {
			case <-release:
				return tools("t"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
		defer r.close()
		c := r.last()
		// LIST-11, field report 40: while one runs, any number of notices queue one.
		for range 50 {
			c.cfg.Events.ToolsChanged()
		}
		synctest.Wait()
		if c.listings() != 1 {
			t.Fatalf("%d listings at once", c.listings())
		}
		release <- struct{}{}
		time.Sleep(time.Second)
		synctest.Wait()
		if c.listings() != 2 {
			t.Fatalf("%d listings after a burst, want one more", c.listings())
		}
		release <- struct{}{}
		time.Sleep(time.Minute)
		r.wantList(true, "", "t")
		for range 10 { // a burst over less than the debounce
			c.cfg.Events.ToolsChanged()
			time.Sleep(debounce / 20)
		}
		release <- struct{}{}
		time.Sleep(time.Minute)
		synctest.Wait()
		if c.listings() != 3 || most != 1 {
			t.Fatalf("%d listings, %d at once", c.listings(), most)
		}
		// A refresh by hand during a listing waits for one that begins after it.
		c.cfg.Events.ToolsChanged()
		time.Sleep(debounce)
		synctest.Wait()
		done := make(chan error, 2)
		for range 2 {
			go func() { done <- r.Refresh(context.Background(), "a") }()
		}
		synctest.Wait()
		release <- struct{}{}
		synctest.Wait()
		if len(done) != 0 {
			t.Fatal("the refresh was answered by a listing that began before it")
		}
		release <- struct{}{}
		for range 2 {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		if c.listings() != 5 {
			t.Fatalf("%d listings", c.listings())
		}
	})
}

func TestNoticesWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := listRig(t, gives(tools("t"), nil))
		defer r.close()
		c := r.last()
		end := time.Now().Add(10 * time.Minute)
		for time.Now().Before(end) {
			c.cfg.Events.ToolsChanged()
			time.Sleep(50 * time.Millisecond)
		}
		if n := c.listings(); n > 80 || n < 50 {
			t.Fatalf("10 minutes of notices made %d listings, want about one in 10 s", n)
		}
		time.Sleep(time.Hour)
		before := c.listings()
		c.cfg.Events.ToolsChanged()
		time.Sleep(debounce)
		synctest.Wait()
		if c.listings() != before+1 {
			t.Error("after an hour of quiet a notice still waits")
		}
	})
}

func TestListThatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := listRig(t, func(ctx context.Context) (*mcpclient.ToolList, error) { <-ctx.Done(); return nil, ctx.Err() })
		defer r.close()
		time.Sleep(listLimit)
		synctest.Wait()
		r.wantList(false, "could not be listed")
		waiting := make(chan error, 1)
		go func() { waiting <- r.Refresh(context.Background(), "a") }()
		synctest.Wait()
		began := time.Now()
		if err := r.Stop(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		if err := <-waiting; err == nil {
			t.Error("the refresh succeeded")
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("stopping took %s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r.Start("a")
		synctest.Wait()
		if err := r.Refresh(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an impatient refresh gives %v", err)
		}
	})
}

func TestListBelongsToALaunch(t *testing.T) {
	t.Run("LIST-07 CACHE-08 CACHE-09 CACHE-13 no list of another launch, whatever scope it has", listBelongsToALaunch)
}

func listBelongsToALaunch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		fingerprint, list := "f1", gives(tools("t1"), nil)
		public := tools("t1")
		public.Pages = []mcpclient.ListPage{{TTLMs: 3600000, CacheScope: "public"}}
		list = gives(public, nil)
		r.prepare = func(context.Context, string) (Prepared, error) { return stdioLaunch("a", fingerprint), nil }
		r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
			c, err := dialFake(ctx, cfg)
			c.list = list
			return c, err
		}
		r.Start("a")
		synctest.Wait()
		list = gives(nil, errLater)
		r.Restart("a")
		synctest.Wait()
		r.wantList(false, "former", "t1")
		fingerprint = "f2" // LIST-07: other settings, another list
		r.Restart("a")
		synctest.Wait()
		r.wantList(false, "could not be listed")
	})
}

// TestKeptListCounts: a list of an earlier run that is still fresh stands in for
// the first listing, and for no other.
func TestKeptListCounts(t *testing.T) {
	t.Run("CACHE-05 CACHE-06 until a notice, not by the clock", keptListCounts)
}

func keptListCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		r.deps.KeptListing = func(_ context.Context, _ string, p Prepared, info mcpclient.Info) (*mcpclient.ToolList, time.Time, bool) {
			return tools("kept"), time.Now(), p.Fingerprint == "f1" && info.Version == mcpclient.ModernVersion
		}
		r.dial = func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error) {
			c, err := dialFake(ctx, cfg)
			c.list = gives(tools("asked"), nil)
			return c, err
		}
		r.Start("a")
		synctest.Wait()
		r.wantList(true, "", "kept")
		time.Sleep(24 * time.Hour)
		if n := r.last().listings(); n != 0 {
			t.Fatalf("listed %d times by the clock", n)
		}
		r.last().cfg.Events.ToolsChanged()
		r.wantList(false, "", "kept")
		time.Sleep(time.Second)
		r.wantList(true, "", "asked")
		r.Restart("a")
		synctest.Wait()
		r.wantList(true, "", "asked")
	})
}

func TestListIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		defer r.close()
		var saved []string
		var failure error
		r.deps.SaveListing = func(_ context.Context, id string, p Prepared, list *mcpclient.ToolList, info mcpclient.Info) error {
			saved = append(saved, id+" "+p.Fingerprint+" "+info.Version)
			return failure
		}
		r.Start("a")
		synctest.Wait()
		if !slices.Equal(saved, []string{"a f1 2026-07-28"}) {
			t.Fatalf("saved %v", saved)
		}
		r.wantList(true, "")
		failure = errors.New("the disk is full")
		if err := r.Refresh(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		r.wantList(false, "could not be kept, so the former one is shown: the disk is full.")
	})
}
