package secrets

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	keyServer = "-" // no server's id, so no server's secret
	keyName   = "launch-key"
	keyFile   = "launch.key"
	keySize   = 32
)

// LaunchKey returns the 32-byte key of the hashes under which launches are
// remembered, so that a short value cannot be guessed from its hash. It lives in
// st where that is persistent, else in dir/launch.key with mode 0600; a key is
// made at the first call. A file's key moves into the keyring once there is one. A
// keyring that fails falls back to the file: the worst that a changed key does is
// that launches are confirmed anew. A damaged file is an error and left alone.
func LaunchKey(st Store, dir string) ([]byte, error) {
	path := filepath.Join(dir, keyFile)
	if !st.Persistent() {
		return fileKey(path)
	}
	text, err := st.Get(keyServer, keyName)
	if err == nil {
		key, bad := decodeKey(text)
		if bad == nil {
			// The keyring's key wins; a file from a run without keyring is of no more use.
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("removing the launch key file: %w", err)
			}
			return key, nil
		}
		return nil, fmt.Errorf("the launch key in the system keyring is damaged: %w", bad)
	}
	if !errors.Is(err, ErrNotFound) {
		return fileKey(path)
	}
	key, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = newKey(), nil
	}
	if err != nil {
		return nil, err
	}
	if err := st.Set(keyServer, keyName, hex.EncodeToString(key)); err != nil {
		return fileKey(path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("removing the launch key file: %w", err)
	}
	return key, nil
}

func newKey() []byte {
	key := make([]byte, keySize)
	rand.Read(key)
	return key
}

func decodeKey(text string) ([]byte, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf("want %d hex digits, have %d characters", 2*keySize, len(text))
	}
	return key, nil
}

func readKey(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("reading the launch key: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading the launch key: %s is not a regular file", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, fmt.Errorf("closing the launch key to others: %w", err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the launch key: %w", err)
	}
	key, err := decodeKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s is damaged (%w). If it is removed, each server's launch is confirmed anew", path, err)
	}
	return key, nil
}

// fileKey reads the key file or makes it, to the side and renamed, so that a
// crash leaves no half key.
func fileKey(path string) ([]byte, error) {
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	key = newKey()
	tmp, err := os.CreateTemp(filepath.Dir(path), keyFile+".*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("making the launch key: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(hex.EncodeToString(key))
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return nil, fmt.Errorf("making the launch key: %w", err)
	}
	return key, nil
}
