package store

import (
	"context"
	"fmt"
	"time"
)

// Setting gives a setting's value, or ErrNotFound.
func (s *Store) Setting(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	if err := s.reader.QueryRowContext(ctx, `SELECT value FROM settings WHERE key = ?`, key).Scan(&value); err != nil {
		return nil, fmt.Errorf("reading the setting %s: %w", key, notFound(err))
	}
	return value, nil
}

// SettingsAll gives all settings.
func (s *Store) SettingsAll(ctx context.Context) (map[string][]byte, error) {
	rows, err := s.reader.QueryContext(ctx, `SELECT key, value FROM settings`)
	if err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string][]byte{}
	for rows.Next() {
		var key string
		var value []byte
		if err := rows.Scan(&key, &value); err != nil {
			return nil, fmt.Errorf("reading settings: %w", err)
		}
		out[key] = value
	}
	return out, rows.Err()
}

// SetSetting replaces a setting; an empty value removes it.
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

// Icon is an icon that was fetched and drawn anew. Source names where it came
// from, in the caller's words.
type Icon struct {
	Hash, MIME       string
	Bytes            []byte
	ServerID, Source string
	Fetched          time.Time
}

// SaveIcon keeps an icon under its server and source.
func (s *Store) SaveIcon(ctx context.Context, i Icon) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `REPLACE INTO icons (hash, server_id, source, mime, bytes, fetched) VALUES (?, ?, ?, ?, ?, ?)`,
			i.Hash, i.ServerID, i.Source, i.MIME, blob(i.Bytes), micros(i.Fetched))
		if err != nil {
			return fmt.Errorf("keeping an icon: %w", err)
		}
		return nil
	})
}

// Icon gives an icon by its hash, or ErrNotFound.
func (s *Store) Icon(ctx context.Context, hash string) (Icon, error) {
	return s.icon(ctx, `hash = ? LIMIT 1`, hash)
}

// IconBySource gives the icon that a server's source led to, or ErrNotFound.
func (s *Store) IconBySource(ctx context.Context, serverID, source string) (Icon, error) {
	return s.icon(ctx, `server_id = ? AND source = ?`, serverID, source)
}

func (s *Store) icon(ctx context.Context, where string, args ...any) (Icon, error) {
	var i Icon
	var fetched int64
	err := s.reader.QueryRowContext(ctx, `SELECT hash, mime, bytes, server_id, source, fetched FROM icons WHERE `+where, args...).
		Scan(&i.Hash, &i.MIME, &i.Bytes, &i.ServerID, &i.Source, &fetched)
	if err != nil {
		return i, fmt.Errorf("reading an icon: %w", notFound(err))
	}
	i.Fetched = fromMicros(fetched)
	return i, nil
}
