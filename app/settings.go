package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"countersign/store"
)

// savedSettings is the JSON form of the settings in the store.
type savedSettings struct {
	ApprovalDeadlineSeconds int    `json:"approvalDeadlineSeconds"`
	Theme                   string `json:"theme"`
	Paused                  bool   `json:"paused"`
}

const (
	settingsKey = "settings"
	uiPrefix    = "ui."
	// maxUIValue bounds what the page keeps under one key, in bytes.
	maxUIValue = 1 << 20
	// maxDeadline is the longest deadline of a card, in seconds (30 days).
	maxDeadline = 30 * 24 * 3600
)

// settingsKeeper holds the settings in memory. Safe to call together.
type settingsKeeper struct {
	store *store.Store

	mu  sync.Mutex
	now savedSettings
}

func loadSettings(ctx context.Context, s *store.Store) (*settingsKeeper, error) {
	k := &settingsKeeper{store: s, now: savedSettings{Theme: "system"}}
	raw, err := s.Setting(ctx, settingsKey)
	if errors.Is(err, store.ErrNotFound) {
		return k, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	if err := json.Unmarshal(raw, &k.now); err != nil {
		// Unreadable settings are not no settings: stop before overwriting.
		return nil, fmt.Errorf("the saved settings cannot be read: %w", err)
	}
	return k, nil
}

func (k *settingsKeeper) get() savedSettings {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}

func (k *settingsKeeper) paused() bool { return k.get().Paused }

// change applies fn, records it and makes it count.
func (k *settingsKeeper) change(ctx context.Context, kind string, fn func(*savedSettings)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := k.now
	fn(&next)
	if next == k.now {
		return nil
	}
	raw, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := k.store.SetSetting(ctx, settingsKey, raw, []store.NewEvent{{Kind: kind, Body: next}}); err != nil {
		return fmt.Errorf("saving the settings: %w", err)
	}
	k.now = next
	return nil
}

// pause pauses everything or resumes. To pause counts at once, on record or
// not: an error then means that it lasts for this run only. To resume needs
// its record.
func (k *settingsKeeper) pause(ctx context.Context, on bool) error {
	err := k.change(ctx, eventPaused, func(s *savedSettings) { s.Paused = on })
	if err == nil || !on {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now.Paused = true
	return &Error{Code: CodeUnavailable, Message: "Everything is paused, but that could not be recorded: it holds until Countersign is closed.",
		Hint: "Check that the disk is not full."}
}

// Events of the settings.
const (
	eventSettings = "settings.changed"
	eventPaused   = "settings.paused"
)

// Hello gives the page what it needs first.
func (s *Settings) Hello(token string) (Hello, error) {
	a := s.a
	return guard(a, token, "Settings.Hello", func(ctx context.Context) (Hello, error) {
		a.greet.Do(func() { close(a.pageUp) })
		all, err := a.store.SettingsAll(ctx)
		if err != nil {
			return Hello{}, err
		}
		h := Hello{Version: a.opt.Version, DataDir: a.opt.DataDir, Keyring: a.keyring(), Paused: a.settings.paused(),
			Notices: a.notices.all(), UIState: map[string]string{}}
		for key, value := range all {
			if name, ok := strings.CutPrefix(key, uiPrefix); ok {
				h.UIState[name] = string(value)
			}
		}
		return h, nil
	})
}

func (a *App) keyring() KeyringView {
	return KeyringView{Persistent: a.secrets.Persistent(), Reason: a.secrets.Reason()}
}

// Get gives the settings.
func (s *Settings) Get(token string) (SettingsView, error) {
	return guard(s.a, token, "Settings.Get", s.a.settingsView)
}

func (a *App) settingsView(ctx context.Context) (SettingsView, error) {
	now := a.settings.get()
	size, root, err := a.store.Head(ctx)
	if err != nil {
		return SettingsView{}, err
	}
	return SettingsView{ApprovalDeadlineSeconds: now.ApprovalDeadlineSeconds, Theme: now.Theme, DataDir: a.opt.DataDir,
		Version: a.opt.Version, Keyring: a.keyring(), HeadSize: size, HeadRoot: fmt.Sprintf("%x", root)}, nil
}

// Set changes the settings.
func (s *Settings) Set(token string, c SettingsChange) (SettingsView, error) {
	a := s.a
	return guard(a, token, "Settings.Set", func(ctx context.Context) (SettingsView, error) {
		if c.Theme != "system" && c.Theme != "light" && c.Theme != "dark" {
			return SettingsView{}, &Error{Code: CodeInvalid, Message: fmt.Sprintf("%q is no theme.", c.Theme)}
		}
		if c.ApprovalDeadlineSeconds < 0 || c.ApprovalDeadlineSeconds > maxDeadline {
			return SettingsView{}, &Error{Code: CodeInvalid, Message: "The deadline is between 0 seconds (none) and 30 days."}
		}
		err := a.settings.change(ctx, eventSettings, func(now *savedSettings) {
			now.Theme, now.ApprovalDeadlineSeconds = c.Theme, c.ApprovalDeadlineSeconds
		})
		if err != nil {
			return SettingsView{}, err
		}
		a.events.publish(TopicSettings, "")
		return a.settingsView(ctx)
	})
}

// SaveUI keeps a piece of the page's own state: drafts, filters, selections.
// value is JSON text of at most 1 MiB; "" removes the key. Known secrets are
// masked in it.
func (s *Settings) SaveUI(token, key, value string) error {
	return act(s.a, token, "Settings.SaveUI", func(ctx context.Context) error {
		if key == "" || len(key) > 512 || len(value) > maxUIValue {
			return &Error{Code: CodeInvalid, Message: "This is too large to keep."}
		}
		if value != "" && !json.Valid([]byte(value)) {
			return &Error{Code: CodeInvalid, Message: "What the window keeps is JSON text."}
		}
		return s.a.store.SetSetting(ctx, uiPrefix+key, []byte(s.a.mask.text(value)), nil)
	})
}

// DismissNotice puts a notice away.
func (s *Settings) DismissNotice(token, id string) error {
	return act(s.a, token, "Settings.DismissNotice", func(context.Context) error {
		s.a.notices.dismiss(id)
		s.a.events.publish(TopicSettings, "")
		return nil
	})
}
