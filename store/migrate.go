package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema; the first is number 1, and the number
// of the last that was made stands in user_version.
type migration struct{ name, sql string }

// migrations are the embedded steps in their order.
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

// migrate brings the schema forward, each step in one transaction. A file that
// has a schema is copied first. When no step could be made, the file is as it
// was, and the copy goes again.
func (s *Store) migrate(ctx context.Context, steps []migration) error {
	var have int
	if err := s.writer.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return fmt.Errorf("reading the schema's version: %w", err)
	}
	saved := ""
	if have > 0 && have < len(steps) {
		var err error
		if saved, err = s.copyBefore(ctx, have+1); err != nil {
			return fmt.Errorf("copying the database before its schema changes: %w", err)
		}
	}
	if have == 0 { // a new file is never seen half made
		if err := s.step(ctx, steps...); err != nil {
			return fmt.Errorf("making the database: %w", err)
		}
		have = len(steps)
	}
	for i := have; i < len(steps); i++ {
		if err := s.step(ctx, steps[:i+1]...); err != nil {
			if saved != "" && i == have {
				_ = os.Remove(saved) // err is the news; a copy too many does no harm
			}
			return fmt.Errorf("bringing the database forward (%s): %w", steps[i].name, err)
		}
	}
	// What another process made meanwhile may be newer than we are.
	if err := s.writer.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return fmt.Errorf("reading the schema's version: %w", err)
	}
	if have > len(steps) {
		return &NewerSchemaError{Found: have, Known: len(steps)}
	}
	return nil
}

// step makes, in one transaction, those of the steps that are not made yet, by us
// or by another process.
func (s *Store) step(ctx context.Context, steps ...migration) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		var have int
		if err := t.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
			return err
		}
		if have >= len(steps) {
			return nil
		}
		for _, step := range steps[have:] {
			if _, err := t.ExecContext(ctx, step.sql); err != nil {
				return fmt.Errorf("%s: %w", step.name, err)
			}
		}
		var broken int
		if err := t.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&broken); err != nil {
			return err
		}
		if broken > 0 {
			return fmt.Errorf("%d rows would point nowhere", broken)
		}
		_, err := t.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, len(steps)))
		return err
	})
}

// copyBefore keeps the file as it is before step number, and gives the copy's
// path. The copy is durable before the step begins.
func (s *Store) copyBefore(ctx context.Context, number int) (string, error) {
	to := freeName(fmt.Sprintf("%s.before-schema-%d-%s", s.path, number, stamp(s.now())), "")
	part := to + ".part"
	if left, err := filepath.Glob(s.path + ".before-schema-*.part"); err == nil { // of tries that were cut short
		for _, l := range left {
			_ = os.Remove(l)
		}
	}
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600) // before SQLite would make it with another mode
	if err != nil {
		return "", err
	}
	_, err = s.writer.ExecContext(ctx, `VACUUM INTO ?`, part)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(part) // err is the news
		return "", err
	}
	if err := os.Rename(part, to); err != nil {
		return "", err
	}
	return to, syncDir(to)
}
