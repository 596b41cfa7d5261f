package store_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/store"
	"countersign/store/storetest"
)

func BenchmarkAppend(b *testing.B) {
	s := storetest.Open(b)
	body := map[string]string{"text": strings.Repeat("x", 200)}
	for b.Loop() {
		mustDo(b, s.Append(b.Context(), event("call.made", "call", body)))
	}
}

// BenchmarkRawCommit is what Append is measured against: one row of the same
// size, with the same guarantees.
func BenchmarkRawCommit(b *testing.B) {
	db := must(sql.Open("sqlite3", "file:"+tempPath(b)+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate"))(b)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	must(db.ExecContext(b.Context(), `CREATE TABLE a (x INTEGER PRIMARY KEY, y BLOB)`))(b)
	row := make([]byte, 320)
	for b.Loop() {
		tx := must(db.BeginTx(b.Context(), nil))(b)
		must(tx.ExecContext(b.Context(), `INSERT INTO a (y) VALUES (?)`, row))(b)
		mustDo(b, tx.Commit())
	}
}

// BenchmarkIndex is how long the writer is held for a call with a result of one
// MiB, and what leads up to it.
func BenchmarkIndex(b *testing.B) {
	s := storetest.Open(b)
	random := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for text.Len() < store.PartSize {
		fmt.Fprintf(&text, "word%d ", int(random.ExpFloat64()*random.ExpFloat64()*2000))
	}
	b.SetBytes(store.PartSize)
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		addCall(b, s, store.Call{ID: fmt.Sprint(i)}, `{}`, text.String())
		b.StartTimer()
		indexAll(b, s)
	}
}

// BenchmarkCall is a call that a person decides: made, approved and sent in
// one, ended.
func BenchmarkCall(b *testing.B) {
	s := storetest.Open(b)
	args, result := []byte(`{"city":"Paris","days":3}`), []byte(strings.Repeat(`{"text":"rain"}`, 60))
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprint(i)
		p, r := store.NewPayload(args, args, 0), store.NewPayload(result, result, 0)
		must(s.CreateCall(b.Context(), store.Call{ID: id, State: "awaiting_approval", ServerID: "s", Tool: "t", ArgsPayload: p.Name}, event("call.proposed", id, args), p))(b)
		for _, state := range []string{"sent", "succeeded"} {
			must(s.UpdateCall(b.Context(), id, func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
				c.State = state
				if state == "succeeded" {
					c.ResultPayload = r.Name
					return event("call.result", id, result), []store.Payload{r}, nil
				}
				return append(event("call.decided", id, 1), event("call.sent", id, args)...), nil, nil
			}))(b)
		}
	}
}

const many = 100_000

// benchDir holds a file with many calls, made once; TestMain removes it.
var benchDir string

func openMany(b *testing.B) *store.Store {
	b.Helper()
	if benchDir == "" {
		benchDir = must(os.MkdirTemp("", "store-bench-"))(b)
	}
	s := mustOpen(b, filepath.Join(benchDir, "many.db"))
	if must(s.CallCount(b.Context(), store.CallFilter{}))(b) == many {
		return s
	}
	random := rand.New(rand.NewPCG(1, 1))
	mustDo(b, s.Fill(b.Context(), many, func(i int) (store.Call, []store.NewEvent, []byte, []byte) {
		c := store.Call{ID: fmt.Sprint("call-", i), ServerID: fmt.Sprint("server-", i%7), ServerName: "Server", Tool: fmt.Sprint("tool_", i%31), State: "succeeded"}
		if i%1000 == 0 {
			c.State = "denied"
		}
		var text strings.Builder
		for range 60 {
			// Words as they come in texts: few often, most seldom.
			fmt.Fprintf(&text, "word%d ", int(random.ExpFloat64()*random.ExpFloat64()*200))
		}
		return c, event("call.made", c.ID, c), fmt.Appendf(nil, `{"number":%d,"path":"/home/a/file-%d.txt"}`, i, i), fmt.Appendf(nil, `{"text":"%s"}`, &text)
	}))
	start := time.Now()
	indexAll(b, s)
	b.Logf("indexing took %v", time.Since(start))
	return s
}

func BenchmarkPage(b *testing.B) {
	s := openMany(b)
	for name, f := range map[string]store.CallFilter{
		"first":           {},
		"deep":            {Before: many / 10},
		"tool":            {Tool: "tool_3"},
		"server":          {ServerID: "server-3"},
		"state":           {States: []string{"denied"}},
		"states":          {States: []string{"denied", "succeeded", "sent", "lost"}},
		"tool and states": {Tool: "tool_0", States: []string{"denied", "lost"}},
	} {
		b.Run(name, func(b *testing.B) {
			f.Limit = 50
			for b.Loop() {
				page, _, err := s.Calls(b.Context(), f)
				if mustDo(b, err); len(page) != 50 && f.Tool != "tool_0" {
					b.Fatalf("%d calls", len(page))
				}
			}
		})
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			must(s.CallCount(b.Context(), store.CallFilter{Tool: "tool_3"}))(b)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	s := openMany(b)
	for _, text := range []string{"word0", "word1500", "w", "wo", "word", "word0 word1 word1500", "file-9", "file-99999.txt", "nothing", "文"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				_, _, err := s.Calls(b.Context(), store.CallFilter{Text: text, Limit: 50})
				mustDo(b, err)
			}
		})
	}
	b.Run("count word0", func(b *testing.B) {
		for b.Loop() {
			must(s.CallCount(b.Context(), store.CallFilter{Text: "word0"}))(b)
		}
	})
}
