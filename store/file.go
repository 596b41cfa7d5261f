package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Files beside the database: SQLite's own, and the mark of a failed check.
const (
	walSuffix     = "-wal"
	shmSuffix     = "-shm"
	suspectSuffix = ".check-failed"
)

// fileThere looks at the file before SQLite does, sets modes, and finds the
// damage that SQLite would take for a new file.
func fileThere(path string) (bool, error) {
	for _, p := range []string{path, path + walSuffix, path + shmSuffix} {
		if err := os.Chmod(p, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	wal := int64(0)
	if info, err := os.Stat(path + walSuffix); err == nil {
		wal = info.Size()
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && wal == 0:
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("the database is gone and only its last changes are there: %w", errDamaged)
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s is not a file", path)
	case info.Size() < pageSize:
		return false, fmt.Errorf("the database is cut off after %d bytes: %w", info.Size(), errDamaged)
	case wal == 0: // a checkpoint that was cut short leaves a longer WAL
		return true, wholePages(path, info.Size())
	}
	return true, nil
}

// wholePages finds a file that ends inside a page, which SQLite would fill up
// with zeros.
func wholePages(path string, size int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var head [18]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return err
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	if page == 0 || size%page != 0 {
		return fmt.Errorf("the database is cut off inside a page: %w", errDamaged)
	}
	return nil
}

// makeFile makes an empty database of ours under path. It is made aside and
// then linked, so that a file under that name is never half made, and one that
// another process made meanwhile is kept.
func makeFile(ctx context.Context, path string) error {
	aside, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("making the database: %w", err)
	}
	defer func() { _ = os.Remove(aside.Name()) }()
	if err := aside.Close(); err != nil {
		return fmt.Errorf("making the database: %w", err)
	}
	db := sql.OpenDB(connector(aside.Name(), forMaking))
	_, err = db.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)) // the first page
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("making the database: %w", err)
	}
	if err := os.Link(aside.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		// Some file systems have no links.
		if err := os.Rename(aside.Name(), path); err != nil {
			return fmt.Errorf("making the database: %w", err)
		}
	}
	if err := syncDir(path); err != nil {
		return fmt.Errorf("making the database: %w", err)
	}
	return nil
}

// setAside renames the file and what belongs to it, the file first: what an
// interruption leaves behind is then found, and set aside too.
func setAside(path string, now time.Time) (string, error) {
	moved := freeName(path+".damaged-"+stamp(now), walSuffix)
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		err := os.Rename(path+suffix, moved+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Remove(path + suspectSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return moved, syncDir(path)
}

// stamp is a time as a part of a file's name.
func stamp(t time.Time) string { return t.UTC().Format("20060102-150405") }

// freeName makes a name under which, and under which with a suffix, there is
// nothing yet.
func freeName(name, suffix string) string {
	free := func(p string) bool {
		_, err := os.Lstat(p)
		return errors.Is(err, fs.ErrNotExist)
	}
	try := name
	for i := 2; !free(try) || !free(try+suffix); i++ {
		try = fmt.Sprintf("%s-%d", name, i)
	}
	return try
}

// syncDir makes names in the file's folder durable.
func syncDir(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// suspect marks the file as one whose check failed; nil takes the mark away.
func (s *Store) suspect(cause error) error {
	mark := s.path + suspectSuffix
	if cause != nil {
		return os.WriteFile(mark, []byte(cause.Error()+"\n"), 0o600)
	}
	if err := os.Remove(mark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s *Store) suspected() bool {
	_, err := os.Lstat(s.path + suspectSuffix)
	return err == nil
}
