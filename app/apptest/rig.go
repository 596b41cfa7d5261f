// Package apptest is the whole application without a window: a real store in
// a temporary folder, real child servers, secrets in memory, and a scripted
// person. Only tests import it.
package apptest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"countersign/app"
	"countersign/app/secrets"
	"countersign/mcpclient/demoserver"
)

// Main runs a test binary that is also its own demo server: the built-in
// server is the program's executable with a fixed argument. more holds further
// words that the binary understands.
func Main(m *testing.M, more map[string]func(args []string) int) {
	if len(os.Args) > 1 {
		if os.Args[1] == "demo-server" {
			os.Exit(demoserver.Main(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
		}
		if fn, ok := more[os.Args[1]]; ok {
			os.Exit(fn(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// Rig is a running application with a person to drive it. Its methods fail
// the test on errors. It is closed at the end of the test.
type Rig struct {
	T         testing.TB
	App       *app.App
	Dir       string
	Window    *Window
	Secrets   secrets.Store
	Servers   *app.Servers
	Tools     *app.Tools
	Calls     *app.Calls
	Approvals *app.Approvals
	Rules     *app.Rules
	Questions *app.Questions
	Lists     *app.Lists
	Settings  *app.Settings
	Token     string
	Log       io.Writer // of the application; nil drops it
	clock     *clock
	handler   http.Handler
}

// beside are the tests that already run beside others.
var beside sync.Map

// Start starts an application in a fresh folder.
func Start(t testing.TB) *Rig {
	t.Helper()
	// What takes long is processes that come and go. Only whole tests run beside
	// each other: subtests build on what their test does in between.
	if top, ok := t.(*testing.T); ok && !strings.Contains(t.Name(), "/") {
		if _, again := beside.LoadOrStore(top, true); !again {
			top.Parallel()
		}
	}
	r := New(t, t.TempDir())
	r.Open()
	return r
}

// New makes a rig on a folder without starting it.
func New(t testing.TB, dir string) *Rig {
	r := &Rig{T: t, Dir: dir, Secrets: NewSecrets(), clock: &clock{}, Window: newWindow()}
	t.Cleanup(r.Close)
	return r
}

var tokenTag = regexp.MustCompile(`name="countersign-token" content="([0-9a-f]+)"`)

// Open starts the application on the rig's folder.
func (r *Rig) Open() {
	r.T.Helper()
	var log *slog.Logger
	if r.Log != nil {
		log = slog.New(slog.NewTextHandler(r.Log, nil))
	}
	r.App = app.New(app.Options{DataDir: r.Dir, Version: "test", Window: r.Window, Secrets: r.Secrets, Now: r.clock.now, Log: log})
	page := fstest.MapFS{"index.html": {Data: []byte("<!doctype html><html><head></head><body></body></html>")}}
	r.handler = r.App.Middleware(page)(http.NotFoundHandler())
	doc := r.Get("/", "")
	match := tokenTag.FindStringSubmatch(doc.Body.String())
	if match == nil {
		r.T.Fatalf("the page holds no token: %s", doc.Body)
	}
	r.Token = match[1]
	if err := r.App.Start(context.Background()); err != nil {
		r.T.Fatalf("starting: %v", err)
	}
	for _, b := range r.App.Bindings() {
		switch b := b.(type) {
		case *app.Servers:
			r.Servers = b
		case *app.Tools:
			r.Tools = b
		case *app.Calls:
			r.Calls = b
		case *app.Approvals:
			r.Approvals = b
		case *app.Questions:
			r.Questions = b
		case *app.Lists:
			r.Lists = b
		case *app.Settings:
			r.Settings = b
		case *app.Rules:
			r.Rules = b
		}
	}
}

// Close ends the application. Closing twice does nothing.
func (r *Rig) Close() {
	if r.App == nil {
		return
	}
	ctx, done := context.WithTimeout(context.Background(), 20*time.Second)
	defer done()
	if err := r.App.Close(ctx); err != nil {
		r.T.Errorf("closing: %v", err)
	}
	r.App = nil
}

// For is the same rig reporting to a subtest. Do not restart it.
func (r *Rig) For(t testing.TB) *Rig {
	sub := *r
	sub.T = t
	return &sub
}

// Restart closes the application and starts it anew on the same folder.
func (r *Rig) Restart() {
	r.T.Helper()
	r.Close()
	r.Open()
}

// Get asks the application's asset handler.
func (r *Rig) Get(path, token string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, path, nil)
	if token != "" {
		req.Header.Set(app.TokenHeader, token)
	}
	rec := httptest.NewRecorder()
	r.handler.ServeHTTP(rec, req)
	return rec
}

// Advance moves the application's clock on.
func (r *Rig) Advance(d time.Duration) { r.clock.advance(d) }

type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// Window is a scripted window: it answers native questions and remembers what
// was asked of it. Safe to call together.
type Window struct {
	mu      sync.Mutex
	changed *sync.Cond
	seq     int64
	answer  bool
	asked   []string
	opened  []string
	choice  string
	broken  bool
}

func newWindow() *Window {
	w := &Window{}
	w.changed = sync.NewCond(&w.mu)
	return w
}

// Emit notes a change.
func (w *Window) Emit(app.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seq++
	w.changed.Broadcast()
}

// Confirm answers as AnswerWith said; no at first.
func (w *Window) Confirm(title, text string) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, title+"\n"+text)
	return w.answer, nil
}

// AnswerWith sets the answer to native questions.
func (w *Window) AnswerWith(yes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = yes
}

// Asked lists the native questions so far.
func (w *Window) Asked() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.asked...)
}

// ChooseFile gives what Choose set; nothing at first.
func (w *Window) ChooseFile(title string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, title)
	return w.choice, nil
}

// ChooseFolder is ChooseFile.
func (w *Window) ChooseFolder(title string) (string, error) { return w.ChooseFile(title) }

// SaveFile is ChooseFile.
func (w *Window) SaveFile(title, _ string) (string, error) { return w.ChooseFile(title) }

// Choose sets what native dialogs for files and folders give.
func (w *Window) Choose(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.choice = path
}

// OpenURL notes an address.
func (w *Window) OpenURL(address string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return errors.New("no browser")
	}
	w.opened = append(w.opened, address)
	return nil
}

// BreakBrowser makes OpenURL fail.
func (w *Window) BreakBrowser() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
}

// Opened lists the addresses that were opened.
func (w *Window) Opened() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.opened...)
}

// Until waits until ok is true, looking again at each change, and fails the
// test when that takes longer than a minute.
func (r *Rig) Until(what string, ok func() bool) {
	r.T.Helper()
	w := r.Window
	late := false
	limit := time.AfterFunc(time.Minute, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.changed.Broadcast()
	})
	defer limit.Stop()
	for {
		w.mu.Lock()
		before := w.seq
		w.mu.Unlock()
		if ok() {
			return
		}
		w.mu.Lock()
		for w.seq == before && !late {
			w.changed.Wait()
		}
		gone := late
		w.mu.Unlock()
		if gone {
			if ok() {
				return
			}
			r.T.Fatalf("waited in vain until %s", what)
		}
	}
}
