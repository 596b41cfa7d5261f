package secrets

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

// slowRing is a keyring that answers when told to. It stands in for a system that
// waits for a person.
type slowRing struct {
	gate chan struct{} // each call takes one; closed: all pass
	fail error

	mu     sync.Mutex
	values map[string]string
}

func newSlowRing() *slowRing {
	return &slowRing{gate: make(chan struct{}), values: map[string]string{}}
}

func (r *slowRing) enter() error { <-r.gate; r.mu.Lock(); return r.fail }

func (r *slowRing) Get(service, user string) (string, error) {
	defer r.mu.Unlock()
	if err := r.enter(); err != nil {
		return "", err
	}
	v, ok := r.values[service+" "+user]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return v, nil
}

func (r *slowRing) Set(service, user, password string) error {
	defer r.mu.Unlock()
	if err := r.enter(); err != nil {
		return err
	}
	r.values[service+" "+user] = password
	return nil
}

func (r *slowRing) Delete(service, user string) error {
	defer r.mu.Unlock()
	if err := r.enter(); err != nil {
		return err
	}
	if _, ok := r.values[service+" "+user]; !ok {
		return keyring.ErrNotFound
	}
	delete(r.values, service+" "+user)
	return nil
}

func (r *slowRing) held() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprint(r.values)
}

func TestSilentKeyring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newSlowRing()
		start := time.Now()
		st := open("n", r, probeLimit, callLimit)
		if waited := time.Since(start); waited != probeLimit || st.Persistent() || st.Reason() == "" {
			t.Fatalf("waited %v, persistent %v, reason %q", waited, st.Persistent(), st.Reason())
		}
		if _, err := st.Get("s", "KEPT"); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("a value that may be in the keyring: %v", err)
		}
		for name, value := range map[string]string{"A": "one", "B": "two", "C": "three"} {
			if err := st.Set("s", name, value); err != nil {
				t.Fatal(err)
			}
		}
		if v, err := st.Get("s", "A"); err != nil || v != "one" {
			t.Errorf("held for this run: %q, %v", v, err)
		}
		for range 4 { // the probe's three calls, and the first value on its way
			r.gate <- struct{}{}
		}
		synctest.Wait()
		if err := st.Set("s", "A", "changed meanwhile"); err != nil {
			t.Fatal(err)
		}
		if err := st.Delete("s", "B"); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("deleting while silent: %v", err)
		}
		close(r.gate)
		synctest.Wait()
		if !st.Persistent() || st.Reason() != "" {
			t.Fatalf("the keyring answered, but: %s", st.Reason())
		}
		want := "map[countersign n/s/A:changed meanwhile countersign n/s/C:three]"
		if got := r.held(); got != want {
			t.Errorf("moved %s, want %s", got, want)
		}
		if len(st.mem.all()) != 0 {
			t.Error("values are still held in memory")
		}
		if _, err := st.Get("s", "B"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a deleted value: %v", err)
		}
	})
}

func TestKeyringThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newSlowRing()
		close(r.gate)
		r.fail = errors.New("no such service")
		st := open("n", r, probeLimit, callLimit)
		if st.Persistent() || st.Reason() == "" {
			t.Fatalf("persistent %v, reason %q", st.Persistent(), st.Reason())
		}
		if err := st.Set("s", "A", "value"); err != nil {
			t.Fatal(err)
		}
		if err := st.Delete("s", "A"); err != nil {
			t.Fatal(err)
		}
		if _, err := st.Get("s", "A"); !errors.Is(err, ErrNotFound) {
			t.Errorf("after deleting: %v", err)
		}
	})
}

func TestKeyringThatStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newSlowRing()
		go func() {
			for range 3 {
				r.gate <- struct{}{}
			}
		}()
		st := open("n", r, probeLimit, callLimit)
		if !st.Persistent() {
			t.Fatal(st.Reason())
		}
		start := time.Now()
		if err := st.Set("s", "A", "value"); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("a call without an answer: %v", err)
		}
		if _, err := st.Get("s", "A"); !errors.Is(err, ErrNoAnswer) { // waits for its turn only
			t.Errorf("a call behind it: %v", err)
		}
		if waited := time.Since(start); waited != 2*callLimit {
			t.Errorf("waited %v", waited)
		}
		close(r.gate)
		synctest.Wait()
		if v, err := st.Get("s", "A"); err != nil || v != "value" {
			t.Errorf("once it answers: %q, %v", v, err)
		}
	})
}

func TestEntries(t *testing.T) {
	st := &keyringStore{state: ringAbsent}
	for _, tt := range []struct {
		name, value string
		good        bool
	}{
		{"A", "v", true}, {"a.b-c_9", "v", true}, {"", "v", false}, {"a/b", "v", false}, {"a b", "v", false}, {"é", "v", false},
		{"A", "", false}, {"A", " \n", false}, {"A", "a\x00b", false},
	} {
		if err := st.Set("s", tt.name, tt.value); (err == nil) != tt.good {
			t.Errorf("Set(%q, %q): %v", tt.name, tt.value, err)
		}
	}
	a := &keyringStore{namespace: "x/y"}
	b := &keyringStore{namespace: "x"}
	if a.account("z", "N") == b.account("y/z", "N") || a.account("z", "N") != "x%2Fy/z/N" {
		t.Errorf("accounts: %s, %s", a.account("z", "N"), b.account("y/z", "N"))
	}
}
