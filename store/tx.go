package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// tx is a write transaction with its one time stamp.
type tx struct {
	*sql.Tx
	now time.Time // UTC, whole microseconds
}

// querier is what reads can be asked of.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// write runs fn in an immediate transaction and commits. fn's error rolls back
// and is returned as it is. fn must not call write again: there is one writer.
func (s *Store) write(ctx context.Context, fn func(ctx context.Context, t *tx) error) error {
	raw, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning to write: %w", err)
	}
	defer func() { _ = raw.Rollback() }() // after a commit this does nothing
	if err := fn(ctx, &tx{raw, whole(s.now())}); err != nil {
		return err
	}
	if err := raw.Commit(); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// read runs fn on one state of the database.
func (s *Store) read(ctx context.Context, fn func(ctx context.Context, q querier) error) error {
	raw, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning to read: %w", err)
	}
	defer func() { _ = raw.Rollback() }() // there is nothing to commit
	return fn(ctx, raw)
}

// scanner is a row, or the rows at their present one.
type scanner interface{ Scan(dest ...any) error }

// list reads all rows of a query. what names them in errors.
func list[T any](ctx context.Context, q querier, what string, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	defer func() { _ = rows.Close() }()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", what, err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	return out, nil
}

// whole is a time as the database can keep it.
func whole(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
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

// blob makes nil an empty blob, which a NOT NULL column takes.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
