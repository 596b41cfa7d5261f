package app

import (
	"crypto/sha256"
	"encoding/hex"
	"sync/atomic"

	"countersign/app/secrets"
)

// masking holds the newest masker; the masker itself never changes.
type masking struct {
	current atomic.Pointer[secrets.Masker]
}

func newMasking() *masking {
	m := &masking{}
	m.current.Store(secrets.NewMasker(nil))
	return m
}

func (m *masking) bytes(b []byte) ([]byte, int) { return m.current.Load().Mask(b) }

func (m *masking) text(s string) string { return m.current.Load().MaskString(s) }

// refreshMask makes the masker anew from all secrets that the settings name.
func (a *App) refreshMask() {
	var known []secrets.Known
	for _, s := range a.config.withDeleted() {
		for _, name := range s.secretNames() {
			if value, err := a.secrets.Get(s.row.ID, name); err == nil && value != "" {
				known = append(known, secrets.Known{Server: s.row.ID, Name: name, Value: value})
			}
		}
	}
	a.mask.current.Store(secrets.NewMasker(known))
}

// warnNoKeyring tells a person who uses secrets that they are not kept.
func (a *App) warnNoKeyring() {
	if !a.secrets.Persistent() {
		a.notices.add("warning", a.secrets.Reason(), "Start a keyring (for instance GNOME Keyring or KeePassXC) and restart Countersign to keep them.")
	}
}

func namespaceOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}
