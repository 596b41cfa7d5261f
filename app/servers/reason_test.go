package servers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/mcpclient"
)

func TestExplain(t *testing.T) {
	stdio := Prepared{Name: "Weather", Command: "npx",
		Config: mcpclient.Config{Stdio: &mcpclient.StdioConfig{Path: "/usr/bin/npx"}}}
	web := Prepared{Name: "Weather", Config: mcpclient.Config{HTTP: &mcpclient.HTTPConfig{URL: "https://weather.example:8443/mcp"}}}
	noDir := stdio
	noDir.Config.Stdio = &mcpclient.StdioConfig{Path: "/usr/bin/npx", Dir: "/no/such/folder"}
	masked := stdio
	masked.Mask = func(s string) string { return strings.ReplaceAll(s, "hunter2", "«secret:TOKEN»") }
	wrapped := func(err error) error { return fmt.Errorf("starting: %w", err) }
	refused := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	tests := []struct {
		name string
		p    Prepared
		ran  bool
		err  error
		tail []string
		kind kind
		code string
		want string // reason
	}{
		{"a person is needed", stdio, false, wrapped(&AttentionError{CodeConsent, "Weather waits for your consent.", "Look at it."}), nil,
			final, CodeConsent, "Weather waits for your consent."},
		{"field-74 exits at once", stdio, false, wrapped(&mcpclient.ExitError{Code: 7, Stderr: "\nmissing TOKEN\n"}), nil,
			crash, CodeCrashed, "Weather did not start: it ended with exit code 7. It last wrote: “missing TOKEN”."},
		{"ends later", stdio, true, &mcpclient.ExitError{Code: 0}, []string{"a", "", "b", "c", "d\r"},
			crash, CodeCrashed, "Weather stopped: it ended with exit code 0. It last wrote: “b”, “c”, “d”."},
		{"ended by a signal", stdio, true, &mcpclient.ExitError{Code: -1, Signal: "killed"}, nil,
			crash, CodeCrashed, "Weather stopped: it was ended by the signal killed."},
		{"a secret in the last words", masked, true, &mcpclient.ExitError{Code: 1, Stderr: "bad token hunter2"}, nil,
			crash, CodeCrashed, "Weather stopped: it ended with exit code 1. It last wrote: “bad token «secret:TOKEN»”."},
		{"no such program", stdio, false, wrapped(&fs.PathError{Op: "fork/exec", Path: "/usr/bin/npx", Err: syscall.ENOENT}), nil,
			final, CodeNotFound, "Weather did not start: `npx` was not found."},
		{"no such folder", noDir, false, wrapped(&fs.PathError{Op: "fork/exec", Path: "/usr/bin/npx", Err: syscall.ENOENT}), nil,
			final, CodeConfig, "Weather did not start: its working directory `/no/such/folder` is not a folder that can be used."},
		{"not executable", stdio, false, wrapped(&fs.PathError{Op: "fork/exec", Path: "/x", Err: syscall.EACCES}), nil,
			final, CodeConfig, "Weather did not start: `npx` may not be executed."},
		{"not a program", stdio, false, wrapped(&fs.PathError{Op: "fork/exec", Path: "/x", Err: syscall.ENOEXEC}), nil,
			final, CodeConfig, "Weather did not start: `npx` is not a program for this system."},
		{"field-76 never answers", stdio, false, wrapped(&mcpclient.TimeoutError{After: 30 * time.Second}), []string{"loading"},
			slow, CodeFailed, "Weather did not start: no answer within 30s. It last wrote: “loading”."},
		{"never answers, by deadline", stdio, false, wrapped(context.DeadlineExceeded), nil,
			slow, CodeFailed, "Weather did not start: no answer in time."},
		{"speaks no version of ours", stdio, false, &mcpclient.VersionError{Theirs: []string{"2099-01-01"}, Ours: []string{"2026-07-28"}}, nil,
			final, CodeFailed, "Weather did not start: no common protocol version: the server speaks 2099-01-01, we speak 2026-07-28."},
		{"answers nonsense", stdio, false, fmt.Errorf("connect: %w", &mcpclient.InvalidResponseError{Reason: "no result"}), nil,
			slow, CodeFailed, "Weather did not start: invalid response: no result."},
		{"closes its output", stdio, true, errors.New("the server closed its output but keeps running"), nil,
			crash, CodeCrashed, "Weather stopped: the server closed its output but keeps running."},
		{"HTTP refused", web, false, wrapped(refused), nil,
			network, CodeFailed, "Weather could not be reached: nothing answers at weather.example:8443 (connection refused)."},
		{"HTTP lost", web, true, errors.New("the stream broke"), nil,
			network, CodeFailed, "Weather is disconnected: the stream broke."},
		{"HTTP no such name", web, false, wrapped(&net.DNSError{Name: "weather.example", Err: "no such host", IsNotFound: true}), nil,
			network, CodeFailed, "Weather could not be reached: the name weather.example was not found."},
		{"HTTP names can't be looked up", web, false, wrapped(&net.DNSError{Name: "weather.example", Err: "server misbehaving"}), nil,
			network, CodeFailed, "Weather could not be reached: the name weather.example could not be looked up (server misbehaving)."},
		{"HTTP timeout", web, false, wrapped(os.ErrDeadlineExceeded), nil,
			network, CodeFailed, "Weather could not be reached: no answer in time."},
		{"HTTP sign-in", web, false, wrapped(&mcpclient.HTTPError{Status: 401}), nil,
			final, CodeConfig, "Weather could not be reached: the server wants a sign-in (status 401)."},
		{"HTTP not found", web, false, &mcpclient.HTTPError{Status: 404}, nil,
			final, CodeConfig, "Weather could not be reached: HTTP status 404."},
		{"HTTP busy", web, false, &mcpclient.HTTPError{Status: 503}, nil,
			network, CodeFailed, "Weather could not be reached: HTTP status 503."},
		{"HTTP moved", web, false, &mcpclient.RedirectError{Status: 301, Location: "https://new.example/"}, nil,
			final, CodeConfig, "Weather could not be reached: the server says its address is now https://new.example/ (status 301); nothing was sent there."},
		{"HTTP certificate", web, false, wrapped(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}), nil,
			final, CodeFailed, "Weather could not be reached: its certificate is not trusted (x509: certificate signed by unknown authority)."},
		{"LEG-08 session forgotten", web, true, wrapped(mcpclient.ErrSessionGone), nil,
			renewal, CodeFailed, "Weather is disconnected: the server no longer knows this session."},
		{"preparing failed", Prepared{}, false, errors.New("the keyring is locked"), nil,
			slow, CodeFailed, "The server did not start: the keyring is locked."},
		{"preparing failed on a connection", Prepared{}, false, refused, nil,
			slow, CodeFailed, "The server did not start: nothing answers at its address (connection refused)."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := explain(tt.p, tt.ran, tt.err, tt.tail)
			if f.kind != tt.kind || f.code != tt.code || f.reason != tt.want {
				t.Fatalf("kind %d, code %q, reason\n %s\nwant kind %d, code %q,\n %s", f.kind, f.code, f.reason, tt.kind, tt.code, tt.want)
			}
			if f.kind == final && f.hint == "" {
				t.Error("a person is needed, and nothing says what for")
			}
		})
	}
	t.Run("last words are cut", func(t *testing.T) {
		if got := lastWords([]string{strings.Repeat("ü", 1000) + "\xff"}); len([]rune(got)) > 250 || !strings.HasSuffix(got, "…”.") {
			t.Errorf("last words are %q", got)
		}
	})
}
