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
	return list(ctx, s.reader, "servers", scanServer,
		`SELECT `+serverColumns+` FROM servers WHERE deleted IS NULL OR ? ORDER BY position, created, id`, withDeleted)
}

// ServerByID gives a server, removed or not, or ErrNotFound.
func (s *Store) ServerByID(ctx context.Context, id string) (Server, error) {
	srv, err := scanServer(s.reader.QueryRowContext(ctx, `SELECT `+serverColumns+` FROM servers WHERE id = ?`, id))
	if err != nil {
		return Server{}, fmt.Errorf("reading server %s: %w", id, notFound(err))
	}
	return srv, nil
}

// SaveServer adds or replaces a server, with its events. Created and Updated
// are given by the store. Setting Deleted removes the server, clearing it
// brings it back.
func (s *Store) SaveServer(ctx context.Context, srv Server, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := t.putServer(ctx, srv); err != nil {
			return fmt.Errorf("saving server %s: %w", srv.ID, err)
		}
		return t.record(ctx, events, nil)
	})
}

func (t *tx) putServer(ctx context.Context, srv Server) error {
	_, err := t.ExecContext(ctx, `INSERT INTO servers (`+serverColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, config = excluded.config, enabled = excluded.enabled,
		position = excluded.position, updated = excluded.updated, deleted = excluded.deleted`,
		srv.ID, srv.Name, srv.Kind, blob(srv.Config), srv.Enabled, srv.Position, micros(t.now), micros(t.now), nullable(srv.Deleted))
	return err
}

func scanServer(row scanner) (Server, error) {
	var srv Server
	var created, updated int64
	var deleted sql.NullInt64
	err := row.Scan(&srv.ID, &srv.Name, &srv.Kind, &srv.Config, &srv.Enabled, &srv.Position, &created, &updated, &deleted)
	srv.Created, srv.Updated, srv.Deleted = fromMicros(created), fromMicros(updated), fromNullable(deleted)
	return srv, err
}
