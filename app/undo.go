package app

import (
	"context"
	"sync"
	"time"
)

// undoTime is how long a removed server can be brought back.
const undoTime = 10 * time.Second

var noTime time.Time

// undoBin holds removed servers until their secrets are deleted. Safe to call
// together.
type undoBin struct {
	app *App

	mu    sync.Mutex
	items map[string]*time.Timer
	wg    sync.WaitGroup
}

func newUndoBin(a *App) *undoBin { return &undoBin{app: a, items: map[string]*time.Timer{}} }

func (u *undoBin) put(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.wg.Add(1)
	u.items[id] = time.AfterFunc(undoTime, func() {
		defer u.wg.Done()
		if u.drop(id) {
			u.app.purgeSecrets(id)
		}
	})
}

// drop removes an item; false when it was taken meanwhile.
func (u *undoBin) drop(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, ok := u.items[id]
	delete(u.items, id)
	return ok
}

// take gives a removed server back, or says that it is too late.
func (u *undoBin) take(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	t, ok := u.items[id]
	if !ok {
		return false
	}
	delete(u.items, id)
	if t.Stop() {
		u.wg.Done()
	}
	return true
}

// close deletes the secrets of what is still in the bin: nothing may be left
// behind because the program was closed within ten seconds.
func (u *undoBin) close(context.Context) error {
	u.mu.Lock()
	var ids []string
	for id, t := range u.items {
		if t.Stop() {
			u.wg.Done()
		}
		ids = append(ids, id)
	}
	clear(u.items)
	u.mu.Unlock()
	u.wg.Wait()
	for _, id := range ids {
		u.app.purgeSecrets(id)
	}
	return nil
}

// purgeSecrets deletes the secrets of a removed server.
func (a *App) purgeSecrets(id string) {
	c, ok := a.config.any(id)
	if !ok || c.row.Deleted.IsZero() {
		return
	}
	for _, name := range c.secretNames() {
		if err := a.secrets.Delete(id, name); err != nil {
			a.notices.add("warning", "The secret "+name+" of "+c.row.Name+" could not be deleted: "+err.Error()+".",
				"Delete it in your keyring's own program.")
		}
	}
	a.catalog.drop(id)
}
