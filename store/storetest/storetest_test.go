package storetest_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"countersign/store"
	"countersign/store/storetest"
)

func TestOpen(t *testing.T) {
	for _, keep := range []string{"false", "true"} {
		if err := flag.Set("keep", keep); err != nil {
			t.Fatal(err)
		}
		path := ""
		t.Run("keep "+keep, func(t *testing.T) {
			s := storetest.Open(t)
			path = s.Path()
			if err := s.Append(t.Context(), []store.NewEvent{{Kind: "k"}}); err != nil {
				t.Error(err)
			}
		})
		_, err := os.Stat(path)
		if kept := err == nil; kept != (keep == "true") {
			t.Errorf("-keep=%s: %v", keep, err)
		}
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Error(err)
		}
	}
	if err := flag.Set("keep", "false"); err != nil {
		t.Error(err)
	}
}
