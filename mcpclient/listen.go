package mcpclient

import (
	"errors"
	"fmt"
	"time"

	"countersign/mcpclient/jsonrpc"
)

var errListenEnded = errors.New("the server ended the subscription")

// startListening subscribes to what a modern server says it reports (SUB-01,
// SUB-15).
func (c *Client) startListening() {
	if c.info.Era != EraModern {
		return
	}
	tools, _ := jsonrpc.Get(c.info.Capabilities, "tools")
	if flag, _ := jsonrpc.Get(tools, "listChanged"); string(flag) != "true" {
		return
	}
	c.wg.Go(c.keepListening)
}

// keepListening holds one subscription and makes it anew after an end, with
// growing waits (SUB-11, SUB-12).
func (c *Client) keepListening() {
	wait := c.tuning.relistenFirst
	for round := 0; ; round++ {
		began := time.Now()
		if !c.listen(round) {
			return
		}
		if time.Since(began) > c.tuning.relistenMost {
			wait = c.tuning.relistenFirst
		}
		select {
		case <-c.ctx.Done():
			return
		case <-c.tr.done():
			return
		case <-time.After(jittered(wait)):
		}
		wait = min(2*wait, c.tuning.relistenMost)
	}
}

// listen holds one subscription to its end and reports whether to try again.
func (c *Client) listen(round int) (again bool) {
	x := c.newExchange("subscriptions/listen", `,"notifications":{"toolsListChanged":true}`, 0)
	x.clock, x.endless = nil, true
	c.mu.Lock()
	c.listening = x
	if round > 0 {
		c.listed = true // nothing is replayed: what changed meanwhile is not known
	}
	c.mu.Unlock()
	rep, err := c.do(c.ctx, x)
	c.mu.Lock()
	c.listening = nil
	c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	if err == nil {
		err = resultOf(&rep.msg)
	}
	if err == nil { // SUB-09
		c.events.log("protocol", "info", "the server ended the subscription to changes")
		return true
	}
	if refusesListen(err) {
		c.events.note("the server refuses the subscription to changes: %v", bare(err))
		c.events.hears(fmt.Sprintf("the server refuses the subscription to changes: %v", bare(err)))
		if round > 0 {
			c.events.toolsChanged()
		}
		return false
	}
	c.events.note("the subscription to changes broke: %v", bare(err))
	c.events.hears(fmt.Sprintf("the subscription to changes broke (%v) and is tried again", bare(err)))
	return true
}

// refusesListen tells an error that will come again.
func refusesListen(err error) bool {
	var rpc *RPCError
	if errors.As(err, &rpc) {
		return rpc.Code == jsonrpc.CodeMethodNotFound || rpc.Code == jsonrpc.CodeInvalidParams ||
			rpc.Code == jsonrpc.CodeInvalidRequest || rpc.Code <= codeHeaderMismatch && rpc.Code >= codeUnsupportedVersion
	}
	var page *HTTPError
	return errors.As(err, &page) && page.Status >= 400 && page.Status < 500 && page.Status != 408 && page.Status != 429
}

// ofOurSubscription compares the subscription id with that of our listen: same
// type, same value (SUB-05).
func (c *Client) ofOurSubscription(params []byte) (ours, present bool) {
	meta, _ := jsonrpc.Get(params, "_meta")
	raw, present := jsonrpc.Get(meta, metaSubscription)
	id, number := jsonrpc.Int(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	return number && c.listening != nil && c.listening.id == id, present
}

// acknowledged: from here on changes are reported; those before may have been
// missed (SUB-03, SUB-04).
func (c *Client) acknowledged(params []byte) {
	if ours, _ := c.ofOurSubscription(params); !ours {
		c.events.note("an acknowledgement for an unknown subscription was ignored")
		return
	}
	granted, _ := jsonrpc.Get(params, "notifications")
	if flag, _ := jsonrpc.Get(granted, "toolsListChanged"); string(flag) != "true" {
		c.events.note("the server does not report changes of its tools")
	}
	c.events.hears("")
	c.mu.Lock()
	missed := c.listed
	c.listed = false
	c.mu.Unlock()
	if missed {
		c.events.toolsChanged()
	}
}
