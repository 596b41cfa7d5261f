package app

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	"countersign/app/launch"
	"countersign/store"
)

// serverConfig is one configured server in memory; a copy is safe to keep.
type serverConfig struct {
	row      store.Server
	settings launch.Settings
	fault    string // why the stored settings cannot be read, or ""
}

// DemoServerID is our id of the built-in demo server.
const DemoServerID = "builtin-demo"

// Events of servers.
const (
	eventServerSaved     = "server.saved"
	eventServerRemoved   = "server.removed"
	eventServerRestored  = "server.restored"
	eventServerConsented = "server.consented"
	eventServerRefused   = "server.consent_refused"
	eventServerStarted   = "server.started"
	eventServerEnded     = "server.ended"
	eventRootsTold       = "server.roots_told"
	eventServerListed    = "server.tools_listed"
	eventSecretStored    = "server.secret_stored"
	eventSecretDeleted   = "server.secret_deleted"
)

// serverConfigs holds all servers, removed ones too. Safe to call together.
type serverConfigs struct {
	mu   sync.Mutex
	byID map[string]serverConfig
}

func loadServers(ctx context.Context, s *store.Store) (*serverConfigs, error) {
	rows, err := s.Servers(ctx, true)
	if err != nil {
		return nil, fmt.Errorf("reading the servers: %w", err)
	}
	c := &serverConfigs{byID: map[string]serverConfig{}}
	for _, row := range rows {
		c.byID[row.ID] = readConfig(row)
	}
	return c, nil
}

// readConfig keeps a row whose settings cannot be read: it is shown with its
// fault and never started.
func readConfig(row store.Server) serverConfig {
	c := serverConfig{row: row}
	if err := json.Unmarshal(row.Config, &c.settings); err != nil {
		c.fault = "its saved settings cannot be read: " + err.Error()
	}
	c.settings.Kind = row.Kind
	return c
}

// ensureDemo adds the demo server where there never was one.
func (c *serverConfigs) ensureDemo(ctx context.Context, s *store.Store) error {
	if _, ok := c.any(DemoServerID); ok {
		return nil
	}
	row := store.Server{ID: DemoServerID, Name: "Demo", Kind: launch.KindBuiltin, Config: []byte(`{"kind":"builtin"}`), Enabled: true}
	return c.save(ctx, s, row, eventServerSaved)
}

// save writes a row with its event and makes it count.
func (c *serverConfigs) save(ctx context.Context, s *store.Store, row store.Server, kind string) error {
	body := map[string]any{"name": row.Name, "kind": row.Kind, "enabled": row.Enabled, "settings": json.RawMessage(row.Config)}
	if err := s.SaveServer(ctx, row, []store.NewEvent{{Kind: kind, ServerID: row.ID, Body: body}}); err != nil {
		return fmt.Errorf("saving the server: %w", err)
	}
	saved, err := s.ServerByID(ctx, row.ID)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID[row.ID] = readConfig(saved)
	return nil
}

// any gives a server, removed or not.
func (c *serverConfigs) any(id string) (serverConfig, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.byID[id]
	return s, ok
}

// get gives a server that is not removed.
func (c *serverConfigs) get(id string) (serverConfig, bool) {
	s, ok := c.any(id)
	return s, ok && s.row.Deleted.IsZero()
}

func (c *serverConfigs) name(id string) (string, bool) {
	s, ok := c.get(id)
	return s.row.Name, ok
}

// limits are the longest silence and the longest time of a server's calls; 0
// is the default.
func (c *serverConfigs) limits(id string) (idle, most time.Duration) {
	s, _ := c.get(id)
	return time.Duration(s.settings.TimeoutSeconds) * time.Second, time.Duration(s.settings.MaxSeconds) * time.Second
}

// all lists the servers that are not removed, in their order.
func (c *serverConfigs) all() []serverConfig {
	var out []serverConfig
	for _, s := range c.withDeleted() {
		if s.row.Deleted.IsZero() {
			out = append(out, s)
		}
	}
	return out
}

func (c *serverConfigs) withDeleted() []serverConfig {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]serverConfig, 0, len(c.byID))
	for _, s := range c.byID {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].row.Position != out[j].row.Position {
			return out[i].row.Position < out[j].row.Position
		}
		return out[i].row.ID < out[j].row.ID
	})
	return out
}

// secretNames lists the secrets that the settings refer to.
func (s serverConfig) secretNames() []string {
	var names []string
	for _, ref := range s.settings.Refs() {
		names = append(names, ref.Name)
	}
	return names
}

func (s serverConfig) draft() ServerDraft {
	d := ServerDraft{ID: s.row.ID, Name: s.row.Name, Kind: s.row.Kind, Command: s.settings.Command, Args: list(s.settings.Args),
		Dir: s.settings.Dir, URL: s.settings.URL, Enabled: s.row.Enabled, CAFile: s.settings.CAFile, Proxy: s.settings.Proxy, PlainHTTP: s.settings.PlainHTTP,
		TimeoutSeconds: s.settings.TimeoutSeconds, MaxSeconds: s.settings.MaxSeconds, MaxResultMiB: s.settings.MaxResultMiB, Env: []Var{}, Headers: []Var{}}
	for _, v := range s.settings.Env {
		d.Env = append(d.Env, Var(v))
	}
	for _, v := range s.settings.Headers {
		d.Headers = append(d.Headers, Var(v))
	}
	return d
}

// settings gives a draft's part that decides what is started.
func (d ServerDraft) settings() launch.Settings {
	s := launch.Settings{Kind: d.Kind, TimeoutSeconds: d.TimeoutSeconds, MaxSeconds: d.MaxSeconds, MaxResultMiB: d.MaxResultMiB}
	if d.Kind == launch.KindHTTP {
		s.CAFile, s.Proxy, s.PlainHTTP = d.CAFile, strings.TrimSpace(d.Proxy), d.PlainHTTP
		s.URL = strings.TrimSpace(d.URL)
		for _, v := range d.Headers {
			s.Headers = append(s.Headers, launch.Var(v))
		}
		return s
	}
	s.Command, s.Args, s.Dir = strings.TrimSpace(d.Command), d.Args, d.Dir
	for _, v := range d.Env {
		s.Env = append(s.Env, launch.Var(v))
	}
	return s
}

// problems checks a draft. Only faults that are no warnings stop its saving.
func (a *App) problems(d ServerDraft) []Problem {
	out := []Problem{}
	name := strings.TrimSpace(d.Name)
	switch {
	case name == "":
		out = append(out, Problem{Field: "name", Message: "Give the server a name."})
	case len(name) > 100:
		out = append(out, Problem{Field: "name", Message: "The name is longer than 100 bytes."})
	}
	for _, s := range a.config.all() {
		if s.row.ID != d.ID && strings.EqualFold(s.row.Name, name) {
			out = append(out, Problem{Field: "name", Message: "Another server has this name: with two of one name nobody can tell them apart."})
		}
	}
	if d.Kind != launch.KindStdio && d.Kind != launch.KindHTTP {
		return append(out, Problem{Field: "kind", Message: "A server is a program (stdio) or an address (http)."})
	}
	if !a.pickedCA(d) {
		out = append(out, Problem{Field: "caFile", Message: "Choose the certificate file in the dialog."})
	}
	s := d.settings()
	for _, p := range launch.Validate(s) {
		out = append(out, Problem{Field: p.Field, Message: p.Message})
	}
	for _, p := range launch.Warnings(s) {
		out = append(out, Problem{Field: p.Field, Message: p.Message, Warning: true})
	}
	return out
}
