//go:build unix

package launch

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func sameEnvName(a, b string) bool { return a == b }

func homeDir(env []string) string { return envValue(env, "HOME") }

// executable returns path if it is a program we may run; else why what stands there
// is none, "" if nothing does.
func executable(path string, _ []string) (found, why string) {
	info, err := os.Stat(path)
	switch {
	case os.IsPermission(err):
		return "", "may not be looked at"
	case err != nil:
		return "", ""
	case info.IsDir():
		return "", "is a folder"
	case !info.Mode().IsRegular():
		return "", "is not a file"
	case unix.Access(path, unix.X_OK) != nil:
		return "", fmt.Sprintf("may not be run (its mode is %04o; `chmod +x` would allow it)", info.Mode().Perm())
	}
	return path, ""
}

// scripted tells whether the program is handed its arguments as a line that a command
// interpreter reads. Here each program gets them one by one.
func scripted(string) bool { return false }

// inherited tells whether a child gets our variable of that name.
func inherited(name string) bool {
	switch name {
	case "HOME", "LANG", "USER", "SHELL", "TMPDIR":
		return true
	}
	return strings.HasPrefix(name, "XDG_")
}
