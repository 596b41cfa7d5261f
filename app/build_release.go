//go:build !dev

package app

// DevBuild is set in a development build, which serves the page to a browser
// too and so must never touch a person's own data.
const DevBuild = false

// devChoice answers no dialog: only a development build does.
func devChoice() (path string, ok bool) { return "", false }
