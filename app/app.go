package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"countersign/app/calls"
	"countersign/app/icons"
	"countersign/app/launch"
	"countersign/app/secrets"
	"countersign/app/servers"
	"countersign/store"
)

// Window is what the application asks of the window that it lives in. Calls
// may block until the person answers.
type Window interface {
	// Emit tells the page of a change.
	Emit(Change)
	// Confirm raises a native question whose default is no.
	Confirm(title, text string) (bool, error)
	// ChooseFile and ChooseFolder raise a native dialog and give the absolute path
	// that the person chose, "" for none.
	ChooseFile(title string) (string, error)
	ChooseFolder(title string) (string, error)
	// SaveFile asks where to save a file that has a name to begin with.
	SaveFile(title, name string) (string, error)
	// OpenURL opens an address in the system's browser.
	OpenURL(address string) error
}

// Options is what an application is made of.
type Options struct {
	DataDir string // exists and is locked for this process
	Version string
	Dev     bool // a development build: the page may be loaded many times
	// AwaitPage holds back every child until the page has greeted, or has not
	// for fifteen seconds; see sealed.go.
	AwaitPage bool
	Window    Window        // required
	Secrets   secrets.Store // nil: the system keyring
	Log       *slog.Logger  // nil: none
	Now       func() time.Time
}

// App is the whole application without its window. New only remembers;
// Start opens and starts everything, Close ends it the other way round.
type App struct {
	opt   Options
	log   *slog.Logger
	token *launchToken
	mask  *masking

	store     *store.Store
	secrets   secrets.Store
	env       *lazyEnv
	key       []byte // of launch fingerprints
	config    *serverConfigs
	catalog   *catalog
	manager   *servers.Manager
	road      *calls.Road
	icons     *iconKeeper
	results   *results
	settings  *settingsKeeper
	notices   *noticeBoard
	events    *publisher
	undo      *undoBin
	picked    pickedFiles
	toldRoots toldRoots
	readOnce  sync.Mutex
	trust     *trustBook
	vouched   atomic.Bool // for the built-in tools, in this run
	replay    replay

	changesMu sync.Mutex
	changes   map[toolKey][]time.Time // of definitions, lately
	scans     scans
	lists     callLists

	refusedCalls atomic.Int64 // calls over the bridge without the token

	ready  chan struct{} // closed when Start has succeeded or failed
	pageUp chan struct{} // closed when the page has greeted
	greet  sync.Once
	mu     sync.Mutex
	ctx    context.Context // of the running application; nil before Start
	stop   context.CancelFunc
	work   sync.WaitGroup
}

// New makes an application. It opens, starts and writes nothing.
func New(opt Options) *App {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	a := &App{opt: opt, log: opt.Log, token: newLaunchToken(opt.Dev), catalog: newCatalog(), notices: newNoticeBoard(), mask: newMasking(), ready: make(chan struct{}), pageUp: make(chan struct{})}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.results = &results{app: a}
	return a
}

// startLimit is how long a call over the bridge waits for Start.
const startLimit = 30 * time.Second

