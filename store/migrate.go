package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"sort"

	"github.com/mattn/go-sqlite3"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

var errCorrupt = sqlite3.Error{Code: sqlite3.ErrCorrupt}

// migration is one step of the schema; the first is number 1.
type migration struct{ name, sql string }

func migrations() []migration {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		panic("store: " + err.Error()) // the pattern is constant
	}
	sort.Strings(names)
	var out []migration
	for _, n := range names {
		text, err := migrationFiles.ReadFile(n)
		if err != nil {
			panic("store: " + err.Error()) // embedded
		}
		out = append(out, migration{n, string(text)})
	}
	return out
}

// migrate brings the schema forward, each step in one transaction. Before the
// first step of a file that holds data, the file is copied beside itself.
func (s *Store) migrate(ctx context.Context, steps []migration) error {
	var have int
	if err := s.writer.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return fmt.Errorf("reading the schema's version: %w", err)
	}
	if have > len(steps) {
		return &NewerSchemaError{Found: have, Known: len(steps)}
	}
	if have > 0 && have < len(steps) {
		if err := s.copyBefore(ctx, have); err != nil {
			return err
		}
	}
	for i := have; i < len(steps); i++ {
		err := s.write(ctx, func(ctx context.Context, t *tx) error {
			if _, err := t.ExecContext(ctx, steps[i].sql); err != nil {
				return err
			}
			_, err := t.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, i+1))
			return err
		})
		if err != nil {
			return fmt.Errorf("bringing the database forward (%s): %w", steps[i].name, err)
		}
	}
	return nil
}

// copyBefore keeps the file as it was under schema have.
func (s *Store) copyBefore(ctx context.Context, have int) error {
	to := fmt.Sprintf("%s.before-schema-%d", s.path, have+1)
	if _, err := os.Lstat(to); err == nil {
		return nil // an earlier try that did not come to its end
	}
	part := to + ".part"
	_ = os.Remove(part) // of an earlier try
	if _, err := s.writer.ExecContext(ctx, `VACUUM INTO ?`, part); err != nil {
		return fmt.Errorf("copying the database before its schema changes: %w", err)
	}
	if err := os.Chmod(part, 0o600); err != nil {
		return fmt.Errorf("copying the database before its schema changes: %w", err)
	}
	if err := os.Rename(part, to); err != nil {
		return fmt.Errorf("copying the database before its schema changes: %w", err)
	}
	return nil
}
