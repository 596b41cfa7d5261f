package store

import (
	"context"
	"database/sql"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Kinds of the events from which a program makes anew what a person trusts. They
// have an index.
const (
	EventTrustRule = "trust.rule"
	EventTrustTool = "trust.tool"
)

// TrustEvents gives the events of these kinds, oldest first. Those whose bytes are
// not the leaf of the log at their place, or do not fit their columns, were not
// written by this store: they are given apart.
func (s *Store) TrustEvents(ctx context.Context) (vouched, foreign []Event, err error) {
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		all, err := list(ctx, q, "events of trust", scanEvent,
			`SELECT `+eventColumns+` FROM events WHERE kind IN ('`+EventTrustRule+`', '`+EventTrustTool+`') ORDER BY seq`)
		if err != nil {
			return err
		}
		reader := hashReader(ctx, q)
		for _, e := range all {
			kept, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, e.Seq)})
			if err == nil && kept[0] == tlog.RecordHash(e.Stored) && fitsColumns(e) == nil {
				vouched = append(vouched, e)
			} else {
				foreign = append(foreign, e)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading what is trusted: %w", err)
	}
	return vouched, foreign, nil
}

// RuleUse is what became of a rule in calls.
type RuleUse struct {
	Calls  int64
	LastID string // the newest call
}

// RuleUses counts the calls that each rule decided.
func (s *Store) RuleUses(ctx context.Context) (map[string]RuleUse, error) {
	type row struct {
		rule string
		use  RuleUse
	}
	rows, err := list(ctx, s.reader, "uses of rules", func(r scanner) (v row, err error) {
		err = r.Scan(&v.rule, &v.use.Calls, &v.use.LastID)
		return v, err
	}, `SELECT rule, count(*), (SELECT id FROM calls AS newest WHERE newest.rule = calls.rule ORDER BY ordinal DESC LIMIT 1)
		FROM calls WHERE rule <> '' GROUP BY rule`)
	if err != nil {
		return nil, err
	}
	out := make(map[string]RuleUse, len(rows))
	for _, r := range rows {
		out[r.rule] = r.use
	}
	return out, nil
}

// EachCall hands on the calls of a tool, or of all tools of a server where tool is
// "", newest first, with the first MiB of their kept arguments, until fn is false.
// It reads one state of the database for as long as it takes; ctx ends it.
func (s *Store) EachCall(ctx context.Context, serverID, tool string, fn func(c Call, args []byte) bool) error {
	query, values := `calls.server_id = ?`, []any{serverID}
	if tool != "" {
		query, values = query+` AND calls.tool = ?`, append(values, tool)
	}
	rows, err := s.reader.QueryContext(ctx, `SELECT `+callColumns+`, kept FROM (SELECT calls.*, payloads.bytes AS kept FROM calls
		JOIN payloads ON payloads.name = calls.args_payload WHERE calls.method = '' AND `+query+`) ORDER BY ordinal DESC`, values...)
	if err != nil {
		return fmt.Errorf("reading calls: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var r callRow
		var args sql.RawBytes
		if err := rows.Scan(append(r.dests(), &args)...); err != nil {
			return fmt.Errorf("reading calls: %w", err)
		}
		if !fn(r.call(), args) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading calls: %w", err)
	}
	return nil
}
