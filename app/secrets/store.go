package secrets

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// ErrNotFound tells that no value is kept under the name.
var ErrNotFound = errors.New("no such secret")

// ErrNoAnswer tells that the system keyring did not answer in time, most often
// because it waits for the person to unlock it.
var ErrNoAnswer = errors.New("the system keyring did not answer; it may be waiting to be unlocked")

// Store keeps secret values by server and name. It is safe for concurrent use.
// Calls may take up to the keyring's time limit (ten seconds), since the system
// may ask the person to unlock it.
type Store interface {
	// Get returns the value; [ErrNotFound] if there is none, [ErrNoAnswer] if the
	// keyring is locked or silent.
	Get(server, name string) (string, error)
	// Set keeps value, replacing a former one. Blank values and values with a NUL
	// byte are refused: neither can be a credential.
	Set(server, name, value string) error
	// Delete forgets the value. Forgetting what is not there is no error.
	Delete(server, name string) error
	// Persistent tells whether values outlive the program.
	Persistent() bool
	// Reason says, for a person, why values do not outlive the program; "" if they do.
	Reason() string
}

// minStrong is the length in bytes from which a secret is looked for anywhere.
const minStrong = 8

// Weak tells whether value is too short (under 8 bytes) to be looked for inside
// other text: it is masked only where it is a whole value. The person is told.
func Weak(value string) bool { return len(value) < minStrong }

// ValidName tells whether name can stand in a ${secret:NAME} reference: 1 to 64
// letters, digits, '_', '.' or '-'.
func ValidName(name string) bool {
	if len(name) < 1 || len(name) > 64 {
		return false
	}
	for i := range len(name) {
		if !nameByte(name[i]) {
			return false
		}
	}
	return true
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '_' || c == '.' || c == '-'
}

func checkEntry(name, value string) error {
	if !ValidName(name) {
		return fmt.Errorf("secret name %q: use 1 to 64 letters, digits, '_', '.' or '-'", name)
	}
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("secret %s: the value is blank", name)
	}
	if strings.ContainsRune(value, 0) {
		return fmt.Errorf("secret %s: the value holds a NUL byte", name)
	}
	return nil
}

type entry struct{ server, name string }

// memory keeps values for this run. The zero value works.
type memory struct {
	mu     sync.Mutex
	values map[entry]string // guarded by mu
}

func (m *memory) get(server, name string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[entry{server, name}]
	return v, ok
}

func (m *memory) set(server, name, value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[entry]string{}
	}
	m.values[entry{server, name}] = value
}

func (m *memory) remove(server, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, entry{server, name})
}

// all returns a copy of what is kept.
func (m *memory) all() map[entry]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[entry]string, len(m.values))
	for k, v := range m.values {
		out[k] = v
	}
	return out
}
