package mcpclient

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"countersign/mcpclient/jsonrpc"
)

const (
	// followTime is how long a call that was given up is listened for.
	followTime = time.Minute
	// lingerTime is the same over legacy HTTP, where a stream is kept open for it.
	lingerTime = 10 * time.Second
)

// Aftermath is what was heard of a call after it was given up. The call's own
// outcome stays what it was (CANCEL-05).
type Aftermath struct {
	CallID         string
	Attempt, Round int
	// RequestID is our id as JSON text.
	RequestID string
	Kind      AftermathKind
	// IsError and Bytes are of the late result, RPCError is the late error.
	IsError  bool
	Bytes    int
	RPCError *RPCError
}

// AftermathKind tells what was heard.
type AftermathKind string

// The kinds of Aftermath. What is not heard within a minute (over legacy HTTP ten
// seconds) counts as silence.
const (
	// AfterFinished: the result came all the same.
	AfterFinished AftermathKind = "finished"
	// AfterAcknowledged: an error came instead of a result.
	AfterAcknowledged AftermathKind = "acknowledged"
	// AfterAsked: the server asked for input.
	AfterAsked AftermathKind = "asked"
	// AfterIgnored: no answer, and the server went on to report progress.
	AfterIgnored AftermathKind = "ignored"
	// AfterSilent: neither answer nor progress, as the protocol wants it.
	AfterSilent AftermathKind = "silent"
	// AfterClosed: cancelled by closing the stream, on which nothing can be
	// heard any more (modern HTTP, CANCEL-03).
	AfterClosed AftermathKind = "closed"
)

// followed is a call that was given up and of which something may be heard. Its
// fields are guarded by Client.mu.
type followed struct {
	news    Aftermath
	since   time.Time
	working bool // it reported progress later than what may have been on its way
	timer   *time.Timer
}

// followLocked begins to listen for a call that was given up. c.mu is held.
func (c *Client) followLocked(r *running) {
	f := &followed{since: time.Now(), news: Aftermath{
		CallID: r.callID, Attempt: r.attempt, Round: r.round, RequestID: strconv.FormatInt(r.x.id, 10),
	}}
	switch {
	case r.late != nil:
		c.events.aftermath(f.heard(r.late))
	case r.x.modern && c.cfg.HTTP != nil:
		f.news.Kind = AfterClosed
		c.events.aftermath(f.news)
	case c.ctx.Err() == nil:
		c.followed[r.x.id] = f
		limit := c.tuning.follow
		if c.cfg.HTTP != nil {
			limit = min(limit, lingerTime)
		}
		f.timer = time.AfterFunc(limit, func() { c.unfollow(r.x.id) })
	}
}

// unfollow: nothing more is listened for.
func (c *Client) unfollow(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.followed[id]
	if f == nil {
		return
	}
	delete(c.followed, id)
	f.news.Kind = AfterSilent
	if f.working {
		f.news.Kind = AfterIgnored
	}
	c.events.aftermath(f.news)
}

// unfollowAll: the connection has ended, and what is not known by now never will
// be. c.ctx has ended, so that nothing new is followed.
func (c *Client) unfollowAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, f := range c.followed {
		f.timer.Stop()
		delete(c.followed, id)
	}
}

// late takes the answer to a request that was given up, or is just now.
func (c *Client) late(id int64, m jsonrpc.Message) {
	c.events.log("protocol", "info", fmt.Sprintf("a late answer to request %d was ignored", id))
	c.mu.Lock()
	defer c.mu.Unlock()
	if versions, _ := jsonrpc.Get(m.Result, "supportedVersions"); id == c.probeID {
		c.lateModern = slices.Contains(texts(versions), ModernVersion)
	}
	if r := c.running[id]; r != nil {
		r.late = &m
	}
	if f := c.followed[id]; f != nil {
		f.timer.Stop()
		delete(c.followed, id)
		c.events.aftermath(f.heard(&m))
	}
}

// heard reads a late answer.
func (f *followed) heard(m *jsonrpc.Message) Aftermath {
	news := f.news
	if m.Error != nil {
		news.Kind = AfterAcknowledged
		news.RPCError, _ = jsonrpc.ParseError(m.Error) // whatever it holds, it is no result
		return news
	}
	news.Kind, news.Bytes = AfterFinished, len(m.Result)
	flag, _ := jsonrpc.Get(m.Result, "isError")
	news.IsError = string(flag) == "true"
	kind, _ := jsonrpc.Get(m.Result, "resultType")
	if word, _ := jsonrpc.String(kind); word == string(OutcomeInputRequired) {
		news.Kind = AfterAsked
	}
	return news
}
