package approval

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// globPattern takes the pattern of a path apart. Segments are separated by
// slashes; ** stands for any number of them, * and ? within one for any text and
// for one character.
func globPattern(text string) ([]string, error) {
	if text == "" || len(text) > maxPattern || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, errors.New("the pattern is empty, too long or no text")
	}
	segments := strings.Split(text, "/")
	for i, s := range segments {
		switch {
		case s == "" && i > 0:
			return nil, errors.New("the pattern has an empty segment")
		case s == "." || s == "..":
			return nil, errors.New("the pattern has . or .. as a segment: it is held against paths in which they are resolved")
		case strings.Contains(s, "**") && s != "**":
			return nil, errors.New("** stands for whole segments, alone between slashes")
		}
	}
	return segments, nil
}

// resolved gives the segments of a path in which . and .. are resolved, as far as
// its text tells. It refuses what different programs could take for different
// places.
func resolved(path string, pattern []string) ([]string, bool) {
	if path == "" || len(path) > 1<<14 || !utf8.ValidString(path) {
		return nil, false
	}
	for _, r := range path {
		if r < ' ' || r == 0x7f {
			return nil, false
		}
	}
	if coded(path) {
		return nil, false
	}
	joined := strings.Join(pattern, "/")
	if strings.Contains(path, `\`) && !strings.Contains(joined, `\`) || strings.HasPrefix(path, "~") && !strings.HasPrefix(joined, "~") {
		return nil, false
	}
	var out []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		switch {
		case s == "" && i == 0: // absolute
			out = append(out, "")
		case s == "":
			return nil, false
		case s == ".":
		case s == "..":
			if len(out) == 0 || len(out) == 1 && out[0] == "" {
				return nil, false
			}
			out = out[:len(out)-1]
		case strings.TrimRight(s, " .") == "": // some systems take it for . or ..
			return nil, false
		default:
			out = append(out, s)
		}
	}
	return out, len(out) > 0
}

// coded tells whether a text holds coded dots, slashes or percent signs, which
// another program may decode.
func coded(text string) bool {
	lower := strings.ToLower(text)
	for _, code := range []string{"%2e", "%2f", "%5c", "%00", "%25"} {
		if strings.Contains(lower, code) {
			return true
		}
	}
	return false
}

// goesBack tells whether a text has a step upwards in it, or may have.
func goesBack(text string) bool {
	if coded(text) {
		return true
	}
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\\' }) {
		if strings.HasPrefix(s, "..") && strings.TrimRight(s, " .") == "" {
			return true
		}
	}
	return false
}

// globMatches is unclear of a path that programs could take for different places.
func globMatches(pattern []string, path string) answer {
	segments, ok := resolved(path, pattern)
	if !ok {
		return unclear
	}
	return answerOf(matchSegments(pattern, segments))
}

// matchSegments goes through both once, and back to the last ** at most. A ** at
// the end stands for one segment at least: what is in a folder is not the folder.
func matchSegments(pattern, path []string) bool {
	p, s, star, mark := 0, 0, -1, 0
	for s < len(path) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			// The mark of an absolute path is no segment that ** could stand for.
			if path[s] == "" {
				return false
			}
			star, mark, p = p, s, p+1
		case p < len(pattern) && (pattern[p] == "") == (path[s] == "") && matchText(pattern[p], path[s]):
			p, s = p+1, s+1
		case star >= 0:
			mark++
			p, s = star+1, mark
		default:
			return false
		}
	}
	return p == len(pattern)
}

// matchText matches * and ? within a segment, by characters.
func matchText(pattern, text string) bool {
	ps, ts := []rune(pattern), []rune(text)
	p, t, star, mark := 0, 0, -1, 0
	for t < len(ts) {
		switch {
		case p < len(ps) && ps[p] == '*':
			star, mark, p = p, t, p+1
		case p < len(ps) && (ps[p] == '?' || ps[p] == ts[t]):
			p, t = p+1, t+1
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(ps) && ps[p] == '*' {
		p++
	}
	return p == len(ps)
}

// hostSet checks the hosts of a condition: names or addresses in small letters,
// with a port where it is not the usual one; *. at the beginning is any name
// below.
func hostSet(hosts []string) (map[string]bool, error) {
	if len(hosts) == 0 || len(hosts) > MaxValues {
		return nil, errors.New("the number of hosts does not fit")
	}
	set := make(map[string]bool, len(hosts))
	for _, h := range hosts {
		name := strings.TrimPrefix(h, "*.")
		got, ok := hostOf("https://" + name + "/")
		if !ok || got != name {
			return nil, fmt.Errorf("%.60q is no host as it is written here: small letters, and no scheme or path", h)
		}
		set[h] = true
	}
	return set, nil
}

// hostOf gives host and port of an http or https address that every reader takes
// for the same one.
func hostOf(address string) (string, bool) {
	for _, r := range address {
		if r <= ' ' || r >= 0x7f || r == '\\' {
			return "", false
		}
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" {
		return "", false
	}
	rest, _ := strings.CutPrefix(address[len(u.Scheme):], "://")
	authority, _, _ := strings.Cut(rest, "/")
	authority, _, _ = strings.Cut(authority, "?")
	authority, _, _ = strings.Cut(authority, "#")
	host := strings.ToLower(u.Host)
	if strings.ToLower(authority) != host || host == "" || strings.ContainsAny(host, "@%") || strings.HasSuffix(u.Hostname(), ".") || strings.HasSuffix(host, ":") {
		return "", false
	}
	if name := strings.ToLower(u.Hostname()); !strings.Contains(name, ":") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
		return "", false
	}
	return host, true
}

// hostMatches is unclear of an address that programs could take for different ones.
func hostMatches(hosts map[string]bool, address string) answer {
	host, ok := hostOf(address)
	if !ok {
		return unclear
	}
	if hosts[host] {
		return yes
	}
	for rest := host; ; {
		_, after, found := strings.Cut(rest, ".")
		if !found {
			return no
		}
		if hosts["*."+after] {
			return yes
		}
		rest = after
	}
}
