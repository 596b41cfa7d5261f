package secrets

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

const (
	service    = "countersign"    // the service every item of ours carries
	probeLimit = 3 * time.Second  // Open waits so long for the first answer
	callLimit  = 10 * time.Second // each later call; long enough to type a password
)

// ring is what is used of a keyring; the tests put a slow or failing one here.
type ring interface {
	Get(service, user string) (string, error)
	Set(service, user, password string) error
	Delete(service, user string) error
}

type systemRing struct{}

func (systemRing) Get(s, u string) (string, error) { return keyring.Get(s, u) }
func (systemRing) Set(s, u, p string) error        { return keyring.Set(s, u, p) }
func (systemRing) Delete(s, u string) error        { return keyring.Delete(s, u) }

// Open returns the store of namespace (one per data folder) in the system
// keyring. It tries the keyring once by writing, reading and deleting an item of
// its own, and waits at most three seconds for that. Where there is no keyring,
// values are held in memory for this run. Where the keyring stays silent (it
// waits to be unlocked) values are held in memory until it answers and are then
// moved into it; until then Get of anything else returns [ErrNoAnswer].
func Open(namespace string) Store {
	if why := noKeyring(); why != "" {
		return &keyringStore{namespace: namespace, reason: memoryOnly(why), state: ringAbsent}
	}
	return open(namespace, systemRing{}, probeLimit, callLimit)
}

func open(namespace string, r ring, probeLimit, callLimit time.Duration) *keyringStore {
	s := &keyringStore{
		namespace: namespace, ring: r, limit: callLimit, busy: make(chan struct{}, 1), settled: make(chan struct{}),
		reason: "The system keyring has not answered yet; it may be waiting to be unlocked. Until it does, secrets are held for this run only.",
	}
	s.busy <- struct{}{} // the probe holds the keyring until it is over
	go func() {
		err := s.probe()
		s.settle(err)
		<-s.busy
		close(s.settled)
	}()
	timer := time.NewTimer(probeLimit)
	defer timer.Stop()
	select {
	case <-s.settled:
	case <-timer.C:
	}
	return s
}

type ringState int

const (
	ringSilent ringState = iota // the probe has not come back
	ringReady
	ringAbsent
)

// keyringStore is the Store over a keyring. go-keyring takes no context, so a
// call that hangs cannot be ended; calls are therefore made one at a time, and at
// most one goroutine is ever left waiting for the system.
type keyringStore struct {
	namespace string
	ring      ring
	limit     time.Duration
	busy      chan struct{} // holds one token while a call runs
	settled   chan struct{} // closed when the probe is over
	mem       memory

	mu     sync.Mutex
	state  ringState // guarded by mu
	reason string    // guarded by mu
}

func memoryOnly(why string) string {
	return "No system keyring can be used (" + why + "). Secrets are held for this run only and must be entered again after the next start."
}

func (s *keyringStore) probe() error {
	var nonce [16]byte
	rand.Read(nonce[:])
	want, account := hex.EncodeToString(nonce[:]), s.account("-", "probe")
	if err := s.ring.Set(service, account, want); err != nil {
		if strings.Contains(err.Error(), "failed to unlock") { // go-keyring has no other sign
			return errors.New("it is locked and was not unlocked")
		}
		return fmt.Errorf("writing a trial item: %w", err)
	}
	got, err := s.ring.Get(service, account)
	if err != nil {
		return fmt.Errorf("reading the trial item: %w", err)
	}
	if got != want {
		return errors.New("the trial item came back changed")
	}
	if err := s.ring.Delete(service, account); err != nil {
		return fmt.Errorf("deleting the trial item: %w", err)
	}
	return nil
}

// settle takes the probe's outcome and moves into the keyring what was entered
// while it was silent, until nothing has changed meanwhile. What cannot be moved
// stays in memory. The caller holds the keyring.
func (s *keyringStore) settle(err error) {
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.state, s.reason = ringAbsent, memoryOnly(err.Error())
		return
	}
	moved := map[entry]string{}
	for {
		held := s.mem.all()
		for e, v := range held {
			if moved[e] != v && s.ring.Set(service, s.account(e.server, e.name), v) == nil {
				moved[e] = v
			}
		}
		for e := range moved {
			if _, ok := held[e]; !ok && s.ring.Delete(service, s.account(e.server, e.name)) == nil {
				delete(moved, e)
			}
		}
		s.mu.Lock()
		if maps.Equal(held, s.mem.all()) {
			for e := range moved {
				s.mem.remove(e.server, e.name)
			}
			s.state, s.reason = ringReady, ""
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

func (s *keyringStore) now() (ringState, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.reason
}

func (s *keyringStore) Persistent() bool { state, _ := s.now(); return state == ringReady }
func (s *keyringStore) Reason() string   { _, reason := s.now(); return reason }

func (s *keyringStore) Get(server, name string) (string, error) {
	if v, ok := s.mem.get(server, name); ok {
		return v, nil
	}
	switch state, _ := s.now(); state {
	case ringAbsent:
		return "", ErrNotFound
	case ringSilent:
		return "", ErrNoAnswer
	}
	var value string
	err := s.call(func() error {
		v, err := s.ring.Get(service, s.account(server, name))
		if err == nil {
			value = v
		}
		return err
	})
	if errors.Is(err, keyring.ErrNotFound) {
		return "", ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("asking the system keyring: %w", err)
	}
	return value, nil
}

func (s *keyringStore) Set(server, name, value string) error {
	if err := checkEntry(name, value); err != nil {
		return err
	}
	if s.setInMemory(server, name, value) {
		return nil
	}
	err := s.call(func() error { return s.ring.Set(service, s.account(server, name), value) })
	if err != nil {
		return fmt.Errorf("keeping secret %s in the system keyring: %w", name, err)
	}
	s.mem.remove(server, name) // a value from before the keyring answered is now out of date
	return nil
}

// setInMemory keeps the value in memory unless the keyring is ready. State and
// memory change under one lock, so that settle misses no value.
func (s *keyringStore) setInMemory(server, name, value string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == ringReady {
		return false
	}
	s.mem.set(server, name, value)
	return true
}

func (s *keyringStore) Delete(server, name string) error {
	s.mem.remove(server, name)
	switch state, _ := s.now(); state {
	case ringAbsent:
		return nil
	case ringSilent:
		return fmt.Errorf("removing secret %s: %w", name, ErrNoAnswer)
	}
	err := s.call(func() error { return s.ring.Delete(service, s.account(server, name)) })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("removing secret %s from the system keyring: %w", name, err)
	}
	return nil
}

// call runs f on the keyring within the time limit. A call that runs over goes on
// by itself and blocks later ones until the system answers; f must therefore touch
// only what its caller reads after a nil or final error.
func (s *keyringStore) call(f func() error) error {
	timer := time.NewTimer(s.limit)
	defer timer.Stop()
	select {
	case s.busy <- struct{}{}:
	case <-timer.C:
		return ErrNoAnswer
	}
	done := make(chan error, 1)
	go func() {
		err := f()
		<-s.busy
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return ErrNoAnswer
	}
}

var accountPart = strings.NewReplacer("%", "%25", "/", "%2F")

// account names an item: namespace/server/name, each part without a bare slash,
// so that no two triples share an account.
func (s *keyringStore) account(server, name string) string {
	return accountPart.Replace(s.namespace) + "/" + accountPart.Replace(server) + "/" + accountPart.Replace(name)
}
