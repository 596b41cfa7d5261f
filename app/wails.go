package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"countersign/app/calls"
	"countersign/app/instance"
)

// This is the only file that calls the frame's runtime.

// WindowOptions is what RunWindow needs.
type WindowOptions struct {
	Page    fs.FS // the built page
	Icon    []byte
	Version string
	DataDir string // "" means the system's place for application data
}

// closeLimit is how long calls and servers may take to end.
const closeLimit = 12 * time.Second

// RunWindow opens the window on a data folder and returns the exit code when
// it is closed. A second start on the same folder raises the first window.
func RunWindow(o WindowOptions) int {
	w := &window{ready: make(chan struct{}), closing: make(chan struct{})}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	opt := Options{DataDir: o.DataDir, Version: o.Version, Dev: DevBuild, Window: w, Log: log, AwaitPage: true}
	if !Generating {
		if goruntime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			fmt.Fprintln(os.Stderr, "countersign: there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are empty).")
			return 1
		}
		held, code := lockFolder(&opt)
		if held == nil {
			return code
		}
		defer func() { _ = held.Close() }()
		if err := held.Serve(w.raise); err != nil {
			log.Info("a second start cannot raise this window", slog.String("error", err.Error()))
		}
	}
	a := New(opt)
	w.app = a
	w.endOnSignal()
	err := wails.Run(&options.App{
		Title: "Countersign", Width: 1280, Height: 800, MinWidth: 360, MinHeight: 480,
		AssetServer:      &assetserver.Options{Assets: o.Page, Middleware: a.Middleware(o.Page)},
		BackgroundColour: &options.RGBA{R: 250, G: 250, B: 250, A: 255},
		DragAndDrop:      &options.DragAndDrop{DisableWebViewDrop: true},
		OnStartup:        w.startup, OnBeforeClose: w.beforeClose, OnShutdown: w.shutdown,
		Bind: a.Bindings(), ErrorFormatter: FormatError,
		Linux: &linux.Options{Icon: o.Icon, ProgramName: "countersign", WebviewGpuPolicy: linux.WebviewGpuPolicyOnDemand},
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "countersign: the window could not be opened: %v\n", err)
		return 1
	}
	return w.code
}

// lockFolder takes the data folder for this process. Without it the code says
// how to end: 0 when the first window was raised.
func lockFolder(opt *Options) (*instance.Held, int) {
	fail := func(format string, args ...any) (*instance.Held, int) {
		fmt.Fprintf(os.Stderr, "countersign: "+format+"\n", args...)
		return nil, 1
	}
	if opt.DataDir == "" {
		dir, err := instance.DefaultDir()
		if err != nil {
			return fail("there is no place for its data: %v. Name one with --data-dir.", err)
		}
		opt.DataDir = dir
	}
	held, err := instance.Lock(opt.DataDir)
	var busy *instance.HeldError
	if errors.As(err, &busy) {
		if instance.Raise(opt.DataDir) == nil {
			fmt.Fprintln(os.Stderr, "countersign: already running; its window was raised.")
			return nil, 0
		}
		return fail("%s is in use by process %d. Close it, or name another folder with --data-dir.", opt.DataDir, busy.PID)
	}
	if err != nil {
		return fail("%s cannot be used: %v", opt.DataDir, err)
	}
	opt.DataDir = held.Dir()
	return held, 0
}

// window is the frame's window. It implements Window.
type window struct {
	app     *App
	code    int
	ready   chan struct{} // closed when ctx is set
	closing chan struct{} // closed when the frame lets the window go
	ending  atomic.Bool   // a signal came: nobody is asked any more

	mu  sync.Mutex
	ctx context.Context
}

func (w *window) startup(ctx context.Context) {
	w.mu.Lock()
	w.ctx = ctx
	w.mu.Unlock()
	close(w.ready)
	if err := w.app.Start(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "countersign: %v\n", err)
		_, _ = runtime.MessageDialog(ctx, runtime.MessageDialogOptions{Type: runtime.ErrorDialog, Title: "Countersign cannot start", Message: printfSafe(sentence(err.Error()))})
		w.code = 1
		runtime.Quit(ctx)
		return
	}
	w.restorePlace(ctx)
}

func (w *window) context() (context.Context, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ctx, w.ctx != nil
}

// Emit tells the page of a change.
func (w *window) Emit(c Change) {
	if ctx, ok := w.context(); ok {
		runtime.EventsEmit(ctx, EventName, c)
	}
}

