package app

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"countersign/app/launch"
	"countersign/mcpclient"
	"countersign/store"
)

// AddRoot lets the person open a folder to a server, in a native dialog. It
// gives the folder, "" when none was chosen. A server that had none is started
// anew, since it is told at the start that there are some.
func (s *Servers) AddRoot(token, id string) (string, error) {
	a := s.a
	return guard(a, token, "Servers.AddRoot", func(ctx context.Context) (string, error) {
		c, ok := a.config.get(id)
		if !ok {
			return "", store.ErrNotFound
		}
		path, err := a.opt.Window.ChooseFolder("Open a folder to " + visible(c.row.Name))
		if err != nil {
			return "", fmt.Errorf("choosing a folder: %w", err)
		}
		if path == "" {
			return "", nil
		}
		return path, a.changeRoots(ctx, id, func(s launch.Settings) (launch.Settings, error) {
			out, wrong := s.AddRoot(path)
			if wrong != "" {
				return s, &Error{Code: CodeInvalid, Message: wrong, Hint: "Choose another folder."}
			}
			return out, nil
		})
	})
}

// RemoveRoot closes a folder to a server. What the server has read stays read.
func (s *Servers) RemoveRoot(token, id, path string) error {
	a := s.a
	return act(a, token, "Servers.RemoveRoot", func(ctx context.Context) error {
		return a.changeRoots(ctx, id, func(s launch.Settings) (launch.Settings, error) { return s.WithoutRoot(path), nil })
	})
}

// changeRoots changes the folders of a server as it is configured now; the
// dialog may have stood open for long.
func (a *App) changeRoots(ctx context.Context, id string, change func(launch.Settings) (launch.Settings, error)) error {
	c, ok := a.config.get(id)
	if !ok {
		return store.ErrNotFound
	}
	if c.fault != "" {
		return &Error{Code: CodeUnavailable, Message: sentence(c.fault), Hint: "Edit the server and save it anew."}
	}
	settings, err := change(c.settings)
	if err != nil {
		return err
	}
	row := c.row
	if row.Config, err = json.Marshal(settings); err != nil {
		return err
	}
	if err := a.config.save(ctx, a.store, row, eventServerSaved); err != nil {
		return err
	}
	client, p, err := a.manager.Client(id)
	switch {
	case err == nil && p.Config.Roots == nil:
		a.restarted(ctx, id)
	case err == nil:
		client.RootsChanged()
	}
	a.events.publish(TopicServers, id)
	return nil
}

// rootsFor gives the function by which a connection asks for the folders that
// are open; nil when there are none, so that none are declared (ROOTS-01).
func (a *App) rootsFor(c serverConfig) func() []mcpclient.Root {
	if len(c.settings.Roots) == 0 {
		return nil
	}
	id := c.row.ID
	return func() []mcpclient.Root {
		roots := a.rootsNow(id)
		a.toldRoots.told(a, id, roots)
		return roots
	}
}

// rootsNow lists the folders that can be told to a server. One that is missing
// is left out, with a line in the log.
func (a *App) rootsNow(id string) []mcpclient.Root {
	c, _ := a.config.get(id)
	var out []mcpclient.Root
	for _, path := range c.settings.Roots {
		if why := launch.RootFault(path); why != "" {
			a.manager.Note(id, "warning", "The server asked for its folders; "+path+" "+why+" and was left out.")
			continue
		}
		out = append(out, mcpclient.Root{URI: launch.FileURI(path), Name: strings.ToValidUTF8(filepath.Base(path), "\uFFFD")})
	}
	return out
}

// rootsAnswer answers a modern server's question for folders, for a connection
// that declared some. The road records it with the call.
func (a *App) rootsAnswer(id string) (json.RawMessage, bool) {
	_, p, err := a.manager.Client(id)
	if err != nil || p.Config.Roots == nil {
		return nil, false
	}
	return mcpclient.RootsResult(a.rootsNow(id)), true
}

// rootsToldBody is the body of eventRootsTold.
type rootsToldBody struct {
	Roots []string `json:"roots"` // URIs
}

// toldRoots remembers what a legacy server was told last, so that one that
// asks all the time does not fill the record. Safe to call together.
type toldRoots struct {
	mu   sync.Mutex
	last map[string]string
}

// told records an answer where it differs from the last. It returns at once.
func (t *toldRoots) told(a *App, id string, roots []mcpclient.Root) {
	body := rootsToldBody{Roots: []string{}}
	for _, r := range roots {
		body.Roots = append(body.Roots, a.mask.text(r.URI))
	}
	now := strings.Join(body.Roots, "\n")
	t.mu.Lock()
	defer t.mu.Unlock()
	if was, ok := t.last[id]; ok && was == now {
		return
	}
	if t.last == nil {
		t.last = map[string]string{}
	}
	t.last[id] = now
	a.background(func(ctx context.Context) {
		a.note(context.WithoutCancel(ctx), store.NewEvent{Kind: eventRootsTold, ServerID: id, Body: body})
	})
}

func (t *toldRoots) forget(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.last, id)
}

// rootViews lists the folders that are open to a server.
func rootViews(c serverConfig) []RootView {
	out := []RootView{}
	for _, path := range c.settings.Roots {
		out = append(out, RootView{Path: path, Fault: launch.RootFault(path)})
	}
	return out
}
