package mcpclient

import (
	"context"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestTransportOptions(t *testing.T) {
	s := newWebServer(t, EraModern)
	s.handle = func(e *webExchange) { e.result(okResult) }
	t.Run("field-100 a certificate of an own authority", func(t *testing.T) {
		secure := httptest.NewTLSServer(http.HandlerFunc(s.serve))
		defer secure.Close()
		cfg, _, _ := s.config(t)
		cfg.HTTP.URL = secure.URL
		if _, err := Connect(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
			t.Errorf("without: %v", err)
		}
		cfg.HTTP.ExtraCAs = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
		mustCall(t, mustConnect(t, cfg), call("x", `{}`))
		cfg.HTTP.URL = strings.Replace(secure.URL, "127.0.0.1", "localhost", 1)
		if _, err := Connect(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "localhost") {
			t.Errorf("for another name: %v", err)
		}
		cfg.HTTP.ExtraCAs = []byte("no certificate")
		if _, err := Connect(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "PEM") {
			t.Errorf("without any certificate: %v", err)
		}
	})
	t.Run("a proxy takes the requests, none means none", func(t *testing.T) {
		var asked atomic.Int32
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if r.URL.Host != "mcp.example.test" {
				t.Errorf("asked for %s", r.URL)
			}
			s.serve(w, r)
		}))
		defer proxy.Close()
		cfg, _, _ := s.config(t)
		cfg.HTTP.URL, cfg.HTTP.Proxy, cfg.HTTP.PlainHTTP = "http://mcp.example.test/mcp/?key=a%2Fb", proxy.URL, true
		mustCall(t, mustConnect(t, cfg), call("x", `{}`))
		if asked.Load() == 0 {
			t.Error("the proxy was not asked")
		}
		for bad, want := range map[string]bool{"ftp://secret@x": false, "://secret": false, "secret": false, ProxyNone: true, "socks5://localhost:1": true, "": true} {
			if _, err := proxyOf(bad); (err == nil) != want || err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: %v", bad, err)
			}
		}
	})
	t.Run("plain http leaves this computer only where it is permitted", func(t *testing.T) {
		for _, address := range []string{"http://192.0.2.1/mcp", "http://mcp.example.test/", "http://127.1/", "http://localhost.example.test/"} {
			cfg, _, _ := s.config(t)
			cfg.HTTP.URL = address
			if _, err := Connect(context.Background(), cfg); !errors.Is(err, ErrPlainHTTP) {
				t.Errorf("%s: %v", address, err)
			}
		}
		for _, host := range []string{"localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"} {
			if !isLoopback(host) {
				t.Errorf("%s is this computer", host)
			}
		}
	})
}
