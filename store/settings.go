package store

import (
	"context"
	"fmt"
)

// Setting gives a setting's value, or ErrNotFound.
func (s *Store) Setting(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	if err := s.reader.QueryRowContext(ctx, `SELECT value FROM settings WHERE key = ?`, key).Scan(&value); err != nil {
		return nil, fmt.Errorf("reading the setting %s: %w", key, notFound(err))
	}
	return value, nil
}

// SettingsAll gives all settings by key.
func (s *Store) SettingsAll(ctx context.Context) (map[string][]byte, error) {
	type setting struct {
		key   string
		value []byte
	}
	all, err := list(ctx, s.reader, "settings", func(row scanner) (v setting, err error) {
		return v, row.Scan(&v.key, &v.value)
	}, `SELECT key, value FROM settings`)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]byte, len(all))
	for _, v := range all {
		out[v.key] = v.value
	}
	return out, nil
}

// SetSetting replaces a setting, with its events; an empty value removes it.
func (s *Store) SetSetting(ctx context.Context, key string, value []byte, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		query, args := `REPLACE INTO settings (key, value) VALUES (?, ?)`, []any{key, value}
		if len(value) == 0 {
			query, args = `DELETE FROM settings WHERE key = ?`, []any{key}
		}
		if _, err := t.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("saving the setting %s: %w", key, err)
		}
		return t.record(ctx, events, nil)
	})
}
