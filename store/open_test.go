package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/store"
)

func TestEveryConnectionHasThePragmas(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	writer, reader := s.Handles()
	common := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000", "page_size": fmt.Sprint(store.PageSize),
		"auto_vacuum": "2", "trusted_schema": "0", "secure_delete": "1", "temp_store": "2", "cell_size_check": "1", "journal_size_limit": "16777216"}
	// Held together, so that each is another one of the pool.
	conns := []*sql.Conn{must(writer.Conn(t.Context()))(t)}
	for range store.Readers {
		conns = append(conns, must(reader.Conn(t.Context()))(t))
	}
	for i, c := range conns {
		for name, want := range common {
			var got string
			mustDo(t, c.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&got))
			if got != want {
				t.Errorf("connection %d: %s is %s, want %s", i, name, got, want)
			}
		}
		_, err := c.ExecContext(t.Context(), `INSERT INTO settings (key, value) VALUES (?, x'')`, i)
		if reads := i > 0; reads == (err == nil) {
			t.Errorf("connection %d: writing gives %v", i, err)
		}
		// Not even without query_only.
		if i > 0 {
			_, _ = c.ExecContext(t.Context(), `PRAGMA query_only = 0`)
			if _, err := c.ExecContext(t.Context(), `DELETE FROM settings`); err == nil {
				t.Errorf("connection %d of the read pool wrote", i)
			}
		}
	}
	for _, c := range conns {
		mustDo(t, c.Close())
	}
	if n := one[int](t, reader, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%STRICT' AND sql NOT LIKE 'CREATE VIRTUAL%'
		AND name NOT LIKE 'call_search%' AND name NOT LIKE 'sqlite%'`); n != 0 {
		t.Errorf("%d tables are not STRICT", n)
	}
}

func TestFilesArePrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	path := tempPath(t)
	check := func(when string) {
		t.Helper()
		for _, e := range must(os.ReadDir(filepath.Dir(path)))(t) {
			if info := must(e.Info())(t); info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v", when, e.Name(), info.Mode())
			}
		}
	}
	s := mustOpen(t, path)
	mustDo(t, s.Append(t.Context(), event("a", "", 1)))
	if len(files(t, path)) != 3 {
		t.Fatalf("files: %v", len(files(t, path)))
	}
	check("open")
	for name := range files(t, path) {
		mustDo(t, os.Chmod(filepath.Join(filepath.Dir(path), name), 0o666))
	}
	mustOpen(t, path)
	check("opened again")
}

func TestOpenWhatIsNotThere(t *testing.T) {
	var damaged *store.DamagedError
	if _, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "no", "test.db")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
	if _, err := store.Open(t.Context(), store.Options{Path: t.TempDir()}); err == nil || errors.As(err, &damaged) {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(t.TempDir(), "a ?b#c%41 ü.db")
	s := mustOpen(t, path)
	mustDo(t, s.Append(t.Context(), event("a", "", 1)))
	mustClose(t, s)
	if names := files(t, path); len(names) != 1 || names[filepath.Base(path)] == "" {
		t.Errorf("an odd name: %d files", len(names))
	}
}

// madeFile is the file of a store with some content, closed.
func madeFile(t *testing.T) []byte {
	t.Helper()
	path := tempPath(t)
	s := mustOpen(t, path)
	for i := range 50 {
		addCall(t, s, store.Call{ID: fmt.Sprint(i), Tool: "tool"}, `{"n":1}`, strings.Repeat("x y ", 500))
	}
	indexAll(t, s)
	mustClose(t, s)
	return must(os.ReadFile(path))(t)
}

func TestDamagedFileIsSetAside(t *testing.T) {
	sound := madeFile(t)
	noise := make([]byte, 64<<10)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(noise)
	cases := map[string]map[string][]byte{
		"empty":             {"": {}},
		"one byte":          {"": sound[:1]},
		"half a header":     {"": sound[:50]},
		"half a page":       {"": sound[:store.PageSize/2]},
		"one page":          {"": sound[:store.PageSize]},
		"half":              {"": sound[:len(sound)/2/store.PageSize*store.PageSize]},
		"all but one byte":  {"": sound[:len(sound)-1]},
		"all but one page":  {"": sound[:len(sound)-store.PageSize]},
		"noise":             {"": noise},
		"zeros":             {"": make([]byte, 64<<10)},
		"text":              {"": bytes.Repeat([]byte("Dear diary, today I was opened as a database.\n"), 200)},
		"a page of noise":   {"": flipped(sound, 5, noise)},
		"a page of zeros":   {"": flipped(sound, 7, make([]byte, store.PageSize))},
		"the first page":    {"": flipped(sound, 0, noise)},
		"noise with a wal":  {"": noise, "-wal": noise[:9000], "-shm": noise[:32768]},
		"empty with a wal":  {"": {}, "-wal": noise[:9000]},
		"nothing but a wal": {"-wal": noise[:9000]},
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			path := tempPath(t)
			for suffix, b := range content {
				mustDo(t, os.WriteFile(path+suffix, b, 0o600))
			}
			now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
			_, err := store.Open(t.Context(), store.Options{Path: path, Now: func() time.Time { return now }})
			var damaged *store.DamagedError
			if !errors.As(err, &damaged) || !store.Damaged(err) {
				t.Fatalf("opening gives %v", err)
			}
			if want := path + ".damaged-20260304-050607"; damaged.MovedTo != want {
				t.Errorf("set aside as %s, want %s", damaged.MovedTo, want)
			}
			for suffix, b := range content {
				if suffix == "-shm" {
					continue // an index of the WAL, which every reader may make anew
				}
				if got := must(os.ReadFile(damaged.MovedTo + suffix))(t); !bytes.Equal(got, b) {
					t.Errorf("the damaged file%s was changed", suffix)
				}
			}
			s := mustOpen(t, path)
			mustDo(t, s.Append(t.Context(), event("a", "", 1)))
			mustVerify(t, s)
		})
	}
}

func flipped(sound []byte, page int, with []byte) []byte {
	b := bytes.Clone(sound)
	copy(b[page*store.PageSize:(page+1)*store.PageSize], with)
	return b
}

func TestTwoDamagedFilesOfOneSecond(t *testing.T) {
	path := tempPath(t)
	now := time.Now()
	names := map[string]bool{}
	for i := range 3 {
		mustDo(t, os.WriteFile(path, fmt.Append(nil, "not a database ", i), 0o600))
		_, err := store.Open(t.Context(), store.Options{Path: path, Now: func() time.Time { return now }})
		var damaged *store.DamagedError
		if !errors.As(err, &damaged) {
			t.Fatal(err)
		}
		names[damaged.MovedTo] = true
		if got := must(os.ReadFile(damaged.MovedTo))(t); !bytes.HasSuffix(got, fmt.Append(nil, i)) {
			t.Errorf("%s holds %q", damaged.MovedTo, got)
		}
	}
	if len(names) != 3 {
		t.Errorf("names: %v", names)
	}
}

func TestDamageUnderLivingChanges(t *testing.T) {
	// The file has a WAL with changes that were not folded in, as after a
	// crash. Neither part may change on the way to its new name.
	path := tempPath(t)
	s := mustOpen(t, path)
	for i := range 50 {
		addCall(t, s, store.Call{ID: fmt.Sprint(i)}, `{}`, strings.Repeat("x y ", 500))
	}
	mustClose(t, s)
	s = mustOpen(t, path)
	mustDo(t, s.Append(t.Context(), event("a", "", 1)))
	crashed := filepath.Join(t.TempDir(), "crashed.db")
	main, wal := must(os.ReadFile(path))(t), must(os.ReadFile(path+"-wal"))(t)
	main = flipped(main, 6, bytes.Repeat([]byte{0xa5}, store.PageSize))
	mustDo(t, os.WriteFile(crashed, main, 0o600))
	mustDo(t, os.WriteFile(crashed+"-wal", wal, 0o600))
	_, err := store.Open(t.Context(), store.Options{Path: crashed})
	var damaged *store.DamagedError
	if !errors.As(err, &damaged) {
		t.Fatal(err)
	}
	for suffix, want := range map[string][]byte{"": main, "-wal": wal} {
		if got := must(os.ReadFile(damaged.MovedTo + suffix))(t); !bytes.Equal(got, want) {
			t.Errorf("the damaged file%s was changed", suffix)
		}
	}
}

func TestLargeFileIsCheckedLater(t *testing.T) {
	path := tempPath(t)
	s := mustOpen(t, path)
	for i := range 10 {
		addCall(t, s, store.Call{ID: fmt.Sprint(i)}, `{}`, `{}`)
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), (store.QuickCheckLimit+1<<20)/16)
	mustDo(t, s.Append(t.Context(), nil, store.NewPayload(big, big, 0)))
	mustDo(t, s.Check(t.Context()))
	mustClose(t, s)
	content := must(os.ReadFile(path))(t)
	copy(content[8*store.PageSize:9*store.PageSize], bytes.Repeat([]byte{0x5a}, store.PageSize))
	mustDo(t, os.WriteFile(path, content, 0o600))

	s = mustOpen(t, path) // no check
	if !s.Large() {
		t.Error("the file is not called large")
	}
	if err := s.Check(t.Context()); !store.Damaged(err) {
		t.Fatalf("the check gives %v", err)
	}
	_ = s.Close() // SQLite may complain about what it finds
	_, err := store.Open(t.Context(), store.Options{Path: path})
	var damaged *store.DamagedError
	if !errors.As(err, &damaged) {
		t.Fatalf("opening after a failed check gives %v", err)
	}
	s = mustOpen(t, path)
	for name := range files(t, path) {
		if strings.Contains(name, "check-failed") {
			t.Errorf("%s stayed", name)
		}
	}
	mustVerify(t, s)
}

func TestDatabaseOfAnotherProgram(t *testing.T) {
	path := tempPath(t)
	db := must(sql.Open("sqlite3", path))(t)
	must(db.ExecContext(t.Context(), `CREATE TABLE bookmarks (url TEXT)`))(t)
	mustDo(t, db.Close())
	before := must(os.ReadFile(path))(t)
	_, err := store.Open(t.Context(), store.Options{Path: path})
	var damaged *store.DamagedError
	if err == nil || errors.As(err, &damaged) || !strings.Contains(err.Error(), "another program") {
		t.Errorf("opening gives %v", err)
	}
	if !bytes.Equal(before, must(os.ReadFile(path))(t)) {
		t.Error("the file was changed")
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	path := tempPath(t)
	s := mustOpen(t, path)
	mustDo(t, s.Append(t.Context(), event("a", "", 1)))
	writer, _ := s.Handles()
	known := one[int](t, writer, `PRAGMA user_version`)
	must(writer.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA user_version = %d`, known+7)))(t)

	// Once with the number still in the WAL only, once closed.
	crashed := filepath.Join(t.TempDir(), "crashed.db")
	for _, suffix := range []string{"", "-wal"} {
		mustDo(t, os.WriteFile(crashed+suffix, must(os.ReadFile(path+suffix))(t), 0o600))
	}
	mustClose(t, s)
	for _, p := range []string{crashed, path} {
		before := files(t, p)
		_, err := store.Open(t.Context(), store.Options{Path: p})
		var newer *store.NewerSchemaError
		if !errors.As(err, &newer) || newer.Found != known+7 || newer.Known != known {
			t.Fatalf("opening gives %v", err)
		}
		after := files(t, p)
		for name, content := range before {
			if after[name] != content {
				t.Errorf("%s was changed", name)
			}
		}
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	path := tempPath(t)
	s := mustOpen(t, path)
	mustDo(t, s.Append(t.Context(), event("a", "", 1)))
	if _, _, err := s.Calls(t.Context(), store.CallFilter{}); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	if n := len(files(t, path)); n != 1 {
		t.Errorf("%d files", n)
	}
}
