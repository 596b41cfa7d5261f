package mcpclient

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"countersign/mcpclient/jsonrpc"
)

const (
	// sideTime bounds a goodbye or an answer sent on the side.
	sideTime = 5 * time.Second
	// sideQueue bounds those that wait.
	sideQueue = 64
	// maxErrorBody is how much of an error's body is read.
	maxErrorBody = 1 << 20
)

// httpTransport speaks Streamable HTTP: each message is a POST of its own and
// its answer comes as one JSON object or as an event stream (HTTP-01..HTTP-06).
// A request that waits is known by its id in pending, whatever stream its answer
// comes on. Goroutines: one for each request in flight, one for messages on the
// side and, for a legacy session, one for the stream of server messages and now
// and then one that begins a lost session anew.
//
// It speaks HTTP+SSE of 2024-11-05 too, once openOld found an endpoint: messages
// are posted there, and all answers come on the one stream (LEG-24).
type httpTransport struct {
	cfg      *Config
	tuning   tuning
	events   *dispatcher
	incoming func(jsonrpc.Message)
	late     func(int64, jsonrpc.Message)
	client   *http.Client
	// streams has connections of its own: giving up a stream in the instant in
	// which its connection goes back to the others can end what they carry.
	streams *http.Client
	ctx     context.Context // ends with close
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	side    chan *exchange
	// anew makes the handshake of a session once more.
	anew func(context.Context) error

	era      atomic.Value // Era
	version  atomic.Value // string: the header's value, "" for none
	session  atomic.Value // string: Mcp-Session-Id of a legacy session
	url      atomic.Value // string: the address; redirects may move it
	endpoint atomic.Value // string: where HTTP+SSE takes messages, "" for other servers
	used     atomic.Bool  // the session has answered a request

	mu         sync.Mutex
	pending    map[int64]*httpWait
	strayWhy   string // what was wrong with the last answer that was no request's
	failure    error
	standing   bool               // Connect is through
	generation int                // counts sessions
	renewal    chan struct{}      // closed at the end of a renewal; nil when there is none
	stopStream context.CancelFunc // ends the stream of server messages
	hops       int                // redirects that were followed
	renewals   []time.Time        // of late
	ended      chan struct{}
	once       sync.Once
}

func newHTTP(cfg *Config, tuning tuning, events *dispatcher, incoming func(jsonrpc.Message), late func(int64, jsonrpc.Message)) (*httpTransport, error) {
	if err := checkHTTP(cfg.HTTP, events); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	client, err := newHTTPClient(cfg.HTTP)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	streams := *client
	streams.Transport = client.Transport.(*http.Transport).Clone()
	t := &httpTransport{
		cfg: cfg, tuning: tuning, events: events, incoming: incoming, late: late, client: client, streams: &streams,
		side:       make(chan *exchange, sideQueue),
		pending:    make(map[int64]*httpWait),
		stopStream: func() {},
		ended:      make(chan struct{}),
	}
	t.era.Store(Era(""))
	t.version.Store("")
	t.session.Store("")
	t.url.Store(cfg.HTTP.URL)
	t.endpoint.Store("")
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t, nil
}

func (t *httpTransport) start() { t.wg.Go(t.sideLoop) }

func (t *httpTransport) pid() int              { return 0 }
func (t *httpTransport) done() <-chan struct{} { return t.ended }

// address is where messages are posted.
func (t *httpTransport) address() string {
	if endpoint := t.endpoint.Load().(string); endpoint != "" {
		return endpoint
	}
	return t.url.Load().(string)
}

func (t *httpTransport) err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failure
}

func (t *httpTransport) agreed(era Era, version string) {
	t.era.Store(era)
	if era == EraModern || version >= "2025-06-18" { // LEG-05
		t.version.Store(version)
	}
}

// established opens the legacy stream of server messages (LEG-13), and waits a
// little until it stands: some servers drop what they want to ask on it when a
// call comes sooner.
func (t *httpTransport) established() {
	opened := t.openSide()
	if opened == nil {
		return
	}
	timer := time.NewTimer(t.tuning.streamGrace)
	defer timer.Stop()
	select {
	case <-opened:
	case <-t.ended:
	case <-timer.C:
	}
}

