package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"countersign/app/icons"
	"countersign/app/launch"
	"countersign/app/rawjson"
	"countersign/store"
)

// iconKeeper knows under which hash a server's icon is kept, and fetches what
// is missing in the background. Safe to call together.
type iconKeeper struct {
	app     *App
	fetcher *icons.Fetcher

	mu    sync.Mutex
	known map[iconKey]string // hash; "" when it cannot be had in this run
}

// iconKey names an icons array of a server by the hash of its bytes.
type iconKey struct{ server, icons string }

func newIconKeeper(a *App, f *icons.Fetcher) *iconKeeper {
	return &iconKeeper{app: a, fetcher: f, known: map[iconKey]string{}}
}

// path gives the path of an icon on our own origin, or "" while there is none.
func (k *iconKeeper) path(serverID string, raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if hash := k.known[iconKey{serverID, rawjson.Hash(raw)}]; hash != "" {
		return "/icon/" + hash
	}
	return ""
}

// want gets the icons of a listing: from the store, from data: addresses, or
// from the server's own origin once its launch was agreed to.
func (k *iconKeeper) want(ctx context.Context, serverID string, l *listing, network bool) {
	origin := ""
	if c, ok := k.app.config.get(serverID); ok && c.row.Kind == launch.KindHTTP {
		origin = c.settings.URL
	}
	arrays := []json.RawMessage{l.info.Icons}
	for _, t := range l.tools {
		arrays = append(arrays, t.icons)
	}
	changed := false
	for _, raw := range arrays {
		if len(raw) == 0 || ctx.Err() != nil {
			continue
		}
		key := iconKey{serverID, rawjson.Hash(raw)}
		k.mu.Lock()
		_, done := k.known[key]
		k.mu.Unlock()
		if done {
			continue
		}
		hash, final := k.find(ctx, serverID, origin, raw, network)
		if hash != "" || final {
			k.mu.Lock()
			k.known[key] = hash
			k.mu.Unlock()
			changed = changed || hash != ""
		}
	}
	if changed {
		k.app.events.publish(TopicTools, serverID)
		k.app.events.publish(TopicServers, serverID)
	}
}

// find gives the hash of the best icon that can be had. final says that
// asking again in this run is of no use.
func (k *iconKeeper) find(ctx context.Context, serverID, origin string, raw json.RawMessage, network bool) (hash string, final bool) {
	sources, refused := icons.Pick(raw, "light", origin)
	for _, r := range refused {
		k.app.log.Info("icon refused", slog.String("server", serverID), slog.String("reason", r.Err.Error()))
	}
	final = true
	for _, src := range sources {
		key := rawjson.Hash([]byte(src.Src()))
		if kept, err := k.app.store.IconBySource(ctx, serverID, key); err == nil {
			return kept.Hash, true
		}
		if !src.Inline() && !network {
			final = false
			continue
		}
		mime, image, err := k.fetcher.Fetch(ctx, src)
		var no *icons.RefusedError
		if err != nil {
			if !errors.As(err, &no) {
				return "", false
			}
			k.app.log.Info("icon refused", slog.String("server", serverID), slog.String("reason", no.Reason))
			continue
		}
		icon := store.Icon{Hash: rawjson.Hash(image), MIME: mime, Bytes: image, ServerID: serverID, Source: key, Fetched: k.app.opt.Now()}
		if err := k.app.store.SaveIcon(ctx, icon); err != nil {
			k.app.log.Error("an icon could not be kept", slog.String("error", err.Error()))
			return "", false
		}
		return icon.Hash, true
	}
	return "", final
}
