package store

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The text search covers server, tool, error text, arguments and result of a
// call. The word index follows the record in batches (IndexPending), off the
// road. What a person types is taken as words that must all occur, the last
// one as a beginning. Text that a word index cannot split (no letters or
// digits between other signs, or scripts without spaces) is looked for as it
// stands, by a scan. Calls that the index has not caught up with are scanned
// too.

// indexedBytes is how much of each payload is searched.
const indexedBytes = 1 << 20

// searchWhere is the condition for a text; "" when there is nothing to look
// for.
func searchWhere(text string) (string, []any) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	scan, values := scanWhere(text)
	query, ok := wordQuery(text)
	if !ok {
		return scan, values
	}
	return `(ordinal IN (SELECT rowid FROM call_search WHERE call_search MATCH ?) OR (indexed = 0 AND ` + scan + `))`, append([]any{query}, values...)
}

// scanWhere looks for each word where the index would have looked.
func scanWhere(text string) (string, []any) {
	var parts []string
	var args []any
	for _, word := range strings.Fields(text) {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(word) + "%"
		parts = append(parts, `(server_name LIKE ? ESCAPE '\' OR tool LIKE ? ESCAPE '\' OR tool_title LIKE ? ESCAPE '\' OR error_text LIKE ? ESCAPE '\'
			OR EXISTS (SELECT 1 FROM payloads WHERE name IN (args_payload, result_payload)
				AND CAST(substr(bytes, 1, 1048576) AS TEXT) LIKE ? ESCAPE '\'))`)
		args = append(args, like, like, like, like, like)
	}
	return strings.Join(parts, " AND "), args
}

// wordQuery turns text into a query of the word index, in which nothing is an
// operator; ok is false where words do not do.
func wordQuery(text string) (query string, ok bool) {
	words := strings.Fields(text)
	for i, w := range words {
		for _, r := range w {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' || unspaced(r) {
				return "", false
			}
		}
		words[i] = `"` + w + `"`
	}
	return strings.Join(words, " ") + "*", true
}

// unspaced tells scripts that are written without spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// indexBatch is how many calls one IndexPending takes.
const indexBatch = 50

// IndexPending lets the text search catch up with at most a batch of calls and
// tells how many are left.
func (s *Store) IndexPending(ctx context.Context) (left int, err error) {
	if err := s.reader.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM calls WHERE indexed = 0 LIMIT ?)`, indexBatch*20).Scan(&left); err != nil {
		return 0, fmt.Errorf("looking for calls to index: %w", err)
	}
	if left == 0 {
		return 0, nil
	}
	done := 0
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, `SELECT ordinal, server_name, tool, tool_title, error_text,
			(SELECT substr(bytes, 1, ?) FROM payloads WHERE name = args_payload), (SELECT substr(bytes, 1, ?) FROM payloads WHERE name = result_payload)
			FROM calls WHERE indexed = 0 ORDER BY ordinal LIMIT ?`, indexedBytes, indexedBytes, indexBatch)
		if err != nil {
			return err
		}
		texts := map[int64]string{}
		for rows.Next() {
			var ordinal int64
			var server, tool, title, fault string
			var args, result []byte
			if err := rows.Scan(&ordinal, &server, &tool, &title, &fault, &args, &result); err != nil {
				_ = rows.Close()
				return err
			}
			texts[ordinal] = strings.Join([]string{server, tool, title, fault, plain(args), plain(result)}, "\n")
		}
		if err := rows.Close(); err != nil {
			return err
		}
		for ordinal, text := range texts {
			if _, err := t.ExecContext(ctx, `REPLACE INTO call_search (rowid, text) VALUES (?, ?)`, ordinal, text); err != nil {
				return err
			}
			if _, err := t.ExecContext(ctx, `UPDATE calls SET indexed = 1 WHERE ordinal = ?`, ordinal); err != nil {
				return err
			}
		}
		done = len(texts)
		return nil
	})
	if err != nil {
		return left, fmt.Errorf("indexing calls: %w", err)
	}
	return max(left-done, 0), nil
}

// plain makes JSON searchable as words: a \n between two words would glue an n
// to the second.
func plain(b []byte) string {
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, " ")
	}
	return strings.NewReplacer(`\n`, " ", `\r`, " ", `\t`, " ", `\"`, " ").Replace(s)
}
