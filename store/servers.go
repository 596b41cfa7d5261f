package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Server is a configured server. Config is the caller's JSON, without secret
// values. A removed one has Deleted set and keeps its row, for its history.
type Server struct {
	ID, Name, Kind            string
	Config                    []byte
	Enabled                   bool
	Position                  int64
	Created, Updated, Deleted time.Time
}

const serverColumns = `id, name, kind, config, enabled, position, created, updated, deleted`

// Servers gives the servers in their order.
func (s *Store) Servers(ctx context.Context, withDeleted bool) ([]Server, error) {
	rows, err := s.reader.QueryContext(ctx, `SELECT `+serverColumns+` FROM servers WHERE deleted IS NULL OR ? ORDER BY position, created, id`, withDeleted)
	if err != nil {
		return nil, fmt.Errorf("reading servers: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []Server
	for rows.Next() {
		srv, err := scanServer(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, srv)
	}
	return out, rows.Err()
}

// ServerByID gives a server, removed or not, or ErrNotFound.
func (s *Store) ServerByID(ctx context.Context, id string) (Server, error) {
	return scanServer(s.reader.QueryRowContext(ctx, `SELECT `+serverColumns+` FROM servers WHERE id = ?`, id))
}

// SaveServer adds or replaces a server. Created and Updated are given by the
// store.
func (s *Store) SaveServer(ctx context.Context, srv Server, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO servers (`+serverColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, config = excluded.config, enabled = excluded.enabled,
			position = excluded.position, updated = excluded.updated, deleted = excluded.deleted`,
			srv.ID, srv.Name, srv.Kind, blob(srv.Config), srv.Enabled, srv.Position, micros(t.now), micros(t.now), nullable(srv.Deleted))
		if err != nil {
			return fmt.Errorf("saving a server: %w", err)
		}
		return t.record(ctx, events, nil)
	})
}

func scanServer(row interface{ Scan(...any) error }) (Server, error) {
	var srv Server
	var created, updated int64
	var deleted sql.NullInt64
	if err := row.Scan(&srv.ID, &srv.Name, &srv.Kind, &srv.Config, &srv.Enabled, &srv.Position, &created, &updated, &deleted); err != nil {
		return srv, fmt.Errorf("reading a server: %w", notFound(err))
	}
	srv.Created, srv.Updated, srv.Deleted = fromMicros(created), fromMicros(updated), fromNullable(deleted)
	return srv, nil
}

// Consent is the launch of a server that a person agreed to last.
type Consent struct {
	ServerID, Fingerprint string
	Given                 time.Time
}

// SaveConsent replaces a server's consent.
func (s *Store) SaveConsent(ctx context.Context, c Consent, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := t.ExecContext(ctx, `REPLACE INTO consents (server_id, fingerprint, given) VALUES (?, ?, ?)`, c.ServerID, c.Fingerprint, micros(c.Given)); err != nil {
			return fmt.Errorf("saving a consent: %w", err)
		}
		return t.record(ctx, events, nil)
	})
}

// Consent gives a server's consent, or ErrNotFound.
func (s *Store) Consent(ctx context.Context, serverID string) (Consent, error) {
	c := Consent{ServerID: serverID}
	var given int64
	if err := s.reader.QueryRowContext(ctx, `SELECT fingerprint, given FROM consents WHERE server_id = ?`, serverID).Scan(&c.Fingerprint, &given); err != nil {
		return c, fmt.Errorf("reading a consent: %w", notFound(err))
	}
	c.Given = fromMicros(given)
	return c, nil
}
