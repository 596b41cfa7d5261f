package store

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Verify walks the whole record: events without gaps, each one's stored bytes
// against the Merkle log, the log against itself, and every payload against
// its name. The error names the first fault.
func (s *Store) Verify(ctx context.Context) error {
	read, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	defer func() { _ = read.Rollback() }()
	if err := verifyEvents(ctx, read); err != nil {
		return err
	}
	rows, err := read.QueryContext(ctx, `SELECT name, salt, bytes FROM payloads`)
	if err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		var salt, b []byte
		if err := rows.Scan(&name, &salt, &b); err != nil {
			return fmt.Errorf("verifying: %w", err)
		}
		if saltedName(salt, b) != name {
			return fmt.Errorf("verifying: the bytes of payload %s were changed", name)
		}
	}
	return rows.Err()
}

// verifyEvents makes the log anew from the stored bytes and compares every
// node.
func verifyEvents(ctx context.Context, q querier) error {
	rows, err := q.QueryContext(ctx, `SELECT seq, stored FROM events ORDER BY seq`)
	if err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var made []tlog.Hash
	reader := tlog.HashReaderFunc(func(ids []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(ids))
		for i, id := range ids {
			out[i] = made[id]
		}
		return out, nil
	})
	n := int64(0)
	for ; rows.Next(); n++ {
		var seq int64
		var stored []byte
		if err := rows.Scan(&seq, &stored); err != nil {
			return fmt.Errorf("verifying: %w", err)
		}
		if seq != n {
			return fmt.Errorf("verifying: event %d is missing", n)
		}
		hashes, err := tlog.StoredHashes(seq, stored, reader)
		if err != nil {
			return fmt.Errorf("verifying: %w", err)
		}
		made = append(made, hashes...)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	kept, err := q.QueryContext(ctx, `SELECT id, hash FROM tree ORDER BY id`)
	if err != nil {
		return fmt.Errorf("verifying: %w", err)
	}
	defer func() { _ = kept.Close() }()
	i := int64(0)
	for ; kept.Next(); i++ {
		var id int64
		var hash []byte
		if err := kept.Scan(&id, &hash); err != nil {
			return fmt.Errorf("verifying: %w", err)
		}
		if id != i || i >= int64(len(made)) || string(hash) != string(made[i][:]) {
			return fmt.Errorf("verifying: node %d of the log does not fit the events", i)
		}
	}
	if i != int64(len(made)) {
		return fmt.Errorf("verifying: the log ends at node %d of %d", i, len(made))
	}
	return kept.Err()
}
