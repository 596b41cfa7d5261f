package mcpclient

import (
	"context"
	"sync"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// transport carries messages to one server and back. It sends what it is told
// to, once, and nothing by itself.
type transport interface {
	// start begins to read; the owner is ready for what comes.
	start()
	// roundTrip sends a request and waits for its answer. Errors: that of the
	// context or a plain one when nothing was written and no gate was asked;
	// RefusedError, NotSentError, LostError, TimeoutError, CancelledError.
	roundTrip(ctx context.Context, x *exchange) (reply, error)
	// notify sends a message that has no answer and waits until it is out. Errors
	// are those of roundTrip.
	notify(ctx context.Context, x *exchange) error
	// post queues such a message. It never blocks; a message for which there is
	// no room is dropped.
	post(x *exchange)
	// cancelled tells the server on the side that a request of ours is given up.
	cancelled(x *exchange, reason string)
	// agreed tells what was negotiated, established that the session stands.
	agreed(era Era, version string)
	established()
	pid() int
	done() <-chan struct{}
	err() error
	// close ends the connection and waits for everything it started.
	close(ctx context.Context) error
}

// reply is an answer as a transport hands it over.
type reply struct {
	msg    jsonrpc.Message
	status int // HTTP; 0 for stdio
}

// exchange is one message of ours on its way, with what a transport must know
// of it.
type exchange struct {
	id     int64 // 0: no request
	method string
	name   string   // Mcp-Name; "" has none
	params []Header // Mcp-Param-*
	frame  []byte
	modern bool // modern header rules
	// opening: the handshake, before a session and its version exist.
	opening bool
	// early: belongs to a handshake and is not held back while a session is begun
	// anew.
	early bool
	// bound: of no use in another session than the one it was made in.
	bound bool
	// endless: a listen, whose answer may never come.
	endless bool
	// keep: the server is never told of our giving up (CANCEL-11, the probe).
	keep bool
	// admit asks the gate with where and with which headers the frame will be
	// written; nil is ungated.
	admit func(ctx context.Context, address string, headers []Header) error
	// clock is nil for endless ones.
	clock *clock
	// incoming gets messages that came on this request's own stream (HTTP).
	incoming   func(jsonrpc.Message)
	onProgress func(Progress)

	mu    sync.Mutex
	wake  func() // nil while nobody waits
	queue []Progress
	over  error // ends the wait
}

// maxQueuedProgress bounds what waits for a slow OnProgress; the oldest go.
const maxQueuedProgress = 256

// begin makes the clock run and tells how to wake the waiter.
func (x *exchange) begin(wake func()) {
	if x.clock != nil {
		x.clock.start(time.Now())
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wake = wake
}

// poke makes the waiter ask next again.
func (x *exchange) poke() {
	x.mu.Lock()
	wake := x.wake
	x.mu.Unlock()
	if wake != nil {
		wake()
	}
}

// progressed takes a notification; OnProgress will run on the waiter.
func (x *exchange) progressed(p Progress) {
	if x.clock != nil {
		x.clock.progress(time.Now())
	}
	x.mu.Lock()
	if x.onProgress != nil {
		if len(x.queue) == maxQueuedProgress {
			x.queue = append(x.queue[:0], x.queue[1:]...)
		}
		x.queue = append(x.queue, p)
	}
	x.mu.Unlock()
	x.poke()
}

// next hands on progress and checks the clock; it runs on the waiter.
func (x *exchange) next() (time.Time, error) {
	x.flush()
	if x.clock == nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		return time.Time{}, x.over
	}
	return x.clock.check(time.Now())
}

// end ends the wait of an endless exchange.
func (x *exchange) end(err error) {
	x.mu.Lock()
	x.over = err
	x.mu.Unlock()
	x.poke()
}

func (x *exchange) flush() {
	if x.onProgress == nil {
		return
	}
	x.mu.Lock()
	queue := x.queue
	x.queue = nil
	x.mu.Unlock()
	for _, p := range queue {
		x.onProgress(p)
	}
}
