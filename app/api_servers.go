package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"countersign/app/launch"
	"countersign/app/secrets"
	"countersign/app/servers"
	"countersign/store"
)

// List gives all servers, in their order.
func (s *Servers) List(token string) ([]ServerView, error) {
	return guard(s.a, token, "Servers.List", func(ctx context.Context) ([]ServerView, error) {
		out := []ServerView{}
		for _, c := range s.a.config.all() {
			out = append(out, s.a.serverView(ctx, c))
		}
		return out, nil
	})
}

// Get gives everything about one server; no secret value is in it.
func (s *Servers) Get(token, id string) (ServerDetail, error) {
	a := s.a
	return guard(a, token, "Servers.Get", func(ctx context.Context) (ServerDetail, error) {
		c, ok := a.config.get(id)
		if !ok {
			return ServerDetail{}, store.ErrNotFound
		}
		d := ServerDetail{Server: a.serverView(ctx, c), Draft: c.draft(), Secrets: a.secretInfo(c), Problems: []Problem{},
			Instructions: clip(a.mask.text(a.manager.Status(id).Instructions), maxText), Launch: a.launchView(ctx, c),
			Roots: rootViews(c)}
		if c.row.Kind != launch.KindBuiltin {
			d.Problems = a.problems(d.Draft)
		}
		return d, nil
	})
}

// Check finds the problems of a draft without saving it.
func (s *Servers) Check(token string, d ServerDraft) ([]Problem, error) {
	return guard(s.a, token, "Servers.Check", func(context.Context) ([]Problem, error) {
		return list(s.a.problems(d)), nil
	})
}

// Save saves a draft, unless it has a fault. Values that look like secrets are
// stored as secrets. A server whose launch changed stops and asks for consent
// before it is started again.
func (s *Servers) Save(token string, d ServerDraft) (SaveResult, error) {
	a := s.a
	return guard(a, token, "Servers.Save", func(ctx context.Context) (SaveResult, error) {
		if d.ID == DemoServerID {
			return a.saveDemo(ctx, d)
		}
		row := store.Server{ID: uuid.NewString(), Kind: d.Kind, Position: int64(len(a.config.withDeleted()))}
		if d.ID != "" {
			c, ok := a.config.get(d.ID)
			if !ok {
				return SaveResult{}, store.ErrNotFound
			}
			row = c.row
			row.Kind = d.Kind
		}
		problems := a.problems(d)
		for _, p := range problems {
			if !p.Warning {
				return SaveResult{Problems: problems}, nil
			}
		}
		settings, values := launch.HideSecrets(d.settings())
		if c, ok := a.config.get(d.ID); ok {
			settings.Roots = c.settings.Roots // changed by dialogs alone
		}
		for name, value := range values {
			if err := a.storeSecret(ctx, row.ID, name, value); err != nil {
				return SaveResult{}, err
			}
			problems = append(problems, Problem{Warning: true,
				Message: fmt.Sprintf("A value that looked like a secret was stored as the secret %s.", name)})
		}
		config, err := json.Marshal(settings)
		if err != nil {
			return SaveResult{}, err
		}
		row.Name, row.Config, row.Enabled = strings.TrimSpace(d.Name), config, d.Enabled
		if err := a.config.save(ctx, a.store, row, eventServerSaved); err != nil {
			return SaveResult{}, err
		}
		a.refreshMask()
		a.restarted(ctx, row.ID)
		return SaveResult{ID: row.ID, Problems: list(problems)}, nil
	})
}

// saveDemo changes what can be changed of the demo server.
func (a *App) saveDemo(ctx context.Context, d ServerDraft) (SaveResult, error) {
	c, ok := a.config.get(DemoServerID)
	if !ok {
		return SaveResult{}, store.ErrNotFound
	}
	row := c.row
	row.Enabled = d.Enabled
	if err := a.config.save(ctx, a.store, row, eventServerSaved); err != nil {
		return SaveResult{}, err
	}
	a.restarted(ctx, row.ID)
	return SaveResult{ID: row.ID, Problems: []Problem{}}, nil
}

