package mcpclient

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// sealDescriptors marks every open descriptor but the standard ones
// close-on-exec: a server inherits nothing but its three pipes, even where
// another part of the program opened something carelessly.
func sealDescriptors() {
	_ = unix.CloseRange(3, 1<<32-1, unix.CLOSE_RANGE_CLOEXEC) // kernels before 5.11 do without
}

// reap waits until the leader has ended, ends what it left in its group while
// the group's number cannot yet be given to another, and reaps it.
func (g processGroup) reap(wait func() error) error {
	for {
		err := unix.Waitid(unix.P_PID, g.leader, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	g.sweep()
	return wait()
}

// process is what /proc says of one.
type process struct {
	relative
	parent, group int
	zombie        bool
}

// processes lists all of them. Those that end meanwhile are left out.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	var all []process
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if p, ok := readProcess(pid); ok {
				all = append(all, p)
			}
		}
	}
	return all
}

// readProcess reads /proc/PID/stat; the name in it may hold anything, so the
// fields are counted from its last bracket.
func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	i := bytes.LastIndexByte(stat, ')')
	if i < 0 {
		return process{}, false
	}
	f := bytes.Fields(stat[i+1:])
	if len(f) < 20 {
		return process{}, false
	}
	p := process{relative: relative{pid: pid, start: string(f[19])}}
	p.zombie = f[0][0] == 'Z' || f[0][0] == 'X'
	p.parent, _ = strconv.Atoi(string(f[1]))
	p.group, _ = strconv.Atoi(string(f[2]))
	return p, true
}

func (r relative) alive() bool {
	p, ok := readProcess(r.pid)
	return ok && p.start == r.start && !p.zombie
}

// hasMembers reports whether anyone in the group still runs.
func (g processGroup) hasMembers() bool {
	return slices.ContainsFunc(processes(), func(p process) bool {
		return p.group == g.leader && p.pid != g.leader && !p.zombie
	})
}

// descendants adds to known everyone below the leader, or below someone known,
// who runs now.
func (g processGroup) descendants(known []relative) []relative {
	all := processes()
	below := map[int]bool{g.leader: true}
	for _, r := range known {
		if r.alive() {
			below[r.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid], grown = true, true
				known = append(known, p.relative)
			}
		}
	}
	return known
}
