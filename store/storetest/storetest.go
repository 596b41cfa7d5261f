// Package storetest gives tests a migrated store in a temporary file. With the
// flag -keep of the test the file stays, and its place is printed. Only tests
// import it.
package storetest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"countersign/store"
)

var keep = flag.Bool("keep", false, "leave the databases of this test behind and print where they are")

// Open opens a fresh store and closes it at the end of the test, which fails
// when that fails.
func Open(t testing.TB) *store.Store {
	t.Helper()
	dir := t.TempDir()
	if *keep {
		var err error
		if dir, err = os.MkdirTemp("", "storetest-"); err != nil {
			t.Fatal(err)
		}
		t.Logf("the database stays in %s", dir)
	}
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(dir, "test.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
