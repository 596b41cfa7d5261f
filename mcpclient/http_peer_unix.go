//go:build unix

package mcpclient

import (
	"net"
	"syscall"
)

// peerGone tells whether the other side has closed a connection, as far as the
// system knows by now: what is written then is lost, and it is not told.
func peerGone(conn net.Conn) bool {
	sc, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return true
	}
	gone := false
	// Control and not Read, which would wait for the reader of the connection.
	err = raw.Control(func(fd uintptr) {
		var b [1]byte
		n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		gone = err == nil && n == 0 || err == syscall.ECONNRESET || err == syscall.EPIPE
	})
	return gone || err != nil
}
