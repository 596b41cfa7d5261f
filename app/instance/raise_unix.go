//go:build unix

package instance

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

const (
	askRaise   = "raise\n"
	answerDone = "raised\n"
	talkLimit  = 5 * time.Second
	// Socket paths have room for 108 bytes on Linux and 104 elsewhere, the closing
	// NUL included.
	maxSocketPath = 103
)

// Serve listens for a second start on the folder and calls raise for each, one at
// a time, until Close, which waits for a call that runs. It returns at once. Where
// no socket can be placed the error is [ErrNoRaise], and the folder stays locked
// all the same. Serve may be called once.
func (h *Held) Serve(raise func()) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.listener != nil {
		return errors.New("listening for a second start: already listening or closed")
	}
	path := socketPath(h.dir)
	if path == "" {
		return fmt.Errorf("%w: no place for a socket", ErrNoRaise)
	}
	// We hold the folder's lock, so a socket of this name is left from a holder that
	// was killed.
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket && ours(info) {
		os.Remove(path)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false) // Close removes it, and says if it cannot
	if err := errors.Join(os.Chmod(path, 0o600), h.note(path)); err != nil {
		listener.Close()
		os.Remove(path)
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	h.listener, h.socket = listener, path
	h.served.Go(func() {
		for {
			conn, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil && h.admit(conn) {
				answer(conn.(*net.UnixConn), raise)
			}
		}
	})
	return nil
}

// admit makes conn the caller, with its time limit; false once the folder is let go.
func (h *Held) admit(conn net.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		conn.Close()
		return false
	}
	h.caller = conn
	conn.SetDeadline(time.Now().Add(talkLimit))
	return true
}

// answer serves one caller. Whatever is wrong with it ends its connection only.
func answer(conn *net.UnixConn, raise func()) {
	defer conn.Close()
	if samePeer(conn) != nil {
		return
	}
	line, err := bufio.NewReader(io.LimitReader(conn, int64(len(askRaise)))).ReadString('\n')
	if err != nil || line != askRaise {
		return
	}
	raise()
	io.WriteString(conn, answerDone)
}

// Raise asks the program that holds dir to come to the front and returns when it
// has. Where the holder does not listen, or does not answer within five seconds,
// the error is [ErrNoRaise].
func Raise(dir string) error {
	full, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	file, err := os.Open(filepath.Join(full, lockName))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	_, socket := readLock(file)
	file.Close()
	if socket == "" {
		return ErrNoRaise
	}
	conn, err := net.DialTimeout("unix", socket, talkLimit)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(talkLimit))
	if err := samePeer(conn.(*net.UnixConn)); err != nil {
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	if _, err := io.WriteString(conn, askRaise); err != nil {
		return fmt.Errorf("%w: %w", ErrNoRaise, err)
	}
	got := make([]byte, len(answerDone))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != answerDone {
		return fmt.Errorf("%w: it gave no answer", ErrNoRaise)
	}
	return nil
}

// samePeer refuses a peer that is another user.
func samePeer(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	uid, peerErr := -1, error(nil)
	if err := raw.Control(func(fd uintptr) { uid, peerErr = peerUID(int(fd)) }); err != nil {
		return err
	}
	if peerErr != nil {
		return fmt.Errorf("asking who is at the other end: %w", peerErr)
	}
	if uid != os.Geteuid() {
		return fmt.Errorf("the other end is user %d", uid)
	}
	return nil
}

// socketPath places the socket of the folder: in the runtime folder of the session
// where there is a private one, else in the data folder if the path is short
// enough, else nowhere.
func socketPath(dir string) string {
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) {
		info, err := os.Lstat(run)
		private := err == nil && info.IsDir() && ours(info) && info.Mode().Perm()&0o077 == 0
		sum := sha256.Sum256([]byte(dir))
		path := filepath.Join(run, "countersign-"+hex.EncodeToString(sum[:8])+".sock")
		if private && len(path) <= maxSocketPath && unix.Access(run, unix.W_OK|unix.X_OK) == nil {
			return path
		}
	}
	if path := filepath.Join(dir, "raise.sock"); len(path) <= maxSocketPath {
		return path
	}
	return ""
}
