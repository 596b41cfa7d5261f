package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Call is the row of a call: what its events amount to now.
type Call struct {
	ID                           string
	Ordinal                      int64 // grows with each new call; given by the store
	Created, Updated             time.Time
	State                        string
	Origin, OriginDetail         string
	ServerID, ServerName         string
	Tool, ToolTitle              string
	DefinitionHash               string
	ParentID                     string // the call that this one runs again
	Revision                     int
	ArgsPayload                  string // name of the kept argument bytes
	ArgsHash                     string // wire name of the argument bytes
	LaunchFingerprint            string
	Decision, DecisionReason     string
	DecidedAt, ShownAt           time.Time // zero: not yet
	SentAt, FinishedAt, Deadline time.Time
	Attempt, Round               int
	Era                          string
	ResultPayload                string
	IsError                      bool
	ErrorCode                    int64
	ErrorText                    string
	RequestState                 *string // only while the call is open
	ArgsBytes, ResultBytes       int64
}

const callColumns = `ordinal, id, created, updated, state, origin, origin_detail, server_id, server_name, tool, tool_title, definition, parent,
	revision, args_payload, args_hash, launch, decision, decision_reason, decided, shown, sent, finished, deadline, attempt, round, era,
	result_payload, is_error, error_code, error_text, request_state, args_bytes, result_bytes`

// CreateCall adds a call with its first events and payloads. Ordinal, Created
// and Updated are given by the store.
func (s *Store) CreateCall(ctx context.Context, c Call, events []NewEvent, payloads ...Payload) (Call, error) {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		c.Created, c.Updated = t.now, t.now
		if err := t.QueryRowContext(ctx, `SELECT coalesce(max(ordinal), 0) + 1 FROM calls`).Scan(&c.Ordinal); err != nil {
			return err
		}
		if err := t.putCall(ctx, `INSERT`, c); err != nil {
			return err
		}
		return t.record(ctx, events, payloads)
	})
	return c, err
}

// putCall writes all columns of a row.
func (t *tx) putCall(ctx context.Context, verb string, c Call) error {
	holes := strings.TrimSuffix(strings.Repeat("?, ", strings.Count(callColumns, ",")+1), ", ")
	_, err := t.ExecContext(ctx, verb+` INTO calls (`+callColumns+`, indexed) VALUES (`+holes+`, 0)`,
		c.Ordinal, c.ID, micros(c.Created), micros(c.Updated), c.State, c.Origin, c.OriginDetail, c.ServerID, c.ServerName, c.Tool, c.ToolTitle,
		c.DefinitionHash, c.ParentID, c.Revision, c.ArgsPayload, c.ArgsHash, c.LaunchFingerprint, c.Decision, c.DecisionReason,
		nullable(c.DecidedAt), nullable(c.ShownAt), nullable(c.SentAt), nullable(c.FinishedAt), nullable(c.Deadline), c.Attempt, c.Round, c.Era,
		c.ResultPayload, c.IsError, c.ErrorCode, c.ErrorText, c.RequestState, c.ArgsBytes, c.ResultBytes)
	if err != nil {
		return fmt.Errorf("writing call %s: %w", c.ID, err)
	}
	return nil
}

// UpdateCall reads a call, lets fn change it, and writes the row with fn's
// events and payloads, all in one immediate transaction. fn must be quick and
// do nothing else; its error rolls back and is returned as it is. Ordinal, ID
// and Created do not change.
func (s *Store) UpdateCall(ctx context.Context, id string, fn func(*Call) ([]NewEvent, []Payload, error)) (Call, error) {
	var c Call
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		old, err := scanCall(t.QueryRowContext(ctx, `SELECT `+callColumns+` FROM calls WHERE id = ?`, id))
		if err != nil {
			return err
		}
		c = old
		events, payloads, err := fn(&c)
		if err != nil {
			return err
		}
		c.Ordinal, c.ID, c.Created, c.Updated = old.Ordinal, old.ID, old.Created, t.now
		if err := t.putCall(ctx, `REPLACE`, c); err != nil {
			return err
		}
		return t.record(ctx, events, payloads)
	})
	return c, err
}