// restarted brings the supervisor in line with changed settings.
func (a *App) restarted(ctx context.Context, id string) {
	c, ok := a.config.get(id)
	if ok && c.row.Enabled {
		a.manager.Restart(id)
	} else {
		a.background(func(ctx context.Context) { _ = a.manager.Stop(ctx, id) }) // its state shows how it went
	}
	a.events.publish(TopicServers, id)
	a.events.publish(TopicTools, id)
}

// Remove removes a server. Its history stays. For ten seconds UndoRemove
// brings it back; then its secrets are deleted.
func (s *Servers) Remove(token, id string) error {
	a := s.a
	return act(a, token, "Servers.Remove", func(ctx context.Context) error {
		c, ok := a.config.get(id)
		if !ok {
			return store.ErrNotFound
		}
		row := c.row
		row.Deleted = a.opt.Now()
		if err := a.config.save(ctx, a.store, row, eventServerRemoved); err != nil {
			return err
		}
		a.background(func(ctx context.Context) { _ = a.manager.Remove(ctx, id) }) // Close waits for what is left
		a.undo.put(id)
		a.events.publish(TopicServers, id)
		a.events.publish(TopicTools, id)
		return nil
	})
}

// UndoRemove brings a removed server back, within ten seconds.
func (s *Servers) UndoRemove(token, id string) error {
	a := s.a
	return act(a, token, "Servers.UndoRemove", func(ctx context.Context) error {
		if !a.undo.take(id) {
			return &Error{Code: CodeConflict, Message: "It is too late to undo this.", Hint: "Add the server anew; its history is still there."}
		}
		c, ok := a.config.any(id)
		if !ok {
			return store.ErrNotFound
		}
		row := c.row
		row.Deleted = noTime
		if err := a.config.save(ctx, a.store, row, eventServerRestored); err != nil {
			return err
		}
		a.restarted(ctx, id)
		return nil
	})
}

// Start starts a server and keeps it running. It needs consent first.
func (s *Servers) Start(token, id string) error {
	a := s.a
	return act(a, token, "Servers.Start", func(ctx context.Context) error {
		if err := a.enable(ctx, id, true); err != nil {
			return err
		}
		a.manager.Start(id)
		return nil
	})
}

// Stop stops a server and leaves it stopped, after a restart too.
func (s *Servers) Stop(token, id string) error {
	a := s.a
	return act(a, token, "Servers.Stop", func(ctx context.Context) error {
		if err := a.enable(ctx, id, false); err != nil {
			return err
		}
		a.background(func(ctx context.Context) { _ = a.manager.Stop(ctx, id) }) // its state shows how it went
		return nil
	})
}

func (a *App) enable(ctx context.Context, id string, on bool) error {
	c, ok := a.config.get(id)
	if !ok {
		return store.ErrNotFound
	}
	if c.row.Enabled == on {
		return nil
	}
	row := c.row
	row.Enabled = on
	return a.config.save(ctx, a.store, row, eventServerSaved)
}

// Log gives a server's log from line after on. Known secrets are masked.
func (s *Servers) Log(token, id string, after int64) (LogPage, error) {
	a := s.a
	return guard(a, token, "Servers.Log", func(context.Context) (LogPage, error) {
		lines, dropped := a.manager.Log(id, after)
		page := LogPage{Lines: []LogLine{}, Dropped: dropped, Next: after}
		for _, l := range lines {
			page.Lines = append(page.Lines, LogLine{N: l.N, Time: stamp(l.Time), Source: l.Source, Level: l.Level, Text: a.mask.text(l.Text)})
			page.Next = l.N
		}
		return page, nil
	})
}

