package launch

import (
	"os"
	"path/filepath"
	"strings"
)

func sameEnvName(a, b string) bool { return strings.EqualFold(a, b) }

func homeDir(env []string) string { return envValue(env, "USERPROFILE") }

// executable returns the program that path names, with an ending of PATHEXT where it
// has none; else why what stands there is none, "" if nothing does.
func executable(path string, env []string) (found, why string) {
	endings := envValue(env, "PATHEXT")
	if endings == "" {
		endings = ".COM;.EXE;.BAT;.CMD"
	}
	var tries []string
	for _, e := range strings.Split(endings, ";") {
		if strings.EqualFold(filepath.Ext(path), e) {
			tries = []string{path}
			break
		}
		tries = append(tries, path+e)
	}
	for _, p := range tries {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			return p, ""
		}
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return "", ""
	case info.IsDir():
		return "", "is a folder"
	}
	return "", "is not a program (its ending is not in PATHEXT)"
}

// scripted tells whether the program is handed its arguments as a line that a command
// interpreter reads.
func scripted(path string) bool {
	ext := filepath.Ext(path)
	return strings.EqualFold(ext, ".cmd") || strings.EqualFold(ext, ".bat")
}

// inherited tells whether a child gets our variable of that name. Programs do not
// start on Windows without the system's own.
func inherited(name string) bool {
	switch strings.ToUpper(name) {
	case "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
		"PROGRAMFILES(X86)", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "LANG":
		return true
	}
	return false
}
