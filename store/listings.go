package store

import (
	"context"
	"fmt"
	"time"
)

// ListPage is one page of a list as it was received.
type ListPage struct {
	Cursor     *string // asked for with; nil for the first
	Raw        []byte
	Received   time.Time
	TTLMs      int64 // -1: the server gave none
	CacheScope string
	Version    string // protocol version
}

// Listing is what a server offered last, under one launch.
type Listing struct {
	ServerID, Fingerprint string
	Pages                 []ListPage
	Info                  []byte // the caller's
	Received              time.Time
}

// Definition is a tool's definition as it was seen. Hash is its fingerprint.
type Definition struct {
	Hash, ServerID, Name string
	Raw                  []byte
	FirstSeen, LastSeen  time.Time
}

// SaveListing replaces a server's listing and keeps every definition in it, in
// one transaction.
func (s *Store) SaveListing(ctx context.Context, l Listing, defs []Definition, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM listings WHERE server_id = ?`, l.ServerID); err != nil {
			return fmt.Errorf("replacing a listing: %w", err)
		}
		if _, err := t.ExecContext(ctx, `INSERT INTO listings (server_id, fingerprint, info, received) VALUES (?, ?, ?, ?)`,
			l.ServerID, l.Fingerprint, blob(l.Info), micros(l.Received)); err != nil {
			return fmt.Errorf("replacing a listing: %w", err)
		}
		for i, p := range l.Pages {
			if _, err := t.ExecContext(ctx, `INSERT INTO list_pages (server_id, position, cursor, raw, received, ttl_ms, cache_scope, version)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, l.ServerID, i, p.Cursor, blob(p.Raw), micros(p.Received), p.TTLMs, p.CacheScope, p.Version); err != nil {
				return fmt.Errorf("keeping page %d of a list: %w", i, err)
			}
		}
		for _, d := range defs {
			if _, err := t.ExecContext(ctx, `INSERT INTO definitions (hash, server_id, name, raw, first_seen, last_seen) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT (hash, server_id) DO UPDATE SET last_seen = excluded.last_seen`,
				d.Hash, d.ServerID, d.Name, blob(d.Raw), micros(t.now), micros(t.now)); err != nil {
				return fmt.Errorf("keeping the definition of %s: %w", d.Name, err)
			}
		}
		return t.record(ctx, events, nil)
	})
}

// Listing gives what a server offered last, or ErrNotFound.
func (s *Store) Listing(ctx context.Context, serverID string) (Listing, error) {
	l := Listing{ServerID: serverID}
	var received int64
	err := s.reader.QueryRowContext(ctx, `SELECT fingerprint, info, received FROM listings WHERE server_id = ?`, serverID).Scan(&l.Fingerprint, &l.Info, &received)
	if err != nil {
		return l, fmt.Errorf("reading a listing: %w", notFound(err))
	}
	l.Received = fromMicros(received)
	rows, err := s.reader.QueryContext(ctx, `SELECT cursor, raw, received, ttl_ms, cache_scope, version FROM list_pages WHERE server_id = ? ORDER BY position`, serverID)
	if err != nil {
		return l, fmt.Errorf("reading a listing: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var p ListPage
		if err := rows.Scan(&p.Cursor, &p.Raw, &received, &p.TTLMs, &p.CacheScope, &p.Version); err != nil {
			return l, fmt.Errorf("reading a listing: %w", err)
		}
		p.Received = fromMicros(received)
		l.Pages = append(l.Pages, p)
	}
	return l, rows.Err()
}

// Definition gives a definition by its fingerprint, of whichever server, or
// ErrNotFound.
func (s *Store) Definition(ctx context.Context, hash string) (Definition, error) {
	list, err := s.definitions(ctx, `hash = ? ORDER BY last_seen DESC LIMIT 1`, hash)
	if err != nil {
		return Definition{}, err
	}
	if len(list) == 0 {
		return Definition{}, ErrNotFound
	}
	return list[0], nil
}

// Definitions gives every definition of a tool that was ever seen, oldest
// first.
func (s *Store) Definitions(ctx context.Context, serverID, name string) ([]Definition, error) {
	return s.definitions(ctx, `server_id = ? AND name = ? ORDER BY first_seen, hash`, serverID, name)
}

func (s *Store) definitions(ctx context.Context, where string, args ...any) ([]Definition, error) {
	rows, err := s.reader.QueryContext(ctx, `SELECT hash, server_id, name, raw, first_seen, last_seen FROM definitions WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("reading definitions: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []Definition
	for rows.Next() {
		var d Definition
		var first, last int64
		if err := rows.Scan(&d.Hash, &d.ServerID, &d.Name, &d.Raw, &first, &last); err != nil {
			return nil, fmt.Errorf("reading definitions: %w", err)
		}
		d.FirstSeen, d.LastSeen = fromMicros(first), fromMicros(last)
		out = append(out, d)
	}
	return out, rows.Err()
}

// blob makes nil an empty blob, which a NOT NULL column takes.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
