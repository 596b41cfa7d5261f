package launch

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// shellLimit is how long the login shell may take to tell its PATH.
const shellLimit = 5 * time.Second

// BaseEnv is the environment that every child gets: HOME, LANG, USER, SHELL, TMPDIR
// and XDG_* as the program has them, PATH as the person's login shell has it, and
// nothing else. A program started from a desktop icon has a shorter PATH than the
// person's terminal, and servers' commands (npx, uvx) are found in the latter only.
// It is safe for concurrent use.
type BaseEnv struct {
	vars []string // without PATH
	own  string   // PATH of the program itself

	stop context.CancelFunc
	done chan struct{} // closed when path and note are set
	path string
	note string
}

// NewBaseEnv reads the program's environment and asks the login shell in the
// background, for at most five seconds and not beyond ctx. Close ends that.
func NewBaseEnv(ctx context.Context) *BaseEnv { return newBaseEnv(ctx, os.Environ(), shellLimit) }

func newBaseEnv(ctx context.Context, environ []string, limit time.Duration) *BaseEnv {
	e := &BaseEnv{own: envValue(environ, "PATH"), done: make(chan struct{})}
	for _, v := range environ {
		if name, _, ok := strings.Cut(v, "="); ok && name != "" && inherited(name) {
			e.vars = append(e.vars, v)
		}
	}
	e.fillIn()
	ctx, e.stop = context.WithTimeout(ctx, limit)
	go func() {
		defer close(e.done)
		defer e.stop()
		path, err := loginPath(ctx, environ)
		if err != nil {
			e.path, e.note = joinPath(e.own), fmt.Sprintf("PATH is the program's own: %v", err)
			return
		}
		e.path, e.note = joinPath(path, e.own), "PATH is the login shell's"
	}()
	return e
}

// fillIn adds HOME and USER where the program was started without them.
func (e *BaseEnv) fillIn() {
	me, err := user.Current()
	if err != nil {
		return
	}
	for _, v := range []Var{{"HOME", me.HomeDir}, {"USER", me.Username}} {
		if inherited(v.Name) && v.Value != "" && envValue(e.vars, v.Name) == "" {
			e.vars = overlay(e.vars, []Var{v})
		}
	}
}

// Vars returns the variables as NAME=value. It waits until the login shell has
// answered or its time is up, but not beyond ctx, whose end leaves the program's own
// PATH. The caller owns the slice.
func (e *BaseEnv) Vars(ctx context.Context) []string {
	path := joinPath(e.own)
	select {
	case <-e.done:
		path = e.path
	case <-ctx.Done():
	}
	out := slices.Clone(e.vars)
	if path != "" {
		out = append(out, "PATH="+path)
	}
	return out
}

// Note says, for a log, where PATH comes from, and why where it is not the login
// shell's. It waits like Vars.
func (e *BaseEnv) Note(ctx context.Context) string {
	select {
	case <-e.done:
		return e.note
	case <-ctx.Done():
		return "PATH is the program's own: the login shell has not answered yet"
	}
}

// Close ends the question to the login shell and waits for that.
func (e *BaseEnv) Close() {
	e.stop()
	<-e.done
}

// joinPath puts lists of folders behind each other, each folder once. Relative and
// empty entries, which mean a different folder to each program, are left out.
func joinPath(lists ...string) string {
	var out []string
	for _, list := range lists {
		for _, folder := range filepath.SplitList(list) {
			if filepath.IsAbs(folder) && !slices.Contains(out, folder) {
				out = append(out, folder)
			}
		}
	}
	return strings.Join(out, string(os.PathListSeparator))
}
