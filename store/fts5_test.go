//go:build !sqlite_fts5 && !fts5

package store_test

import (
	"strings"
	"testing"

	"countersign/store"
)

// TestWithoutTextSearch runs in a build without the tag, in which all other
// tests fail.
func TestWithoutTextSearch(t *testing.T) {
	path := tempPath(t)
	_, err := store.Open(t.Context(), store.Options{Path: path})
	if err == nil || !strings.Contains(err.Error(), "-tags sqlite_fts5") {
		t.Errorf("opening gives %v", err)
	}
	if n := len(files(t, path)); n != 0 {
		t.Errorf("%d files were made", n)
	}
}
