package app

import (
	"math"
	"testing"
	"time"

	"countersign/mcpclient"
)

// TestExpiry: a list is fresh for as long as each of its pages is.
func TestExpiry(t *testing.T) {
	now := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	page := func(ago time.Duration, ttl int64) mcpclient.ListPage {
		return mcpclient.ListPage{Received: now.Add(-ago), TTLMs: ttl}
	}
	for _, c := range []struct {
		name  string
		pages []mcpclient.ListPage
		want  time.Time
	}{
		{"CACHE-03 CACHE-05 counted from when it was received", []mcpclient.ListPage{page(time.Minute, 90_000)}, now.Add(30 * time.Second)},
		{"CACHE-12 each page has its own clock, and the first to run out ends the list", []mcpclient.ListPage{page(0, 90_000), page(time.Second, 10_000)}, now.Add(9 * time.Second)},
		{"CACHE-04 none", []mcpclient.ListPage{page(0, 0)}, now},
		{"CACHE-04 a page without a hint", []mcpclient.ListPage{page(0, 90_000), page(0, -1)}, time.Time{}},
		{"CACHE-05 beyond all sense", []mcpclient.ListPage{page(0, math.MaxInt64)}, now.Add(maxFresh)},
		{"no pages", nil, time.Time{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := expiry(c.pages); !got.Equal(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
