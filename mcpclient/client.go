package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// Client is a connection to one server. Its methods may be called together.
// Close must be called in the end, also after the connection ended by itself.
type Client struct {
	cfg    Config
	tuning tuning
	tr     transport
	events *dispatcher
	info   Info   // complete when Connect returns
	meta   []byte // modern _meta without its end; nil while legacy
	nextID atomic.Int64

	// ctx ends with Close; goroutines of wg end with it.
	ctx       context.Context
	cancel    context.CancelFunc
	wg        sync.WaitGroup
	closeOnce sync.Once
	closeErr  error
	closed    chan struct{}

	mu         sync.Mutex
	era        Era    // "" until known
	version    string // likewise
	running    map[int64]*running
	questions  map[string]*question
	outside    map[string]bool // elicitationIds whose completion may be told
	followed   map[int64]*followed
	probeID    int64     // of the last server/discover
	lateModern bool      // it was answered after it was given up
	listening  *exchange // the modern subscription
	listed     bool      // a list was asked for before the subscription stood
}

// running is a call that waits for its answer.
type running struct {
	x              *exchange
	callID         string
	attempt, round int
	late           *jsonrpc.Message // its answer came while it was given up
}

// tuning is what tests make shorter.
type tuning struct {
	relistenFirst, relistenMost time.Duration
	follow, followGrace         time.Duration
	streamFirst, streamMost     time.Duration
	streamGrace                 time.Duration
	after                       func(time.Duration) <-chan time.Time
}

var defaultTuning = tuning{
	relistenFirst: time.Second, relistenMost: time.Minute,
	follow: followTime, followGrace: 2 * time.Second,
	streamFirst: time.Second, streamMost: 5 * time.Minute, streamGrace: time.Second,
	after: time.After,
}

// jittered spreads waits of many clients apart.
func jittered(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1)
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// Info returns what is known of the server. The slices are shared: read only.
func (c *Client) Info() Info { return c.info }

// Done is closed when the connection has ended, by Close or by itself. Over HTTP
// it ends by itself only when a legacy session is gone and cannot be begun anew.
func (c *Client) Done() <-chan struct{} { return c.tr.done() }

// Err tells why Done is closed: an *ExitError for a child that ended by itself,
// ErrSessionGone, or another reason; nil after Close and while connected.
func (c *Client) Err() error {
	err := c.tr.err()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

// Close ends the connection and everything it started: for a child by the
// ladder of StdioConfig (STDIO-07), for a legacy HTTP session by DELETE. When
// ctx ends, the child is killed at once. Calls in flight end with LostError. It
// may be called more than once; each call waits until it is done.
func (c *Client) Close(ctx context.Context) error {
	c.closeOnce.Do(func() {
		c.cancel()
		c.closeErr = c.tr.close(ctx)
		c.wg.Wait()
		c.dropQuestions(func(*question) bool { return true })
		c.events.close()
		close(c.closed)
	})
	<-c.closed
	return c.closeErr
}

// newExchange makes a request. members as for requestFrame.
func (c *Client) newExchange(method, members string, limit time.Duration) *exchange {
	id := c.nextID.Add(1)
	return &exchange{
		id:     id,
		method: method,
		modern: c.meta != nil,
		frame:  requestFrame(c.meta, id, method, members),
		clock:  &clock{max: limit},
	}
}

// do makes a round trip and gives up in good order when there is no answer.
func (c *Client) do(ctx context.Context, x *exchange) (reply, error) {
	x.incoming = func(m jsonrpc.Message) { c.incoming(m, x) }
	rep, err := c.tr.roundTrip(ctx, x)
	if err != nil && sentAfterAll(err) && !x.keep {
		reason := "no longer wanted"
		var timeout *TimeoutError
		if errors.As(err, &timeout) {
			reason = "timed out"
		}
		c.tr.cancelled(x, reason)
		c.events.log("protocol", "info", fmt.Sprintf("%s, request %d, was given up: %s", x.method, x.id, reason))
	}
	return rep, err
}

// doAgain makes an ungated request, and another one with an id of its own for as
// long as the answer only is in which session or where to ask.
func (c *Client) doAgain(ctx context.Context, make func() *exchange) (reply, error) {
	for {
		rep, err := c.do(ctx, make())
		if !askAgain(err) {
			return rep, err
		}
	}
}

// askAgain tells the errors after which the transport is ready for another try.
// It bounds their number.
func askAgain(err error) bool {
	var moved *RedirectError
	return errors.As(err, new(*NotSentError)) &&
		(errors.Is(err, ErrSessionGone) || errors.As(err, &moved) && moved.Followed)
}

// Unexecuted reports whether what CallTool gave back proves that the server did
// not run the call: it may be sent once more, as a new attempt that the gate is
// asked about, if nothing it depends on has changed. That is so for the errors
// -32020, -32021 and -32022 of a modern server, for a session that the server
// did not know any more and for a redirect that is followed.
func (c *Client) Unexecuted(out *Outcome, err error) bool {
	if err != nil || out == nil || out.RPCError == nil || c.info.Era != EraModern {
		return askAgain(err)
	}
	code := out.RPCError.Code
	return code == codeHeaderMismatch || code == codeMissingCapability || code == codeUnsupportedVersion
}

// ask makes an ungated request and wants a result.
func (c *Client) ask(ctx context.Context, method, members string) (jsonrpc.Message, error) {
	rep, err := c.doAgain(ctx, func() *exchange { return c.newExchange(method, members, c.cfg.RequestTimeout) })
	if err != nil {
		return rep.msg, fmt.Errorf("%s: %w", method, bare(err))
	}
	if err := resultOf(&rep.msg); err != nil {
		return rep.msg, fmt.Errorf("%s: %w", method, err)
	}
	return rep.msg, nil
}

// resultOf returns the answer's error, or one about a result that is none.
func resultOf(m *jsonrpc.Message) error {
	if m.Error != nil {
		return rpcError(m)
	}
	if !jsonrpc.IsObject(m.Result) {
		return &InvalidResponseError{"the result is no object"}
	}
	return nil
}

func rpcError(m *jsonrpc.Message) error {
	e, ok := jsonrpc.ParseError(m.Error)
	if !ok {
		return &InvalidResponseError{"the error is no object"}
	}
	return e
}

// completeOnly refuses any resultType but "complete"; nil is one that is absent
// (BASE-15, BASE-16).
func completeOnly(resultType []byte) error {
	if s, _ := jsonrpc.String(resultType); resultType != nil && s != string(OutcomeComplete) {
		return &InvalidResponseError{"unexpected resultType " + clip(string(resultType), 64)}
	}
	return nil
}
