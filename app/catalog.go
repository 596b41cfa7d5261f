package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	"countersign/app/calls"
	"countersign/app/rawjson"
	"countersign/mcpclient"
)

// listing is what a server offered last, live or from the cache. It is not
// changed after it is made.
type listing struct {
	fingerprint string // launch it was listed under
	received    time.Time
	fresh       bool      // counts for the connection that runs now
	expires     time.Time // when the server no longer vouches for it; zero: never said
	tools       []toolEntry
	byName      map[string]int
	described   int // bytes of all descriptions
	problems    []string
	warnings    []string
	info        cachedInfo
}

// toolEntry is one tool of a listing.
type toolEntry struct {
	calls.Tool
	description string
	annotations []Annotation
	icons       json.RawMessage
	problem     string
}

// cachedInfo is what is kept of a server beside its list.
type cachedInfo struct {
	Era         string          `json:"era"`
	Remember    string          `json:"remember,omitempty"` // mcpclient.Info.Remember
	Version     string          `json:"version"`
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	SoftVersion string          `json:"softwareVersion"`
	Icons       json.RawMessage `json:"icons,omitempty"`
	Over        string          `json:"over"` // "stdio" or "http"
}

// catalog holds the newest listing of each server. Safe to call together.
type catalog struct {
	mu       sync.Mutex
	byServer map[string]*listing
	rev      uint64 // grows with each change
}

func newCatalog() *catalog { return &catalog{byServer: map[string]*listing{}} }

func (c *catalog) get(serverID string) (*listing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.byServer[serverID]
	return l, ok
}

func (c *catalog) set(serverID string, l *listing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byServer[serverID] = l
	c.rev++
}

func (c *catalog) drop(serverID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byServer, serverID)
	c.rev++
}

func (c *catalog) revision() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rev
}

// all gives every server's newest listing.
func (c *catalog) all() map[string]*listing {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.byServer)
}

// tool finds a tool by server and name: that pair is its identity everywhere.
func (c *catalog) tool(serverID, name string) (toolEntry, bool) {
	l, ok := c.get(serverID)
	if !ok {
		return toolEntry{}, false
	}
	i, ok := l.byName[name]
	if !ok {
		return toolEntry{}, false
	}
	return l.tools[i], true
}

// newListing reads a tool list. What is shown of it has known secrets masked.
func newListing(list *mcpclient.ToolList, info cachedInfo, mask *masking) *listing {
	l := &listing{byName: map[string]int{}, info: info}
	for _, w := range list.Warnings {
		l.warnings = append(l.warnings, mask.line(w))
	}
	for _, p := range list.Problems {
		l.problem(mask.line(fmt.Sprintf("Item %d of the list could not be read: %s.", p.Index+1, p.Reason)))
	}
	for _, raw := range list.Tools {
		e := readTool(raw, info.Over, mask)
		if reason := l.unusable(e); reason != "" {
			l.problem(fmt.Sprintf("The tool %q is left out: %s.", clip(e.Name, 64), reason))
			continue
		}
		l.described += len(e.description)
		l.byName[e.Name] = len(l.tools)
		l.tools = append(l.tools, e)
	}
	return l
}

// maxProblems is how many problems of a list are told one by one.
const maxProblems = 100

func (l *listing) problem(text string) {
	switch n := len(l.problems); {
	case n < maxProblems:
		l.problems = append(l.problems, text)
	case n == maxProblems:
		l.problems = append(l.problems, "There are more of them.")
	}
}

// unusable says why a tool cannot stand in the list: server and name are its
// identity, so a name must be there, be short and be the only one.
func (l *listing) unusable(e toolEntry) string {
	_, again := l.byName[e.Name]
	switch {
	case e.Name == "":
		return "it has no name"
	case len(e.Name) > maxName:
		return "its name is longer than 4 KiB"
	case again:
		return "another tool is shown under this name"
	}
	return ""
}

// readTool reads a tool object leniently: a bad part is told as a problem.
func readTool(raw json.RawMessage, over string, mask *masking) toolEntry {
	e := toolEntry{Tool: calls.Tool{Raw: raw}}
	shown, _ := mask.bytes(raw)
	members, err := rawjson.Members(shown)
	if err != nil {
		e.problem, e.Hidden = "Its definition is not sound JSON.", "its definition is not sound JSON: "+err.Error()
	}
	e.Hash, err = rawjson.Fingerprint(raw)
	if err != nil {
		e.Hash = rawjson.Hash(raw)
	}
	var annotated string
	for _, m := range members {
		switch m.Key {
		case "name":
			e.Name, _ = rawjson.Text(m.Value)
		case "title":
			e.Title, _ = rawjson.Text(m.Value)
			e.Title = clip(e.Title, maxTitle)
		case "description":
			e.description, _ = rawjson.Text(m.Value)
		case "icons":
			e.icons = m.Value
		case "annotations":
			annotated, _ = rawjson.GetText(m.Value, "title")
			annotated = clip(annotated, maxTitle)
			e.annotations = claims(m.Value)
		case "inputSchema":
			if string(m.Value) == "null" {
				e.problem = "The server gave no input schema."
			}
		}
	}
	if e.Title == "" {
		e.Title = annotated
	}
	if _, ok := rawjson.Get(raw, "inputSchema"); !ok && e.problem == "" {
		e.problem = "The server gave no input schema."
	}
	if wire, _ := rawjson.GetText(raw, "name"); wire != e.Name {
		e.Hidden = "its name holds one of your secrets"
	}
	if e.Hidden == "" && over == "http" {
		e.Hidden = mcpclient.HiddenReason(raw)
	}
	e.Hidden = mask.line(e.Hidden)
	return e
}

// claims words the known annotations; they are the server's claims.
func claims(raw json.RawMessage) []Annotation {
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil
	}
	words := map[string][2]string{
		"readOnlyHint":    {"read-only", "may change things"},
		"destructiveHint": {"destructive", "not destructive"},
		"idempotentHint":  {"repeating changes nothing more", "each call has an effect"},
		"openWorldHint":   {"reaches the outside world", "stays within the server"},
	}
	var out []Annotation
	for _, m := range members {
		w, known := words[m.Key]
		switch {
		case known && string(m.Value) == "true":
			out = append(out, Annotation{w[0], m.Key + ": true"})
		case known && string(m.Value) == "false":
			out = append(out, Annotation{w[1], m.Key + ": false"})
		}
	}
	return out
}
