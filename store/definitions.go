package store

import (
	"context"
	"fmt"
	"time"
)

// Definition is a tool's definition as it was seen. Hash is its fingerprint,
// over Raw with the name in it.
type Definition struct {
	Hash, ServerID, Name string
	Raw                  []byte
	FirstSeen, LastSeen  time.Time // given by the store
}

const definitionColumns = `hash, server_id, name, raw, first_seen, last_seen`

// putDefinition keeps a definition, or that it was seen again.
func (t *tx) putDefinition(ctx context.Context, d Definition) error {
	_, err := t.ExecContext(ctx, `INSERT INTO definitions (`+definitionColumns+`) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (hash, server_id) DO UPDATE SET last_seen = excluded.last_seen`,
		d.Hash, d.ServerID, d.Name, blob(d.Raw), micros(t.now), micros(t.now))
	return err
}

// Definition gives a definition by its fingerprint, of whichever server, or
// ErrNotFound.
func (s *Store) Definition(ctx context.Context, hash string) (Definition, error) {
	d, err := scanDefinition(s.reader.QueryRowContext(ctx, `SELECT `+definitionColumns+` FROM definitions WHERE hash = ? ORDER BY last_seen DESC LIMIT 1`, hash))
	if err != nil {
		return Definition{}, fmt.Errorf("reading definition %s: %w", hash, notFound(err))
	}
	return d, nil
}

// Definitions gives every definition of a tool that was ever seen, oldest
// first.
func (s *Store) Definitions(ctx context.Context, serverID, name string) ([]Definition, error) {
	return list(ctx, s.reader, "definitions", scanDefinition,
		`SELECT `+definitionColumns+` FROM definitions WHERE server_id = ? AND name = ? ORDER BY first_seen, hash`, serverID, name)
}

func scanDefinition(row scanner) (Definition, error) {
	var d Definition
	var first, last int64
	err := row.Scan(&d.Hash, &d.ServerID, &d.Name, &d.Raw, &first, &last)
	d.FirstSeen, d.LastSeen = fromMicros(first), fromMicros(last)
	return d, err
}
