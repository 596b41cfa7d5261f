package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"countersign/store"
)

// childFills writes until the system lets no file grow any more, says what
// came of it, and goes on when there is room again.
func childFills(path string) error {
	signal.Ignore(syscall.SIGXFSZ) // a write that is too long then fails
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	for room := uint64(300_000); room < 1_500_000; room += 300_001 {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: limit.Max}); err != nil {
			return err
		}
		for i := 0; ; i++ {
			id := fmt.Sprintf("%d-%d", room, i)
			b := []byte(strings.Repeat(id, 3000))
			err := s.Append(ctx, event("k", id, i), store.NewPayload(b, b, 0))
			if err != nil {
				fmt.Printf("full %t %v\n", store.Damaged(err), err)
				break
			}
			fmt.Println("wrote", id)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		if err := s.Append(ctx, event("k", fmt.Sprint("after-", room), 0)); err != nil {
			return fmt.Errorf("with room again: %w", err)
		}
		fmt.Println("wrote", fmt.Sprint("after-", room))
	}
	return errors.Join(s.Verify(ctx), s.Close())
}

// TestWritesThatFail lets real writes fail, in the WAL and when it is folded
// in, and looks for what was said to be durable.
func TestWritesThatFail(t *testing.T) {
	path := tempPath(t)
	cmd, out, errs := startChild(t, "fill", path)
	var wrote []string
	full := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		what, rest, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "wrote":
			wrote = append(wrote, rest)
		case "full":
			full++
			if !strings.HasPrefix(rest, "false") {
				t.Errorf("a write that failed counts as damage: %s", rest)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if full != 4 || len(wrote) < 20 {
		t.Errorf("%d writes failed, %d did not", full, len(wrote))
	}
	s := mustOpen(t, path)
	mustVerify(t, s)
	for _, id := range wrote {
		if got := must(s.Events(t.Context(), id))(t); len(got) != 1 {
			t.Errorf("%s has %d events", id, len(got))
		}
	}
	if size, _, err := s.Head(t.Context()); err != nil || size != int64(len(wrote)) {
		t.Errorf("%d events, %v, want %d", size, err, len(wrote))
	}
}

// childOpens opens a file and says what came of it.
func childOpens(path string) error {
	s, err := store.Open(context.Background(), store.Options{Path: path})
	if err != nil {
		fmt.Println(store.Damaged(err), err)
		return nil
	}
	fmt.Println("opened")
	return s.Close()
}

// TestMissingRightsAreNoDamage opens as somebody who may not. As root the test
// starts its child as nobody.
func TestMissingRightsAreNoDamage(t *testing.T) {
	root := os.Geteuid() == 0
	uid := os.Geteuid()
	if root {
		uid = 65534
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	copyFile(t, must(os.Executable())(t), program, 0o755)
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) { // for nobody
		mustDo(t, os.Chmod(d, 0o755))
	}
	sound := madeFile(t)
	for _, c := range []struct {
		name       string
		file       bool
		mode       os.FileMode // of the folder
		own        bool        // the file is the child's
		fileMode   os.FileMode
		want       string
		onlyAsRoot bool
	}{
		{name: "all rights", file: true, mode: 0o777, own: true, fileMode: 0o600, want: "opened"},
		{name: "a file that was made read-only", file: true, mode: 0o777, own: true, fileMode: 0o400, want: "opened"},
		{name: "somebody else's file", file: true, mode: 0o777, fileMode: 0o600, want: "not permitted", onlyAsRoot: true},
		{name: "a folder that is read-only", file: true, mode: 0o555, own: true, fileMode: 0o600, want: "readonly"},
		{name: "a new file in a folder that is read-only", mode: 0o555, want: "denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.onlyAsRoot && !root {
				return // there is nobody else whose file it could be
			}
			folder := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
			mustDo(t, os.Mkdir(folder, 0o755))
			path := filepath.Join(folder, "test.db")
			if c.file {
				mustDo(t, os.WriteFile(path, sound, c.fileMode))
				if root && c.own {
					mustDo(t, os.Chown(path, uid, -1))
				}
			}
			mustDo(t, os.Chmod(folder, c.mode))
			t.Cleanup(func() { mustDo(t, os.Chmod(folder, 0o755)) })
			cmd := exec.CommandContext(t.Context(), program, path)
			cmd.Env, cmd.Dir = append(os.Environ(), child+"=open"), "/"
			if root {
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
			}
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.want) || strings.HasPrefix(string(out), "true") {
				t.Errorf("the child says %q, %v; want %s", out, err, c.want)
			}
			if c.file && string(must(os.ReadFile(path))(t)) != string(sound) {
				t.Error("the file was changed")
			}
			if moved := must(filepath.Glob(path + ".*"))(t); len(moved) != 0 {
				t.Errorf("files: %v", moved)
			}
		})
	}
}

func copyFile(t *testing.T, from, to string, mode os.FileMode) {
	t.Helper()
	in := must(os.Open(from))(t)
	defer func() { _ = in.Close() }()
	out := must(os.OpenFile(to, os.O_CREATE|os.O_WRONLY, mode))(t)
	_, err := io.Copy(out, in)
	mustDo(t, errors.Join(err, out.Close()))
}
