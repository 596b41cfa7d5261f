package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"countersign/app/servers"
	"countersign/store"
)

// orphan is a process that an earlier run of the program left, perhaps.
type orphan struct {
	serverID string
	mark     servers.Mark
}

// orphanEvents is how many events of a server are looked through for its last
// start; after that come lists and changes of its settings.
const orphanEvents = 200

// findOrphans reads from the record which processes were started and not seen
// to end. The data folder is held by this process alone, so they are of a run
// that is over. It is called before anything is started.
func (a *App) findOrphans(ctx context.Context) []orphan {
	var out []orphan
	for _, c := range a.config.withDeleted() {
		events, err := a.store.ServerEvents(ctx, c.row.ID, orphanEvents)
		if err != nil {
			a.log.Error("the last start of a server could not be read", slog.String("error", err.Error()))
			continue
		}
		for _, e := range events { // the newest first
			if e.Kind == eventServerEnded {
				break
			}
			if e.Kind != eventServerStarted {
				continue
			}
			var stored struct {
				Body startedBody `json:"body"`
			}
			if json.Unmarshal(e.Stored, &stored) == nil && stored.Body.Process != nil {
				out = append(out, orphan{c.row.ID, *stored.Body.Process})
			}
			break
		}
	}
	return out
}

// endOrphans ends what findOrphans found, where it is still the same process.
func (a *App) endOrphans(ctx context.Context, found []orphan) {
	var all sync.WaitGroup
	for _, o := range found {
		all.Go(func() {
			if servers.EndIfSame(o.mark) {
				a.note(ctx, store.NewEvent{Kind: eventServerEnded, ServerID: o.serverID,
					Body: map[string]any{"reason": "it had outlived the run of Countersign that started it, and was ended", "process": o.mark}})
			}
		})
	}
	all.Wait()
}
