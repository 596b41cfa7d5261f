//go:build unix && !linux

package mcpclient

import "golang.org/x/sys/unix"

// Without /proc only the process group is known, and without waitid the leader
// is reaped before its group is swept.
func (g processGroup) reap(wait func() error) error {
	err := wait()
	g.sweep()
	return err
}

func (g processGroup) hasMembers() bool { return unix.Kill(-g.leader, 0) == nil }

func (g processGroup) descendants(known []relative) []relative { return known }

func (r relative) alive() bool { return unix.Kill(r.pid, 0) == nil }

// sealDescriptors does nothing here: Go opens everything close-on-exec.
func sealDescriptors() {}
