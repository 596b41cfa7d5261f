package launch

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"

	"countersign/app/secrets"
)

const (
	maxText    = 32 << 10 // bytes of one text
	maxEntries = 500      // arguments, variables, headers
)

// Validate returns what must be mended before the settings can be used; nil if
// nothing. It reads no file and no secret.
func Validate(s Settings) []Problem {
	var out problems
	out.limits(s)
	for _, t := range s.templates() {
		out.template(t)
	}
	switch s.Kind {
	case KindStdio:
		out.stdio(s)
	case KindHTTP:
		out.http(s)
	case KindBuiltin:
		if s.CAFile != "" || s.Proxy != "" || s.PlainHTTP || s.Command != "" || len(s.Args) > 0 || len(s.Env) > 0 || s.Dir != "" || s.URL != "" || len(s.Headers) > 0 {
			out.add("kind", "The built-in server takes no settings.")
		}
	default:
		out.add("kind", fmt.Sprintf("The kind %q is not known; choose a program or an address.", s.Kind))
	}
	return out
}

type problems []Problem

func (p *problems) add(field, message string) { *p = append(*p, Problem{field, message}) }

func (p *problems) template(t template) {
	switch {
	case len(t.text) > maxText:
		p.add(t.field, fmt.Sprintf("The %s is longer than %d bytes.", fieldName(t.field), maxText))
	case strings.ContainsRune(t.text, 0):
		p.add(t.field, fmt.Sprintf("The %s holds a NUL character.", fieldName(t.field)))
	default:
		if err := secrets.CheckTemplate(t.text); err != nil {
			p.add(t.field, expandError(t.field, err).Message)
		}
	}
}

func (p *problems) stdio(s Settings) {
	if strings.TrimSpace(s.Command) == "" {
		p.add("command", "A command is needed: the program that is the server.")
	}
	if strings.HasPrefix(s.Command, "~") {
		p.add("command", "“~” is not understood here; write the folder in full.")
	}
	if strings.HasPrefix(s.Dir, "~") || s.Dir != "" && !filepath.IsAbs(s.Dir) && !startsWithRef(s.Dir) {
		p.add("dir", "The working directory must be written in full, from the root of the file system.")
	}
	if len(s.Args) > maxEntries {
		p.add("args", fmt.Sprintf("There are more than %d arguments.", maxEntries))
	}
	if len(s.Env) > maxEntries {
		p.add("env", fmt.Sprintf("There are more than %d variables.", maxEntries))
	}
	seen := map[string]bool{}
	for i, v := range s.Env {
		field := fmt.Sprintf("env.%d.name", i)
		switch {
		case !validEnvName(v.Name):
			p.add(field, fmt.Sprintf("%q cannot name an environment variable: no spaces, no “=”, not empty.", v.Name))
		case seen[v.Name]:
			p.add(field, fmt.Sprintf("The variable %s stands twice.", v.Name))
		}
		seen[v.Name] = true
	}
}

func startsWithRef(text string) bool { return strings.HasPrefix(text, "${secret:") }

func validEnvName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == '=' || c == 0x7f {
			return false
		}
	}
	return name != ""
}

// Bounds of the limits.
const (
	maxTimeout = 24 * 3600     // seconds of silence
	maxTime    = 7 * 24 * 3600 // seconds of a call
	maxResult  = 4096          // MiB
)

func (p *problems) limits(s Settings) {
	if s.TimeoutSeconds < 0 || s.TimeoutSeconds > maxTimeout {
		p.add("timeoutSeconds", fmt.Sprintf("The time limit must lie between 0 (the default) and %d seconds.", maxTimeout))
	}
	switch {
	case s.MaxSeconds < 0 || s.MaxSeconds > maxTime:
		p.add("maxSeconds", fmt.Sprintf("The longest time of a call must lie between 0 (the default) and %d seconds.", maxTime))
	case s.MaxSeconds > 0 && s.MaxSeconds < s.TimeoutSeconds:
		p.add("maxSeconds", "The longest time of a call must not be shorter than its time limit.")
	}
	if s.MaxResultMiB < 0 || s.MaxResultMiB > maxResult {
		p.add("maxResultMiB", fmt.Sprintf("The largest result must lie between 0 (the default) and %d MiB.", maxResult))
	}
}

