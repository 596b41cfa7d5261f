package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// Options are what a store is opened with.
type Options struct {
	Path string           // of the database file; its folder must exist
	Now  func() time.Time // nil: time.Now
}

// Store is an open database. Close it.
type Store struct {
	path   string
	now    func() time.Time
	writer *sql.DB // one connection
	reader *sql.DB
}

// quickCheckLimit is the largest file that is checked before Open returns.
// Larger ones are checked by Check, which the caller runs in the background.
const quickCheckLimit = 64 << 20

// Open opens the database, makes it where there is none, checks it and brings
// its schema up to date. Errors are *NewerSchemaError, *DamagedError, or tell
// what could not be done.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{path: o.Path, now: o.Now}
	if err := touch(o.Path); err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		_ = s.Close()
		if damaged(err) {
			moved, moveErr := setAside(o.Path, o.Now())
			if moveErr != nil {
				return nil, fmt.Errorf("the database is damaged (%w) and could not be set aside: %w", err, moveErr)
			}
			return nil, &DamagedError{MovedTo: moved, Cause: err}
		}
		return nil, err
	}
	return s, nil
}

// touch makes the file with its mode before SQLite would make it with another.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	return nil
}

func (s *Store) open(ctx context.Context) error {
	var err error
	if s.writer, err = sql.Open("sqlite3", dsn(s.path, false)); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	s.writer.SetMaxOpenConns(1)
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx, migrations()); err != nil {
		return err
	}
	if s.reader, err = sql.Open("sqlite3", dsn(s.path, true)); err != nil {
		return fmt.Errorf("opening the database for reading: %w", err)
	}
	s.reader.SetMaxOpenConns(4)
	if err := s.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("opening the database for reading: %w", err)
	}
	return nil
}

// dsn holds every pragma, since a pragma run on a pooled handle counts for one
// connection only. auto_vacuum and page size come before WAL: both are fixed
// with the first page.
func dsn(path string, read bool) string {
	q := url.Values{}
	q.Set("_busy_timeout", "5000")
	q.Set("_foreign_keys", "1")
	q.Set("_synchronous", "FULL")
	q.Set("_cache_size", "-16000")
	if read {
		q.Set("_query_only", "1")
		q.Set("_txlock", "deferred")
	} else {
		q.Set("_auto_vacuum", "INCREMENTAL")
		q.Set("_journal_mode", "WAL")
		q.Set("_txlock", "immediate")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// prepare checks what the file and the build must be.
func (s *Store) prepare(ctx context.Context) error {
	var fts int
	if err := s.writer.QueryRowContext(ctx, `SELECT count(*) FROM pragma_compile_options WHERE compile_options = 'ENABLE_FTS5'`).Scan(&fts); err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	if fts == 0 {
		return errors.New("this build has no text search: build with -tags sqlite_fts5")
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	if info.Size() > quickCheckLimit {
		return nil
	}
	return s.Check(ctx)
}

// Check runs SQLite's quick check over the whole file. For files over 64 MiB
// Open leaves it to the caller. A fault is an error that damaged recognises.
func (s *Store) Check(ctx context.Context) error {
	rows, err := s.writer.QueryContext(ctx, `PRAGMA quick_check(20)`)
	if err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return fmt.Errorf("checking the database: %w", err)
		}
		if line != "ok" {
			found = append(found, line)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	if len(found) > 0 {
		return fmt.Errorf("checking the database: %s: %w", strings.Join(found, "; "), errCorrupt)
	}
	return nil
}

// setAside renames the file and what belongs to it.
func setAside(path string, now time.Time) (string, error) {
	base := path + ".damaged-" + now.UTC().Format("20060102-150405")
	moved := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(moved); errors.Is(err, os.ErrNotExist) {
			break
		}
		moved = fmt.Sprintf("%s-%d", base, i)
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		err := os.Rename(path+suffix, moved+suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return moved, nil
}

// Close closes the database. The WAL is folded into the file.
func (s *Store) Close() error {
	var err error
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// Path is where the database is.
func (s *Store) Path() string { return filepath.Clean(s.path) }

// tx is a write transaction with its one time stamp.
type tx struct {
	*sql.Tx
	now time.Time
}

// write runs fn in an immediate transaction and commits. fn's error rolls back
// and is returned as it is.
func (s *Store) write(ctx context.Context, fn func(ctx context.Context, t *tx) error) error {
	raw, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning to write: %w", err)
	}
	defer func() { _ = raw.Rollback() }() // after a commit this does nothing
	if err := fn(ctx, &tx{raw, s.now().UTC()}); err != nil {
		return err
	}
	if err := raw.Commit(); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// nullable is a time as a column that may be NULL.
func nullable(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return micros(t)
}

func fromNullable(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return fromMicros(n.Int64)
}

// notFound makes the driver's "no rows" ours.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
