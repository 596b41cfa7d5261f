package icons

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

const (
	defaultTimeout = 10 * time.Second
	atOnce         = 4 // icons fetched or decoded at the same time
	maxRedirects   = 3
)

// Fetcher gets the bytes of vetted icons. The zero value works; the fields may
// be set before first use. It is safe for concurrent use, starts no goroutine
// that outlives a Fetch, and keeps no connection open.
type Fetcher struct {
	Roots    *x509.CertPool // trusted authorities; nil: the system's
	Timeout  time.Duration  // for one icon from the first byte asked to the last read; 0: 10 s
	Resolver *net.Resolver  // nil: the system's

	once  sync.Once
	slots chan struct{}
}

// Fetch gives an icon as PNG (mime is "image/png") of at most MaxDrawn pixels
// a side. At most four run at once; others wait, within ctx. The error is a
// *RefusedError, or ctx's.
//
// Over the network it asks with no cookies, no credentials and no client
// certificate (ICON-05), through no proxy, follows at most three redirects
// within the server's origin (ICON-04), and looks at each address it is about
// to connect to, after the name was resolved: a name must lead to the public
// internet, except for localhost.
func (f *Fetcher) Fetch(ctx context.Context, s Source) (mime string, image []byte, err error) {
	f.once.Do(func() { f.slots = make(chan struct{}, atOnce) })
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	data, claim := s.data, s.claim
	if s.url != nil {
		if data, claim, err = f.download(ctx, s); err != nil {
			return "", nil, err
		}
	}
	if image, err = redraw(data, claim); err != nil {
		return "", nil, err
	}
	return "image/png", image, nil
}

// download gives the body of the answer and the type it must be of.
func (f *Fetcher) download(ctx context.Context, s Source) ([]byte, string, error) {
	timeout := f.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	timed, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(timed, http.MethodGet, s.url.String(), nil)
	if err != nil {
		return nil, "", &RefusedError{Code: CodeMalformed, Reason: "the icon's address can't be asked", Cause: err}
	}
	req.Header.Set("Accept", "image/png, image/jpeg")
	req.Header.Set("User-Agent", "Countersign")
	client, done := f.client(s)
	defer done()
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", failure(ctx, timed, timeout, err)
	}
	defer resp.Body.Close()
	claim, err := checkAnswer(resp, s.claim)
	if err != nil {
		return nil, "", err
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, MaxBytes+1))
	switch {
	case len(data) > MaxBytes:
		return nil, "", tooLarge()
	case err != nil:
		return nil, "", failure(ctx, timed, timeout, err)
	}
	return data, claim, nil
}

// checkAnswer looks at all that can be told before the body is read.
func checkAnswer(resp *http.Response, claim string) (string, error) {
	if resp.StatusCode != http.StatusOK {
		return "", refuse(CodeFetch, "the icon's address answered with status %d", resp.StatusCode)
	}
	if coding := resp.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return "", refuse(CodeType, "the icon came with the encoding %s, which was not asked for", quoted(coding))
	}
	if resp.ContentLength > MaxBytes {
		return "", tooLarge()
	}
	stated := resp.Header.Get("Content-Type")
	if stated == "" || stated == "application/octet-stream" || stated == "binary/octet-stream" {
		return claim, nil
	}
	kind, err := imageType(stated)
	if err != nil {
		return "", err
	}
	if claim != "" && claim != kind {
		return "", refuse(CodeType, "the icon says %s and its address says %s", claim, kind)
	}
	return kind, nil
}

// client makes an HTTP client for one icon. Its transport lives as long as the
// fetch, so that the address rule is the one of this icon and no other.
func (f *Fetcher) client(s Source) (*http.Client, func()) {
	host := s.url.Hostname()
	dialer := &net.Dialer{Resolver: f.Resolver, Control: func(_, address string, _ syscall.RawConn) error {
		return checkDial(host, address)
	}}
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: f.Roots, MinVersion: tls.VersionTLS12},
		DisableKeepAlives:      true,
		DisableCompression:     true, // or a small answer could unpack into a large one
		MaxResponseHeaderBytes: 64 << 10,
	}
	redirect := func(req *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return refuse(CodeFetch, "the icon's address redirects more than %d times", maxRedirects)
		}
		req.Header.Del("Referer")
		return sameOrigin(req.URL, s.origin)
	}
	return &http.Client{Transport: transport, CheckRedirect: redirect}, transport.CloseIdleConnections
}

// checkDial is asked with each resolved address just before it is connected
// to, so a name that answers differently the second time gains nothing.
func checkDial(host, address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return &RefusedError{Code: CodeAddress, Reason: "the address to connect to can't be read", Cause: err}
	}
	if !mayDial(host, to.Addr()) {
		return refuse(CodeAddress, "%s leads to %s, which is not a public address", quoted(host), to.Addr())
	}
	return nil
}

// failure words what went wrong on the network. A refusal made on the way
// (redirect, address) comes back as itself, the caller's end as ctx's error.
func failure(ctx, timed context.Context, timeout time.Duration, err error) error {
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		return refused
	case ctx.Err() != nil:
		return fmt.Errorf("fetching the icon: %w", ctx.Err())
	case timed.Err() != nil:
		return refuse(CodeFetch, "the icon did not come within %s", timeout)
	}
	return &RefusedError{Code: CodeFetch, Reason: "the icon can't be fetched", Cause: err}
}
