package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Call is the row of a call: what its events amount to now. States, decisions
// and fingerprints are the caller's words.
type Call struct {
	ID                           string
	Ordinal                      int64 // grows with each new call, never used again; given by the store
	Created, Updated             time.Time
	State                        string
	Origin, OriginDetail         string
	Method                       string // what is asked for; "" is a tool call. Given once
	ServerID, ServerName         string
	Tool, ToolTitle              string
	DefinitionHash               string
	ParentID                     string // the call that this one runs again
	Revision                     int
	ArgsPayload                  string // name of the kept argument bytes
	ArgsHash                     string // the caller's hash of the argument bytes on the wire
	LaunchFingerprint            string
	Decision, DecisionReason     string
	Rule                         string    // that decided; "" where a person did
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

// Columns of a call: those that are given once, and those that change.
const (
	fixedColumns   = `ordinal, id, created, server_id, tool, method`
	movingColumns  = `updated, state, origin, origin_detail, server_name, tool_title, definition, parent, revision, args_payload, args_hash, launch, decision, decision_reason, decided, shown, sent, finished, deadline, attempt, round, era, result_payload, is_error, error_code, error_text, request_state, args_bytes, result_bytes, rule`
	callColumns    = fixedColumns + `, ` + movingColumns
	updatedColumns = movingColumns + `, indexed`
)

func (c *Call) moving() []any {
	return []any{micros(c.Updated), c.State, c.Origin, c.OriginDetail, c.ServerName, c.ToolTitle, c.DefinitionHash, c.ParentID, c.Revision,
		c.ArgsPayload, c.ArgsHash, c.LaunchFingerprint, c.Decision, c.DecisionReason,
		nullable(c.DecidedAt), nullable(c.ShownAt), nullable(c.SentAt), nullable(c.FinishedAt), nullable(c.Deadline), c.Attempt, c.Round, c.Era,
		c.ResultPayload, c.IsError, c.ErrorCode, c.ErrorText, c.RequestState, c.ArgsBytes, c.ResultBytes, c.Rule}
}

// wholeTimes cuts times to what the row keeps, so that what a method returns
// is what the next one reads.
func (c *Call) wholeTimes() {
	for _, t := range []*time.Time{&c.DecidedAt, &c.ShownAt, &c.SentAt, &c.FinishedAt, &c.Deadline} {
		*t = whole(*t)
	}
}

// CreateCall adds a call with its first events and payloads, and returns it as
// it was written. Ordinal, Created and Updated are given by the store. An id
// that there is already is an error.
func (s *Store) CreateCall(ctx context.Context, c Call, events []NewEvent, payloads ...Payload) (Call, error) {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := t.insertCall(ctx, &c); err != nil {
			return fmt.Errorf("writing call %s: %w", c.ID, err)
		}
		return t.record(ctx, events, payloads)
	})
	if err != nil {
		return Call{}, err
	}
	return c, nil
}

func (t *tx) insertCall(ctx context.Context, c *Call) error {
	c.Created, c.Updated = t.now, t.now
	c.wholeTimes()
	result, err := t.ExecContext(ctx, insertCallSQL, append([]any{c.ID, micros(c.Created), c.ServerID, c.Tool, c.Method}, c.moving()...)...)
	if err != nil {
		return err
	}
	c.Ordinal, err = result.LastInsertId()
	return err
}

var (
	insertCallSQL = `INSERT INTO calls (` + strings.TrimPrefix(callColumns, `ordinal, `) + `) VALUES (` + holes(strings.Count(callColumns, ",")) + `)`
	updateCallSQL = `UPDATE calls SET ` + strings.ReplaceAll(movingColumns, `,`, ` = ?,`) + ` = ?, indexed = indexed AND ? WHERE ordinal = ?`
)

// UpdateCall reads a call, lets fn change it, and writes the row with fn's
// events and payloads, all in one immediate transaction. It returns the row as
// it was written. fn must be quick, must not use the store, and may be called
// once only; its error rolls back and is returned as it is. Ordinal, ID,
// Created, ServerID, Tool and Method do not change, whatever fn sets them to.
func (s *Store) UpdateCall(ctx context.Context, id string, fn func(*Call) ([]NewEvent, []Payload, error)) (c Call, err error) {
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		c, err = t.updateCall(ctx, id, fn)
		return err
	})
	if err != nil {
		return Call{}, err
	}
	return c, nil
}

