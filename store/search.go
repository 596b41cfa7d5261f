package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// A search has two halves. Calls that the word index knows are found by it,
// newest first, and only read where the index says less than was asked. The
// others are read, newest first.

// wholeRows are the columns of a call with what is searched beside them.
const wholeRows = callColumns + `, ` + argsColumn + `, ` + resultColumn

const (
	argsColumn   = `(SELECT bytes FROM payloads WHERE name = args_payload)`
	resultColumn = `(SELECT bytes FROM payloads WHERE name = result_payload)`
)

// searchCalls gives at most limit calls that the filter and the text choose,
// newest first.
func searchCalls(ctx context.Context, q querier, f CallFilter, text textQuery, limit int) ([]Call, error) {
	var found []Call
	for _, half := range text.halves(f) {
		n := 0
		err := half.walk(ctx, q, text, func(c Call) bool {
			found, n = append(found, c), n+1
			return n < limit
		})
		if err != nil {
			return nil, fmt.Errorf("searching calls: %w", err)
		}
	}
	slices.SortFunc(found, func(a, b Call) int { return int(b.Ordinal - a.Ordinal) })
	return found[:min(len(found), limit)], nil
}

// countFound counts the calls that the filter and the text choose.
func countFound(ctx context.Context, q querier, f CallFilter, text textQuery) (int64, error) {
	var n int64
	for _, half := range text.halves(f) {
		var err error
		if half.count == "" {
			err = half.walk(ctx, q, text, func(Call) bool { n++; return true })
		} else {
			var of int64
			err = q.QueryRowContext(ctx, half.count, half.args...).Scan(&of)
			n += of
		}
		if err != nil {
			return 0, fmt.Errorf("counting found calls: %w", err)
		}
	}
	return n, nil
}

// half is one of the statements of a search.
type half struct {
	query string
	count string // of its rows; "" when they must be read to see whether they fit
	args  []any
}

// halves make the statements of a search.
func (text textQuery) halves(f CallFilter) []half {
	if text.match == "" {
		query, args := f.query(wholeRows, 0)
		return []half{{query: query, args: args}}
	}
	where, values := f.where(noIndex)
	// CROSS JOIN keeps the word index outside: it alone can walk newest first.
	tail := ` FROM call_search CROSS JOIN calls ON ordinal = call_search.rowid
		WHERE call_search MATCH ? AND call_search.rowid < ? AND indexed = 1 AND ` + where
	known := half{args: append([]any{text.match, f.Before}, values...)}
	order := ` ORDER BY call_search.rowid DESC`
	if text.verify {
		known.query = `SELECT ` + wholeRows + tail + order
	} else {
		known.query, known.count = `SELECT `+callColumns+tail+order, `SELECT count(*)`+tail
	}
	waiting := half{args: append([]any{f.Before}, values...)}
	waiting.query = `SELECT ` + wholeRows + ` FROM calls WHERE indexed = 0 AND ordinal < ? AND ` + where + ` ORDER BY ordinal DESC`
	return []half{known, waiting}
}

// walk hands over the calls of a half that fit, until visit has enough.
func (h half) walk(ctx context.Context, q querier, text textQuery, visit func(Call) bool) error {
	rows, err := q.QueryContext(ctx, h.query, h.args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var buf textBuffer
	for rows.Next() {
		var r callRow
		var args, result sql.RawBytes
		dests := r.dests()
		if h.count == "" {
			dests = append(dests, &args, &result)
		}
		if err := rows.Scan(dests...); err != nil {
			return err
		}
		if h.count == "" && !text.in(buf.folded(r.c, args, result)) {
			continue
		}
		if !visit(r.call()) {
			return nil
		}
	}
	return rows.Err()
}

// sameText tells whether the search would find a call by the same texts as
// before.
func (c *Call) sameText(old Call) bool {
	return c.ServerName == old.ServerName && c.Tool == old.Tool && c.ToolTitle == old.ToolTitle && c.ErrorText == old.ErrorText &&
		c.ArgsPayload == old.ArgsPayload && c.ResultPayload == old.ResultPayload
}

const (
	indexBatch = 50        // calls that one IndexPending takes at most
	indexText  = 512 << 10 // bytes of text after which it takes no more
	countLimit = 1000      // of the calls that wait
)

// IndexPending lets the word index catch up with a batch of calls and tells
// how many are left, counted up to 1,000. It is to be called until none are,
// by one goroutine, off the road: the writer is only held for the index
// itself, some 80 ms for a MiB of text (BenchmarkIndex).
func (s *Store) IndexPending(ctx context.Context) (left int, err error) {
	texts, err := s.pendingTexts(ctx)
	if err != nil {
		return 0, fmt.Errorf("looking for calls to index: %w", err)
	}
	if len(texts) > 0 {
		err := s.write(ctx, func(ctx context.Context, t *tx) error {
			for _, p := range texts {
				if err := t.indexCall(ctx, p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return 0, fmt.Errorf("indexing calls: %w", err)
		}
	}
	err = s.reader.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM calls WHERE indexed = 0 LIMIT ?)`, countLimit).Scan(&left)
	if err != nil {
		return 0, fmt.Errorf("counting calls to index: %w", err)
	}
	return left, nil
}

// pending is a call with its text for the index.
type pending struct {
	call Call
	text string
}

// pendingTexts reads the oldest calls that are not indexed.
func (s *Store) pendingTexts(ctx context.Context) ([]pending, error) {
	rows, err := s.reader.QueryContext(ctx, `SELECT `+wholeRows+` FROM calls WHERE indexed = 0 ORDER BY ordinal LIMIT ?`, indexBatch)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []pending
	var buf textBuffer
	for size := 0; size < indexText && rows.Next(); {
		var r callRow
		var args, result sql.RawBytes
		if err := rows.Scan(append(r.dests(), &args, &result)...); err != nil {
			return nil, err
		}
		p := pending{r.call(), string(buf.text(r.c, args, result))}
		out, size = append(out, p), size+len(p.text)
	}
	return out, rows.Err()
}

// indexCall files a call's text, unless the call got another one since it was
// read.
func (t *tx) indexCall(ctx context.Context, p pending) error {
	now, err := scanCall(t.QueryRowContext(ctx, `SELECT `+callColumns+` FROM calls WHERE ordinal = ?`, p.call.Ordinal))
	if err != nil {
		return err
	}
	if !now.sameText(p.call) {
		return nil
	}
	if _, err := t.ExecContext(ctx, `REPLACE INTO call_search (rowid, text) VALUES (?, ?)`, p.call.Ordinal, p.text); err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE calls SET indexed = 1 WHERE ordinal = ?`, p.call.Ordinal)
	return err
}
