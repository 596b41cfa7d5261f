package servers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"countersign/mcpclient"
)

// Prepared is a launch that may be made: consented to, with its secrets filled
// in. It is handed back with every callback, untouched.
type Prepared struct {
	// Config without Gate and Events, which the supervisor sets. RememberedEra is
	// what an earlier run of the program knows; it counts until this run has
	// tried the same Fingerprint, which knows better (VER-15, VER-16).
	Config mcpclient.Config
	// Fingerprint of the launch. A list of tools is kept for one fingerprint
	// only (LIST-07, CACHE-09).
	Fingerprint string
	// Name of the server, and the Command as the person wrote it, for sentences.
	Name, Command string
	// Mask hides the launch's secrets in a text; it is applied to every log line
	// and reason before they are kept. Nil masks nothing.
	Mask func(string) string
	// Data is the caller's own.
	Data any
}

// Deps are the functions through which the supervisors reach the program. Only
// Prepare must be set. OnState is told every change of one server in order;
// otherwise callbacks of different kinds, and of different servers, may run
// together. They may call the Manager, but must not wait for Stop, Remove or
// Close there.
type Deps struct {
	// Prepare resolves the settings of a server into a launch, at each try. It
	// returns an *AttentionError where a person is needed, must end with ctx,
	// and may return a Prepared with only Name set beside an error.
	Prepare func(ctx context.Context, serverID string) (Prepared, error)
	// Gate is given to every client.
	Gate    mcpclient.Gate
	OnState func(Status)
	// OnTools: what Manager.Listing gives has changed.
	OnTools func(serverID string)
	// OnLog: there is a new line. It comes once a line, so merge.
	OnLog        func(serverID string)
	OnElicit     func(serverID string, e mcpclient.LegacyElicitation)
	OnElicitGone func(serverID, requestID string)
	OnAftermath  func(serverID string, a mcpclient.Aftermath)
	OnStarted    func(ctx context.Context, serverID string, p Prepared, info mcpclient.Info)
	// SaveListing keeps a new list. Its error becomes a warning of the list.
	SaveListing func(ctx context.Context, serverID string, p Prepared, list *mcpclient.ToolList, info mcpclient.Info) error
	// KeptListing gives the list that an earlier run of the program kept, and when
	// it was received, if this server under this launch would be asked for it in
	// vain: it is still fresh (CACHE-05). Asked before the first listing only.
	KeptListing func(ctx context.Context, serverID string, p Prepared, info mcpclient.Info) (list *mcpclient.ToolList, received time.Time, ok bool)
	// OnEnded is told once for each OnStarted; err is nil when it was stopped as
	// wanted.
	OnEnded func(serverID string, err error)
}

// ErrNotRunning: there is no connection to that server now.
var ErrNotRunning = errors.New("the server is not running")

// StillRunningError is what Close returns when servers did not stop in time.
// Their processes were killed as far as that goes.
type StillRunningError struct{ Servers []string }

// Error names the servers.
func (e *StillRunningError) Error() string {
	return fmt.Sprintf("still stopping: %s", strings.Join(e.Servers, ", "))
}

// conn is what a supervisor needs of a connection. *mcpclient.Client is one;
// tests of waiting and of faults have another.
type conn interface {
	Info() mcpclient.Info
	ListTools(ctx context.Context) (*mcpclient.ToolList, error)
	Done() <-chan struct{}
	Err() error
	Close(ctx context.Context) error
}

// Manager holds the supervisors. All methods are safe for concurrent use.
type Manager struct {
	deps    Deps
	connect func(ctx context.Context, cfg mcpclient.Config) (conn, error)
	hard    context.Context // its end makes every stop a quick one
	hurry   context.CancelFunc

	mu      sync.Mutex // guards what follows; taken before a supervisor's
	servers map[string]*supervisor
	eras    map[string]mcpclient.Era // by fingerprint; "" after a failure
	closed  bool
}

// New makes a Manager without servers. Close it.
func New(deps Deps) *Manager {
	m := &Manager{
		deps:    deps,
		servers: map[string]*supervisor{},
		eras:    map[string]mcpclient.Era{},
		connect: func(ctx context.Context, cfg mcpclient.Config) (conn, error) {
			c, err := mcpclient.Connect(ctx, cfg)
			if err != nil {
				return nil, err
			}
			return c, nil
		},
	}
	m.hard, m.hurry = context.WithCancel(context.Background())
	return m
}

// Start says that a server is wanted. It returns at once. Started again while
// it starts or runs, nothing happens; while it waits for its next try or for a
// person, it is tried now, and its former failures are forgotten. After Close
// nothing is started.
func (m *Manager) Start(id string) { m.order(id, (*supervisor).startLocked) }

// Restart is Start for a server that may be running: it is stopped first. It
// returns at once.
func (m *Manager) Restart(id string) { m.order(id, (*supervisor).restartLocked) }

