package store

import (
	"context"
	"fmt"
	"time"
)

// Icon is an icon that was fetched and drawn anew. Hash is of its bytes.
// Source names where it came from, in the caller's words.
type Icon struct {
	Hash, MIME       string
	Bytes            []byte
	ServerID, Source string
	Fetched          time.Time
}

// SaveIcon keeps an icon under its server and source, in place of the one
// before.
func (s *Store) SaveIcon(ctx context.Context, i Icon) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `REPLACE INTO icons (hash, server_id, source, mime, bytes, fetched) VALUES (?, ?, ?, ?, ?, ?)`,
			i.Hash, i.ServerID, i.Source, i.MIME, blob(i.Bytes), micros(i.Fetched))
		if err != nil {
			return fmt.Errorf("keeping an icon of server %s: %w", i.ServerID, err)
		}
		return nil
	})
}

// Icon gives an icon by its hash, of whichever server, or ErrNotFound.
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
		return Icon{}, fmt.Errorf("reading an icon: %w", notFound(err))
	}
	i.Fetched = fromMicros(fetched)
	return i, nil
}
