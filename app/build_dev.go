//go:build dev

package app

import (
	"os"
	"strings"
)

// DevBuild is set in a development build, which serves the page to a browser
// too and so must never touch a person's own data.
const DevBuild = true

// devChoice answers dialogs for files where COUNTERSIGN_DEV_CHOICE names a file
// that holds the path to choose: a browser cannot reach native dialogs.
func devChoice() (path string, ok bool) {
	from := os.Getenv("COUNTERSIGN_DEV_CHOICE")
	if from == "" {
		return "", false
	}
	b, err := os.ReadFile(from)
	return strings.TrimSpace(string(b)), err == nil
}
