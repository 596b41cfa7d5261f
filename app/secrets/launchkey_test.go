package secrets_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app/secrets"
)

// keyStore is a store that can be told to be persistent.
type keyStore struct {
	persistent bool
	values     map[string]string
}

func (s *keyStore) Get(server, name string) (string, error) {
	if v, ok := s.values[server+"/"+name]; ok {
		return v, nil
	}
	return "", secrets.ErrNotFound
}
func (s *keyStore) Set(server, name, value string) error {
	s.values[server+"/"+name] = value
	return nil
}
func (s *keyStore) Delete(server, name string) error {
	delete(s.values, server+"/"+name)
	return nil
}
func (s *keyStore) Persistent() bool { return s.persistent }
func (s *keyStore) Reason() string   { return "" }

func TestLaunchKey(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "launch.key")
	st := &keyStore{values: map[string]string{}}
	key := func() []byte {
		t.Helper()
		k, err := secrets.LaunchKey(st, dir)
		if err != nil || len(k) != 32 {
			t.Fatalf("%d bytes, %v", len(k), err)
		}
		return k
	}

	first := key()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("without a keyring the key lies in a private file: %v", err)
	}
	if !bytes.Equal(first, key()) {
		t.Error("the key changed between two calls")
	}
	os.Chmod(file, 0o644)
	key()
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Error("a key open to others stayed open")
	}

	st.persistent = true
	if !bytes.Equal(first, key()) {
		t.Error("the file's key did not move into the keyring")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the key is in the keyring and in the file")
	}
	if !bytes.Equal(first, key()) {
		t.Error("the keyring's key changed")
	}

	st.persistent = false
	other := key()
	if bytes.Equal(first, other) {
		t.Error("the key was not new")
	}
	st.persistent = true
	if !bytes.Equal(first, key()) {
		t.Error("a file won over the keyring")
	}

	st.persistent = false
	os.WriteFile(file, []byte("half a k"), 0o600)
	if _, err := secrets.LaunchKey(st, dir); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged key: %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "half a k" {
		t.Error("a damaged key was overwritten")
	}
}