// running gives the application's context. It waits for Start to end; after
// Close, and where Start failed, it is an error.
func (a *App) running() (context.Context, error) {
	select {
	case <-a.ready:
	case <-time.After(startLimit):
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx == nil {
		return nil, &Error{Code: CodeUnavailable, Message: "Countersign has not started."}
	}
	if a.ctx.Err() != nil {
		return nil, &Error{Code: CodeUnavailable, Message: "Countersign is closing."}
	}
	return a.ctx, nil
}

// DatabaseName is the name of the database in the data folder.
const DatabaseName = "countersign.db"

// Start opens the data, takes up what an earlier run left, and starts the
// enabled servers in the background. Errors are worded for a person.
func (a *App) Start(parent context.Context) error {
	defer close(a.ready)
	ctx, stop := context.WithCancel(context.WithoutCancel(parent))
	a.stop = stop
	a.events = newPublisher(a.opt.Window.Emit)
	if err := a.openStore(ctx); err != nil {
		stop()
		return err
	}
	a.secrets = a.opt.Secrets
	if a.secrets == nil {
		a.secrets = secrets.Open(keyringNamespace(a.opt.DataDir))
	}
	var err error
	if a.key, err = secrets.LaunchKey(a.secrets, a.opt.DataDir); err != nil {
		return errors.Join(fmt.Errorf("reading the key of launch fingerprints: %w", err), a.closeStore())
	}
	a.env = &lazyEnv{ctx: ctx}
	if err := a.load(ctx); err != nil {
		return errors.Join(err, a.closeStore())
	}
	if err := a.loadTrust(ctx); err != nil {
		return errors.Join(err, a.closeStore())
	}
	a.build()
	if err := a.road.Recover(ctx); err != nil {
		return errors.Join(err, a.closeStore())
	}
	a.mu.Lock()
	a.ctx = ctx
	a.mu.Unlock()
	for _, s := range a.config.withDeleted() {
		if !s.row.Deleted.IsZero() {
			a.purgeSecrets(s.row.ID) // the program ended before the undo time did
		}
	}
	a.endOrphans(ctx, a.findOrphans(ctx))
	if a.opt.AwaitPage {
		a.background(func(ctx context.Context) { a.startWhenPageIsUp(ctx) })
	} else {
		a.startEnabled()
	}
	a.background(a.indexHistory)
	if a.store.Large() {
		a.background(a.checkStore)
	}
	a.background(func(ctx context.Context) {
		for _, s := range a.config.all() {
			if l, ok := a.catalog.get(s.row.ID); ok {
				a.icons.want(ctx, s.row.ID, l, false)
			}
		}
	})
	return nil
}

// startEnabled starts every server that is to run.
func (a *App) startEnabled() {
	for _, s := range a.config.all() {
		if s.row.Enabled {
			a.manager.Start(s.row.ID)
		}
	}
}

// pageLimit is how long the servers wait for the page.
const pageLimit = 15 * time.Second

func (a *App) startWhenPageIsUp(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-a.pageUp:
	case <-time.After(pageLimit):
		a.log.Warn("the page did not load in time; the servers are started without it")
	}
	a.startEnabled()
}

// lazyEnv asks for the environment of children when it is first needed, since
// that starts the login shell. Safe to call together.
type lazyEnv struct {
	ctx context.Context

	once sync.Once
	base *launch.BaseEnv
}

func (e *lazyEnv) get() *launch.BaseEnv {
	e.once.Do(func() { e.base = launch.NewBaseEnv(e.ctx) })
	return e.base
}

// close ends what get began.
func (e *lazyEnv) close() {
	e.once.Do(func() {})
	if e.base != nil {
		e.base.Close()
	}
}

// openStore opens the database; a damaged one is set aside, told, and a new
// one begun.
func (a *App) openStore(ctx context.Context) error {
	path := filepath.Join(a.opt.DataDir, DatabaseName)
	s, err := store.Open(ctx, store.Options{Path: path, Now: a.opt.Now})
	var damaged *store.DamagedError
	if errors.As(err, &damaged) {
		a.notices.add("error", "The database was damaged and has been set aside as "+damaged.MovedTo+". Countersign began a new one.",
			"Nothing was deleted. Restore a backup, or keep the file: it may be repaired with the sqlite3 program.")
		s, err = store.Open(ctx, store.Options{Path: path, Now: a.opt.Now})
	}
	if err != nil {
		return fmt.Errorf("the data in %s cannot be opened: %w", a.opt.DataDir, err)
	}
	a.store = s
	return nil
}

func (a *App) closeStore() error {
	a.stop()
	return a.store.Close()
}

// load reads what the parts begin with.
func (a *App) load(ctx context.Context) error {
	var err error
	if a.settings, err = loadSettings(ctx, a.store); err != nil {
		return err
	}
	if a.config, err = loadServers(ctx, a.store); err != nil {
		return err
	}
	if err := a.config.ensureDemo(ctx, a.store); err != nil {
		return err
	}
	a.refreshMask()
	for _, s := range a.config.all() {
		if len(s.secretNames()) > 0 {
			a.warnNoKeyring()
		}

		if l, ok := a.cachedListing(ctx, s.row.ID); ok {
			a.catalog.set(s.row.ID, l)
		}
	}
	return nil
}

