package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"
)

// NewEvent is something that happened, about to be recorded. Body is
// marshalled once, into the event's stored bytes, with < > & as they are; a
// json.RawMessage is kept byte by byte. The store gives number and time.
type NewEvent struct {
	Kind             string
	CallID, ServerID string // "" when it concerns none
	Body             any
}

// Event is a recorded event. Stored are its bytes as they were written, the
// leaf of the Merkle log: a JSON object of v (1), seq, time (RFC 3339 with up
// to six digits of a second), kind, call and server (each missing when "") and
// body.
type Event struct {
	Seq              int64 // from 0, without gaps
	Time             time.Time
	Kind             string
	CallID, ServerID string
	Stored           []byte
}

// Append records events and keeps payloads, in one transaction.
func (s *Store) Append(ctx context.Context, events []NewEvent, payloads ...Payload) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error { return t.record(ctx, events, payloads) })
}

// record writes payloads and events. Every write of the record ends here.
func (t *tx) record(ctx context.Context, events []NewEvent, payloads []Payload) error {
	for _, p := range payloads {
		if err := t.putPayload(ctx, p); err != nil {
			return fmt.Errorf("keeping a payload: %w", err)
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
	stored, err := eventBytes(seq, t.now, e)
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

// eventBytes makes the stored bytes of an event. They are put together by
// hand, since encoding/json rewrites a json.RawMessage.
func eventBytes(seq int64, at time.Time, e NewEvent) ([]byte, error) {
	if e.Kind == "" {
		return nil, errors.New("an event has no kind")
	}
	for _, s := range []string{e.Kind, e.CallID, e.ServerID} {
		if !utf8.ValidString(s) {
			return nil, fmt.Errorf("%q is not UTF-8", s)
		}
	}
	body, err := bodyBytes(e.Body)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`{"v":1,"seq":` + strconv.FormatInt(seq, 10) + `,"time":"` + at.Format(time.RFC3339Nano) + `"`)
	for _, m := range []struct{ key, value string }{{"kind", e.Kind}, {"call", e.CallID}, {"server", e.ServerID}} {
		if m.value == "" {
			continue
		}
		value, err := marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.WriteString(`,"` + m.key + `":`)
		b.Write(value)
	}
	b.WriteString(`,"body":`)
	b.Write(body)
	b.WriteByte('}')
	return b.Bytes(), nil
}

func bodyBytes(body any) ([]byte, error) {
	raw, ok := body.(json.RawMessage)
	if !ok {
		return marshal(body)
	}
	if !json.Valid(raw) {
		return nil, errors.New("the body is not JSON")
	}
	return raw, nil
}

// marshal is json.Marshal without the escapes that are meant for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// treeSize is the number of leaves of the log. The last node that was written
// is the highest that ends with the last leaf.
func treeSize(ctx context.Context, q querier) (int64, error) {
	var last int64
	if err := q.QueryRowContext(ctx, `SELECT coalesce(max(id), -1) FROM tree`).Scan(&last); err != nil {
		return 0, fmt.Errorf("reading the size of the log: %w", err)
	}
	if last < 0 {
		return 0, nil
	}
	level, n := tlog.SplitStoredHashIndex(last)
	return (n + 1) << level, nil
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

const eventColumns = `seq, time, kind, call, server, stored`

// Events gives the events of a call, oldest first; none for a call that there
// is not.
func (s *Store) Events(ctx context.Context, callID string) ([]Event, error) {
	return list(ctx, s.reader, "events", scanEvent, `SELECT `+eventColumns+` FROM events WHERE call = ? AND call <> '' ORDER BY seq`, callID)
}

// ServerEvents gives the newest events of a server that belong to no call,
// newest first, at most limit.
func (s *Store) ServerEvents(ctx context.Context, serverID string, limit int) ([]Event, error) {
	return list(ctx, s.reader, "events", scanEvent, `SELECT `+eventColumns+` FROM events
		WHERE server = ? AND server <> '' AND call = '' ORDER BY seq DESC LIMIT ?`, serverID, max(limit, 0))
}

func scanEvent(row scanner) (Event, error) {
	var e Event
	var at int64
	err := row.Scan(&e.Seq, &at, &e.Kind, &e.CallID, &e.ServerID, &e.Stored)
	e.Time = fromMicros(at)
	return e, err
}

// Head gives the number of events and the root of their Merkle log. The root
// of an empty log is the hash of nothing.
func (s *Store) Head(ctx context.Context) (size int64, root [32]byte, err error) {
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		if size, err = treeSize(ctx, q); err != nil {
			return err
		}
		root, err = tlog.TreeHash(size, hashReader(ctx, q))
		return err
	})
	if err != nil {
		return 0, [32]byte{}, fmt.Errorf("reading the head: %w", err)
	}
	return size, root, nil
}
