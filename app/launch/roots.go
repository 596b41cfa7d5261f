package launch

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// maxRoots is how many folders one server is told of.
const maxRoots = 100

// RootFault says why a folder cannot be told to a server now, "" if it can: it
// must be written in full and without detours, and be there (ROOTS-04, ROOTS-05).
func RootFault(path string) string {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return "is not written in full"
	}
	info, err := os.Stat(path)
	switch {
	case os.IsPermission(err):
		return "may not be read"
	case err != nil:
		return "is not there"
	case !info.IsDir():
		return "is not a folder"
	}
	return ""
}

// AddRoot returns the settings with one folder more; a folder that stands there
// already is not added twice. The text is for a person where it cannot be added.
func (s Settings) AddRoot(path string) (Settings, string) {
	path = filepath.Clean(path)
	if why := RootFault(path); why != "" {
		return s, "The folder `" + path + "` " + why + "."
	}
	if len(s.Roots) >= maxRoots {
		return s, "No more folders can be opened to this server."
	}
	out := s.WithoutRoot(path)
	out.Roots = append(out.Roots, path)
	return out, ""
}

// WithoutRoot returns the settings without that folder.
func (s Settings) WithoutRoot(path string) Settings {
	var left []string
	for _, r := range s.Roots {
		if r != path {
			left = append(left, r)
		}
	}
	s.Roots = left
	return s
}

// FileURI is the file URI of an absolute path (ROOTS-03).
func FileURI(path string) string {
	path = filepath.ToSlash(path)
	u := url.URL{Scheme: "file", Path: path}
	if host, rest, ok := strings.Cut(strings.TrimPrefix(path, "//"), "/"); ok && strings.HasPrefix(path, "//") {
		u.Host, u.Path = host, "/"+rest // a share on Windows
	} else if !strings.HasPrefix(path, "/") {
		u.Path = "/" + path // a drive on Windows
	}
	return u.String()
}
