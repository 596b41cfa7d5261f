package mcpclient

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	// stderrTail is how much of stderr an ExitError carries.
	stderrTail = 8 << 10
	// drainTime is how long output may still come after the process has ended;
	// only a descendant that left the process group can keep a pipe open for
	// longer.
	drainTime = 300 * time.Millisecond
	// sweepTime is how long what a child left behind gets between being asked to
	// end and being killed.
	sweepTime = 500 * time.Millisecond
)

// child is a running server process with its three pipes. Its goroutines, the
// waiter and the stderr drain, end when the process and its group have.
type child struct {
	cmd    *exec.Cmd
	in     *os.File // its stdin
	out    *os.File // its stdout
	stderr *os.File
	group  processGroup
	exited chan struct{} // closed when reaped; then exit is set
	exit   *ExitError
	read   chan struct{} // closed when nobody reads stdout any more
	reads  sync.Once
	wg     sync.WaitGroup
	stops  sync.Once

	mu   sync.Mutex
	tail []byte
}

// startChild starts the process in a group of its own. onLine gets its stderr
// by lines.
func startChild(cfg *StdioConfig, onLine func(string)) (*child, error) {
	if !filepath.IsAbs(cfg.Path) {
		return nil, fmt.Errorf("start server: the path %q is not absolute", cfg.Path)
	}
	ch := &child{exited: make(chan struct{}), read: make(chan struct{})}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
	}()
	pipe := func(childReads bool) (ours, its *os.File, err error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, nil, fmt.Errorf("start server: make a pipe: %w", err)
		}
		if childReads {
			r, w = w, r
		}
		theirs = append(theirs, w)
		return r, w, nil
	}
	cmd := &exec.Cmd{Path: cfg.Path, Args: append([]string{cfg.Path}, cfg.Args...), Dir: cfg.Dir}
	cmd.Env = append([]string{}, cfg.Env...) // never nil: nil would inherit ours
	var in, out, errs *os.File
	var err error
	if ch.in, in, err = pipe(true); err == nil {
		if ch.out, out, err = pipe(false); err == nil {
			ch.stderr, errs, err = pipe(false)
		}
	}
	if err == nil {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
		prepareGroup(cmd)
		sealDescriptors()
		if err = cmd.Start(); err != nil {
			err = fmt.Errorf("start server: %w", err)
		}
	}
	if err != nil {
		ch.closePipes()
		return nil, err
	}
	ch.cmd = cmd
	ch.group = newGroup(cmd.Process)
	drained := make(chan struct{})
	ch.wg.Go(func() { defer close(drained); ch.drain(onLine) })
	ch.wg.Go(func() { ch.wait(drained) })
	return ch, nil
}

func (ch *child) closePipes() {
	for _, f := range []*os.File{ch.in, ch.out, ch.stderr} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// drain reads stderr to its end, whatever is written there, and keeps the tail.
func (ch *child) drain(onLine func(string)) {
	r := bufio.NewReaderSize(ch.stderr, maxLogLine)
	more := false // the last piece was not the end of its line
	for {
		piece, err := r.ReadSlice('\n')
		if len(piece) > 0 {
			ch.mu.Lock()
			ch.tail = append(ch.tail, piece...)
			if over := len(ch.tail) - stderrTail; over > 0 {
				ch.tail = append(ch.tail[:0], ch.tail[over:]...)
			}
			ch.mu.Unlock()
			// Of a line beyond the limit only the first piece is shown.
			if text := strings.TrimRight(string(piece), "\r\n"); !more && text != "" {
				onLine(text)
			}
			more = errors.Is(err, bufio.ErrBufferFull)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (ch *child) stderrText() string {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return strings.ToValidUTF8(string(ch.tail), "\uFFFD")
}

// wait waits for the process, ends what it left in its group, and reaps it.
func (ch *child) wait(drained <-chan struct{}) {
	err := ch.group.reap(ch.cmd.Wait)
	select {
	case <-drained:
	case <-time.After(drainTime):
	}
	ch.exit = exitError(ch.cmd.ProcessState, err)
	ch.exit.Stderr = ch.stderrText()
	close(ch.exited)
	// A descendant outside the group may hold the pipes; it is not the server.
	select {
	case <-drained:
	case <-time.After(drainTime):
		_ = ch.stderr.Close()
	}
	select {
	case <-ch.read:
	case <-time.After(drainTime):
		_ = ch.out.Close()
	}
}

func exitError(state *os.ProcessState, err error) *ExitError {
	if state == nil {
		return &ExitError{Code: -1, Signal: fmt.Sprint(err)}
	}
	return &ExitError{Code: state.ExitCode(), Signal: signalName(state)}
}

// ended is told that reading stdout came to an end, and tells why.
func (ch *child) ended(read error) error {
	ch.reads.Do(func() { close(ch.read) })
	select {
	case <-ch.exited:
		return ch.exit
	case <-time.After(time.Second + drainTime + sweepTime):
	}
	if errors.Is(read, io.EOF) {
		return errors.New("the server closed its output but keeps running")
	}
	return fmt.Errorf("read from the server: %w", read)
}

// stop is the ladder of STDIO-07: close its input, wait, ask the group to end,
// wait, kill the group and every descendant. When ctx ends the last rung comes
// at once. It returns when the process is reaped, or with an error when even
// that cannot be had.
func (ch *child) stop(ctx context.Context, grace time.Duration) error {
	var err error
	ch.stops.Do(func() { err = ch.climb(ctx, grace) })
	return err
}

func (ch *child) climb(ctx context.Context, grace time.Duration) error {
	family := ch.group.descendants(nil)
	_ = ch.in.Close()
	if !ch.exitedWithin(ctx, grace) {
		family = ch.group.descendants(family)
		ch.group.terminate(family)
		ch.exitedWithin(ctx, grace)
	}
	if !ch.hasExited() {
		family = ch.group.descendants(family)
		ch.group.kill(family)
	}
	var err error
	if !ch.exitedWithin(context.WithoutCancel(ctx), grace+2*sweepTime) {
		err = fmt.Errorf("stop server: process %d does not end", ch.cmd.Process.Pid)
	}
	ch.group.sweepFamily(family)
	ch.closePipes()
	if err == nil {
		ch.wg.Wait()
	}
	return err
}

func (ch *child) hasExited() bool {
	select {
	case <-ch.exited:
		return true
	default:
		return false
	}
}

func (ch *child) exitedWithin(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ch.exited:
		return true
	case <-ctx.Done():
	case <-t.C:
	}
	return ch.hasExited()
}
