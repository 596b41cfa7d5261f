package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"countersign/mcpclient/jsonrpc"
)

const (
	// maxPages and maxListTime bound one listing (LIST-10).
	maxPages    = 1000
	maxListTime = 5 * time.Minute
)

// ListTools fetches all pages of tools/list (LIST-02..LIST-10). A listing that
// breaks off is an error, never a shorter list. A cursor that comes again and a
// list without end are cut with a warning.
func (c *Client) ListTools(ctx context.Context) (*ToolList, error) {
	c.mu.Lock()
	c.listed = true
	c.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, maxListTime,
		fmt.Errorf("the list is not complete after %v", maxListTime))
	defer cancel()
	pages, warnings, err := c.fetchPages(ctx)
	var rpc *RPCError
	if errors.As(err, &rpc) && rpc.Code == jsonrpc.CodeInvalidParams && len(pages) > 0 {
		pages, warnings, err = c.fetchPages(ctx) // the cursor went stale (LIST-06)
	}
	if err != nil {
		return nil, err
	}
	list := ToolsFromPages(pages)
	list.Warnings = append(warnings, list.Warnings...)
	return list, nil
}

// fetchPages returns what it has together with an error.
func (c *Client) fetchPages(ctx context.Context) (pages []ListPage, warnings []string, err error) {
	var cursor *string
	asked := make(map[string]bool)
	for {
		page, err := c.fetchPage(ctx, cursor)
		if err != nil {
			return pages, nil, err
		}
		pages = append(pages, page)
		if page.next == nil || jsonrpc.IsNull(page.next) {
			return pages, nil, nil
		}
		next, ok := jsonrpc.String(page.next)
		switch {
		case !ok:
			warnings = append(warnings, "The list was cut: the server's nextCursor is no text.")
		case asked[next]:
			warnings = append(warnings, "The list was cut: the server gave the same cursor twice.")
		case len(pages) >= maxPages:
			warnings = append(warnings, fmt.Sprintf("The list was cut after %d pages.", maxPages))
		}
		if warnings != nil {
			return pages, warnings, nil
		}
		asked[next] = true
		cursor = &next // "" too is a cursor (LIST-03)
	}
}

func (c *Client) fetchPage(ctx context.Context, cursor *string) (ListPage, error) {
	members := ""
	if cursor != nil {
		members = string(jsonrpc.AppendString([]byte(`,"cursor":`), *cursor))
	}
	m, err := c.ask(ctx, "tools/list", members)
	if err != nil {
		return ListPage{}, err
	}
	page := ListPage{
		Cursor: cursor, Raw: json.RawMessage(m.Result), Received: time.Now(), TTLMs: -1, Version: c.info.Version,
	}
	var kind []byte
	err = jsonrpc.Members(m.Result, func(key string, value []byte) bool {
		switch key {
		case "resultType":
			kind = value
		case "ttlMs":
			if n, ok := jsonrpc.Int(value); ok && n >= 0 {
				page.TTLMs = n
			}
		case "cacheScope":
			page.CacheScope, _ = jsonrpc.String(value)
		case "nextCursor":
			page.next = value
		}
		return true
	})
	if err == nil {
		err = completeOnly(kind)
	}
	if err != nil {
		return ListPage{}, fmt.Errorf("tools/list: %w", err)
	}
	return page, nil
}

// ToolsFromPages decodes kept pages as ListTools does.
func ToolsFromPages(pages []ListPage) *ToolList {
	list := &ToolList{Pages: pages}
	seen := make(map[string]bool)
	index, repeated := 0, 0
	for i, page := range pages {
		raw, ok := jsonrpc.Get(page.Raw, "tools")
		err := errors.New("it has none")
		if ok {
			err = jsonrpc.Elements(raw, func(item []byte) bool {
				name, reason := toolName(item)
				switch {
				case reason != "":
					list.Problems = append(list.Problems, ToolProblem{Index: index, Raw: item, Reason: reason})
				case seen[name]:
					repeated++
				default:
					seen[name] = true
					list.Tools = append(list.Tools, item)
				}
				index++
				return true
			})
		}
		if err != nil {
			list.Warnings = append(list.Warnings, fmt.Sprintf("Page %d has no readable array of tools.", i+1))
		}
	}
	if repeated > 0 {
		list.Warnings = append(list.Warnings, fmt.Sprintf("%d tools came again under a name that was already there and were left out.", repeated))
	}
	return list
}

func toolName(item []byte) (name, reason string) {
	if !jsonrpc.IsObject(item) {
		return "", "not an object"
	}
	raw, ok := jsonrpc.Get(item, "name")
	if !ok {
		return "", "no name"
	}
	name, ok = jsonrpc.String(raw)
	switch {
	case !ok:
		return "", "the name is no text"
	case name == "":
		return "", "the name is empty"
	}
	return name, ""
}
