package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/mcpclient/jsonrpc"
)

// listServer answers tools/list by what pages says for a cursor ("-" for none).
func listServer(t *testing.T, pages func(n int, cursor string) string) (*Client, *[]string) {
	t.Helper()
	var asked []string
	s := newWebServer(t, EraModern)
	s.handle = func(e *webExchange) {
		cursor := "-"
		if raw, ok := jsonrpc.Get(e.msg.Params, "cursor"); ok {
			cursor, _ = jsonrpc.String(raw)
		}
		asked = append(asked, cursor)
		answer := pages(len(asked), cursor)
		if code, ok := strings.CutPrefix(answer, "error "); ok {
			e.json(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"no"}}`, e.msg.ID, code)
			return
		}
		e.json(200, `{"jsonrpc":"2.0","id":%s,"result":%s}`, e.msg.ID, answer)
	}
	c, _, _ := s.connect(t)
	return c, &asked
}

func names(list *ToolList) string {
	var all []string
	for _, tool := range list.Tools {
		raw, _ := jsonrpc.Get(tool, "name")
		s, _ := jsonrpc.String(raw)
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestListTools(t *testing.T) {
	page := func(next string, tools ...string) string {
		var b strings.Builder
		b.WriteString(`{"tools":[`)
		for i, name := range tools {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"name":%q,"inputSchema":{"type":"object"}}`, name)
		}
		b.WriteString(`]`)
		if next != "-" {
			fmt.Fprintf(&b, `,"nextCursor":%q`, next)
		}
		return b.String() + `}`
	}
	t.Run("LIST-02 LIST-04 LIST-05 LIST-08 field-37 all pages, in order, cursors unchanged", func(t *testing.T) {
		c, asked := listServer(t, func(n int, cursor string) string {
			return []string{page(`p/2 "é`, "a", "b"), page("p3", "c"), page("-", "d")}[n-1]
		})
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "a b c d" || len(list.Pages) != 3 || len(list.Warnings) != 0 {
			t.Errorf("got %+v (%v)", list, err)
		}
		if !slices.Equal(*asked, []string{"-", `p/2 "é`, "p3"}) || *list.Pages[1].Cursor != `p/2 "é` || list.Pages[0].Cursor != nil {
			t.Errorf("asked %q", *asked)
		}
	})
	t.Run("LIST-09 a tool that stands on two pages is one tool", func(t *testing.T) {
		c, _ := listServer(t, func(n int, cursor string) string {
			return []string{page("p2", "a", "b"), page("-", "b", "c", "a")}[n-1]
		})
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "a b c" {
			t.Errorf("got %+v (%v)", list, err)
		}
	})
	t.Run("LIST-03 the empty cursor is not the end, null is", func(t *testing.T) {
		c, asked := listServer(t, func(n int, cursor string) string {
			return []string{page("", "a"), `{"tools":[{"name":"b"}],"nextCursor":null}`}[n-1]
		})
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "a b" || !slices.Equal(*asked, []string{"-", ""}) {
			t.Errorf("got %+v (%v), asked %q", list, err, *asked)
		}
	})
	t.Run("LIST-10 field-38 a cursor that never moves", func(t *testing.T) {
		c, asked := listServer(t, func(int, string) string { return page("c3", "t1") })
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "t1" || len(*asked) != 2 || len(list.Warnings) == 0 {
			t.Errorf("got %+v (%v), asked %q", list, err, *asked)
		}
	})
	t.Run("LIST-10 a list without end", func(t *testing.T) {
		c, _ := listServer(t, func(n int, _ string) string { return page(fmt.Sprint(n), fmt.Sprint("t", n)) })
		list, err := c.ListTools(context.Background())
		if err != nil || len(list.Pages) != maxPages || len(list.Tools) != maxPages || len(list.Warnings) != 1 {
			t.Errorf("got %d pages (%v)", len(list.Pages), err)
		}
	})
	t.Run("field-43 a listing that breaks off is an error", func(t *testing.T) {
		c, _ := listServer(t, func(n int, _ string) string {
			return []string{page("p2", "a"), "error -32603"}[n-1]
		})
		list, err := c.ListTools(context.Background())
		var rpc *RPCError
		if list != nil || !errors.As(err, &rpc) || rpc.Code != -32603 {
			t.Errorf("got %+v (%v)", list, err)
		}
	})
	t.Run("LIST-06 CACHE-12 a stale cursor starts the listing anew, once", func(t *testing.T) {
		c, asked := listServer(t, func(n int, _ string) string {
			return []string{page("p2", "a"), "error -32602", page("q2", "x"), page("-", "y")}[n-1]
		})
		list, err := c.ListTools(context.Background())
		if err != nil || names(list) != "x y" {
			t.Errorf("got %+v (%v), asked %q", list, err, *asked)
		}
	})
	t.Run("CACHE-01 MRTR-01 MRTR-17 input_required is no list", func(t *testing.T) {
		c, _ := listServer(t, func(int, string) string { return `{"resultType":"input_required","requestState":"s"}` })
		if _, err := c.ListTools(context.Background()); !errors.As(err, new(*InvalidResponseError)) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("CACHE-03 CACHE-04 the hints are kept", func(t *testing.T) {
		c, _ := listServer(t, func(n int, _ string) string {
			return []string{
				`{"tools":[],"ttlMs":5000,"cacheScope":"public","nextCursor":"a"}`, `{"tools":[],"nextCursor":"b"}`,
				`{"tools":[],"ttlMs":-5,"nextCursor":"c"}`, `{"tools":[],"ttlMs":"5"}`,
			}[n-1]
		})
		list, err := c.ListTools(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int64{5000, -1, -1, -1} {
			if list.Pages[i].TTLMs != want || list.Pages[i].Received.IsZero() || list.Pages[i].Version != ModernVersion {
				t.Errorf("page %d: %+v", i, list.Pages[i])
			}
		}
		if list.Pages[0].CacheScope != "public" || list.Pages[1].CacheScope != "" {
			t.Errorf("scopes: %+v", list.Pages)
		}
	})
}

func TestToolsFromPages(t *testing.T) {
	pages := []ListPage{
		{Raw: json.RawMessage(`{"tools":[{"name":"a","x":1.0},7,{"title":"t"},{"name":5},null]}`)},
		{Raw: json.RawMessage(`{"tools":[{"name":"a","x":2},{"name":""},{"name":"b"}]}`)},
		{Raw: json.RawMessage(`{"tools":null}`)},
		{Raw: json.RawMessage(`{}`)},
	}
	list := ToolsFromPages(pages)
	if names(list) != "a b" || string(list.Tools[0]) != `{"name":"a","x":1.0}` {
		t.Errorf("LIST-09 got %s", list.Tools)
	}
	var where []int
	for _, p := range list.Problems {
		where = append(where, p.Index)
	}
	if !slices.Equal(where, []int{1, 2, 3, 4, 6}) || string(list.Problems[0].Raw) != "7" || list.Problems[0].Reason == "" {
		t.Errorf("problems: %+v", list.Problems)
	}
	if len(list.Warnings) != 3 { // two pages without tools, one repeated name
		t.Errorf("warnings: %q", list.Warnings)
	}
}