func (p *problems) http(s Settings) {
	p.address(s)
	p.proxy(s.Proxy)
	if len(s.Headers) > maxEntries {
		p.add("headers", fmt.Sprintf("There are more than %d headers.", maxEntries))
	}
	seen := map[string]bool{}
	for i, h := range s.Headers {
		field := fmt.Sprintf("headers.%d.", i)
		name := strings.ToLower(h.Name)
		switch reason := reservedHeader(name); {
		case !validToken(h.Name):
			p.add(field+"name", fmt.Sprintf("%q cannot name a header.", h.Name))
		case reason != "":
			p.add(field+"name", fmt.Sprintf("The header %s cannot be set: %s.", h.Name, reason))
		case seen[name]:
			p.add(field+"name", fmt.Sprintf("The header %s stands twice.", h.Name))
		}
		seen[name] = true
		if !validHeaderValue(h.Value) {
			p.add(field+"value", fmt.Sprintf("The value of %s holds a line break or another control character.", h.Name))
		}
	}
}

// address checks the URL and, where it is plain http, that nothing secret goes
// with it.
func (p *problems) address(s Settings) {
	if s.URL == "" {
		p.add("url", "An address is needed.")
		return
	}
	if startsWithRef(s.URL) {
		return // what it is, is known only with the value in place; Resolve looks then
	}
	u, wrong := parseURL(maskRefs(s.URL))
	if wrong != "" {
		p.add("url", wrong)
		return
	}
	if u.Scheme != "http" || isLoopback(u.Hostname()) {
		return
	}
	const why = "would be sent readable for everyone on the way, since the address is http and not this computer. Use https."
	if len(secrets.Refs(s.URL)) > 0 {
		p.add("url", "The secret in the address "+why)
	}
	for i, h := range s.Headers {
		if len(secrets.Refs(h.Value)) > 0 {
			p.add(fmt.Sprintf("headers.%d.value", i), fmt.Sprintf("The secret in the header %s %s", h.Name, why))
		} else if credentialHeader(h.Name) {
			p.add(fmt.Sprintf("headers.%d.value", i), fmt.Sprintf("The header %s %s", h.Name, why))
		}
	}
	if !s.PlainHTTP {
		p.add("url", plainRefused)
	}
}

const plainRefused = "The address is plain http and not this computer: everything could be read and changed on the way. Use https, or allow plain http."

func (p *problems) proxy(proxy string) {
	if proxy == "" || proxy == ProxyNone || startsWithRef(proxy) {
		return
	}
	if wrong := wrongProxy(maskRefs(proxy)); wrong != "" {
		p.add("proxy", wrong)
		return
	}
	u, err := url.Parse(proxy) // with its references, which no parser takes for a password
	if err == nil && u.User != nil {
		if password, _ := u.User.Password(); password != "" {
			p.add("proxy", "The password of the proxy must be a secret: http://NAME:${secret:NAME}@host:port.")
		}
	}
}

// wrongProxy says for a person what is wrong with a proxy's address, and holds no
// part of it.
func wrongProxy(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return "The proxy's address cannot be read. It looks like http://host:port."
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h":
		return "The proxy's address must begin with http://, https:// or socks5://."
	}
	return ""
}

// maskRefs puts a letter in the place of each reference, so that the rest of an
// address can be looked at.
func maskRefs(text string) string {
	out, err := secrets.Expand(text, func(string) (string, error) { return "x", nil })
	if err != nil {
		return text
	}
	return out
}

// parseURL reads the address of a server. What is wrong with it is a sentence for
// a person and holds no part of the address, which may hold a secret.
func parseURL(text string) (u *url.URL, wrong string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.TrimSpace(text) != text || strings.ContainsFunc(text, isControl):
		wrong = "The address cannot be read. It looks like https://host.example/mcp."
	case u.Scheme != "http" && u.Scheme != "https":
		wrong = "The address must begin with https:// or http://."
	case u.User != nil:
		wrong = "The address must not hold a user name or password. Use a header with a secret."
	case u.Hostname() == "":
		wrong = "The address names no host."
	case strings.Contains(text, "#"):
		wrong = "The address must not hold a “#”."
	}
	return u, wrong
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// isLoopback tells whether host is this computer for certain: the name localhost or
// a loopback IP address. Other spellings of an address count as foreign.
func isLoopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

func validToken(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

func validHeaderValue(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return isControl(r) && r != '\t' })
}

// reservedHeader says why a header (its name in small letters) is not the person's
// to set, "" if it is.
func reservedHeader(name string) string {
	switch name {
	case "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect":
		return "it belongs to the connection itself"
	case "content-type", "accept", "accept-encoding", "content-encoding", "last-event-id":
		return "it says how the messages are written and read"
	}
	switch {
	case strings.HasPrefix(name, "mcp-"):
		return "it is part of the protocol and made from each message"
	case strings.HasPrefix(name, "proxy-"):
		return "it is meant for a proxy"
	}
	return ""
}

// credentialHeader tells whether the header is there to carry a credential.
func credentialHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "cookie", "x-api-key", "api-key", "x-auth-token", "x-access-token":
		return true
	}
	return false
}
