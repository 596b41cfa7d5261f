package mcpclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// dialTime and handshakeTime keep the time from the gate's yes to the first
	// byte under half a minute.
	dialTime, handshakeTime = 10 * time.Second, 10 * time.Second
	// idleConnTime is short: many servers drop an idle connection after five
	// seconds, and a call written into a dying one is lost without need.
	idleConnTime = 4 * time.Second
)

// checkHTTP refuses what cannot or must not be contacted. Its errors do not hold
// the address, which may be secret.
func checkHTTP(cfg *HTTPConfig, events *dispatcher) error {
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return errors.New("the address is no URL")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("the address is no http or https URL")
	}
	if u.Scheme == "http" && !cfg.PlainHTTP && !isLoopback(u.Hostname()) {
		return ErrPlainHTTP
	}
	for _, h := range cfg.Headers {
		if !isToken(h.Name) || strings.ContainsAny(h.Value, "\r\n\x00") {
			return fmt.Errorf("the header %q cannot be sent", h.Name)
		}
		if reserved(h.Name) {
			events.note("the configured header %s is the protocol's own and is not sent", h.Name)
		}
	}
	return nil
}

// isLoopback tells whether host is this computer for certain. Other spellings of
// an address count as foreign.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// newHTTPClient makes the client of one connection to one server.
func newHTTPClient(cfg *HTTPConfig) (*http.Client, error) {
	proxy, err := proxyOf(cfg.Proxy)
	if err != nil {
		return nil, err
	}
	roots, err := rootsWith(cfg.ExtraCAs)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		// A redirect is handed back: nothing is sent where the person did not say.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  proxy,
			DialContext:            dial,
			TLSClientConfig:        &tls.Config{RootCAs: roots},
			TLSHandshakeTimeout:    handshakeTime,
			IdleConnTimeout:        idleConnTime,
			MaxIdleConnsPerHost:    8,
			MaxResponseHeaderBytes: 1 << 20,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // bytes as they are
		},
	}, nil
}

// proxyOf reads HTTPConfig.Proxy. The error does not hold it: a proxy's address
// may hold a password.
func proxyOf(proxy string) (func(*http.Request) (*url.URL, error), error) {
	switch proxy {
	case "":
		return http.ProxyFromEnvironment, nil
	case ProxyNone:
		return nil, nil
	}
	u, err := url.Parse(proxy)
	if err != nil || u.Host == "" {
		return nil, errors.New("the proxy's address is no URL")
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return http.ProxyURL(u), nil
	}
	return nil, errors.New("the proxy's address is no http, https or socks5 URL")
}

// rootsWith are the system's authorities and those of a PEM text; nil means the
// system's alone.
func rootsWith(pem []byte) (*x509.CertPool, error) {
	if pem == nil {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("the file of certificate authorities holds no certificate in PEM form")
	}
	return pool, nil
}

var errPeerGone = errors.New("the server had closed the connection")

// watchedConn remembers whether a write failed.
type watchedConn struct {
	net.Conn
	failed atomic.Bool
}

func (c *watchedConn) Write(b []byte) (int, error) {
	// A server that drops an idle connection is seen here, and not by a call that
	// goes into it and is lost.
	if peerGone(c.Conn) {
		c.failed.Store(true)
		return 0, errPeerGone
	}
	n, err := c.Conn.Write(b)
	if err != nil {
		c.failed.Store(true)
	}
	return n, err
}

func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &watchedConn{Conn: conn}, nil
}

// sentProof watches whether a request reached the server.
type sentProof struct {
	headers atomic.Bool
	own     atomic.Pointer[watchedConn] // a connection that no other request shares
}

// watch returns ctx with a trace.
func (p *sentProof) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			conn := info.Conn
			if over, ok := conn.(*tls.Conn); ok {
				if over.ConnectionState().NegotiatedProtocol == "h2" {
					return // shared
				}
				conn = over.NetConn()
			}
			if own, ok := conn.(*watchedConn); ok {
				p.own.Store(own)
			}
		},
		WroteHeaders: func() { p.headers.Store(true) },
	})
}

// maybeArrived reports false only where it is proven that the server did not get
// the request: the headers were not complete, or a write to the connection it
// had for itself failed, so that at least the last byte, without which the body
// is no JSON, did not go out.
func (p *sentProof) maybeArrived() bool {
	own := p.own.Load()
	return p.headers.Load() && (own == nil || !own.failed.Load())
}

// plainError takes the address out of the library's error: it may hold a secret.
func plainError(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}
