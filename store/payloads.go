package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
)

// Payload is bytes to be kept beside the events that name it.
type Payload struct {
	Name     string // hex SHA-256 of salt and kept bytes
	WireName string // hex SHA-256 of salt and the bytes that crossed the wire
	Size     int64  // of the kept bytes
	Masks    int    // places in which the two differ

	salt, bytes []byte
}

// saltSize is the length of a payload's salt, in bytes.
const saltSize = 16

// NewPayload prepares bytes for keeping, under a fresh salt. wire are the
// bytes that crossed the wire, kept what is kept of them: the same bytes
// unless something was masked, in so many places.
func NewPayload(wire, kept []byte, masks int) Payload {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails: see crypto/rand
	p := Payload{Name: saltedName(salt, kept), Size: int64(len(kept)), Masks: masks, salt: salt, bytes: kept}
	p.WireName = p.Name
	if masks > 0 {
		p.WireName = saltedName(salt, wire)
	}
	return p
}

func saltedName(salt, b []byte) string {
	h := sha256.New()
	h.Write(salt)
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

func (t *tx) putPayload(ctx context.Context, p Payload) error {
	b := p.bytes
	if b == nil {
		b = []byte{}
	}
	if _, err := t.ExecContext(ctx, `INSERT INTO payloads (name, salt, bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`, p.Name, p.salt, b); err != nil {
		return fmt.Errorf("keeping a payload: %w", err)
	}
	return nil
}

// PayloadBytes gives the kept bytes of a payload, or ErrNotFound. Bytes that
// no longer fit their name are an error: they are not what was recorded.
func (s *Store) PayloadBytes(ctx context.Context, name string) ([]byte, error) {
	var salt, b []byte
	err := s.reader.QueryRowContext(ctx, `SELECT salt, bytes FROM payloads WHERE name = ?`, name).Scan(&salt, &b)
	if err != nil {
		return nil, fmt.Errorf("reading a payload: %w", notFound(err))
	}
	if saltedName(salt, b) != name {
		return nil, fmt.Errorf("the kept bytes of payload %s were changed", name)
	}
	return b, nil
}

// querier is what reads can be asked of.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}
