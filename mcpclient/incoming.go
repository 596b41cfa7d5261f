package mcpclient

import (
	"encoding/json"
	"fmt"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// incoming takes a request or notification of the server. on is the request
// whose stream it came on, nil where the stream belongs to all. It is called by
// whoever reads and never blocks.
func (c *Client) incoming(m jsonrpc.Message, on *exchange) {
	if m.IsRequest() {
		c.serverRequest(m, on)
		return
	}
	switch m.Method {
	case "notifications/progress":
		c.progress(m.Params)
	case "notifications/tools/list_changed":
		c.toolsChanged(m.Params)
	case "notifications/message":
		c.logMessage(m.Params)
	case "notifications/cancelled":
		c.serverCancelled(m.Params)
	case "notifications/elicitation/complete":
		c.elicitationComplete(m.Params)
	case "notifications/subscriptions/acknowledged":
		c.acknowledged(m.Params)
	case "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated", "notifications/tasks/status":
		c.unasked(m.Method)
	default:
		c.events.log("protocol", "info", "unknown notification "+clip(m.Method, 128))
	}
}

// progress routes by token; unknown and finished ones are dropped (PROG-02).
func (c *Client) progress(params []byte) {
	var token int64
	var known bool
	var p Progress
	_ = jsonrpc.Members(params, func(key string, value []byte) bool { // no object: no token
		switch key {
		case "progressToken":
			token, known = jsonrpc.Int(value)
			if s, ok := jsonrpc.String(value); ok { // as lenient as with ids
				token, known = jsonrpc.Int([]byte(s))
			}
		case "progress":
			p.Progress = number(value)
		case "total":
			p.Total = number(value)
		case "message":
			p.Message, _ = jsonrpc.String(value)
		}
		return true
	})
	if !known {
		return
	}
	c.mu.Lock()
	r := c.running[token]
	if f := c.followed[token]; f != nil && time.Since(f.since) >= c.tuning.followGrace {
		f.working = true
	}
	c.mu.Unlock()
	if r != nil {
		r.x.progressed(p)
	}
}

// number returns a JSON number as its text, "" for anything else.
func number(raw []byte) json.Number {
	if len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return json.Number(raw)
	}
	return ""
}

// toolsChanged: on a modern connection a notice belongs to our subscription
// (SUB-02, SUB-05). One without any subscription id is taken as a hint.
func (c *Client) toolsChanged(params []byte) {
	if c.eraNow() == EraModern {
		ours, present := c.ofOurSubscription(params)
		if present && !ours {
			c.events.note("a change notice for an unknown subscription was ignored")
			return
		}
		if !present {
			c.events.note("a change notice came without its subscription id")
		}
	}
	c.events.toolsChanged()
}

// unasked drops a notice that is of no use to us yet. A legacy server may send
// it; a modern one was not asked for it (SUB-02).
func (c *Client) unasked(method string) {
	if c.eraNow() == EraModern {
		c.events.note("the server sent %s, which was not asked for; it was ignored", method)
	}
}

func (c *Client) eraNow() Era {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.era
}

func (c *Client) versionNow() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

func (c *Client) logMessage(params []byte) {
	var level, text string
	_ = jsonrpc.Members(params, func(key string, value []byte) bool { // no object: nothing to say
		switch key {
		case "level":
			level, _ = jsonrpc.String(value)
		case "data":
			var ok bool
			if text, ok = jsonrpc.String(value); !ok {
				text = string(value)
			}
		}
		return true
	})
	if level == "" {
		level = "info"
	}
	c.events.log("message", clip(level, 32), text)
}

// serverCancelled: a legacy server takes back a question (CANCEL-13), a modern
// one ends our subscription (SUB-10). Anything else is ignored (CANCEL-08).
func (c *Client) serverCancelled(params []byte) {
	raw, ok := jsonrpc.Get(params, "requestId")
	if !ok {
		return
	}
	c.mu.Lock()
	listening := c.listening
	c.mu.Unlock()
	if id, ok := jsonrpc.Int(raw); ok && listening != nil && listening.id == id {
		listening.end(errListenEnded)
		return
	}
	c.dropQuestions(func(q *question) bool {
		if q.id != string(raw) {
			return false
		}
		c.events.log("protocol", "info", fmt.Sprintf("the server took back its question %s: %s", clip(q.id, 64), textAt(params, "reason")))
		return true
	})
}
