package store

import (
	"context"
	"database/sql"
)

// Step is a migration of a test.
type Step struct{ Name, SQL string }

// OpenSteps is Open with a test's migrations.
func OpenSteps(ctx context.Context, o Options, steps ...Step) (*Store, error) {
	var list []migration
	for _, s := range steps {
		list = append(list, migration{s.Name, s.SQL})
	}
	return open(ctx, o, list)
}

// Handles gives a test the two handles, to do what the package never does.
func (s *Store) Handles() (writer, reader *sql.DB) { return s.writer, s.reader }

// What tests of the package need to know.
const (
	PageSize        = pageSize
	QuickCheckLimit = quickCheckLimit
	PartSize        = partSize
	IndexBatch      = indexBatch
	Readers         = readers
)

// Plain is appendPlain.
func Plain(src string) string { return string(appendPlain(nil, []byte(src))) }
