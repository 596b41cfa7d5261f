package icons

import (
	"encoding/base64"
	"fmt"
	"mime"
	"net"
	"net/url"
	"strings"
)

// Limits on what is taken from a server (ICON-02).
const (
	MaxBytes     = 512 << 10 // largest image file, in bytes
	MaxDimension = 1024      // largest width and largest height, in pixels
	MaxDrawn     = 128       // largest width and height of the image handed on, in pixels
	maxURL       = 2048      // longest https address, in bytes
)

// Code names the kind of a refusal.
type Code string

// The kinds of refusals.
const (
	CodeMalformed Code = "malformed" // not an icon, not an address, or unreadable data
	CodeScheme    Code = "scheme"    // neither https nor data
	CodeOrigin    Code = "origin"    // not the server's own origin
	CodeType      Code = "type"      // not PNG or JPEG, or not what it says it is
	CodeSize      Code = "size"      // too many bytes, pixels, frames or icons
	CodeAddress   Code = "address"   // the name leads to an address that may not be asked
	CodeFetch     Code = "fetch"     // the server did not hand the image out
)

// RefusedError says why an icon is not shown. Reason is a sentence without a
// full stop for a person; Cause may be nil.
type RefusedError struct {
	Code   Code
	Reason string
	Cause  error
}

// Error gives the reason with its cause.
func (e *RefusedError) Error() string {
	if e.Cause != nil {
		return e.Reason + ": " + e.Cause.Error()
	}
	return e.Reason
}

// Unwrap gives the cause.
func (e *RefusedError) Unwrap() error { return e.Cause }

func refuse(code Code, format string, args ...any) error {
	return &RefusedError{Code: code, Reason: fmt.Sprintf(format, args...)}
}

// Source is an icon that passed Vet: where its bytes are, and which claims
// they must match. Only Vet and Pick make one.
type Source struct {
	src    string // as the server wrote it
	claim  string // "image/png", "image/jpeg" or "": what the icon says it is
	data   []byte // decoded bytes of a data: URI
	url    *url.URL
	origin string // the server's, for redirects
}

// Src is the address exactly as the server wrote it: the key under which a
// fetched image may be remembered. It can be long (a data: URI).
func (s Source) Src() string { return s.src }

// Inline tells whether the bytes are in the address itself, so that Fetch
// needs no network.
func (s Source) Inline() bool { return s.url == nil }

// Vet decides whether an icon may be fetched at all (ICON-03, ICON-06,
// ICON-07). serverOrigin is the address or the origin of the server that named
// the icon, "" for one without (stdio). The error is a *RefusedError. Vet is
// pure: it asks nobody, and the same input gives the same answer.
func Vet(icon Icon, serverOrigin string) (Source, error) {
	claim := ""
	if icon.MIMEType != "" {
		var err error
		if claim, err = imageType(icon.MIMEType); err != nil {
			return Source{}, err
		}
	}
	scheme, rest, found := strings.Cut(icon.Src, ":")
	if !found || scheme == "" {
		return Source{}, refuse(CodeMalformed, "the icon %s is not a full address", quoted(icon.Src))
	}
	switch strings.ToLower(scheme) {
	case "data":
		return vetData(icon.Src, rest, claim)
	case "https":
		return vetHTTPS(icon.Src, claim, serverOrigin)
	}
	return Source{}, refuse(CodeScheme, "icons from %s addresses are not shown, only https and data", quoted(scheme))
}

// imageType reads a claimed media type down to one of the two accepted ones.
func imageType(claim string) (string, error) {
	kind, _, err := mime.ParseMediaType(claim)
	if err != nil {
		return "", refuse(CodeType, "the icon's type %s can't be read", quoted(claim))
	}
	switch kind {
	case "image/png":
		return "image/png", nil
	case "image/jpeg", "image/jpg":
		return "image/jpeg", nil
	case "image/svg+xml":
		return "", refuse(CodeType, "SVG icons can hold programs and are not shown")
	}
	return "", refuse(CodeType, "icons of type %s are not shown, only PNG and JPEG", quoted(kind))
}

