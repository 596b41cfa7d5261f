package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/store"
)

// clock is a clock that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func openWithClock(t *testing.T) (*store.Store, *clock) {
	t.Helper()
	c := &clock{time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.UTC)}
	s := must(store.Open(t.Context(), store.Options{Path: tempPath(t), Now: c.now}))(t)
	t.Cleanup(func() { mustClose(t, s) })
	return s, c
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestServers(t *testing.T) {
	s, clock := openWithClock(t)
	made := clock.at.Truncate(time.Microsecond)
	a := store.Server{ID: "a", Name: "A", Kind: "stdio", Config: []byte(`{"n":9007199254740993}`), Enabled: true, Position: 2}
	b := store.Server{ID: "b", Name: "B", Kind: "http", Position: 1}
	mustDo(t, s.SaveServer(t.Context(), a, []store.NewEvent{{Kind: "server.added", ServerID: "a"}}))
	mustDo(t, s.SaveServer(t.Context(), b, nil))
	a.Created, a.Updated, b.Created, b.Updated, b.Config = made, made, made, made, []byte{}
	same(t, "in their order", must(s.Servers(t.Context(), false))(t), []store.Server{b, a})

	clock.at = clock.at.Add(time.Hour)
	gone := a
	gone.Deleted, gone.Name, gone.Created = clock.at, "A2", time.Time{}
	mustDo(t, s.SaveServer(t.Context(), gone, []store.NewEvent{{Kind: "server.removed", ServerID: "a"}}))
	gone.Deleted, gone.Created, gone.Updated = clock.at.Truncate(time.Microsecond), made, clock.at.Truncate(time.Microsecond)
	same(t, "without the removed", must(s.Servers(t.Context(), false))(t), []store.Server{b})
	same(t, "with the removed", must(s.Servers(t.Context(), true))(t), []store.Server{b, gone})
	same(t, "the removed by id", must(s.ServerByID(t.Context(), "a"))(t), gone)

	mustDo(t, s.SaveServer(t.Context(), a, nil))
	a.Updated = clock.at.Truncate(time.Microsecond)
	same(t, "brought back", must(s.Servers(t.Context(), false))(t), []store.Server{b, a})
	if got := must(s.ServerEvents(t.Context(), "a", 10))(t); len(got) != 2 || got[0].Kind != "server.removed" {
		t.Errorf("events: %v", got)
	}
	if _, err := s.ServerByID(t.Context(), "c"); !isNotFound(err) {
		t.Errorf("no such server: %v", err)
	}
}

func TestConsents(t *testing.T) {
	s, clock := openWithClock(t)
	if _, err := s.Consent(t.Context(), "a"); !isNotFound(err) {
		t.Errorf("none: %v", err)
	}
	for _, print := range []string{"one", "two"} {
		c := store.Consent{ServerID: "a", Fingerprint: print, Given: clock.at.Truncate(time.Microsecond)}
		mustDo(t, s.SaveConsent(t.Context(), c, []store.NewEvent{{Kind: "consented", ServerID: "a", Body: print}}))
		same(t, "consent", must(s.Consent(t.Context(), "a"))(t), c)
	}
	if got := must(s.ServerEvents(t.Context(), "a", 10))(t); len(got) != 2 {
		t.Errorf("%d events", len(got))
	}
}

func TestSettings(t *testing.T) {
	s, _ := openWithClock(t)
	if _, err := s.Setting(t.Context(), "a"); !isNotFound(err) {
		t.Errorf("none: %v", err)
	}
	mustDo(t, s.SetSetting(t.Context(), "a", []byte("1"), []store.NewEvent{{Kind: "setting"}}))
	mustDo(t, s.SetSetting(t.Context(), "a", []byte{0xff, 0}, nil))
	mustDo(t, s.SetSetting(t.Context(), "b", []byte("2"), nil))
	same(t, "one", must(s.Setting(t.Context(), "a"))(t), []byte{0xff, 0})
	same(t, "all", must(s.SettingsAll(t.Context()))(t), map[string][]byte{"a": {0xff, 0}, "b": []byte("2")})
	mustDo(t, s.SetSetting(t.Context(), "a", nil, nil))
	same(t, "less one", must(s.SettingsAll(t.Context()))(t), map[string][]byte{"b": []byte("2")})
	// A refused event takes the setting with it.
	if err := s.SetSetting(t.Context(), "b", []byte("3"), []store.NewEvent{{}}); err == nil {
		t.Error("an event without kind was taken")
	}
	same(t, "unchanged", must(s.Setting(t.Context(), "b"))(t), []byte("2"))
}

