// Countersign is a desktop MCP host that asks a person before every tool
// call. Without a word it opens its window; `countersign demo-server` is the
// demo server that the window starts as a child.
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"countersign/app"
	"countersign/mcpclient/demoserver"
)

//go:embed all:frontend/dist
var dist embed.FS

//go:embed build/appicon.png
var icon []byte

// version is set by the build.
var version = "0.1.0-dev"

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if app.Generating {
		return openWindow("")
	}
	if len(args) > 0 && args[0] == "demo-server" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return demoserver.Main(ctx, args[1:], os.Stdin, os.Stdout, os.Stderr)
	}
	flags := flag.NewFlagSet("countersign", flag.ContinueOnError)
	flags.Usage = func() { usage(flags) }
	dataDir := flags.String("data-dir", "", "keep all data in `DIR` (default: the system's place for application data)")
	showVersion := flags.Bool("version", false, "print the version and exit")
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	switch {
	case *showVersion:
		fmt.Println("countersign " + version)
		return 0
	case flags.NArg() > 0:
		fmt.Fprintf(os.Stderr, "countersign: unknown word %q\n", flags.Arg(0))
		usage(flags)
		return 2
	case app.DevBuild && *dataDir == "":
		fmt.Fprintln(os.Stderr, "countersign: a development build needs --data-dir, so that it never touches your own data.")
		return 2
	}
	return openWindow(*dataDir)
}

func openWindow(dataDir string) int {
	var page fs.FS
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		fmt.Fprintln(os.Stderr, "countersign:", err)
		return 1
	}
	if dir := os.Getenv("assetdir"); app.DevBuild && dir != "" {
		page = os.DirFS(dir)
	}
	return app.RunWindow(app.WindowOptions{Page: page, Icon: icon, Version: version, DataDir: dataDir})
}

func usage(flags *flag.FlagSet) {
	out := flags.Output()
	fmt.Fprint(out, "Usage:\n  countersign [--data-dir DIR]           open the window\n"+
		"  countersign demo-server [--http ADDR]  be the demo server, over stdio or HTTP\n  countersign --version\n\nOptions:\n")
	flags.PrintDefaults()
}
