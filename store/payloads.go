package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
)

// Payload is bytes to be kept beside the events that name it. The zero value
// is none: make one with NewPayload.
type Payload struct {
	Name     string // hex SHA-256 of salt and kept bytes
	WireName string // hex SHA-256 of salt and the bytes that crossed the wire
	Size     int64  // of the kept bytes
	Masks    int    // places in which the two differ

	salt, bytes []byte
}

const (
	saltSize = 16      // bytes
	partSize = 1 << 20 // bytes of a payload in one row
)

// NewPayload prepares bytes for keeping, under a fresh salt. wire are the
// bytes that crossed the wire, kept what is kept of them: the same bytes
// unless something was masked, in so many places. Both are hashed now; kept is
// not copied, and must not change until the payload was written.
func NewPayload(wire, kept []byte, masks int) Payload {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails: see crypto/rand
	p := Payload{Name: saltedName(salt, kept), Size: int64(len(kept)), Masks: masks, salt: salt, bytes: kept}
	p.WireName = p.Name
	if !bytes.Equal(wire, kept) {
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
	if p.Name == "" {
		return errors.New("a payload was not made by NewPayload")
	}
	first, rest := p.bytes[:min(len(p.bytes), partSize)], p.bytes[min(len(p.bytes), partSize):]
	result, err := t.ExecContext(ctx, `INSERT INTO payloads (name, salt, bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		p.Name, p.salt, blob(first))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 || err != nil {
		return err // it is there: the caller keeps it twice
	}
	id, err := result.LastInsertId()
	if err != nil {
		return err
	}
	for part := 1; len(rest) > 0; part++ {
		n := min(len(rest), partSize)
		if _, err := t.ExecContext(ctx, `INSERT INTO payload_parts (payload, part, bytes) VALUES (?, ?, ?)`, id, part, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// PayloadBytes gives the kept bytes of a payload, which are the caller's, or
// ErrNotFound. Bytes that no longer fit their name are an error: they are not
// what was recorded.
func (s *Store) PayloadBytes(ctx context.Context, name string) ([]byte, error) {
	var out []byte
	err := s.read(ctx, func(ctx context.Context, q querier) error {
		var id, size int64
		var salt []byte
		if err := q.QueryRowContext(ctx, `SELECT id, salt, length(bytes) + coalesce((SELECT sum(length(bytes)) FROM payload_parts WHERE payload = id), 0)
			FROM payloads WHERE name = ?`, name).Scan(&id, &salt, &size); err != nil {
			return notFound(err)
		}
		out = make([]byte, 0, size)
		h := sha256.New()
		h.Write(salt)
		err := eachPart(ctx, q, id, func(part []byte) {
			out = append(out, part...)
			h.Write(part)
		})
		if err == nil && hex.EncodeToString(h.Sum(nil)) != name {
			err = errors.New("the kept bytes were changed")
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading payload %s: %w", name, err)
	}
	return out, nil
}

// eachPart hands over a payload's bytes part by part; a part is only valid
// during the call.
func eachPart(ctx context.Context, q querier, id int64, visit func([]byte)) error {
	rows, err := q.QueryContext(ctx, `SELECT bytes FROM (SELECT 0 AS part, bytes FROM payloads WHERE id = ?1
		UNION ALL SELECT part, bytes FROM payload_parts WHERE payload = ?1 ORDER BY part)`, id)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var part sql.RawBytes
		if err := rows.Scan(&part); err != nil {
			return err
		}
		visit(part)
	}
	return rows.Err()
}
