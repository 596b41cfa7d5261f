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

// SaveListing replaces a server's listing and keeps every definition in it,
// with its events, in one transaction.
func (s *Store) SaveListing(ctx context.Context, l Listing, defs []Definition, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := t.putListing(ctx, l); err != nil {
			return fmt.Errorf("replacing the listing of server %s: %w", l.ServerID, err)
		}
		for _, d := range defs {
			if err := t.putDefinition(ctx, d); err != nil {
				return fmt.Errorf("keeping the definition of %s: %w", d.Name, err)
			}
		}
		return t.record(ctx, events, nil)
	})
}

// putListing replaces a listing; its pages go with it by their foreign key.
func (t *tx) putListing(ctx context.Context, l Listing) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM listings WHERE server_id = ?`, l.ServerID); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `INSERT INTO listings (server_id, fingerprint, info, received) VALUES (?, ?, ?, ?)`,
		l.ServerID, l.Fingerprint, blob(l.Info), micros(l.Received)); err != nil {
		return err
	}
	for i, p := range l.Pages {
		if _, err := t.ExecContext(ctx, `INSERT INTO list_pages (server_id, position, cursor, raw, received, ttl_ms, cache_scope, version)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, l.ServerID, i, p.Cursor, blob(p.Raw), micros(p.Received), p.TTLMs, p.CacheScope, p.Version); err != nil {
			return err
		}
	}
	return nil
}

// Listing gives what a server offered last, or ErrNotFound.
func (s *Store) Listing(ctx context.Context, serverID string) (Listing, error) {
	l := Listing{ServerID: serverID}
	err := s.read(ctx, func(ctx context.Context, q querier) error {
		var received int64
		if err := q.QueryRowContext(ctx, `SELECT fingerprint, info, received FROM listings WHERE server_id = ?`, serverID).
			Scan(&l.Fingerprint, &l.Info, &received); err != nil {
			return notFound(err)
		}
		l.Received = fromMicros(received)
		var err error
		l.Pages, err = list(ctx, q, "its pages", scanListPage,
			`SELECT cursor, raw, received, ttl_ms, cache_scope, version FROM list_pages WHERE server_id = ? ORDER BY position`, serverID)
		return err
	})
	if err != nil {
		return Listing{}, fmt.Errorf("reading the listing of server %s: %w", serverID, err)
	}
	return l, nil
}

func scanListPage(row scanner) (ListPage, error) {
	var p ListPage
	var received int64
	err := row.Scan(&p.Cursor, &p.Raw, &received, &p.TTLMs, &p.CacheScope, &p.Version)
	p.Received = fromMicros(received)
	return p, err
}
