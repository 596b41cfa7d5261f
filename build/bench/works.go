package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// sample is one measurement: seconds of one unit of work, bytes allocated by it.
type sample struct{ seconds, bytes float64 }

// limit is a promise about one number of mcpclient.
type limit struct {
	what  string                               // as the table says it
	most  float64                              // at most; for atLeast at least
	got   func(by map[string][]sample) float64 // the number
	unit  string
	least bool
}

type work struct {
	name    string
	by      []string
	measure func(who string) (sample, error)
	limits  []limit
}

var everyone = []string{"floor", "ours", "sdk"}

const callers = 16

var works = []work{
	{"one stdio call", everyone, calls("stdio", 4000), []limit{
		slower("floor", 2.5), slower("sdk", 0.4), allocated(6 << 10),
	}},
	{"16 callers, stdio", []string{"ours", "sdk"}, together("stdio", 500), []limit{
		{what: "calls a second, of the SDK's", most: 2, least: true, unit: "x", got: func(by map[string][]sample) float64 {
			return median(by["sdk"], seconds) / median(by["ours"], seconds)
		}},
	}},
	{"one HTTP call", everyone, calls("http", 2000), []limit{slower("floor", 1.3), slower("sdk", 0.9)}},
	{"list of 10,000 tools", everyone, large("stdio", 3, func(c client) error {
		if n, err := c.list(); err != nil || n != toolCount {
			return fmt.Errorf("%d tools: %w", n, err)
		}
		return nil
	}), []limit{slower("floor", 2.5), slower("sdk", 0.4), times(listBytes, 4), lean("sdk", 0.1)}},
	{"20 MB of text, stdio", []string{"floor", "ours"}, large("stdio", 3, bigCall), []limit{slower("floor", 1.6), times(bigText, 3)}},
	{"20 MB of text, HTTP", everyone, large("http", 3, bigCall), []limit{slower("floor", 1.6), slower("sdk", 0.6), times(bigText, 3)}},
	{"200 MB of text, stdio", []string{"ours"}, peak, []limit{
		{what: "resident at most, of the payload", most: 3, unit: "x", got: func(by map[string][]sample) float64 { return median(by["ours"], allocation) / hugeText }},
	}},
}

// listBytes is about how long the list is.
const listBytes = 9_400_000

func seconds(s sample) float64    { return s.seconds }
func allocation(s sample) float64 { return s.bytes }

func slower(than string, most float64) limit {
	return limit{what: "time, of the " + than + "'s", most: most, unit: "x", got: func(by map[string][]sample) float64 {
		return median(by["ours"], seconds) / median(by[than], seconds)
	}}
}

func lean(than string, most float64) limit {
	return limit{what: "allocated, of the " + than + "'s", most: most, unit: "x", got: func(by map[string][]sample) float64 {
		return median(by["ours"], allocation) / median(by[than], allocation)
	}}
}

func allocated(most float64) limit {
	return limit{what: "allocated, bytes", most: most, got: func(by map[string][]sample) float64 { return median(by["ours"], allocation) }}
}

func times(payload, most float64) limit {
	return limit{what: "allocated, of the payload", most: most, unit: "x", got: func(by map[string][]sample) float64 {
		return median(by["ours"], allocation) / payload
	}}
}

// counted tells how much fn allocated.
func counted(fn func() error) (float64, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	err := fn()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), err
}

// calls makes n small calls one after another; the time is the median's.
func calls(transport string, n int) func(who string) (sample, error) {
	return func(who string) (sample, error) {
		c, err := connect(who, transport)
		if err != nil {
			return sample{}, err
		}
		defer c.close()
		took := make([]float64, 0, n)
		for range n / 10 { // warm
			if _, err := c.call("echo"); err != nil {
				return sample{}, err
			}
		}
		all, err := counted(func() error {
			for range n {
				began := time.Now()
				if _, err := c.call("echo"); err != nil {
					return err
				}
				took = append(took, time.Since(began).Seconds())
			}
			return nil
		})
		slices.Sort(took)
		return sample{took[n/2], all / float64(n)}, err
	}
}

// together has several callers call at once; the time is that of all by their number.
func together(transport string, each int) func(who string) (sample, error) {
	return func(who string) (sample, error) {
		c, err := connect(who, transport)
		if err != nil {
			return sample{}, err
		}
		defer c.close()
		var callersDone sync.WaitGroup
		errs := make(chan error, callers)
		began := time.Now()
		for range callers {
			callersDone.Go(func() {
				for range each {
					if _, err := c.call("echo"); err != nil {
						errs <- err
						return
					}
				}
			})
		}
		callersDone.Wait()
		took := time.Since(began).Seconds()
		close(errs)
		return sample{seconds: took / callers / float64(each)}, <-errs
	}
}

// large does something large n times; time and memory are the means.
func large(transport string, n int, do func(client) error) func(who string) (sample, error) {
	return func(who string) (sample, error) {
		c, err := connect(who, transport)
		if err != nil {
			return sample{}, err
		}
		defer c.close()
		if err := do(c); err != nil { // warm
			return sample{}, err
		}
		took := make([]float64, 0, n)
		all, err := counted(func() error {
			for range n {
				began := time.Now()
				if err := do(c); err != nil {
					return err
				}
				took = append(took, time.Since(began).Seconds())
			}
			return nil
		})
		slices.Sort(took)
		return sample{took[n/2], all / float64(n)}, err
	}
}

func bigCall(c client) error {
	n, err := c.call("big")
	if err == nil && n < bigText*9/10 {
		err = fmt.Errorf("only %d bytes", n)
	}
	return err
}

// peak has a process of its own take in one huge result.
func peak(string) (sample, error) {
	cmd := exec.Command(os.Args[0], "huge")
	cmd.Stderr = os.Stderr
	began := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return sample{}, err
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return sample{time.Since(began).Seconds(), n}, err
}

// report prints the table, and counts.
func report(works []work, got map[string]map[string][]sample) (within, over int) {
	fmt.Printf("%-24s %12s %12s %12s\n", "", "floor", "countersign", "SDK")
	for _, w := range works {
		by := got[w.name]
		fmt.Printf("%-24s %12s %12s %12s\n", w.name, duration(by["floor"]), duration(by["ours"]), duration(by["sdk"]))
		fmt.Printf("%-24s %12s %12s %12s\n", "", size(by["floor"]), size(by["ours"]), size(by["sdk"]))
		for _, l := range w.limits {
			n := l.got(by)
			bound, verdict := "at most", "within"
			if l.least {
				bound = "at least"
			}
			if (n > l.most) != l.least && n != l.most {
				verdict = "OVER"
				over++
			} else {
				within++
			}
			fmt.Printf("    %-34s %8.2f%s (%s %g%s) %s\n", l.what, n, l.unit, bound, l.most, l.unit, verdict)
		}
	}
	return within, over
}

func duration(of []sample) string {
	if of == nil {
		return "-"
	}
	return time.Duration(median(of, seconds) * float64(time.Second)).Round(100 * time.Nanosecond).String()
}

func size(of []sample) string {
	n := 0.0
	if of != nil {
		n = median(of, allocation)
	}
	switch {
	case n == 0:
		return ""
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", n/1e3)
	}
	return fmt.Sprintf("%.1f MB", n/1e6)
}
