// Bench measures mcpclient, with its gate, against the bare bytes and against the
// official SDK's client, all with one server that answers with stored bytes, in one
// run. It prints a table of ratios, and fails where one is over what was promised.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	rounds := flag.Int("rounds", 5, "alternating runs, of which the medians count")
	only := flag.String("only", "", "a part of the names of the works to do")
	flag.Parse()
	self, err := filepath.Abs(os.Args[0])
	if err == nil {
		os.Args[0] = self
		err = run(flag.Args(), *rounds, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, rounds int, only string) error {
	switch strings.Join(args, " ") {
	case "serve stdio":
		serveStdio(bigText)
		return nil
	case "serve huge":
		serveStdio(hugeText)
		return nil
	case "serve http":
		return serveHTTP(bigText)
	case "huge":
		return huge()
	case "":
		return compare(rounds, only)
	}
	return fmt.Errorf("unknown words %q", args)
}

// huge takes in one huge result and prints how much memory that took at most.
func huge() error {
	c, err := connectOurs("huge")
	if err != nil {
		return err
	}
	defer c.close()
	if n, err := c.call("huge"); err != nil || n < hugeText {
		return fmt.Errorf("%d bytes: %w", n, err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			fmt.Println(kb << 10)
			return err
		}
	}
	return fmt.Errorf("the system does not tell the peak of memory")
}

// compare does each work in turn by each client, and that several times.
func compare(rounds int, only string) error {
	works := slices.DeleteFunc(slices.Clone(works), func(w work) bool { return !strings.Contains(w.name, only) })
	got := map[string]map[string][]sample{}
	for round := range rounds {
		for _, w := range works {
			for _, who := range w.by {
				fmt.Fprintf(os.Stderr, "\rround %d of %d: %-44s", round+1, rounds, w.name+", "+who)
				s, err := w.measure(who)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", w.name, who, err)
				}
				if got[w.name] == nil {
					got[w.name] = map[string][]sample{}
				}
				got[w.name][who] = append(got[w.name][who], s)
			}
		}
	}
	fmt.Fprintf(os.Stderr, "\r%80s\r", "")
	within, over := report(works, got)
	fmt.Printf("bench: %d within, %d over\n", within, over)
	if over > 0 {
		return fmt.Errorf("%d over", over)
	}
	return nil
}

func median(of []sample, part func(sample) float64) float64 {
	all := make([]float64, 0, len(of))
	for _, s := range of {
		all = append(all, part(s))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
