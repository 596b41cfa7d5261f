package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// legacyVersions are the revisions with a handshake that we speak, newest first.
var legacyVersions = []string{LegacyVersion, "2025-06-18", "2025-03-26", "2024-11-05"}

// allVersions is what an error about versions names.
var allVersions = append([]string{ModernVersion}, legacyVersions...)

// The codes that only a modern server gives (VER-06, VER-12, GAP-13).
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// Connect starts the child or contacts the server, finds out the era and opens
// the session. On an error nothing is left running. A child that ends at the
// probe is started once more and asked in the legacy way, since some servers
// end at any first message but initialize.
func Connect(ctx context.Context, cfg Config) (*Client, error) {
	return connect(ctx, cfg, defaultTuning)
}

func connect(ctx context.Context, cfg Config, tuning tuning) (*Client, error) {
	if (cfg.Stdio == nil) == (cfg.HTTP == nil) {
		return nil, errors.New("connect: exactly one of Stdio and HTTP must be set")
	}
	cfg.ProbeTimeout = orDefault(cfg.ProbeTimeout, 5*time.Second)
	cfg.RequestTimeout = orDefault(cfg.RequestTimeout, 30*time.Second)
	cfg.StopGrace = orDefault(cfg.StopGrace, 3*time.Second)
	if cfg.MaxMessageBytes == 0 {
		cfg.MaxMessageBytes = 256 << 20
	}
	c := &Client{
		cfg: cfg, tuning: tuning, events: newDispatcher(cfg.Events),
		closed:  make(chan struct{}),
		running: make(map[int64]*running), questions: make(map[string]*question),
		outside:  make(map[string]bool),
		followed: make(map[int64]*followed),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	err := c.openTransport()
	if err == nil {
		err = c.open(ctx)
	}
	if err != nil {
		c.cancel()
		if c.tr != nil {
			// The ladder has its own limits; ctx may be over already.
			_ = c.tr.close(context.WithoutCancel(ctx))
		}
		c.wg.Wait()
		c.events.close()
		return nil, err
	}
	c.info.PID = c.tr.pid()
	c.tr.established()
	c.startListening()
	c.wg.Go(c.watch)
	return c, nil
}

// openTransport sets c.tr, on success only.
func (c *Client) openTransport() error {
	onOwnStream := func(m jsonrpc.Message) { c.incoming(m, nil) }
	if c.cfg.HTTP != nil {
		t, err := newHTTP(&c.cfg, c.tuning, c.events, onOwnStream, c.late)
		if err == nil {
			t.anew = c.anew
			c.tr = t
			c.tr.start()
		}
		return err
	}
	t, err := startStdio(&c.cfg, c.events, onOwnStream, c.late)
	if err == nil {
		c.tr = t
		c.tr.start()
	}
	return err
}

// watch ends what hangs on a connection that ended by itself.
func (c *Client) watch() {
	select {
	case <-c.ctx.Done():
	case <-c.tr.done():
		c.cancel()
		c.dropQuestions(func(*question) bool { return true })
	}
	c.unfollowAll()
}

// open finds out the era and opens the session (VER-05, VER-10).
func (c *Client) open(ctx context.Context) error {
	if c.cfg.RememberedEra == EraLegacy {
		return c.openLegacyFirst(ctx)
	}
	why, err := c.probe(ctx)
	if why == "" {
		return err
	}
	c.fallback("server/discover (%s): %s", ModernVersion, why)
	if err := c.relaunchAfterProbe(); err != nil {
		return err
	}
	err = c.handshake(ctx)
	late := c.probeAnsweredLate()
	switch {
	case err == nil && late:
		c.info.Remember = EraModern // with more patience next time
	case late && ctx.Err() == nil:
		// A modern server that was slow to start; it is awake now.
		c.fallback("initialize: %v", strings.TrimPrefix(err.Error(), "connect: initialize: "))
		c.cfg.RememberedEra = EraModern
		if why, err = c.probe(ctx); why == "" {
			return err
		}
		return fmt.Errorf("connect: server/discover, asked again: %s", why)
	case err != nil:
		return fmt.Errorf("%w (before that, server/discover: %s)", err, why)
	}
	return nil
}

// openLegacyFirst spares the probe; it is made after all when the server does not
// behave as it did (VER-16).
func (c *Client) openLegacyFirst(ctx context.Context) error {
	err := c.handshake(ctx)
	if err == nil {
		return nil
	}
	var rpc *RPCError
	var version *VersionError
	if !errors.As(err, &rpc) && !errors.As(err, &version) {
		if why, _ := c.judgeSilence(ctx, err); why == "" {
			return err
		}
	}
	c.fallback("initialize, as remembered: %v", strings.TrimPrefix(err.Error(), "connect: initialize: "))
	if err := c.relaunchAfterProbe(); err != nil {
		return err
	}
	why, probeErr := c.probe(ctx)
	if why == "" {
		return probeErr
	}
	return fmt.Errorf("%w (after that, server/discover: %s)", err, why)
}

// probeAnsweredLate reports whether the probe, given up, was answered after all as
// a modern server does.
func (c *Client) probeAnsweredLate() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lateModern
}

func (c *Client) fallback(format string, args ...any) {
	c.info.Fallbacks = append(c.info.Fallbacks, clip(fmt.Sprintf(format, args...), 512))
}

// relaunchAfterProbe starts a child again that did not survive the probe.
func (c *Client) relaunchAfterProbe() error {
	t, ok := c.tr.(*stdioTransport)
	if !ok || t.err() == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*c.cfg.StopGrace)
	defer cancel()
	_ = t.close(ctx) // it has ended already
	return c.openTransport()
}