// Confirm raises a native question; its default is no.
func (w *window) Confirm(title, text string) (bool, error) {
	ctx, ok := w.context()
	if !ok {
		return false, errors.New("there is no window")
	}
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{Type: runtime.QuestionDialog, Title: printfSafe(title),
		Message: printfSafe(title + "\n\n" + text), Buttons: []string{"No", "Yes"}, DefaultButton: "No", CancelButton: "No"})
	return err == nil && answer == "Yes", err
}

// printfSafe doubles percent signs: on Linux the dialog takes its text as a
// printf format.
func printfSafe(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// ChooseFile asks for a file.
func (w *window) ChooseFile(title string) (string, error) {
	return w.choose(title, runtime.OpenFileDialog)
}

// ChooseFolder asks for a folder.
func (w *window) ChooseFolder(title string) (string, error) {
	return w.choose(title, runtime.OpenDirectoryDialog)
}

func (w *window) choose(title string, ask func(context.Context, runtime.OpenDialogOptions) (string, error)) (string, error) {
	ctx, ok := w.context()
	if !ok {
		return "", errors.New("there is no window")
	}
	if path, ok := devChoice(); ok {
		return path, nil
	}
	return ask(ctx, runtime.OpenDialogOptions{Title: title})
}

// SaveFile asks where to save a file.
func (w *window) SaveFile(title, name string) (string, error) {
	ctx, ok := w.context()
	if !ok {
		return "", errors.New("there is no window")
	}
	if path, ok := devChoice(); ok {
		return path, nil
	}
	return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: title, DefaultFilename: name})
}

// OpenURL opens an address in the system's browser.
func (w *window) OpenURL(address string) error {
	ctx, ok := w.context()
	if !ok {
		return errors.New("there is no window")
	}
	runtime.BrowserOpenURL(ctx, address)
	return nil
}

// raise brings the window to the front, for a second start.
func (w *window) raise() {
	<-w.ready
	ctx, _ := w.context()
	runtime.WindowUnminimise(ctx)
	runtime.Show(ctx)
	runtime.WindowShow(ctx)
}

// place is where the window stood; kept among the settings.
type place struct {
	X, Y, Width, Height int
	Maximised           bool
}

const placeKey = "window"

func (w *window) restorePlace(ctx context.Context) {
	raw, err := w.app.store.Setting(ctx, placeKey)
	var p place
	if err != nil || json.Unmarshal(raw, &p) != nil || p.Width < 360 || p.Height < 300 || p.Width > 16000 || p.Height > 16000 {
		return
	}
	runtime.WindowSetSize(ctx, p.Width, p.Height)
	if p.X > -16000 && p.Y > -16000 && p.X < 16000 && p.Y < 16000 {
		runtime.WindowSetPosition(ctx, p.X, p.Y)
	}
	if p.Maximised {
		runtime.WindowMaximise(ctx)
	}
}

// beforeClose asks before running calls are given up, and keeps the place.
func (w *window) beforeClose(ctx context.Context) (prevent bool) {
	appCtx, err := w.app.running()
	if err != nil {
		return false
	}
	rows, err := w.app.store.OpenCalls(appCtx, string(calls.Sent), string(calls.Approved))
	if err == nil && len(rows) > 0 && !w.ending.Load() {
		text := fmt.Sprintf("Calls still running: %d. They are cancelled; what their servers did until then stays unknown.", len(rows))
		if yes, err := w.Confirm("Quit Countersign?", text); err == nil && !yes {
			return true
		}
	}
	p := place{Maximised: runtime.WindowIsMaximised(ctx)}
	p.Width, p.Height = runtime.WindowGetSize(ctx)
	p.X, p.Y = runtime.WindowGetPosition(ctx)
	if raw, err := json.Marshal(p); err == nil {
		_ = w.app.store.SetSetting(appCtx, placeKey, raw, nil) // only comfort is lost
	}
	return false
}

// frameLimit is how long the frame has after a signal to let the window go.
const frameLimit = 3 * time.Second

// endOnSignal sees to it that the program ends when the session does. The frame
// listens too and closes the window, but not while a native dialog is open: that
// holds its loop.
func (w *window) endOnSignal() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		w.ending.Store(true)
		select {
		case <-w.closing:
		case <-time.After(frameLimit):
			w.end()
			os.Exit(w.code)
		}
	}()
}

func (w *window) shutdown(context.Context) {
	close(w.closing)
	w.end()
}

// end ends calls and servers, and closes the record.
func (w *window) end() {
	ctx, done := context.WithTimeout(context.Background(), closeLimit)
	defer done()
	if err := w.app.Close(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "countersign: while closing: %v\n", err)
		w.code = 1
	}
}
