package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// access is what a connection is for.
type access int

const (
	forWriting access = iota
	forReading        // cannot write: opened so, and query_only on top
	forMaking         // of a file that has no page yet
)

// pageSize is the size of a page in bytes, fixed with the first one. A commit
// writes every page it touched to the WAL whole, and most commits are short
// events that touch several.
const pageSize = 4096

// applicationID tells our files from those of others: "Ctsn".
const applicationID = 0x4374736e

// connected makes connections by their string.
type connected struct{ dsn string }

func connector(path string, a access) driver.Connector { return connected{dsn(path, a)} }

// Connect opens a connection. SQLite opens files at once, so the context has
// nothing to cut short.
func (c connected) Connect(context.Context) (driver.Conn, error) { return c.driver().Open(c.dsn) }

// Driver is the SQLite driver with our hook.
func (c connected) Driver() driver.Driver { return c.driver() }

func (c connected) driver() *sqlite3.SQLiteDriver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		_, err := conn.Exec(hookPragmas, nil)
		return err
	}}
}

// hookPragmas are those that the connection string does not know. The schema
// is not trusted, since another program may have written the file; temporary
// data, which holds payloads, does not go to a file; a WAL that one large
// payload made long is cut again.
var hookPragmas = strings.Join([]string{
	"PRAGMA page_size = " + strconv.Itoa(pageSize),
	"PRAGMA trusted_schema = 0",
	"PRAGMA cell_size_check = 1",
	"PRAGMA temp_store = MEMORY",
	"PRAGMA journal_size_limit = 16777216",
}, ";")

// dsn holds the pragmas, since one run on a pooled handle counts for one
// connection only. journal_mode is missing where a file is made: WAL fixes the
// page size.
func dsn(path string, a access) string {
	q := url.Values{}
	q.Set("_busy_timeout", "5000")
	q.Set("_foreign_keys", "1")
	q.Set("_synchronous", "FULL")
	q.Set("_secure_delete", "ON")
	q.Set("_stmt_cache_size", "64")
	switch a {
	case forMaking:
		q.Set("_auto_vacuum", "INCREMENTAL")
	case forReading:
		q.Set("mode", "ro")
		q.Set("_query_only", "1")
		q.Set("_txlock", "deferred")
		q.Set("_cache_size", "-4000") // KiB
	case forWriting:
		q.Set("mode", "rw") // a file that went away is not made again
		q.Set("_journal_mode", "WAL")
		q.Set("_txlock", "immediate")
		q.Set("_cache_size", "-16000")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// textSearchBuilt fails when SQLite was built without full text search.
func textSearchBuilt(ctx context.Context) error {
	db := sql.OpenDB(connected{":memory:"})
	defer func() { _ = db.Close() }()
	var there bool
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM pragma_compile_options WHERE compile_options = 'ENABLE_FTS5'`).Scan(&there); err != nil {
		return fmt.Errorf("asking SQLite what it can do: %w", err)
	}
	if !there {
		return errors.New("this build has no text search: build with -tags sqlite_fts5")
	}
	return nil
}

// quickCheck runs SQLite's quick check. A fault is an error for which Damaged
// is true.
func quickCheck(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, `PRAGMA quick_check(20)`)
	if err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return fmt.Errorf("checking the database: %w", err)
		}
		if line != "ok" {
			found = append(found, line)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	if len(found) > 0 {
		return fmt.Errorf("checking the database: %s: %w", strings.Join(found, "; "), errDamaged)
	}
	return nil
}
