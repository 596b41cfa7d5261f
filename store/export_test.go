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

// PageQuery is the statement of a page.
func PageQuery(f CallFilter) (query string, args []any) {
	f.Before = 1 << 60
	return f.query(callColumns, 10)
}

// SearchQueries are the statements of a search.
func SearchQueries(f CallFilter) (queries []string, args [][]any) {
	f.Before = 1 << 60
	for _, h := range parseText(f.Text).halves(f) {
		queries, args = append(queries, h.query), append(args, h.args)
	}
	return queries, args
}

// Fill makes calls with their events and payloads in one transaction, which
// is what makes a hundred thousand of them bearable.
func (s *Store) Fill(ctx context.Context, n int, make func(i int) (c Call, events []NewEvent, args, result []byte)) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		for i := range n {
			c, events, args, result := make(i)
			a, r := NewPayload(args, args, 0), NewPayload(result, result, 0)
			c.ArgsPayload, c.ResultPayload = a.Name, r.Name
			if err := t.insertCall(ctx, &c); err != nil {
				return err
			}
			if err := t.record(ctx, events, []Payload{a, r}); err != nil {
				return err
			}
		}
		return nil
	})
}

// EventBytes are the bytes of event 7, checked as Verify checks them.
func EventBytes(e NewEvent) ([]byte, error) {
	at := fromMicros(1_700_000_000_000_001)
	stored, err := eventBytes(7, at, e)
	if err != nil {
		return nil, err
	}
	if err := fitsColumns(Event{Seq: 7, Time: at, Kind: e.Kind, CallID: e.CallID, ServerID: e.ServerID, Stored: stored}); err != nil {
		panic(err)
	}
	return stored, nil
}
