package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
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
	reader *sql.DB // readers connections, none of which can write
}

// readers is the size of the read pool. A long search and a check of the file
// leave connections for the page.
const readers = 4

// Open opens the database, makes it where there is none, checks it and brings
// its schema up to date. Errors are *NewerSchemaError (the file is untouched),
// *DamagedError (the file was set aside whole; Open again begins a new one),
// or tell what could not be done, with the file as it was. Open has no lock
// that keeps other processes out: the caller holds one on the folder.
func Open(ctx context.Context, o Options) (*Store, error) {
	return open(ctx, o, migrations())
}

// open is Open with another list of migrations, for tests of the machinery.
func open(ctx context.Context, o Options, steps []migration) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	if err := textSearchBuilt(ctx); err != nil {
		return nil, err
	}
	s := &Store{path: path, now: o.Now}
	err = s.open(ctx, steps)
	if err == nil {
		return s, nil
	}
	_ = s.Close() // err is the news
	if !Damaged(err) {
		return nil, err
	}
	moved, moveErr := setAside(path, o.Now())
	if moveErr != nil {
		return nil, fmt.Errorf("the database is damaged (%w) and could not be set aside: %w", err, moveErr)
	}
	return nil, &DamagedError{MovedTo: moved, Cause: err}
}

func (s *Store) open(ctx context.Context, steps []migration) error {
	there, err := fileThere(s.path)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	if there {
		err = s.look(ctx, len(steps))
	} else {
		err = makeFile(ctx, s.path)
	}
	if err != nil {
		return err
	}
	s.writer = sql.OpenDB(connector(s.path, forWriting))
	s.writer.SetMaxOpenConns(1)
	if err := s.migrate(ctx, steps); err != nil {
		return err
	}
	s.reader = sql.OpenDB(connector(s.path, forReading))
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	if err := s.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("opening the database for reading: %w", err)
	}
	return nil
}

// look judges a file that was there already, over a connection that cannot
// change it: neither by writing, nor by folding the WAL in as it closes.
func (s *Store) look(ctx context.Context, known int) error {
	db := sql.OpenDB(connector(s.path, forReading))
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	var id int64
	var version int
	if err := db.QueryRowContext(ctx, `SELECT application_id, user_version FROM pragma_application_id, pragma_user_version`).Scan(&id, &version); err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	if id != applicationID {
		return fmt.Errorf("%s is the database of another program", s.path)
	}
	if version > known {
		return &NewerSchemaError{Found: version, Known: known}
	}
	if s.Large() && !s.suspected() {
		return nil
	}
	return quickCheck(ctx, db)
}

// Close closes the database; the WAL is folded into the file. Calls that are
// still running fail.
func (s *Store) Close() error {
	var err error
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// Path is where the database is, absolute.
func (s *Store) Path() string { return s.path }

// quickCheckLimit is the size in bytes of the largest file that Open checks:
// a quarter of a second, measured at 8 ms a MiB.
const quickCheckLimit = 32 << 20

// Large tells whether Open left the quick check to Check.
func (s *Store) Large() bool {
	info, err := os.Stat(s.path)
	return err == nil && info.Size() > quickCheckLimit
}

// Check runs SQLite's quick check over the whole file, beside reading and
// writing; it may take half a minute and can be cancelled. It is for the
// background when the file is Large. An error for which Damaged is true means
// that the file is to be closed and opened again: Open will then check it too,
// whatever its size, and set it aside.
func (s *Store) Check(ctx context.Context) error {
	err := quickCheck(ctx, s.reader)
	switch {
	case err == nil:
		err = s.suspect(nil)
	case Damaged(err):
		err = errors.Join(err, s.suspect(err))
	}
	return err
}
