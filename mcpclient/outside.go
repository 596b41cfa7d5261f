package mcpclient

import (
	"bytes"
	"encoding/json"
	"strings"

	"countersign/mcpclient/jsonrpc"
)

// What a legacy server wants done outside of the protocol, at a URL in a
// browser, and the directories it may know of.

const (
	codeElicitationRequired = -32042
	// maxOutside bounds the elicitationIds that are remembered, and the items
	// that are read from one error.
	maxOutside = 256
)

// shownAt is textAt for display: bytes that are no UTF-8 become marks.
func shownAt(obj []byte, key string) string { return strings.ToValidUTF8(textAt(obj, key), "\uFFFD") }

// textAt is a text member of an object, "" for any other.
func textAt(obj []byte, key string) string {
	raw, _ := jsonrpc.Get(obj, key)
	s, _ := jsonrpc.String(raw)
	return s
}

// requiredElicitations reads data of a -32042 error (ELIC-28). What is no item
// with a URL is left out; the whole is in Outcome.Raw.
func (c *Client) requiredElicitations(data []byte) (list []URLElicitation) {
	raw, _ := jsonrpc.Get(data, "elicitations")
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = jsonrpc.Elements(raw, func(item []byte) bool { // no array: no items
		e := URLElicitation{
			ElicitationID: textAt(item, "elicitationId"),
			URL:           textAt(item, "url"), Message: textAt(item, "message"), Raw: json.RawMessage(item),
		}
		if e.URL != "" {
			list = append(list, e)
			c.expectCompleteLocked(e.ElicitationID)
		}
		return len(list) < maxOutside
	})
	return list
}

// expectCompleteLocked remembers an id whose completion is worth telling. With
// too many open the new ones are not waited for: a completion may never come
// anyway.
func (c *Client) expectCompleteLocked(id string) {
	if id != "" && len(c.outside) < maxOutside {
		c.outside[id] = true
	}
}

// elicitationComplete ignores unknown and finished ids (ELIC-27).
func (c *Client) elicitationComplete(params []byte) {
	id := textAt(params, "elicitationId")
	c.mu.Lock()
	known := c.outside[id]
	delete(c.outside, id)
	c.mu.Unlock()
	if known {
		c.events.elicitComplete(id)
	}
}

// rootsAnswer answers a legacy server's roots/list (ROOTS-02, ROOTS-03, ROOTS-07).
func (c *Client) rootsAnswer(id json.RawMessage) []byte {
	if c.cfg.Roots == nil {
		return jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Roots not supported"})
	}
	return jsonrpc.AppendResult(nil, id, RootsResult(c.cfg.Roots()))
}

// RootsResult is the ListRootsResult of some roots: the answer to roots/list, as
// a request of a legacy server and among the InputRequests of a modern one
// (ROOTS-02). Roots that are no file URIs are left out (ROOTS-03).
func RootsResult(roots []Root) json.RawMessage {
	files := []Root{} // an array in any case
	for _, root := range roots {
		if strings.HasPrefix(root.URI, "file://") {
			files = append(files, root)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string][]Root{"roots": files}); err != nil { // texts
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// RootsChanged tells a legacy server that Config.Roots gives others now
// (ROOTS-07); on a modern connection, where the server asks each time, it does
// nothing. It does not wait until the notice is out.
func (c *Client) RootsChanged() {
	if c.cfg.Roots == nil || c.info.Era != EraLegacy {
		return
	}
	const method = "notifications/roots/list_changed"
	c.tr.post(&exchange{method: method, frame: withRoom(jsonrpc.AppendNotification(nil, method, nil))})
}
