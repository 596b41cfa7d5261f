//go:build unix

package launch

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// maxBanner bounds what is read of a shell that talks before it answers.
const maxBanner = 1 << 20

// loginPath asks the person's shell for the PATH of a terminal: as a login and
// interactive shell, since people set it in either's start file. The shell runs
// without a terminal, with nothing to read and in a session of its own, which is
// killed at the end; marks set its answer apart from what start files print. The
// answer is printed by sh, so that the shell itself, fish included, has only to
// start a program.
func loginPath(ctx context.Context, environ []string) (string, error) {
	shell := envValue(environ, "SHELL")
	if !filepath.IsAbs(shell) {
		return "", fmt.Errorf("SHELL is %q, not a path", shell)
	}
	mark := "countersign-" + rand.Text()
	cmd := exec.Command(shell, "-l", "-i", "-c", fmt.Sprintf(`/bin/sh -c 'printf "%%s%%s%%s" "<%s>" "$PATH" "</%s>"'`, mark, mark))
	// Start files can tell from the first variable that nobody is watching.
	cmd.Env = overlay(environ, []Var{{"COUNTERSIGN_RESOLVING_PATH", "1"}, {"TERM", "dumb"}})
	cmd.Dir = homeDir(environ)
	if info, err := os.Stat(cmd.Dir); err != nil || !info.IsDir() {
		cmd.Dir = "/"
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, in, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("asking %s: %w", shell, err)
	}
	defer out.Close()
	cmd.Stdout = in // stdin and stderr are the null device
	err = cmd.Start()
	in.Close()
	if err != nil {
		return "", fmt.Errorf("starting %s: %w", shell, err)
	}
	unhook := context.AfterFunc(ctx, func() { out.SetReadDeadline(time.Now()) })
	path, err := readMarked(out, "<"+mark+">", "</"+mark+">")
	unhook()
	// The group is the shell's and, until Wait reaps it, nobody else's.
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait()
	switch {
	case err == nil:
		return path, nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("the login shell %s gave no answer in time", shell)
	}
	return "", fmt.Errorf("the login shell %s: %w", shell, err)
}

// readMarked reads r up to the text between the marks.
func readMarked(r io.Reader, before, behind string) (string, error) {
	var got []byte
	buf := make([]byte, 4096)
	for len(got) <= maxBanner {
		n, err := r.Read(buf)
		got = append(got, buf[:n]...)
		if _, rest, ok := bytes.Cut(got, []byte(before)); ok {
			if path, _, ok := bytes.Cut(rest, []byte(behind)); ok {
				if len(joinPath(string(path))) == 0 || strings.ContainsAny(string(path), "\x00\r\n") {
					return "", errors.New("its PATH cannot be used")
				}
				return string(path), nil
			}
		}
		if err != nil {
			return "", errors.New("it ended without telling PATH")
		}
	}
	return "", errors.New("it printed too much")
}