// CallByID gives a call, or ErrNotFound.
func (s *Store) CallByID(ctx context.Context, id string) (Call, error) {
	return scanCall(s.reader.QueryRowContext(ctx, `SELECT `+callColumns+` FROM calls WHERE id = ?`, id))
}

// OpenCalls gives the calls in any of the states, oldest first.
func (s *Store) OpenCalls(ctx context.Context, states ...string) ([]Call, error) {
	if len(states) == 0 {
		return nil, nil
	}
	where, args := inList("state", states)
	return s.calls(ctx, `SELECT `+callColumns+` FROM calls WHERE `+where+` ORDER BY ordinal`, args...)
}

// CallFilter chooses calls; zero fields choose all.
type CallFilter struct {
	ServerID, Tool string
	States         []string
	Text           string // as a person types it; see search.go
	Before         int64  // only ordinals below this; 0: from the newest
	Limit          int    // 0: 100
}

// Calls gives calls newest first, and whether more follow.
func (s *Store) Calls(ctx context.Context, f CallFilter) (page []Call, more bool, err error) {
	if f.Limit <= 0 {
		f.Limit = 100
	}
	where, args := f.where(true)
	page, err = s.calls(ctx, `SELECT `+callColumns+` FROM calls WHERE `+where+` ORDER BY ordinal DESC LIMIT ?`, append(args, f.Limit+1)...)
	if err != nil {
		return nil, false, err
	}
	if len(page) > f.Limit {
		return page[:f.Limit], true, nil
	}
	return page, false, nil
}

// CallCount counts the calls that a filter chooses; Before and Limit do not
// count.
func (s *Store) CallCount(ctx context.Context, f CallFilter) (int64, error) {
	where, args := f.where(false)
	var n int64
	if err := s.reader.QueryRowContext(ctx, `SELECT count(*) FROM calls WHERE `+where, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("counting calls: %w", err)
	}
	return n, nil
}

func (f CallFilter) where(keyset bool) (string, []any) {
	parts, args := []string{"1"}, []any{}
	add := func(part string, values ...any) {
		parts, args = append(parts, part), append(args, values...)
	}
	if f.ServerID != "" {
		add("server_id = ?", f.ServerID)
	}
	if f.Tool != "" {
		add("tool = ?", f.Tool)
	}
	if len(f.States) > 0 {
		part, values := inList("state", f.States)
		add(part, values...)
	}
	if keyset && f.Before > 0 {
		add("ordinal < ?", f.Before)
	}
	if part, values := searchWhere(f.Text); part != "" {
		add(part, values...)
	}
	return strings.Join(parts, " AND "), args
}

func inList(column string, values []string) (string, []any) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return column + ` IN (` + strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ") + `)`, args
}

func (s *Store) calls(ctx context.Context, query string, args ...any) ([]Call, error) {
	rows, err := s.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading calls: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var out []Call
	for rows.Next() {
		c, err := scanCall(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

func scanCall(row interface{ Scan(...any) error }) (Call, error) {
	var c Call
	var created, updated int64
	var decided, shown, sent, finished, deadline sql.NullInt64
	err := row.Scan(&c.Ordinal, &c.ID, &created, &updated, &c.State, &c.Origin, &c.OriginDetail, &c.ServerID, &c.ServerName, &c.Tool, &c.ToolTitle,
		&c.DefinitionHash, &c.ParentID, &c.Revision, &c.ArgsPayload, &c.ArgsHash, &c.LaunchFingerprint, &c.Decision, &c.DecisionReason,
		&decided, &shown, &sent, &finished, &deadline, &c.Attempt, &c.Round, &c.Era,
		&c.ResultPayload, &c.IsError, &c.ErrorCode, &c.ErrorText, &c.RequestState, &c.ArgsBytes, &c.ResultBytes)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return c, ErrNotFound
		}
		return c, fmt.Errorf("reading a call: %w", err)
	}
	c.Created, c.Updated = fromMicros(created), fromMicros(updated)
	c.DecidedAt, c.ShownAt, c.SentAt = fromNullable(decided), fromNullable(shown), fromNullable(sent)
	c.FinishedAt, c.Deadline = fromNullable(finished), fromNullable(deadline)
	return c, nil
}
