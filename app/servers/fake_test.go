package servers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"countersign/mcpclient"
)

// fakeConn is a connection without a server, for faults and for waiting in
// synctest's time. Real processes are in process_test.go.
type fakeConn struct {
	cfg  mcpclient.Config
	done chan struct{}
	once sync.Once

	mu     sync.Mutex
	err    error
	list   func(ctx context.Context) (*mcpclient.ToolList, error)
	listed int
	closed int
	stuck  chan struct{} // Close waits for it, or for its context
	info   mcpclient.Info
}

func (c *fakeConn) Info() mcpclient.Info  { return c.info }
func (c *fakeConn) Done() <-chan struct{} { return c.done }

func (c *fakeConn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *fakeConn) ListTools(ctx context.Context) (*mcpclient.ToolList, error) {
	c.mu.Lock()
	c.listed++
	list := c.list
	c.mu.Unlock()
	if list == nil {
		return &mcpclient.ToolList{}, nil
	}
	return list(ctx)
}

func (c *fakeConn) listings() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.listed
}

func (c *fakeConn) setList(list func(ctx context.Context) (*mcpclient.ToolList, error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = list
}

// end is the server ending by itself.
func (c *fakeConn) end(err error) {
	c.once.Do(func() {
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
		close(c.done)
	})
}

func (c *fakeConn) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed++
	stuck := c.stuck
	c.mu.Unlock()
	if stuck != nil {
		select {
		case <-stuck:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c.end(nil)
	return nil
}

// rig is a Manager over fakes, with a record of what it told.
type rig struct {
	t *testing.T
	*Manager

	mu      sync.Mutex
	prepare func(ctx context.Context, id string) (Prepared, error)
	dial    func(ctx context.Context, cfg mcpclient.Config) (*fakeConn, error)
	conns   []*fakeConn
	told    map[string][]Status
	tools   int
	started atomic.Int64
	ended   []error
}

var errExit = &mcpclient.ExitError{Code: 7, Stderr: "missing TOKEN\n"}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, told: map[string][]Status{}}
	r.Manager = New(Deps{
		Prepare: func(ctx context.Context, id string) (Prepared, error) {
			r.mu.Lock()
			prepare := r.prepare
			r.mu.Unlock()
			if prepare != nil {
				return prepare(ctx, id)
			}
			return stdioLaunch(id, "f1"), nil
		},
		OnState:   r.onState,
		OnTools:   func(string) { r.mu.Lock(); r.tools++; r.mu.Unlock() },
		OnStarted: func(context.Context, string, Prepared, mcpclient.Info) { r.started.Add(1) },
		OnEnded:   func(_ string, err error) { r.mu.Lock(); r.ended = append(r.ended, err); r.mu.Unlock() },
	})
	r.connect = func(ctx context.Context, cfg mcpclient.Config) (conn, error) {
		r.mu.Lock()
		dial := r.dial
		r.mu.Unlock()
		if dial == nil {
			dial = dialFake
		}
		c, err := dial(ctx, cfg)
		if err != nil {
			return nil, err
		}
		r.mu.Lock()
		r.conns = append(r.conns, c)
		r.mu.Unlock()
		return c, nil
	}
	return r
}

// set changes how launches are prepared and made, while supervisors run.
func (r *rig) set(prepare func(context.Context, string) (Prepared, error), dial func(context.Context, mcpclient.Config) (*fakeConn, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prepare, r.dial = prepare, dial
}

func dialFake(_ context.Context, cfg mcpclient.Config) (*fakeConn, error) {
	return &fakeConn{cfg: cfg, done: make(chan struct{}),
		info: mcpclient.Info{Era: mcpclient.EraModern, Version: mcpclient.ModernVersion, PID: 4711,
			ServerInfo: mcpclient.Implementation{Name: "weather", Version: "1"}}}, nil
}

func stdioLaunch(name, fingerprint string) Prepared {
	return Prepared{Name: name, Fingerprint: fingerprint,
		Config: mcpclient.Config{Stdio: &mcpclient.StdioConfig{Path: "/usr/bin/" + name}}}
}

func httpLaunch(name string) Prepared {
	return Prepared{Name: name, Fingerprint: "h",
		Config: mcpclient.Config{HTTP: &mcpclient.HTTPConfig{URL: "http://127.0.0.1:9/mcp"}}}
}

// onState checks every change that is told against the table.
func (r *rig) onState(st Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := Stopped
	if told := r.told[st.ServerID]; len(told) > 0 {
		before = told[len(told)-1].State
	}
	if !allowed(before, st.State) {
		r.t.Errorf("told %s after %s", st.State, before)
	}
	if (st.State == Attention) != (st.Code != "" && st.NextTry.IsZero() && st.Code != CodeDeaf) || st.Code == CodeDeaf && st.State != Running {
		r.t.Errorf("status %+v: attention and its code do not agree", st)
	}
	if st.State == Running && (st.PID == 0 || st.Version == "") {
		r.t.Errorf("status %+v: running without its facts", st)
	}
	r.told[st.ServerID] = append(r.told[st.ServerID], st)
}

// states are the states told of a server, without repetition.
func (r *rig) states(id string) []State {
	r.mu.Lock()
	defer r.mu.Unlock()
	var states []State
	for _, st := range r.told[id] {
		states = append(states, st.State)
	}
	return slices.Compact(states)
}

func (r *rig) last() *fakeConn {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.conns) == 0 {
		r.t.Fatal("nothing was connected")
	}
	return r.conns[len(r.conns)-1]
}

func (r *rig) connected() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.conns)
}

func (r *rig) toldTools() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tools
}

func (r *rig) want(id string, state State) Status {
	r.t.Helper()
	st := r.Status(id)
	if st.State != state {
		r.t.Fatalf("%s is %s (%s), want %s", id, st.State, st.Reason, state)
	}
	return st
}

// close ends the Manager and looks that each connection was closed and each
// start ended.
func (r *rig) close() {
	r.t.Helper()
	if err := r.Close(context.Background()); err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range r.conns {
		if c.closed != 1 {
			r.t.Errorf("connection %d of %d was closed %d times", i+1, len(r.conns), c.closed)
		}
	}
	if int(r.started.Load()) != len(r.conns) || len(r.ended) != len(r.conns) {
		r.t.Errorf("%d connections, %d starts and %d ends told", len(r.conns), r.started.Load(), len(r.ended))
	}
	if all := r.All(); len(all) != 0 {
		r.t.Errorf("after the end there is still %v", all)
	}
}

func tools(names ...string) *mcpclient.ToolList {
	list := &mcpclient.ToolList{}
	for _, name := range names {
		list.Tools = append(list.Tools, []byte(fmt.Sprintf(`{"name":%q}`, name)))
	}
	return list
}

func names(list *mcpclient.ToolList) []string {
	var all []string
	if list != nil {
		for _, tool := range list.Tools {
			all = append(all, string(tool))
		}
	}
	return all
}

var errLater = errors.New("server error -32603: later")