// build wires the parts.
func (a *App) build() {
	a.icons = newIconKeeper(a, &icons.Fetcher{})
	a.undo = newUndoBin(a)
	a.road = calls.New(calls.Deps{
		Store: a.store, Server: a.config.name, Validate: validate, Mask: a.mask.bytes,
		Tool:    a.toolToCall,
		Conn:    a.connection,
		Checked: a.checkedListing,
		Relist:  func(ctx context.Context, serverID string) error { return a.manager.Refresh(ctx, serverID) },
		Deadline: func() time.Duration {
			return time.Duration(a.settings.get().ApprovalDeadlineSeconds) * time.Second
		},
		Judge: a.judge, Spend: a.spend,
		Stands: func(ruleID string) bool { return a.trust.stands(ruleID, a.clock()) },
		Limits: a.config.limits, Roots: a.rootsAnswer, Paused: a.settings.paused, Now: a.opt.Now,
		Trouble: func(text string, err error) {
			a.log.Error(text, slog.String("error", a.mask.text(err.Error())))
			a.notices.add("error", text+": "+a.mask.text(err.Error())+".", "")
			a.events.publish(TopicSettings, "")
		},
		Changed: a.callChanged,
	})
	a.manager = servers.New(a.supervision())
}

// loadTrust reads what the person trusts, and tells what somebody else put there.
func (a *App) loadTrust(ctx context.Context) error {
	a.changes = map[toolKey][]time.Time{}
	a.trust = newTrustBook(a.store, a.key, uuid.NewString())
	if err := a.trust.load(ctx); err != nil {
		return err
	}
	if n := a.trust.strange; n > 0 {
		a.notices.add("error", fmt.Sprintf("The database holds %d records of rules or reviews that Countersign did not write. They allow nothing, and calls that they speak about ask.", n),
			"Another program can write into "+a.opt.DataDir+". Look at Rules, and find out which.")
	}
	return nil
}

// toolToCall finds a tool for the road. One on hold cannot be called.
func (a *App) toolToCall(serverID, name string) (calls.Tool, bool) {
	e, ok := a.catalog.tool(serverID, name)
	if ok && e.Hidden == "" && a.toolTrust(serverID, e) == onHold {
		e.Hidden = "its definition changed three times within a minute: review it on the tool's page first"
	}
	return e.Tool, ok
}

// callChanged passes a change of a call on to the page.
func (a *App) callChanged(topic, id string) {
	a.events.publish(topic, id)
	if topic == calls.TopicCalls {
		a.lists.changed(id)
		a.events.publish(TopicHistory, id)
	}
}

// background runs fn on a goroutine that Close awaits.
func (a *App) background(fn func(ctx context.Context)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx == nil || a.ctx.Err() != nil {
		return
	}
	ctx := a.ctx
	a.work.Go(func() { fn(ctx) })
}

// checkStore checks a file that was too large to be checked before the start.
func (a *App) checkStore(ctx context.Context) {
	if err := a.store.Check(ctx); err != nil && ctx.Err() == nil {
		a.log.Error("the database is not sound", slog.String("error", err.Error()))
		a.notices.add("error", "The database is not sound: "+err.Error()+".", "Copy "+a.opt.DataDir+" now. At the next start the file is set aside and a new one begun.")
		a.events.publish(TopicSettings, "")
	}
}

// indexHistory lets the text search catch up. It runs off the road.
func (a *App) indexHistory(ctx context.Context) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		for ctx.Err() == nil {
			left, err := a.store.IndexPending(ctx)
			if err != nil && ctx.Err() == nil {
				a.log.Error("the text search could not catch up", slog.String("error", err.Error()))
			}
			if err != nil || left == 0 {
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Close ends calls and servers, then closes the data. It keeps going past a
// failure and says at the end what was still running when ctx ended.
func (a *App) Close(ctx context.Context) error {
	a.mu.Lock()
	started := a.ctx != nil
	a.mu.Unlock()
	if !started {
		return nil
	}
	a.lists.stop()
	err := a.undo.close(ctx)
	err = errors.Join(err, a.road.Close(ctx))
	err = errors.Join(err, a.manager.Close(ctx))
	a.stop()
	a.work.Wait()
	a.env.close()
	a.events.close()
	return errors.Join(err, a.store.Close())
}

// keyringNamespace keeps the secrets of different data folders apart.
func keyringNamespace(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return namespaceOf(dir)
}
