// Command framecheck is the program with one thing weakened, for one test: its top
// document carries no policy and a script that opens frames. The frames' scripts run
// and reach the bridge, as Wails lets them; each must be refused all the same, since
// it lacks the launch token. Everything else is the real application.
//
//	framecheck DATA-DIR     with frontend/dist built, from the project's top folder
//
// It prints "ok - ..." and "not ok - ..." lines and exits 1 when one was not ok.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"countersign/app"
	"countersign/mcpclient/demoserver"
)

// limit is the longest the whole check may take.
const limit = 2 * time.Minute

func main() {
	// The application starts this very program as its demo server.
	if len(os.Args) > 1 && os.Args[1] == "demo-server" {
		os.Exit(serveDemo(os.Args[2:]))
	}
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: framecheck DATA-DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Println("not ok - the frames can be tried")
		fmt.Fprintln(os.Stderr, "framecheck:", err)
		os.Exit(1)
	}
}

func serveDemo(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return demoserver.Main(ctx, args, os.Stdin, os.Stdout, os.Stderr)
}

// run opens the window and returns once the page's script is done.
func run(dataDir string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	check := &Check{beacon: "http://" + listener.Addr().String(), done: make(chan struct{})}
	foreign := &http.Server{Handler: check, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = foreign.Serve(listener) }()
	defer func() { _ = foreign.Close() }()

	page := os.DirFS("frontend/dist")
	w := &window{check: check}
	w.app = app.New(app.Options{DataDir: dataDir, Version: "framecheck", Window: w})
	err = wails.Run(&options.App{
		Title: "Countersign, frame check", Width: 1280, Height: 800,
		AssetServer: &assetserver.Options{Assets: page, Middleware: func(next http.Handler) http.Handler {
			return check.weaken(w.app.Middleware(page)(next))
		}},
		OnStartup: w.startup, OnShutdown: w.shutdown,
		Bind: append(w.app.Bindings(), check), ErrorFormatter: check.format,
	})
	if err != nil {
		return err
	}
	return errors.Join(w.err, check.result())
}

// window is the least that the application needs of its window.
type window struct {
	app   *app.App
	check *Check
	ctx   context.Context
	err   error
}

func (w *window) startup(ctx context.Context) {
	w.ctx = ctx
	if err := w.app.Start(ctx); err != nil {
		w.err = err
		runtime.Quit(ctx)
		return
	}
	go func() {
		select {
		case <-w.check.done:
		case <-time.After(limit):
			w.err = fmt.Errorf("not done after %s", limit)
		}
		runtime.Quit(ctx)
	}()
}

// Nobody is there to choose.
func (w *window) ChooseFile(string) (string, error)       { return "", nil }
func (w *window) ChooseFolder(string) (string, error)     { return "", nil }
func (w *window) SaveFile(string, string) (string, error) { return "", nil }

func (w *window) shutdown(context.Context) {
	ctx, cancel := context.WithTimeout(context.Background(), 12*time.Second)
	defer cancel()
	w.err = errors.Join(w.err, w.app.Close(ctx))
}

// Emit is app.Window.
func (w *window) Emit(c app.Change) { runtime.EventsEmit(w.ctx, app.EventName, c) }

// Confirm is app.Window; nothing in this check may ask.
func (w *window) Confirm(string, string) (bool, error) { return false, nil }

// OpenURL is app.Window; nothing in this check may open anything.
func (w *window) OpenURL(string) error { return errors.New("not in this check") }
