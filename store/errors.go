package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
)

// ErrNotFound means that there is no such row.
var ErrNotFound = errors.New("not found")

// NewerSchemaError means that a newer version of the program wrote the file.
// The file is left as it is.
type NewerSchemaError struct{ Found, Known int }

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("a newer version of Countersign wrote this database (schema %d, this version knows %d): update Countersign", e.Found, e.Known)
}

// DamagedError means that the file is no sound database. It was renamed to
// MovedTo, with what belongs to it, and nothing of it was changed; opening
// again starts a new file.
type DamagedError struct {
	MovedTo string
	Cause   error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the database is damaged (%v); it was set aside as %s", e.Cause, e.MovedTo)
}

func (e *DamagedError) Unwrap() error { return e.Cause }

// errDamaged is the damage that SQLite itself does not call so.
var errDamaged error = sqlite3.Error{Code: sqlite3.ErrCorrupt}

// Damaged tells an error that means a damaged file from trouble that leaves
// the file sound, such as a full disk or a missing right. Any method can meet
// one; the file is then to be closed and opened again.
func Damaged(err error) bool {
	var se sqlite3.Error
	return errors.As(err, &se) && (se.Code == sqlite3.ErrCorrupt || se.Code == sqlite3.ErrNotADB)
}

// notFound makes the driver's "no rows" ours.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