// vetData decodes data:TYPE;base64,BYTES. Plain (percent-encoded) data is
// refused: no image is written so, only text that wants to be something else.
func vetData(src, rest, claim string) (Source, error) {
	head, body, found := strings.Cut(rest, ",")
	if !found {
		return Source{}, refuse(CodeMalformed, "the data icon has no data")
	}
	params := strings.Split(head, ";")
	if !strings.EqualFold(strings.TrimSpace(params[len(params)-1]), "base64") || len(params) < 2 {
		return Source{}, refuse(CodeMalformed, "the data icon is not Base64")
	}
	kind, err := imageType(params[0])
	if err != nil {
		return Source{}, err
	}
	if claim != "" && claim != kind {
		return Source{}, refuse(CodeType, "the icon says both %s and %s", claim, kind)
	}
	// Twice the encoded size leaves room for percent-encoding and line breaks.
	if len(body) > 2*base64.StdEncoding.EncodedLen(MaxBytes) {
		return Source{}, tooLarge()
	}
	data, err := decodeBase64(body)
	if err != nil {
		return Source{}, &RefusedError{Code: CodeMalformed, Reason: "the data icon can't be decoded", Cause: err}
	}
	switch {
	case len(data) == 0:
		return Source{}, refuse(CodeMalformed, "the data icon is empty")
	case len(data) > MaxBytes:
		return Source{}, tooLarge()
	}
	return Source{src: src, claim: kind, data: data}, nil
}

func tooLarge() error {
	return refuse(CodeSize, "the icon is larger than %d KiB", MaxBytes>>10)
}

// decodeBase64 reads Base64 as browsers do in data: URIs: percent-encoding
// first, white space skipped, padding optional.
func decodeBase64(text string) ([]byte, error) {
	if strings.Contains(text, "%") {
		plain, err := url.PathUnescape(text)
		if err != nil {
			return nil, err
		}
		text = plain
	}
	if strings.ContainsAny(text, " \t\r\n\f") {
		text = strings.Join(strings.Fields(text), "")
	}
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
}

func vetHTTPS(src, claim, serverOrigin string) (Source, error) {
	if len(src) > maxURL {
		return Source{}, refuse(CodeSize, "the icon's address is longer than %d bytes", maxURL)
	}
	if serverOrigin == "" {
		return Source{}, refuse(CodeOrigin, "a local program has no web address, so its icon %s is not fetched", quoted(src))
	}
	own, err := Origin(serverOrigin)
	if err != nil {
		return Source{}, &RefusedError{Code: CodeMalformed, Reason: "the server's address can't be read", Cause: err}
	}
	u, err := url.Parse(src)
	if err != nil {
		return Source{}, &RefusedError{Code: CodeMalformed, Reason: "the icon's address can't be read", Cause: err}
	}
	if err := sameOrigin(u, own); err != nil {
		return Source{}, err
	}
	u.Fragment, u.RawFragment = "", ""
	return Source{src: src, claim: claim, url: u, origin: own}, nil
}

// sameOrigin refuses an address that is not https, carries a user name, or is
// not of the origin own (ICON-04, ICON-06). It serves for redirects too.
func sameOrigin(u *url.URL, own string) error {
	if u.Scheme != "https" {
		return refuse(CodeScheme, "icons from %s addresses are not shown, only https and data", quoted(u.Scheme))
	}
	if u.User != nil {
		return refuse(CodeOrigin, "the icon's address carries a user name")
	}
	theirs, err := originOf(u)
	if err != nil {
		return &RefusedError{Code: CodeMalformed, Reason: "the icon's address can't be read", Cause: err}
	}
	if theirs != own {
		return refuse(CodeOrigin, "the icon is at %s, which is not the server's own origin %s", quoted(theirs), quoted(own))
	}
	return nil
}

// Origin gives scheme, host and port of an http or https address in one form
// ("https://example.com:443"), so that two origins can be compared as text.
func Origin(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("reading the address: %w", err)
	}
	return originOf(u)
}

func originOf(u *url.URL) (string, error) {
	port := u.Port()
	switch {
	case u.Opaque != "" || u.Hostname() == "":
		return "", fmt.Errorf("the address %s names no host", quoted(u.String()))
	case u.Scheme != "https" && u.Scheme != "http":
		return "", fmt.Errorf("the address %s is neither http nor https", quoted(u.String()))
	case port == "" && u.Scheme == "https":
		port = "443"
	case port == "":
		port = "80"
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port), nil
}

// quoted shows foreign text in a message: escaped and cut.
func quoted(s string) string {
	if len(s) > 80 {
		return fmt.Sprintf("%q…", s[:80])
	}
	return fmt.Sprintf("%q", s)
}
