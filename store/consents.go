package store

import (
	"context"
	"fmt"
	"time"
)

// Consent is the launch of a server that a person agreed to last.
type Consent struct {
	ServerID, Fingerprint string
	Given                 time.Time
}

// SaveConsent replaces a server's consent, with its events.
func (s *Store) SaveConsent(ctx context.Context, c Consent, events []NewEvent) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := t.ExecContext(ctx, `REPLACE INTO consents (server_id, fingerprint, given) VALUES (?, ?, ?)`,
			c.ServerID, c.Fingerprint, micros(c.Given)); err != nil {
			return fmt.Errorf("saving the consent to server %s: %w", c.ServerID, err)
		}
		return t.record(ctx, events, nil)
	})
}

// Consent gives a server's consent, or ErrNotFound.
func (s *Store) Consent(ctx context.Context, serverID string) (Consent, error) {
	c := Consent{ServerID: serverID}
	var given int64
	err := s.reader.QueryRowContext(ctx, `SELECT fingerprint, given FROM consents WHERE server_id = ?`, serverID).Scan(&c.Fingerprint, &given)
	if err != nil {
		return Consent{}, fmt.Errorf("reading the consent to server %s: %w", serverID, notFound(err))
	}
	c.Given = fromMicros(given)
	return c, nil
}
