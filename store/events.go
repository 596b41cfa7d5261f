package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// NewEvent is something that happened, about to be recorded. Body is
// marshalled once, into the event's stored bytes; a json.RawMessage is kept as
// it is. The store gives number and time.
type NewEvent struct {
	Kind             string
	CallID, ServerID string // "" when it concerns none
	Body             any
}

// Event is a recorded event. Stored are its bytes as they were written, the
// leaf of the Merkle log: a JSON object of v, seq, time, kind, call, server
// and body.
type Event struct {
	Seq              int64 // from 0, without gaps
	Time             time.Time
	Kind             string
	CallID, ServerID string
	Stored           []byte
}

// envelope is the form of an event's stored bytes.
type envelope struct {
	V      int             `json:"v"`
	Seq    int64           `json:"seq"`
	Time   string          `json:"time"`
	Kind   string          `json:"kind"`
	Call   string          `json:"call,omitempty"`
	Server string          `json:"server,omitempty"`
	Body   json.RawMessage `json:"body"`
}

// Append records events and keeps payloads, in one transaction.
func (s *Store) Append(ctx context.Context, events []NewEvent, payloads ...Payload) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error { return t.record(ctx, events, payloads) })
}

// record writes payloads and events. Every write of the record ends here.
func (t *tx) record(ctx context.Context, events []NewEvent, payloads []Payload) error {
	for _, p := range payloads {
		if err := t.putPayload(ctx, p); err != nil {
			return err
		}
	}
	if len(events) == 0 {
		return nil
	}
	size, err := treeSize(ctx, t)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := t.appendEvent(ctx, size, e); err != nil {
			return fmt.Errorf("recording %s: %w", e.Kind, err)
		}
		size++
	}
	return nil
}

func (t *tx) appendEvent(ctx context.Context, seq int64, e NewEvent) error {
	if e.Kind == "" {
		return errors.New("an event has no kind")
	}
	body, err := json.Marshal(e.Body)
	if err != nil {
		return err
	}
	stored, err := json.Marshal(envelope{1, seq, t.now.Truncate(time.Microsecond).Format(time.RFC3339Nano), e.Kind, e.CallID, e.ServerID, body})
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `INSERT INTO events (seq, time, kind, call, server, stored) VALUES (?, ?, ?, ?, ?, ?)`,
		seq, micros(t.now), e.Kind, e.CallID, e.ServerID, stored); err != nil {
		return err
	}
	hashes, err := tlog.StoredHashes(seq, stored, hashReader(ctx, t))
	if err != nil {
		return err
	}
	first := tlog.StoredHashIndex(0, seq)
	for i, h := range hashes {
		if _, err := t.ExecContext(ctx, `INSERT INTO tree (id, hash) VALUES (?, ?)`, first+int64(i), h[:]); err != nil {
			return err
		}
	}
	return nil
}

func treeSize(ctx context.Context, q querier) (int64, error) {
	var size int64
	err := q.QueryRowContext(ctx, `SELECT coalesce(max(seq) + 1, 0) FROM events`).Scan(&size)
	return size, err
}

// hashReader gives node hashes of the Merkle log.
func hashReader(ctx context.Context, q querier) tlog.HashReader {
	return tlog.HashReaderFunc(func(ids []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(ids))
		for i, id := range ids {
			var b []byte
			if err := q.QueryRowContext(ctx, `SELECT hash FROM tree WHERE id = ?`, id).Scan(&b); err != nil {
				return nil, fmt.Errorf("node %d of the log: %w", id, err)
			}
			if len(b) != tlog.HashSize {
				return nil, fmt.Errorf("node %d of the log is %d bytes long", id, len(b))
			}
			copy(out[i][:], b)
		}
		return out, nil
	})
}

// Events gives the events of a call, oldest first.
func (s *Store) Events(ctx context.Context, callID string) ([]Event, error) {
	return s.events(ctx, `SELECT seq, time, kind, call, server, stored FROM events WHERE call = ? AND call <> '' ORDER BY seq`, callID)
}

// ServerEvents gives the newest events of a server that belong to no call,
// newest first, at most limit.
func (s *Store) ServerEvents(ctx context.Context, serverID string, limit int) ([]Event, error) {
	return s.events(ctx, `SELECT seq, time, kind, call, server, stored FROM events WHERE server = ? AND server <> '' AND call = '' ORDER BY seq DESC LIMIT ?`, serverID, limit)
}

func (s *Store) events(ctx context.Context, query string, args ...any) ([]Event, error) {
	rows, err := s.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading events: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []Event
	for rows.Next() {
		var e Event
		var at int64
		if err := rows.Scan(&e.Seq, &at, &e.Kind, &e.CallID, &e.ServerID, &e.Stored); err != nil {
			return nil, fmt.Errorf("reading events: %w", err)
		}
		e.Time = fromMicros(at)
		out = append(out, e)
	}
	return out, rows.Err()
}

// Head gives the number of events and the root of their Merkle log.
func (s *Store) Head(ctx context.Context) (size int64, root [32]byte, err error) {
	read, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return 0, root, fmt.Errorf("reading the head: %w", err)
	}
	defer func() { _ = read.Rollback() }()
	if size, err = treeSize(ctx, read); err != nil {
		return 0, root, fmt.Errorf("reading the head: %w", err)
	}
	hash, err := tlog.TreeHash(size, hashReader(ctx, read))
	if err != nil {
		return 0, root, fmt.Errorf("reading the head: %w", err)
	}
	return size, hash, nil
}
