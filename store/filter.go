package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// CallFilter chooses calls; zero fields choose all.
type CallFilter struct {
	ServerID, Tool string // Tool: only calls of a tool of this name
	States         []string
	Decision       string
	Text           string // as a person types it; see Calls
	Before         int64  // only ordinals below this; 0: from the newest
	Limit          int    // of a page; 0: 100
}

const defaultLimit = 100

// Calls gives calls newest first, and whether more follow; the next page
// begins Before the last one's ordinal.
//
// Text is split at spaces; every part must stand in the server's name, the
// tool's name or title, the error, or the first MiB of arguments or result, as
// a word or a run of words and signs, each from its beginning; the last part
// may be a beginning itself. Upper and lower case, and letters with and
// without accents, are the same. Parts in a script that writes no spaces
// between words are found anywhere. Nothing that is typed is an error or an
// operator. Only the first 4 KiB count.
//
// Calls that the word index has not caught up with are found by reading them,
// and so are parts without a word of the index, or with signs in them; this
// can take long on a large file, and ends with ctx.
func (s *Store) Calls(ctx context.Context, f CallFilter) (page []Call, more bool, err error) {
	if f.Limit <= 0 {
		f.Limit = defaultLimit
	}
	if f.Before <= 0 {
		f.Before = math.MaxInt64
	}
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		text := parseText(f.Text)
		if text.empty() {
			query, args := f.query(callColumns, f.Limit+1)
			page, err = list(ctx, q, "calls", scanCall, query, args...)
			return err
		}
		page, err = searchCalls(ctx, q, f, text, f.Limit+1)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(page) > f.Limit {
		return page[:f.Limit], true, nil
	}
	return page, false, nil
}

// CallCount counts the calls that a filter chooses; Before and Limit do not
// count. With a text it can take long, and ends with ctx.
func (s *Store) CallCount(ctx context.Context, f CallFilter) (int64, error) {
	f.Before = math.MaxInt64
	var n int64
	err := s.read(ctx, func(ctx context.Context, q querier) error {
		text := parseText(f.Text)
		if !text.empty() {
			var err error
			n, err = countFound(ctx, q, f, text)
			return err
		}
		where, args := f.where(anyIndex)
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM calls WHERE `+where, args...).Scan(&n); err != nil {
			return fmt.Errorf("counting calls: %w", err)
		}
		return nil
	})
	return n, err
}

// query makes the statement for a filter without its text, newest first; limit
// 0 is none. Each form walks one index from its end and stops early: of the
// tool, of the server, else one for each state, merged, else the table.
func (f CallFilter) query(columns string, limit int) (string, []any) {
	var b strings.Builder
	var args []any
	arm := func(f CallFilter) {
		where, values := f.where(oneIndex)
		b.WriteString(`SELECT ` + columns + ` FROM calls WHERE ordinal < ? AND ` + where)
		args = append(append(args, f.Before), values...)
	}
	if states := f.distinctStates(); f.Tool == "" && f.ServerID == "" && len(states) > 1 {
		for i, state := range states {
			if i > 0 {
				b.WriteString(` UNION ALL `)
			}
			one := f
			one.States = []string{state}
			arm(one)
		}
	} else {
		arm(f)
	}
	b.WriteString(` ORDER BY ordinal DESC`)
	if limit > 0 {
		b.WriteString(` LIMIT ?`)
		args = append(args, limit)
	}
	return b.String(), args
}

// lookup says which columns of a condition may be looked up in an index.
type lookup int

const (
	anyIndex lookup = iota
	oneIndex        // the first: SQLite would else fetch all rows of a state and sort them
	noIndex
)

// where is the condition of a filter without text and Before. A plus before a
// column keeps SQLite from its index.
func (f CallFilter) where(l lookup) (string, []any) {
	parts, args := []string{"1"}, []any{}
	add := func(part string, values ...any) {
		if l == noIndex || l == oneIndex && len(parts) > 1 {
			part = "+" + part
		}
		parts, args = append(parts, part), append(args, values...)
	}
	if f.Tool != "" {
		add("tool = ?", f.Tool)
		add("method = ''")
	}
	if f.ServerID != "" {
		add("server_id = ?", f.ServerID)
	}
	if f.Decision != "" {
		add("decision = ?", f.Decision)
	}
	switch states := f.distinctStates(); len(states) {
	case 0:
	case 1:
		add("state = ?", states[0])
	default:
		add("state IN ("+holes(len(states))+")", anys(states)...)
	}
	return strings.Join(parts, " AND "), args
}

// distinctStates are the states, each once, in an order that gives equal
// filters equal statements.
func (f CallFilter) distinctStates() []string {
	states := slices.Clone(f.States)
	slices.Sort(states)
	return slices.Compact(states)
}
