package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// Verify walks the whole record: events without gaps, each one's columns
// against its stored bytes, these against the Merkle log, the log against
// itself, and every payload against its name. The error names the first fault.
// Memory does not grow with the record; time does, and ctx ends it.
func (s *Store) Verify(ctx context.Context) error {
	err := s.read(ctx, func(ctx context.Context, q querier) error {
		if err := verifyEvents(ctx, q); err != nil {
			return err
		}
		return verifyPayloads(ctx, q)
	})
	if err != nil {
		return fmt.Errorf("verifying the record: %w", err)
	}
	return nil
}

// verifyEvents makes the log anew from the stored bytes and compares every
// node with the kept one.
func verifyEvents(ctx context.Context, q querier) error {
	nodes, err := q.QueryContext(ctx, `SELECT id, hash FROM tree ORDER BY id`)
	if err != nil {
		return err
	}
	defer func() { _ = nodes.Close() }()
	rows, err := q.QueryContext(ctx, `SELECT `+eventColumns+` FROM events ORDER BY seq`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()

	// Nodes whose sibling on the right is still to come: one a level.
	edge := map[int64]tlog.Hash{}
	reader := tlog.HashReaderFunc(func(ids []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(ids))
		for i, id := range ids {
			out[i] = edge[id]
			delete(edge, id)
		}
		return out, nil
	})
	n := int64(0)
	for ; rows.Next(); n++ {
		e, err := scanEvent(rows)
		if err != nil {
			return err
		}
		if e.Seq != n {
			return fmt.Errorf("event %d is missing", n)
		}
		if err := fitsColumns(e); err != nil {
			return fmt.Errorf("event %d: %w", n, err)
		}
		hashes, err := tlog.StoredHashes(n, e.Stored, reader)
		if err != nil {
			return err
		}
		for i, h := range hashes {
			at := tlog.StoredHashIndex(0, n) + int64(i)
			if err := sameNode(nodes, at, h); err != nil {
				return fmt.Errorf("event %d: %w", n, err)
			}
			edge[at] = h
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if nodes.Next() {
		return fmt.Errorf("event %d is missing: the log goes on", n)
	}
	return nodes.Err()
}

// sameNode compares the next kept node.
func sameNode(nodes interface {
	scanner
	Next() bool
	Err() error
}, at int64, want tlog.Hash) error {
	if !nodes.Next() {
		return errors.Join(fmt.Errorf("the log ends before node %d", at), nodes.Err())
	}
	var id int64
	var hash []byte
	if err := nodes.Scan(&id, &hash); err != nil {
		return err
	}
	if id != at || !bytes.Equal(hash, want[:]) {
		return fmt.Errorf("its bytes do not fit node %d of the log", at)
	}
	return nil
}

// fitsColumns compares the columns by which an event is found with its bytes.
func fitsColumns(e Event) error {
	var stored struct {
		V                  int
		Seq                int64
		Time               time.Time
		Kind, Call, Server string
	}
	if err := json.Unmarshal(e.Stored, &stored); err != nil {
		return err
	}
	if stored.V != 1 || stored.Seq != e.Seq || !stored.Time.Equal(e.Time) || stored.Kind != e.Kind || stored.Call != e.CallID || stored.Server != e.ServerID {
		return errors.New("its columns do not fit its bytes")
	}
	return nil
}

func verifyPayloads(ctx context.Context, q querier) error {
	rows, err := q.QueryContext(ctx, `SELECT id, name, salt FROM payloads ORDER BY id`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		var name string
		var salt []byte
		if err := rows.Scan(&id, &name, &salt); err != nil {
			return err
		}
		h := sha256.New()
		h.Write(salt)
		if err := eachPart(ctx, q, id, func(part []byte) { h.Write(part) }); err != nil {
			return err
		}
		if hex.EncodeToString(h.Sum(nil)) != name {
			return fmt.Errorf("the bytes of payload %s were changed", name)
		}
	}
	return rows.Err()
}
