package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/store"
)

// The steps of a schema that is not ours. The real methods are not used on it.
var (
	first  = store.Step{Name: "first", SQL: `CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)`}
	second = store.Step{Name: "second", SQL: `ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = 'new'`}
	third  = store.Step{Name: "third", SQL: `CREATE TABLE b (z REFERENCES a) STRICT`}
)

func copies(t *testing.T, path string) []string {
	t.Helper()
	found := must(filepath.Glob(path + ".before-schema-*"))(t)
	slices.Sort(found)
	return found
}

func openSteps(t *testing.T, path string, steps ...store.Step) (*store.Store, error) {
	t.Helper()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	s, err := store.OpenSteps(t.Context(), store.Options{Path: path, Now: func() time.Time { return now }}, steps...)
	if err == nil {
		t.Cleanup(func() { mustClose(t, s) })
	}
	return s, err
}

func TestMigrateStepByStep(t *testing.T) {
	path := tempPath(t)
	s := must(openSteps(t, path, first))(t)
	mustClose(t, s)
	if c := copies(t, path); len(c) != 0 {
		t.Fatalf("a fresh file was copied to %v", c)
	}

	good := third
	good.SQL = `CREATE TABLE b (z INTEGER) STRICT`
	s = must(openSteps(t, path, first, second, good))(t)
	writer, _ := s.Handles()
	if got := one[string](t, writer, `SELECT y FROM a WHERE x = 1`); got != "new" {
		t.Errorf("the row has %q", got)
	}
	if got := one[int](t, writer, `PRAGMA user_version`); got != 3 {
		t.Errorf("schema %d", got)
	}
	mustClose(t, s)
	c := copies(t, path)
	if len(c) != 1 || c[0] != path+".before-schema-2-20260304-050607" {
		t.Fatalf("copies: %v", c)
	}
	if info := must(os.Stat(c[0]))(t); info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v", info.Mode())
	}

	// The copy is the old file, and can be opened as such.
	s = must(openSteps(t, c[0], first))(t)
	writer, _ = s.Handles()
	if got := one[int](t, writer, `SELECT count(*) FROM pragma_table_info('a')`); got != 1 {
		t.Errorf("the copy has %d columns", got)
	}
	if got := one[int](t, writer, `PRAGMA auto_vacuum`); got != 2 {
		t.Errorf("the copy has auto_vacuum %d", got)
	}
	mustClose(t, s)

	// Nothing to do: no copy.
	mustClose(t, must(openSteps(t, path, first, second, good))(t))
	if c := copies(t, path); len(c) != 1 {
		t.Errorf("copies: %v", c)
	}
}

func TestMigrationThatFails(t *testing.T) {
	for name, bad := range map[string]string{
		"not SQL":             `CREATE TABLE b (z INTEGER) STRICT; DRIP TABLE a`,
		"rows point nowhere":  `CREATE TABLE b (z INTEGER REFERENCES a (x)) STRICT; INSERT INTO b VALUES (99)`,
		"against its columns": `INSERT INTO a VALUES ('text')`,
	} {
		t.Run(name, func(t *testing.T) {
			path := tempPath(t)
			mustClose(t, must(openSteps(t, path, first))(t))
			for range 2 {
				if _, err := openSteps(t, path, first, store.Step{Name: "bad", SQL: bad}, third); err == nil || !strings.Contains(err.Error(), "(bad)") {
					t.Fatalf("opening gives %v", err)
				}
			}
			if c := copies(t, path); len(c) != 0 {
				t.Errorf("copies of a file that did not change: %v", c)
			}
			s := must(openSteps(t, path, first))(t)
			writer, _ := s.Handles()
			if n := one[int](t, writer, `SELECT count(*) FROM a`); n != 1 {
				t.Errorf("%d rows", n)
			}
			if n := one[int](t, writer, `SELECT count(*) FROM sqlite_schema WHERE name = 'b'`); n != 0 {
				t.Error("a table of the failed step is there")
			}
		})
	}
}

func TestMigrationThatFailsLaterKeepsTheCopy(t *testing.T) {
	path := tempPath(t)
	mustClose(t, must(openSteps(t, path, first))(t))
	if _, err := openSteps(t, path, first, second, store.Step{Name: "bad", SQL: `no`}); err == nil {
		t.Fatal("it opened")
	}
	if c := copies(t, path); len(c) != 1 {
		t.Errorf("copies: %v", c)
	}
	// A step was made: the program without it must not open the file.
	var newer *store.NewerSchemaError
	if _, err := openSteps(t, path, first); !errors.As(err, &newer) {
		t.Errorf("opening gives %v", err)
	}
}

func TestMigrationCopiesWhatLaysInTheWAL(t *testing.T) {
	path := tempPath(t)
	s := must(openSteps(t, path, first))(t)
	writer, _ := s.Handles()
	must(writer.ExecContext(t.Context(), `INSERT INTO a VALUES (2)`))(t)
	crashed := filepath.Join(t.TempDir(), "crashed.db")
	for _, suffix := range []string{"", "-wal"} {
		mustDo(t, os.WriteFile(crashed+suffix, must(os.ReadFile(path+suffix))(t), 0o600))
	}
	// What a copy that was cut short left behind.
	mustDo(t, os.WriteFile(crashed+".before-schema-2-20250101-000000.part", []byte("half"), 0o600))
	mustClose(t, must(openSteps(t, crashed, first, second))(t))
	c := copies(t, crashed)
	if len(c) != 1 {
		t.Fatalf("copies: %v", c)
	}
	s = must(openSteps(t, c[0], first))(t)
	writer, _ = s.Handles()
	if n := one[int](t, writer, `SELECT count(*) FROM a`); n != 2 {
		t.Errorf("the copy has %d rows", n)
	}
}

func TestManyOpenOneNewFile(t *testing.T) {
	path := tempPath(t)
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			s, err := store.Open(t.Context(), store.Options{Path: path})
			if err != nil {
				t.Error(err)
				return
			}
			if err := errors.Join(s.Append(t.Context(), event("k", "c", 1)), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	s := mustOpen(t, path)
	mustVerify(t, s)
	if got := must(s.Events(t.Context(), "c"))(t); len(got) != 8 {
		t.Errorf("%d events", len(got))
	}
	mustClose(t, s)
	if n := len(files(t, path)); n != 1 {
		t.Errorf("%d files are left", n)
	}
}