// SetSecret stores a secret of a server. The value goes to the keyring and
// never comes back.
func (s *Servers) SetSecret(token, id, name, value string) ([]Problem, error) {
	a := s.a
	return guard(a, token, "Servers.SetSecret", func(ctx context.Context) ([]Problem, error) {
		c, ok := a.config.get(id)
		if !ok {
			return nil, store.ErrNotFound
		}
		if !secrets.ValidName(name) {
			return []Problem{{Field: "name", Message: "A secret's name has 1 to 64 letters, digits, points, hyphens or underscores."}}, nil
		}
		if value == "" {
			return []Problem{{Field: "value", Message: "The secret is empty."}}, nil
		}
		if err := a.storeSecret(ctx, id, name, value); err != nil {
			return nil, err
		}
		a.refreshMask()
		out := []Problem{}
		if secrets.Weak(value) {
			out = append(out, Problem{Field: "value", Warning: true,
				Message: "The secret is shorter than 8 bytes: in records it can be hidden only where it stands alone."})
		}
		for _, used := range c.secretNames() {
			if used == name {
				a.restarted(ctx, id)
			}
		}
		a.events.publish(TopicServers, id)
		return out, nil
	})
}

func (a *App) storeSecret(ctx context.Context, id, name, value string) error {
	if err := a.secrets.Set(id, name, value); err != nil {
		return fmt.Errorf("storing the secret %s: %w", name, err)
	}
	a.warnNoKeyring()
	a.events.publish(TopicSettings, "")
	return a.store.Append(ctx, []store.NewEvent{{Kind: eventSecretStored, ServerID: id, Body: map[string]string{"name": name}}})
}

// DeleteSecret deletes a secret of a server from the keyring.
func (s *Servers) DeleteSecret(token, id, name string) error {
	a := s.a
	return act(a, token, "Servers.DeleteSecret", func(ctx context.Context) error {
		if _, ok := a.config.get(id); !ok {
			return store.ErrNotFound
		}
		if err := a.secrets.Delete(id, name); err != nil {
			return err
		}
		err := a.store.Append(ctx, []store.NewEvent{{Kind: eventSecretDeleted, ServerID: id, Body: map[string]string{"name": name}}})
		a.events.publish(TopicServers, id)
		return err
	})
}

func (a *App) secretInfo(c serverConfig) []SecretInfo {
	out := []SecretInfo{}
	for _, ref := range c.settings.Refs() {
		value, err := a.secrets.Get(c.row.ID, ref.Name)
		out = append(out, SecretInfo{Name: ref.Name, Stored: err == nil, Weak: err == nil && secrets.Weak(value), UsedIn: list(ref.UsedIn)})
	}
	return out
}

// serverView is a server's row in the list.
func (a *App) serverView(ctx context.Context, c serverConfig) ServerView {
	st := a.manager.Status(c.row.ID)
	v := ServerView{ID: c.row.ID, Name: c.row.Name, Kind: c.row.Kind, Enabled: c.row.Enabled, State: string(st.State), Reason: a.mask.line(st.Reason),
		Hint: a.mask.line(st.Hint), Code: st.Code, Since: stamp(st.Since), Era: st.Era, Version: st.Version, ServerName: clip(a.mask.text(st.ServerName), maxTitle),
		ServerVersion: clip(a.mask.text(st.ServerVersion), maxTitle), PID: st.PID, NextTry: stamp(st.NextTry), Hue: hue(c.row.ID), Fallbacks: []string{},
		NeedsConsent: st.Code == codeConsent && st.State == servers.Attention}
	for _, f := range st.Fallbacks {
		v.Fallbacks = append(v.Fallbacks, a.mask.line(f))
	}
	if l, ok := a.catalog.get(c.row.ID); ok {
		v.ToolCount = len(l.tools)
		v.Icon = a.icons.path(c.row.ID, l.info.Icons)
		if v.Era == "" {
			v.Era, v.Version, v.ServerName, v.ServerVersion = l.info.Era, l.info.Version, l.info.Name, l.info.SoftVersion
		}
	}
	return v
}
