package store_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"countersign/store"
)

// childAppends writes calls for ever, or as many as count says. It says the
// number of each call once its commit has returned.
func childAppends(path, count string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return err
	}
	end, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	say := func(what string) error {
		_, err := fmt.Fprintln(out, what)
		return errors.Join(err, out.Flush())
	}
	for i := 0; end == 0 || i < end; i++ {
		if err := writeCall(ctx, s, fmt.Sprintf("%d-%d", os.Getpid(), i), say); err != nil {
			return err
		}
	}
	return s.Close()
}

// writeCall makes a call and ends it, and says each once it is durable. Every
// eighth result is larger than one part.
func writeCall(ctx context.Context, s *store.Store, id string, say func(string) error) error {
	args := []byte(`{"id":"` + id + `"}`)
	p := store.NewPayload(args, args, 0)
	c, err := s.CreateCall(ctx, store.Call{ID: id, State: "proposed", ArgsPayload: p.Name}, event("made", id, p.Name), p)
	if err != nil {
		return err
	}
	if err := say("made " + id); err != nil {
		return err
	}
	result := bytes.Repeat(args, 50)
	if c.Ordinal%8 == 0 {
		result = bytes.Repeat(args, store.PartSize*3/2/len(args))
	}
	_, err = s.UpdateCall(ctx, id, func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
		r := store.NewPayload(result, result, 0)
		c.State, c.ResultPayload = "succeeded", r.Name
		return event("ended", id, r.Name), []store.Payload{r}, nil
	})
	if err != nil {
		return err
	}
	if c.Ordinal%5 == 0 {
		if _, err := s.IndexPending(ctx); err != nil {
			return err
		}
	}
	return say("ended " + id)
}

// startChild starts this program as another process that does what.
func startChild(t *testing.T, what string, args ...string) (*exec.Cmd, io.Reader, *bytes.Buffer) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), must(os.Executable())(t), args...)
	cmd.Env = append(os.Environ(), child+"="+what)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out := must(cmd.StdoutPipe())(t)
	mustDo(t, cmd.Start())
	return cmd, out, &errs
}

// TestKilledWhileCommitting kills a process that writes at moments of no
// choice, again and again on one file, and looks for what it had been told was
// durable.
func TestKilledWhileCommitting(t *testing.T) {
	path := tempPath(t)
	acknowledged := map[string]string{} // call to what was said of it last
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 12 {
		cmd, out, errs := startChild(t, "append", path, "0")
		// The child does not wait to be read: when enough was said, it is
		// anywhere in the commits that follow. What it said until it died counts.
		enough := 1 + random.IntN(60)
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			what, id, _ := strings.Cut(lines.Text(), " ")
			acknowledged[id] = what
			if n == enough {
				mustDo(t, cmd.Process.Kill())
			}
		}
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("round %d: the child ended by itself: %v %s", round, err, errs)
		}
		checkAcknowledged(t, path, acknowledged)
	}
	if len(acknowledged) < 100 {
		t.Errorf("only %d calls were written", len(acknowledged))
	}
}

func checkAcknowledged(t *testing.T, path string, acknowledged map[string]string) {
	t.Helper()
	s := mustOpen(t, path)
	defer mustClose(t, s)
	mustVerify(t, s)
	mustDo(t, s.Check(t.Context()))
	for id, what := range acknowledged {
		c := must(s.CallByID(t.Context(), id))(t)
		kinds := ""
		for _, e := range must(s.Events(t.Context(), id))(t) {
			kinds += e.Kind + " "
		}
		ended := c.State == "succeeded"
		if what == "ended" && !ended || ended && kinds != "made ended " || !ended && kinds != "made " {
			t.Fatalf("call %s was %s; it is %s, with events %s", id, what, c.State, kinds)
		}
		if want := `{"id":"` + id + `"}`; string(must(s.PayloadBytes(t.Context(), c.ArgsPayload))(t)) != want {
			t.Fatalf("call %s has other arguments", id)
		}
		if ended {
			must(s.PayloadBytes(t.Context(), c.ResultPayload))(t)
		}
	}
}

func TestTwoProcessesOnOneFile(t *testing.T) {
	path := tempPath(t)
	const each = 40
	var cmds []*exec.Cmd
	var errs []*bytes.Buffer
	for range 3 { // all of them make the file and its schema
		cmd, out, e := startChild(t, "append", path, fmt.Sprint(each))
		go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the child, for which Wait below waits
		cmds, errs = append(cmds, cmd), append(errs, e)
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, errs[i])
		}
	}
	s := mustOpen(t, path)
	mustVerify(t, s)
	if n := must(s.CallCount(t.Context(), store.CallFilter{States: []string{"succeeded"}}))(t); n != int64(len(cmds)*each) {
		t.Errorf("%d calls", n)
	}
	if size, _, err := s.Head(t.Context()); err != nil || size != int64(2*len(cmds)*each) {
		t.Errorf("%d events, %v", size, err)
	}
}
