package demoserver

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"countersign/mcpclient/mcpserver"
)

const (
	guideURI  = "demo://guide"
	seedURI   = "demo://seed.bin"
	guideText = "# The demo guide\n\nEvery tool here is harmless and gives the same answer to the same arguments.\n"
)

var seedBytes = []byte{0xde, 0xad, 0xbe, 0xef, 0, 1, 2, 3}

// Main runs the demo server until in ends (stdio) or ctx does, and returns the
// exit code: 0, 1 for a failure, 2 for arguments that cannot be read. Over
// HTTP the address listened on is written to errs.
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
		_, _ = fmt.Fprintf(errs, "demo-server: unknown word %q\n", flags.Arg(0))
		return 2
	}
	say := func(text string) { _, _ = fmt.Fprintln(errs, "demo-server:", text) } // nobody to tell if this fails
	s := New()
	s.Log = func(note string) { say("the client sent " + note) }
	var err error
	if *addr != "" {
		err = s.ServeHTTP(ctx, *addr, func(address string) { say("listening on http://" + address + mcpserver.Path) })
	} else {
		err = s.ServeStdio(ctx, in, out)
	}
	if err != nil && ctx.Err() == nil {
		say(err.Error())
		return 1
	}
	return 0
}

// New makes the server with all its tools. Each has its own list of tools.
func New() *mcpserver.Server {
	s := &mcpserver.Server{
		Info: encode(struct {
			Name    string `json:"name"`
			Title   string `json:"title"`
			Version string `json:"version"`
			Icons   []any  `json:"icons"`
		}{"countersign-demo", "Countersign demo", "1.0.0", []any{icon(glyphSeal, 220)}}),
		Instructions: "Tools to try Countersign with. None of them touches anything outside this server.",
		Resources: []mcpserver.Resource{
			{URI: guideURI,
				Listed:   encode(block{"uri": guideURI, "name": "guide", "title": "The demo guide", "mimeType": "text/markdown"}),
				Contents: encode(block{"uri": guideURI, "mimeType": "text/markdown", "text": guideText})},
			{URI: seedURI,
				Listed:   encode(block{"uri": seedURI, "name": "seed.bin", "title": "Eight bytes", "mimeType": "application/octet-stream", "size": len(seedBytes)}),
				Contents: encode(block{"uri": seedURI, "mimeType": "application/octet-stream", "blob": base64Of(seedBytes)})},
		},
	}
	for _, t := range []mcpserver.Tool{
		weatherTool(), chartTool(), toneTool(), mixedTool(), tableTool(), bigTextTool(), longJobTool(),
		askFormTool(), askURLTool(), toolErrorTool(), protocolErrorTool(), addToolTool(s),
	} {
		s.AddTool(t)
	}
	return s
}