// openSide starts to hold the stream where there may be one. What it returns is
// closed when the server has answered.
func (t *httpTransport) openSide() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.standing = true
	if t.failure != nil || t.era.Load() != EraLegacy || t.isOld() {
		return nil
	}
	ctx, stop := context.WithCancel(t.ctx)
	t.stopStream = stop
	opened := make(chan struct{})
	t.wg.Go(func() { t.keepStream(ctx, sync.OnceFunc(func() { close(opened) })) })
	return opened
}

// fail ends the transport and every request that waits.
func (t *httpTransport) fail(err error) {
	t.mu.Lock()
	if t.failure != nil {
		t.mu.Unlock()
		return
	}
	t.failure = err
	close(t.ended)
	waiting := slices.Collect(maps.Values(t.pending))
	t.mu.Unlock()
	for _, w := range waiting {
		w.settle(reply{}, &LostError{err})
	}
}

func (t *httpTransport) close(ctx context.Context) error {
	t.once.Do(func() {
		gone := t.err() != nil
		t.fail(ErrClosed)
		t.cancel()
		t.wg.Wait()
		if !gone {
			t.deleteSession(ctx)
		}
		t.client.CloseIdleConnections()
		t.streams.CloseIdleConnections()
	})
	return nil
}

// deleteSession tells a legacy server that we are done (LEG-09). Whatever it
// answers is fine.
func (t *httpTransport) deleteSession(ctx context.Context) {
	if t.session.Load() == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(sideTime, t.cfg.StopGrace))
	defer cancel()
	req, err := newRequest(ctx, http.MethodDelete, t.address(), t.headers(&exchange{}, ""), nil)
	if err != nil {
		return
	}
	if resp, err := t.client.Do(req); err == nil {
		_ = resp.Body.Close()
	}
}

// headers are all that we set on a request. Configured ones cannot replace those
// of the protocol.
func (t *httpTransport) headers(x *exchange, accept string) []Header {
	var list []Header
	add := func(name, value string) { list = append(list, Header{name, value}) }
	if accept != "" {
		add("Accept", accept)
	}
	if x.frame != nil {
		add("Content-Type", "application/json")
	}
	if x.modern {
		add("Mcp-Protocol-Version", ModernVersion)
		add("Mcp-Method", x.method)
		if x.name != "" {
			add("Mcp-Name", headerValue(x.name))
		}
		list = append(list, x.params...)
	} else if !x.opening {
		if v := t.version.Load().(string); v != "" {
			add("Mcp-Protocol-Version", v)
		}
		if s := t.session.Load().(string); s != "" {
			add("Mcp-Session-Id", s)
		}
	}
	agent := true
	for _, h := range t.cfg.HTTP.Headers {
		if reserved(h.Name) {
			continue
		}
		list = append(list, h)
		agent = agent && !strings.EqualFold(h.Name, "User-Agent")
	}
	if agent {
		add("User-Agent", "countersign")
	}
	return list
}

// reserved tells the headers that are the protocol's or the transport's.
func reserved(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "accept", "content-type", "content-length", "transfer-encoding", "connection", "host", "last-event-id", "accept-encoding":
		return true
	}
	return strings.HasPrefix(name, "mcp-")
}

// newRequest builds a request to an address, used verbatim.
func newRequest(ctx context.Context, method, address string, headers []Header, frame []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	if frame != nil {
		// Of this type the library knows that it lies in memory, and writes the
		// headers with it at once. There is no GetBody: it is not to be replayed.
		req.Body = io.NopCloser(bytes.NewReader(frame))
		req.ContentLength = int64(len(frame))
	}
	for _, h := range headers {
		// Set directly: the library would change the spelling of a name.
		key := http.CanonicalHeaderKey(h.Name)
		req.Header[key] = append(req.Header[key], h.Value)
	}
	return req, nil
}
