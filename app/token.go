package app

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"sync"
)

// launchToken is the secret that the top document is served and every bound
// method wants. A script in any frame reaches the bridge, but cannot read the
// document that holds the token.
type launchToken struct {
	value string
	multi bool // a development build serves it to each load

	mu     sync.Mutex
	served bool
}

func newLaunchToken(multi bool) *launchToken {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	return &launchToken{value: hex.EncodeToString(b[:]), multi: multi}
}

// take gives the token to the first document that asks, and to no other:
// whoever loads the page's address later gets none.
func (t *launchToken) take() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.served && !t.multi {
		return "", false
	}
	t.served = true
	return t.value, true
}

func (t *launchToken) ok(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(t.value)) == 1
}
