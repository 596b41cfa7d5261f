package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// soakEnv makes the tests of endurance long (make soak).
const soakEnv = "COUNTERSIGN_SOAK"

// soak picks how much is enough.
func soak(short, long int) int {
	if os.Getenv(soakEnv) != "" {
		return long
	}
	return short
}

// resources are what a connection may leave behind.
type resources struct{ goroutines, descriptors, processes int }

func (r resources) within(limit resources) bool {
	return r.goroutines <= limit.goroutines && r.descriptors <= limit.descriptors && r.processes <= limit.processes
}

func held(t *testing.T) resources {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	r := resources{goroutines: runtime.NumGoroutine(), descriptors: len(files)}
	for _, p := range processes() {
		if p.parent == os.Getpid() { // zombies too
			r.processes++
		}
	}
	return r
}

// leavesNothing runs fn and holds it to give back what it took.
func leavesNothing(t *testing.T, fn func()) {
	t.Helper()
	before := held(t)
	fn()
	after := held(t)
	for end := time.Now().Add(patience); !after.within(before); after = held(t) {
		if time.Now().After(end) {
			t.Fatalf("left behind: before %+v, after %+v", before, after)
		}
		time.Sleep(5 * time.Millisecond) // what runs out by itself tells nobody
	}
}

// hostile connects to the hostile child.
func hostile(t *testing.T, cfg Config) *Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := Connect(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestHostileChild: whatever a child writes costs at most the call it answers;
// the next one works, and nothing is left at the end.
func TestHostileChild(t *testing.T) {
	held(t) // whatever the first look opens
	tests := []struct {
		name, tool string
		ends       bool // the call ends without an answer
		says       string
		noted      string
	}{
		{"STDIO-03 field-70 a flood on stderr", "stderr", false, `"ok"`, ""},
		{"STDIO-04 field-63 a flood of noise on stdout", "stdout", false, `"ok"`, ""},
		{"field-64 a line of noise longer than any message", "endless", false, `"ok"`, "dropped"},
		{"field-66 an answer in single bytes", "pieces", false, "河 – 🚲", ""},
		{"field-69 bytes of another code page", "codepage", false, "a \x97 b", "not UTF-8"},
		{"a byte order mark and CR LF", "marked", false, `"ok"`, "byte order mark"},
		{"two answers to one request", "twice", false, `"first"`, "had its answer before"},
		{"LEG-22 a batch", "batch", false, `"ok"`, "unknown id"},
		{"field-111 answers to nobody", "unknown", false, `"ok"`, "unknown id"},
		{"a null result", "null", true, "no object", ""},
		{"field-64 an answer over the limit", "huge", true, "the limit of 4 MiB", "dropped"},
		{"an answer that is no JSON", "broken", true, "cannot be read", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			leavesNothing(t, func() {
				cfg, w, _ := stdioConfig(t, "hostile")
				cfg.MaxMessageBytes = 4 << 20
				c := hostile(t, cfg)
				defer func() {
					if err := c.Close(context.Background()); err != nil {
						t.Error(err)
					}
				}()
				for range soak(2, 50) {
					out, err := c.CallTool(context.Background(), call(test.tool, `{}`))
					switch {
					case test.ends && (!errors.As(err, new(*LostError)) || !strings.Contains(err.Error(), test.says)):
						t.Errorf("got %v", err)
					case !test.ends && (err != nil || !strings.Contains(string(out.Raw), test.says)):
						t.Errorf("got %+v (%v)", out, err)
					}
					if test.noted != "" {
						w.line("protocol", test.noted)
					}
					mustCall(t, c, call("echo", `{}`))
				}
			})
		})
	}
}

