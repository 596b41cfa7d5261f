package instance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// DefaultDir returns the system's place for the data: on Linux
// $XDG_DATA_HOME/countersign, else ~/.local/share/countersign; on macOS
// ~/Library/Application Support/Countersign; on Windows
// %LOCALAPPDATA%\Countersign. It makes nothing.
func DefaultDir() (string, error) {
	if runtime.GOOS == "windows" {
		if base := os.Getenv("LOCALAPPDATA"); filepath.IsAbs(base) {
			return filepath.Join(base, "Countersign"), nil
		}
		return "", errors.New("%LOCALAPPDATA% is not set; give --data-dir")
	}
	// The specification has a relative XDG_DATA_HOME ignored.
	if base := os.Getenv("XDG_DATA_HOME"); runtime.GOOS != "darwin" && filepath.IsAbs(base) {
		return filepath.Join(base, "countersign"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", fmt.Errorf("the home folder is not known (HOME is %q); give --data-dir", home)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "Countersign"), nil
	}
	return filepath.Join(home, ".local", "share", "countersign"), nil
}

// prepareDir makes dir where it is missing, checks whose it is, closes it to others
// and returns its real path.
func prepareDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the data folder: %w", err)
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return "", fmt.Errorf("making the data folder: %w", err)
	}
	if err := checkLink(abs); err != nil {
		return "", err
	}
	full, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("finding the data folder: %w", err)
	}
	info, err := os.Lstat(full)
	if err != nil {
		return "", fmt.Errorf("looking at the data folder: %w", err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", full)
	}
	if !ours(info) {
		return "", fmt.Errorf("the data folder %s belongs to another user", full)
	}
	if !openToOthers(info) {
		return full, nil
	}
	if foreign, err := holdsOnlyForeign(full); err != nil {
		return "", err
	} else if foreign {
		return "", fmt.Errorf("%s is open to other users and holds other files; choose an empty folder for the data", full)
	}
	if err := os.Chmod(full, 0o700); err != nil {
		return "", fmt.Errorf("closing the data folder to other users: %w", err)
	}
	return full, nil
}

// checkLink refuses a link that another user could point elsewhere.
func checkLink(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("looking at the data folder: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 && !ours(info) {
		return fmt.Errorf("the data folder %s is a link that belongs to another user", path)
	}
	return nil
}

// holdsOnlyForeign tells whether dir holds files but no lock or database: such a
// folder, a home folder perhaps, is not ours to close to others.
func holdsOnlyForeign(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, fmt.Errorf("looking into the data folder: %w", err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); e.Name() == lockName || ext == ".db" || ext == ".sqlite" {
			return false, nil
		}
	}
	return len(entries) > 0, nil
}
