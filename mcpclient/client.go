package mcpclient

import (
	"context"
	"encoding/json"
)

// Client is a connection to one server. Its methods may be called together.
type Client struct{ info Info }

// Connect starts the child or contacts the server, finds out the era and opens
// the session.
func Connect(ctx context.Context, cfg Config) (*Client, error) { panic("being written") }

// Info returns what is known of the server.
func (c *Client) Info() Info { return c.info }

// ListTools fetches all pages of tools/list.
func (c *Client) ListTools(ctx context.Context) (*ToolList, error) { panic("being written") }

// ToolsFromPages decodes kept pages as ListTools does.
func ToolsFromPages(pages []ListPage) *ToolList { panic("being written") }

// HiddenReason tells why a bad x-mcp-header hides a tool over HTTP; "" if fine.
func HiddenReason(tool json.RawMessage) string { panic("being written") }

// CallTool sends one tools/call, after the gate's yes, and waits for its answer.
func (c *Client) CallTool(ctx context.Context, call Call) (*Outcome, error) { panic("being written") }

// AnswerElicitation answers a legacy question, after the gate's yes.
func (c *Client) AnswerElicitation(ctx context.Context, a ElicitationAnswer) error {
	panic("being written")
}

// Close ends the connection.
func (c *Client) Close(ctx context.Context) error { panic("being written") }

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { panic("being written") }

// Err tells why Done is closed.
func (c *Client) Err() error { panic("being written") }