// probe asks server/discover. An empty why means that the matter is decided: the
// session is modern, or err says why there is none. Else the server is taken for
// a legacy one, and why says so.
func (c *Client) probe(ctx context.Context) (why string, err error) {
	why, err = c.askDiscover(ctx)
	var version *VersionError
	if errors.As(err, &version) && slices.Contains(version.Theirs, ModernVersion) {
		// VER-01: it is ours and theirs, whatever was refused; once.
		c.events.note("the server refused protocol version %s and named it as supported: it is asked once more", ModernVersion)
		return c.askDiscover(ctx)
	}
	return why, err
}

func (c *Client) askDiscover(ctx context.Context) (why string, err error) {
	limit := c.cfg.ProbeTimeout
	if c.cfg.RememberedEra == EraModern {
		limit = c.cfg.RequestTimeout
	}
	c.meta = metaPrefix(&c.cfg, ModernVersion)
	rep, err := c.doAgain(ctx, func() *exchange {
		x := c.newExchange("server/discover", "", limit)
		x.opening, x.keep = true, true
		c.mu.Lock()
		c.probeID = x.id
		c.mu.Unlock()
		return x
	})
	if err != nil {
		why, err = c.judgeSilence(ctx, err)
	} else {
		why, err = c.judgeAnswer(&rep.msg)
	}
	if why != "" {
		c.meta = nil
	}
	return why, err
}

// judgeSilence decides what a probe without an answer means (VER-07, VER-13).
func (c *Client) judgeSilence(ctx context.Context, err error) (why string, _ error) {
	err = bare(err)
	var timeout *TimeoutError
	var page *HTTPError
	var exit *ExitError
	var invalid *InvalidResponseError
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &timeout):
		return err.Error(), nil
	case errors.As(err, &page):
		if maybeLegacy(page) {
			return err.Error(), nil
		}
	case errors.As(err, &exit):
		if t, ok := c.tr.(*stdioTransport); ok && !t.answered.Load() {
			return err.Error(), nil
		}
	case errors.As(err, &invalid):
		return err.Error(), nil
	}
	return "", fmt.Errorf("connect: %w", err)
}

// maybeLegacy tells whether a status without a modern body can come from a
// legacy server: any 4xx that is not about a sign-in, and what frameworks make
// of an error in the handler.
func maybeLegacy(e *HTTPError) bool {
	switch e.Status {
	case 401, 403, 407, 429:
		return false
	case 500, 501:
		return true
	}
	return e.Status >= 400 && e.Status < 500
}

// bare takes off what only matters for gated sends.
func bare(err error) error {
	var lost *LostError
	var unsent *NotSentError
	switch {
	case errors.As(err, &lost):
		return lost.Cause
	case errors.As(err, &unsent):
		return unsent.Cause
	}
	return err
}

// judgeAnswer decides what an answer to the probe means (VER-06, VER-08).
func (c *Client) judgeAnswer(m *jsonrpc.Message) (why string, err error) {
	if m.Error != nil {
		err := rpcError(m)
		var rpc *RPCError
		if !errors.As(err, &rpc) {
			return err.Error(), nil
		}
		switch rpc.Code {
		case codeUnsupportedVersion:
			// Never a reason for initialize, even where it names a version that is
			// opened so (GAP-02).
			supported, _ := jsonrpc.Get(rpc.Data, "supported")
			return "", fmt.Errorf("connect: %w", &VersionError{Theirs: texts(supported), Ours: []string{ModernVersion}})
		case codeHeaderMismatch, codeMissingCapability:
			return "", fmt.Errorf("connect: server/discover: %w", rpc)
		}
		return rpc.Error(), nil
	}
	raw, ok := jsonrpc.Get(m.Result, "supportedVersions")
	versions := texts(raw)
	if !ok || len(versions) == 0 {
		return "the answer is no DiscoverResult", nil
	}
	kind, _ := jsonrpc.Get(m.Result, "resultType")
	if err := completeOnly(kind); err != nil {
		return "", fmt.Errorf("connect: server/discover: %w", err)
	}
	if !slices.Contains(versions, ModernVersion) {
		if newestShared(versions) != "" {
			return fmt.Sprintf("the server names only %v", versions), nil
		}
		return "", fmt.Errorf("connect: %w", &VersionError{Theirs: versions, Ours: allVersions})
	}
	meta, _ := jsonrpc.Get(m.Result, "_meta")
	server, _ := jsonrpc.Get(meta, metaServerInfo)
	c.settle(EraModern, ModernVersion, m.Result, server)
	return "", nil
}

// texts reads an array of strings; what is none is left out.
func texts(raw []byte) (list []string) {
	_ = jsonrpc.Elements(raw, func(v []byte) bool { // not an array: no texts
		if s, ok := jsonrpc.String(v); ok {
			list = append(list, s)
		}
		return true
	})
	return list
}

func newestShared(theirs []string) string {
	for _, v := range legacyVersions {
		if slices.Contains(theirs, v) {
			return v
		}
	}
	return ""
}

// settle fixes era and version and keeps what the server says of itself.
func (c *Client) settle(era Era, version string, result, server []byte) {
	c.info.Era, c.info.Version, c.info.Remember = era, version, era
	c.info.ServerInfoRaw = json.RawMessage(server)
	c.info.ServerInfo = Implementation{
		Name: shownAt(server, "name"), Title: shownAt(server, "title"), Version: shownAt(server, "version"),
	}
	c.info.Instructions = shownAt(result, "instructions")
	if raw, ok := jsonrpc.Get(result, "capabilities"); ok && jsonrpc.IsObject(raw) {
		c.info.Capabilities = json.RawMessage(raw)
	}
	c.mu.Lock()
	c.era, c.version = era, version
	c.mu.Unlock()
	c.tr.agreed(era, version)
}