func TestIcons(t *testing.T) {
	s, clock := openWithClock(t)
	at := clock.at.Truncate(time.Microsecond)
	icon := func(hash, server, source string) store.Icon {
		i := store.Icon{Hash: hash, MIME: "image/png", Bytes: []byte(hash), ServerID: server, Source: source, Fetched: at}
		mustDo(t, s.SaveIcon(t.Context(), i))
		return i
	}
	one := icon("h1", "a", "https://a/1.png")
	icon("h1", "b", "data:1")
	same(t, "by source", must(s.IconBySource(t.Context(), "a", "https://a/1.png"))(t), one)
	same(t, "by hash", must(s.Icon(t.Context(), "h1"))(t).Bytes, []byte("h1"))
	two := icon("h2", "a", "https://a/1.png")
	same(t, "replaced", must(s.IconBySource(t.Context(), "a", "https://a/1.png"))(t), two)
	same(t, "the other's", must(s.Icon(t.Context(), "h1"))(t).ServerID, "b")
	if _, err := s.IconBySource(t.Context(), "b", "https://a/1.png"); !isNotFound(err) {
		t.Errorf("of another server: %v", err)
	}
	if _, err := s.Icon(t.Context(), "h3"); !isNotFound(err) {
		t.Errorf("no such hash: %v", err)
	}
}

func TestListings(t *testing.T) {
	s, clock := openWithClock(t)
	first := clock.at.Truncate(time.Microsecond)
	if _, err := s.Listing(t.Context(), "a"); !isNotFound(err) {
		t.Errorf("none: %v", err)
	}
	cursor := ""
	l := store.Listing{ServerID: "a", Fingerprint: "f", Info: []byte(`{}`), Received: first, Pages: []store.ListPage{
		{Raw: []byte(` {"tools": []} `), Received: first, TTLMs: -1, Version: "2025-11-25"},
		{Cursor: &cursor, Raw: []byte(`{}`), Received: first, TTLMs: 5000, CacheScope: "private", Version: "2026-07-28"},
	}}
	defs := []store.Definition{{Hash: "h1", ServerID: "a", Name: "t", Raw: []byte(`{"a":1}`)}, {Hash: "h2", ServerID: "a", Name: "u", Raw: []byte(`{}`)}}
	mustDo(t, s.SaveListing(t.Context(), l, defs, []store.NewEvent{{Kind: "listed", ServerID: "a"}}))
	same(t, "listing", must(s.Listing(t.Context(), "a"))(t), l)

	clock.at = clock.at.Add(time.Minute)
	second := clock.at.Truncate(time.Microsecond)
	l.Pages, l.Fingerprint = l.Pages[:1], "g"
	mustDo(t, s.SaveListing(t.Context(), l, []store.Definition{defs[0], {Hash: "h3", ServerID: "a", Name: "t", Raw: []byte(`{"a":2}`)}}, nil))
	mustDo(t, s.SaveListing(t.Context(), store.Listing{ServerID: "b"}, []store.Definition{{Hash: "h1", ServerID: "b", Name: "t"}}, nil))
	same(t, "replaced", must(s.Listing(t.Context(), "a"))(t), l)
	same(t, "of a tool", must(s.Definitions(t.Context(), "a", "t"))(t), []store.Definition{
		{Hash: "h1", ServerID: "a", Name: "t", Raw: []byte(`{"a":1}`), FirstSeen: first, LastSeen: second},
		{Hash: "h3", ServerID: "a", Name: "t", Raw: []byte(`{"a":2}`), FirstSeen: second, LastSeen: second}})
	same(t, "no longer listed", must(s.Definition(t.Context(), "h2"))(t), store.Definition{Hash: "h2", ServerID: "a", Name: "u", Raw: []byte(`{}`), FirstSeen: first, LastSeen: first})
	if _, err := s.Definition(t.Context(), "h4"); !isNotFound(err) {
		t.Errorf("no such definition: %v", err)
	}
	if got := must(s.Definitions(t.Context(), "b", "u"))(t); len(got) != 0 {
		t.Errorf("of another server: %v", got)
	}
}
