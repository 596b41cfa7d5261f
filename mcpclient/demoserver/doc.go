// Package demoserver is a small, complete and deterministic MCP server: what
// the first run, the tests and the pictures of Countersign use. It runs as
// `countersign demo-server` over standard input and output, or with --http
// over Streamable HTTP on loopback, in both eras of the protocol.
package demoserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"countersign/mcpclient/mcpserver"
)

// Main runs the demo server until in ends (stdio) or ctx does, and returns the
// exit code.
func Main(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	flags := flag.NewFlagSet("demo-server", flag.ContinueOnError)
	flags.SetOutput(errs)
	addr := flags.String("http", "", "serve over HTTP on this loopback `ADDR`, such as 127.0.0.1:8931, instead of stdio")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errs, "demo-server: unknown word %q\n", flags.Arg(0))
		return 2
	}
	s := New()
	var err error
	if *addr != "" {
		err = s.ServeHTTP(ctx, *addr, func(address string) { fmt.Fprintf(errs, "demo-server: listening on http://%s/mcp\n", address) })
	} else {
		err = s.ServeStdio(ctx, in, out)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(errs, "demo-server:", err)
		return 1
	}
	return 0
}

// New makes the server with all its tools.
func New() *mcpserver.Server {
	s := &mcpserver.Server{
		Info: object(map[string]any{"name": "countersign-demo", "title": "Countersign demo", "version": "1.0.0",
			"icons": []any{icon(glyphSeal, 220)}}),
		Instructions: "Tools to try Countersign with. None of them touches anything outside this server.",
		Resources: []mcpserver.Resource{
			{URI: guideURI, Contents: object(map[string]any{"uri": guideURI, "mimeType": "text/markdown", "text": guideText})},
			{URI: seedURI, Contents: object(map[string]any{"uri": seedURI, "mimeType": "application/octet-stream", "blob": base64Of(seedBytes)})},
		},
	}
	for _, t := range tools(s) {
		s.AddTool(t)
	}
	return s
}