// ReplaceCall is UpdateCall, and CreateCall of the call that takes the place of
// the changed one, in one transaction.
func (s *Store) ReplaceCall(ctx context.Context, id string, fn func(*Call) ([]NewEvent, []Payload, error), next Call, events []NewEvent, payloads ...Payload) (old, made Call, err error) {
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		if old, err = t.updateCall(ctx, id, fn); err != nil {
			return err
		}
		if err := t.insertCall(ctx, &next); err != nil {
			return fmt.Errorf("writing call %s: %w", next.ID, err)
		}
		return t.record(ctx, events, payloads)
	})
	if err != nil {
		return Call{}, Call{}, err
	}
	return old, next, nil
}

func (t *tx) updateCall(ctx context.Context, id string, fn func(*Call) ([]NewEvent, []Payload, error)) (Call, error) {
	old, err := callByID(ctx, t, id)
	if err != nil {
		return Call{}, err
	}
	c := old
	events, payloads, err := fn(&c)
	if err != nil {
		return Call{}, err
	}
	c.Ordinal, c.ID, c.Created, c.ServerID, c.Tool, c.Method, c.Updated = old.Ordinal, old.ID, old.Created, old.ServerID, old.Tool, old.Method, t.now
	c.wholeTimes()
	if _, err := t.ExecContext(ctx, updateCallSQL, append(c.moving(), c.sameText(old), c.Ordinal)...); err != nil {
		return Call{}, fmt.Errorf("writing call %s: %w", id, err)
	}
	return c, t.record(ctx, events, payloads)
}

// CallByID gives a call, or ErrNotFound.
func (s *Store) CallByID(ctx context.Context, id string) (Call, error) {
	return callByID(ctx, s.reader, id)
}

func callByID(ctx context.Context, q querier, id string) (Call, error) {
	c, err := scanCall(q.QueryRowContext(ctx, `SELECT `+callColumns+` FROM calls WHERE id = ?`, id))
	if err != nil {
		return Call{}, fmt.Errorf("reading call %s: %w", id, notFound(err))
	}
	return c, nil
}

// OpenCalls gives the calls in any of the states, oldest first; none when no
// state is given.
func (s *Store) OpenCalls(ctx context.Context, states ...string) ([]Call, error) {
	if len(states) == 0 {
		return nil, nil
	}
	return list(ctx, s.reader, "calls", scanCall, `SELECT `+callColumns+` FROM calls WHERE state IN (`+holes(len(states))+`) ORDER BY ordinal`, anys(states)...)
}

// Children gives the calls that were made from a call, newest first, at most
// limit.
func (s *Store) Children(ctx context.Context, parentID string, limit int) ([]Call, error) {
	return list(ctx, s.reader, "calls", scanCall, `SELECT `+callColumns+` FROM calls WHERE parent = ? AND parent <> '' ORDER BY ordinal DESC LIMIT ?`, parentID, max(limit, 0))
}

// callRow is a row's columns on their way into a Call.
type callRow struct {
	c                                        Call
	created, updated                         int64
	decided, shown, sent, finished, deadline sql.NullInt64
}

// dests are the destinations of callColumns.
func (r *callRow) dests() []any {
	c := &r.c
	return []any{&c.Ordinal, &c.ID, &r.created, &c.ServerID, &c.Tool, &c.Method,
		&r.updated, &c.State, &c.Origin, &c.OriginDetail, &c.ServerName, &c.ToolTitle, &c.DefinitionHash, &c.ParentID, &c.Revision,
		&c.ArgsPayload, &c.ArgsHash, &c.LaunchFingerprint, &c.Decision, &c.DecisionReason,
		&r.decided, &r.shown, &r.sent, &r.finished, &r.deadline, &c.Attempt, &c.Round, &c.Era,
		&c.ResultPayload, &c.IsError, &c.ErrorCode, &c.ErrorText, &c.RequestState, &c.ArgsBytes, &c.ResultBytes, &c.Rule}
}

func (r *callRow) call() Call {
	c := r.c
	c.Created, c.Updated = fromMicros(r.created), fromMicros(r.updated)
	c.DecidedAt, c.ShownAt, c.SentAt = fromNullable(r.decided), fromNullable(r.shown), fromNullable(r.sent)
	c.FinishedAt, c.Deadline = fromNullable(r.finished), fromNullable(r.deadline)
	return c
}

func scanCall(row scanner) (Call, error) {
	var r callRow
	if err := row.Scan(r.dests()...); err != nil {
		return Call{}, err
	}
	return r.call(), nil
}

// holes are n places for values.
func holes(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

func anys(values []string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
