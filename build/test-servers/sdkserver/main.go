// Command sdkserver is an MCP server made with the official Go SDK, for tests that
// must talk to a server whose protocol code nobody here wrote.
//
//	sdkserver              over stdin and stdout
//	sdkserver --http ADDR  over Streamable HTTP at http://ADDR/mcp; prints
//	                       "listening on ADDR" on stderr once it takes connections
//
// With --stateless the HTTP server keeps no sessions, which is what revision
// 2026-07-28 asks for. A request of a newer or older revision is answered in kind
// by the SDK.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	address := flag.String("http", "", "serve Streamable HTTP at this address instead of stdio")
	stateless := flag.Bool("stateless", false, "keep no sessions over HTTP")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *address, *stateless); err != nil {
		fmt.Fprintln(os.Stderr, "sdkserver:", err)
		os.Exit(1)
	}
}

// serve runs until the client leaves (stdio) or ctx ends (HTTP).
func serve(ctx context.Context, address string, stateless bool) error {
	server := newServer()
	if address == "" {
		err := server.Run(ctx, &mcp.StdioTransport{})
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	handler := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: stateless},
	)
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "listening on", listener.Addr())
	return serveHTTP(ctx, listener, mux)
}

// serveHTTP serves until ctx ends; open streams are cut after a second.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler) error {
	s := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	bound, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.Shutdown(bound) != nil {
		_ = s.Close() // streams that do not end by themselves
	}
	<-failed
	return nil
}
