package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/store"
)

// mustOpen opens the database of a path until the end of the test.
func mustOpen(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustClose(t, s) }) // a second Close does nothing
	return s
}

func mustClose(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func tempPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "test.db")
}

// mustDo fails the test when something that must work does not.
func mustDo(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must gives the value of what must work: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		mustDo(t, err)
		return v
	}
}

func mustVerify(t testing.TB, s *store.Store) {
	t.Helper()
	mustDo(t, s.Verify(context.WithoutCancel(t.Context())))
}

func event(kind, call string, body any) []store.NewEvent {
	return []store.NewEvent{{Kind: kind, CallID: call, Body: body}}
}

// addCall makes a call with an event and, where they are given, arguments and
// result.
func addCall(t testing.TB, s *store.Store, c store.Call, args, result string) store.Call {
	t.Helper()
	var kept []store.Payload
	for _, p := range []struct {
		text string
		name *string
	}{{args, &c.ArgsPayload}, {result, &c.ResultPayload}} {
		if p.text != "" {
			payload := store.NewPayload([]byte(p.text), []byte(p.text), 0)
			*p.name = payload.Name
			kept = append(kept, payload)
		}
	}
	return must(s.CreateCall(t.Context(), c, event("call.made", c.ID, c.ID), kept...))(t)
}

func indexAll(t testing.TB, s *store.Store) {
	t.Helper()
	for {
		if must(s.IndexPending(t.Context()))(t) == 0 {
			return
		}
	}
}

// files gives the contents of all files of a path's folder, by name.
func files(t testing.TB, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, e := range must(os.ReadDir(filepath.Dir(path)))(t) {
		out[e.Name()] = string(must(os.ReadFile(filepath.Join(filepath.Dir(path), e.Name())))(t))
	}
	return out
}

// one reads a single value.
func one[T any](t testing.TB, db *sql.DB, query string, args ...any) T {
	t.Helper()
	var v T
	mustDo(t, db.QueryRowContext(t.Context(), query, args...).Scan(&v))
	return v
}

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }

// planOf is how SQLite means to run a query.
func planOf(t testing.TB, db *sql.DB, query string, args []any) string {
	t.Helper()
	rows := must(db.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...))(t)
	defer func() { _ = rows.Close() }()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		mustDo(t, rows.Scan(&id, &parent, &unused, &detail))
		plan = append(plan, detail)
	}
	mustDo(t, rows.Err())
	return strings.Join(plan, "; ")
}
