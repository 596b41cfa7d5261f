package app

import (
	"bytes"
	"context"
	"time"

	"countersign/app/rawjson"
	"countersign/app/servers"
	"countersign/mcpclient"
	"countersign/store"
)

const (
	// checkLimit bounds how long a person waits for a list to be checked.
	checkLimit = 10 * time.Second
	// maxFresh is the longest that a list is taken for fresh.
	maxFresh = 30 * 24 * time.Hour
	// dayAndTime is how a moment stands in a sentence.
	dayAndTime = "2 January 2006, 15:04"
)

// expiry is when the first page of a list is no longer fresh (CACHE-03,
// CACHE-12): all pages make one list, so all are fetched anew then.
// It is zero where a page came without a hint, as from an older server: then
// only notices and the end of the connection make the list old.
func expiry(pages []mcpclient.ListPage) time.Time {
	var first time.Time
	for _, p := range pages {
		if p.TTLMs < 0 {
			return time.Time{}
		}
		// The bound keeps a hint beyond all sense from overflowing.
		at := p.Received.Add(time.Duration(min(p.TTLMs, maxFresh.Milliseconds())) * time.Millisecond)
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}

// checkedListing makes sure that a server's list is what it offers now: one that
// is old, was announced as changed, or of which no change would be heard, is
// fetched anew. The time is zero, or that
// of the list that could not be checked since. Nothing is fetched by the clock
// alone (CACHE-06).
func (a *App) checkedListing(ctx context.Context, id string) (asOf time.Time) {
	l, ok := a.catalog.get(id)
	deaf := a.manager.Status(id).Code == servers.CodeDeaf
	if !ok || !deaf && a.freshness(id, l) == "live" && (l.expires.IsZero() || a.opt.Now().Before(l.expires)) {
		return time.Time{}
	}
	ctx, done := context.WithTimeout(ctx, checkLimit)
	defer done()
	err := a.manager.Refresh(ctx, id)
	if l, ok = a.catalog.get(id); !ok || err == nil && a.freshness(id, l) == "live" {
		return time.Time{}
	}
	return l.received
}

// keptListing gives the list of an earlier run where it need not be asked for:
// of this launch and with it of these credentials (CACHE-09, CACHE-14), of this
// program in this version of the protocol, and fresh on every page (CACHE-05).
func (a *App) keptListing(ctx context.Context, id string, p servers.Prepared, info mcpclient.Info) (*mcpclient.ToolList, time.Time, bool) {
	l, ok := a.catalog.get(id)
	if !ok || l.fingerprint != p.Fingerprint || !sameInfo(l.info, a.infoToKeep(p, info)) || !a.opt.Now().Before(l.expires) {
		return nil, time.Time{}, false
	}
	row, err := a.store.Listing(ctx, id)
	if err != nil || row.Fingerprint != p.Fingerprint {
		return nil, time.Time{}, false
	}
	counts := *l
	counts.fresh = true
	a.catalog.set(id, &counts)
	return mcpclient.ToolsFromPages(keptPages(row)), l.received, true
}

// infoToKeep is what is kept of a server beside its list.
func (a *App) infoToKeep(p servers.Prepared, info mcpclient.Info) cachedInfo {
	over := "stdio"
	if p.Config.HTTP != nil {
		over = "http"
	}
	kept := cachedInfo{Era: string(info.Era), Remember: string(info.Remember), Version: info.Version, Name: clip(a.mask.text(info.ServerInfo.Name), maxTitle),
		Title: clip(a.mask.text(info.ServerInfo.Title), maxTitle), SoftVersion: clip(a.mask.text(info.ServerInfo.Version), maxTitle), Over: over}
	if raw, ok := rawjson.Get(info.ServerInfoRaw, "icons"); ok {
		kept.Icons, _ = a.mask.bytes(raw)
	}
	return kept
}

func sameInfo(a, b cachedInfo) bool {
	return a.Era == b.Era && a.Version == b.Version && a.Name == b.Name && a.SoftVersion == b.SoftVersion && a.Over == b.Over &&
		bytes.Equal(a.Icons, b.Icons)
}

func keptPages(row store.Listing) (pages []mcpclient.ListPage) {
	for _, p := range row.Pages {
		pages = append(pages, mcpclient.ListPage{Cursor: p.Cursor, Raw: p.Raw, Received: p.Received, TTLMs: p.TTLMs, CacheScope: p.CacheScope, Version: p.Version})
	}
	return pages
}