// TestChildThatFails: a child that gives up half way ends its connection with
// what is known, and leaves nothing.
func TestChildThatFails(t *testing.T) {
	for _, test := range []struct{ name, tool, says string }{
		{"STDIO-08 field-74 half an answer, then an exit", "half", "exit code 9: gave up"},
		{"STDIO-08 the output is closed, the process lives", "closeout", "closed its output"},
	} {
		t.Run(test.name, func(t *testing.T) {
			leavesNothing(t, func() {
				cfg, _, _ := stdioConfig(t, "hostile")
				cfg.StopGrace = 50 * time.Millisecond
				c := hostile(t, cfg)
				_, err := c.CallTool(context.Background(), call(test.tool, `{}`))
				if !errors.As(err, new(*LostError)) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("got %v", err)
				}
				wait(t, c.Done(), "the end")
				if err := c.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		})
	}
	t.Run("the input is closed, the process lives", func(t *testing.T) {
		leavesNothing(t, func() {
			cfg, _, _ := stdioConfig(t, "hostile")
			cfg.StopGrace = 50 * time.Millisecond
			c := hostile(t, cfg)
			mustCall(t, c, call("closein", `{}`))
			if _, err := c.CallTool(context.Background(), call("echo", `{}`)); !errors.As(err, new(*NotSentError)) {
				t.Errorf("got %v", err)
			}
			if err := c.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	})
	for child, says := range map[string]string{"exit7": "exit code 7: missing TOKEN", "mute": "no answer within"} {
		t.Run("field-74 field-76 no connection comes to be: "+child, func(t *testing.T) {
			leavesNothing(t, func() {
				for range soak(2, 200) {
					cfg, _, _ := stdioConfig(t, child)
					cfg.ProbeTimeout, cfg.RequestTimeout, cfg.StopGrace = patience, patience, 10*time.Millisecond
					if child == "mute" {
						cfg.ProbeTimeout, cfg.RequestTimeout = 5*time.Millisecond, 5*time.Millisecond
					}
					if _, err := Connect(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), says) {
						t.Errorf("got %v", err)
					}
				}
			})
		})
	}
}

// TestStartsAndStops: any number of connections, closed in any way, leave
// neither a goroutine nor a descriptor nor a process.
func TestStartsAndStops(t *testing.T) {
	t.Run("STDIO-07 field-72 nothing is left", func(t *testing.T) {
		leavesNothing(t, func() {
			many := make(chan struct{}, 4)
			var wg sync.WaitGroup
			for n := range soak(16, 1000) {
				many <- struct{}{}
				wg.Go(func() {
					defer func() { <-many }()
					startAndStop(t, n)
				})
			}
			wg.Wait()
		})
	})
}

func startAndStop(t *testing.T, n int) {
	cfg, w, _ := stdioConfig(t, []string{"modern", "legacy", "stubborn", "wrapper"}[n%4])
	cfg.StopGrace = 20 * time.Millisecond
	c, err := Connect(context.Background(), cfg)
	if err != nil {
		t.Error(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	switch n % 3 {
	case 0: // with a call in flight
		ended := make(chan error, 1)
		go func() {
			_, err := c.CallTool(context.Background(), call("hang", `{}`))
			ended <- err
		}()
		w.line("message", "hanging")
		defer func() { <-ended }()
	case 1:
		if _, err := c.CallTool(ctx, call("echo", `{}`)); err != nil {
			t.Error(err)
		}
	case 2: // in a hurry
		cancel()
	}
	if err := c.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestBigLine: a big answer costs no more than a few times its size.
func TestBigLine(t *testing.T) {
	t.Run("field-64 memory stays bounded", func(t *testing.T) {
		size := soak(16, 200) << 20
		cfg, _, _ := stdioConfig(t, "hostile")
		c := mustConnect(t, cfg)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		out := mustCall(t, c, call("sized", fmt.Sprintf(`{"bytes":%d}`, size)))
		runtime.ReadMemStats(&after)
		if len(out.Raw) < size || bytes.Count(out.Raw, []byte{'a'}) < size {
			t.Errorf("got %d bytes of %d", len(out.Raw), size)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 3*uint64(size) {
			t.Errorf("%d MiB were allocated for %d", taken>>20, size>>20)
		}
	})
}

// TestGarbage: random bytes on stdout never end the connection.
func TestGarbage(t *testing.T) {
	t.Run("STDIO-04 field-63 random bytes", func(t *testing.T) {
		cfg, _, _ := stdioConfig(t, "hostile")
		c := mustConnect(t, cfg)
		for range soak(20, 5000) {
			mustCall(t, c, call("garbage", fmt.Sprintf(`{"seed":%d}`, rand.Uint32())))
		}
	})
}
