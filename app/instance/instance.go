package instance

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// lockName is the file in the data folder that carries the lock. Its first line is
// the holder's process id, its second the socket on which it listens. It is never
// removed: a lock on a removed file would not be seen by the next start.
const lockName = "lock"

// HeldError tells that another program holds the folder.
type HeldError struct {
	Dir string
	PID int // of the holder; 0 when it is not known
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("the data folder %s is in use by another Countersign", e.Dir)
	}
	return fmt.Sprintf("the data folder %s is in use by another Countersign (process %d)", e.Dir, e.PID)
}

// ErrNoRaise tells that the holder cannot be asked to come to the front.
var ErrNoRaise = errors.New("the running Countersign cannot be asked to come to the front")

// Held is a locked data folder. It is safe for concurrent use; the zero value is
// not usable. Close it to let the folder go.
type Held struct {
	dir  string
	file *os.File

	mu       sync.Mutex
	listener net.Listener // guarded by mu
	caller   net.Conn     // guarded by mu; the connection that is being answered
	socket   string       // guarded by mu; the listener's path
	closed   bool         // guarded by mu
	served   sync.WaitGroup
}

// Lock makes dir, for its owner alone (mode 0700), and takes its lock, which lasts
// until Close or the end of the process. If another process holds it the error is
// a [*HeldError]. A link to a folder is followed, so that two names of one folder
// share one lock. A folder of somebody else, and a folder that is open to others
// and holds something else, are refused and left as they are.
func Lock(dir string) (*Held, error) {
	full, err := prepareDir(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(full, lockName)
	for {
		file, err := openLockFile(path)
		if err != nil {
			return nil, fmt.Errorf("opening the lock of the data folder: %w", err)
		}
		switch err := lockFile(file); {
		case errors.Is(err, errLocked):
			pid, _ := readLock(file)
			file.Close()
			return nil, &HeldError{Dir: full, PID: pid}
		case err != nil:
			file.Close()
			return nil, fmt.Errorf("locking the data folder %s: %w", full, err)
		}
		if !stillAt(file, path) { // somebody removed it between our open and our lock
			file.Close()
			continue
		}
		h := &Held{dir: full, file: file}
		if err := h.note(""); err != nil {
			file.Close()
			return nil, err
		}
		return h, nil
	}
}

// Dir returns the folder's real path, links resolved.
func (h *Held) Dir() string { return h.dir }

// note writes who holds the lock and where it listens.
func (h *Held) note(socket string) error {
	text := fmt.Sprintf("%d\n%s\n", os.Getpid(), socket)
	_, err := h.file.WriteAt([]byte(text), 0)
	if err == nil {
		err = h.file.Truncate(int64(len(text)))
	}
	if err != nil {
		return fmt.Errorf("writing the lock of the data folder: %w", err)
	}
	return nil
}

// readLock reads the holder's process id and socket; zero where there is none.
func readLock(file *os.File) (pid int, socket string) {
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return 0, ""
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	pid, _ = strconv.Atoi(strings.TrimSpace(first))
	socket, _, _ = strings.Cut(rest, "\n")
	return pid, strings.TrimSpace(socket)
}

func stillAt(file *os.File, path string) bool {
	ours, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(ours, there)
}

// Close stops listening, waits for what Serve started and lets the folder go.
// Closing again does nothing.
func (h *Held) Close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil
	}
	h.closed = true
	listener, socket := h.listener, h.socket
	if h.caller != nil {
		h.caller.SetReadDeadline(time.Now()) // a caller that says nothing must not hold up the end
	}
	h.mu.Unlock()
	var err error
	if listener != nil {
		err = listener.Close()
		h.served.Wait()
		if e := os.Remove(socket); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	err = errors.Join(err, h.file.Truncate(0), h.file.Close())
	if err != nil {
		return fmt.Errorf("letting the data folder go: %w", err)
	}
	return nil
}