func (m *Manager) order(id string, what func(*supervisor)) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	s := m.servers[id]
	if s == nil {
		s = newSupervisor(m, id)
		m.servers[id] = s
		go s.loop()
	}
	s.mu.Lock()
	what(s)
	s.mu.Unlock()
	m.mu.Unlock()
	s.deliver()
}

// Stop says that a server is not wanted, and waits until it has stopped or ctx
// has ended. Its state shows at once. It ends early, with nil, when somebody
// starts the server in the meantime.
func (m *Manager) Stop(ctx context.Context, id string) error {
	s := m.find(id)
	if s == nil {
		return nil
	}
	s.end(wantOff)
	return s.wait(ctx, func() bool { return s.want == wantOn || s.exited || s.status.State == Stopped && s.cancel == nil })
}

// Remove stops a server and forgets it, with its log and its list. It waits as
// Stop does.
func (m *Manager) Remove(ctx context.Context, id string) error {
	s := m.find(id)
	if s == nil {
		return nil
	}
	s.end(wantGone)
	return s.wait(ctx, func() bool { return s.want != wantGone || s.exited })
}

// Status gives the status of a server; one never started is Stopped.
func (m *Manager) Status(id string) Status {
	s := m.find(id)
	if s == nil {
		return Status{ServerID: id, State: Stopped}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// All gives the statuses of all servers that were started since they were last
// removed, by id.
func (m *Manager) All() []Status {
	var all []Status
	for _, s := range m.every() {
		s.mu.Lock()
		all = append(all, s.status)
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b Status) int { return strings.Compare(a.ServerID, b.ServerID) })
	return all
}

// Client gives the connection of a running server and the launch it was made
// with. The client stays the Manager's: do not close it. It may end at any
// time, and then its calls say so.
func (m *Manager) Client(id string) (*mcpclient.Client, Prepared, error) {
	s := m.find(id)
	if s == nil {
		return nil, Prepared{}, ErrNotRunning
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == nil {
		return nil, Prepared{}, ErrNotRunning
	}
	client, ok := s.link.conn.(*mcpclient.Client)
	if !ok {
		return nil, Prepared{}, ErrNotRunning
	}
	return client, s.link.prepared, nil
}

// Refresh lists the tools anew and waits for the outcome of a listing that
// began after the call, or for ctx.
func (m *Manager) Refresh(ctx context.Context, id string) error {
	s := m.find(id)
	if s == nil {
		return ErrNotRunning
	}
	return s.refresh(ctx)
}

// Listing gives the list of tools that was received last from the launch now
// or last started, nil if there is none; when it was received; whether it is
// live: of the connection that runs now, and not announced as changed since
// (CACHE-10); and a warning for a person, for instance that it could not be
// renewed (CACHE-07). The list is shared: do not change it.
func (m *Manager) Listing(id string) (list *mcpclient.ToolList, received time.Time, live bool, warning string) {
	s := m.find(id)
	if s == nil {
		return nil, time.Time{}, false, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.listing
	return l.list, l.received, l.link != nil && l.link == s.link && l.notices == s.link.notices, l.warning
}

// Log gives the lines after line number after (0: from the oldest kept), and
// how many of those are no longer kept. 512 KiB a server are.
func (m *Manager) Log(id string, after int64) (lines []Line, dropped int64) {
	s := m.find(id)
	if s == nil {
		return nil, 0
	}
	return s.log.after(after)
}

// Note writes a line of the program into a server's log. It does nothing for one
// that was never started.
func (m *Manager) Note(id, level, text string) {
	if s := m.find(id); s != nil {
		s.note(level, nil, "%s", text)
	}
}

// Close stops all servers together and waits for them. Shortly before ctx's
// deadline, or when ctx ends, those left are killed without further grace. The
// error is nil or a *StillRunningError. It may be called again to wait longer.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	all := m.every()
	for _, s := range all {
		s.end(wantGone)
	}
	defer m.hurry()
	defer context.AfterFunc(ctx, m.hurry)()
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		timer := time.AfterFunc(left-min(left/4, time.Second), m.hurry)
		defer timer.Stop()
	}
	var late []string
	for _, s := range all {
		if s.wait(ctx, func() bool { return s.exited }) != nil {
			late = append(late, s.id)
		}
	}
	if len(late) > 0 {
		slices.Sort(late)
		return &StillRunningError{Servers: late}
	}
	return nil
}

func (m *Manager) find(id string) *supervisor {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.servers[id]
}

func (m *Manager) every() []*supervisor {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*supervisor
	for _, s := range m.servers {
		all = append(all, s)
	}
	return all
}

// era gives what this run knows of a fingerprint; known is false before the
// first try.
func (m *Manager) era(fingerprint string) (era mcpclient.Era, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	era, known = m.eras[fingerprint]
	return era, known
}

func (m *Manager) remember(fingerprint string, era mcpclient.Era) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.eras[fingerprint] = era
}
