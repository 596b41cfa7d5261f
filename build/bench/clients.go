package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/mcpclient"
)

// client is one of the three that are compared.
type client interface {
	// call calls a tool and returns the bytes of text in its result.
	call(tool string) (int, error)
	list() (tools int, err error)
	close()
}

// peer starts the server in a process of its own; over HTTP it says where it is.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	url string
}

func startPeer(transport string) (*peer, error) {
	p := &peer{cmd: exec.Command(os.Args[0], "serve", transport)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 64<<10)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if transport == "http" {
		line, err := p.out.ReadString('\n')
		if err != nil {
			return nil, err
		}
		p.url = strings.TrimSpace(line)
	}
	return p, nil
}

func (p *peer) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// --- the floor: the same bytes, and nothing else -------------------------------

type floorStdio struct{ *peer }

const floorMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":7}`

func floorCall(tool string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"text":"hi"},` + floorMeta + `}}` + "\n"
}

const floorList = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + floorMeta + `}}` + "\n"

func (f floorStdio) ask(frame string, large bool) (int, error) {
	if _, err := io.WriteString(f.in, frame); err != nil {
		return 0, err
	}
	if !large {
		line, err := f.out.ReadSlice('\n')
		return len(line), err
	}
	line, err := f.out.ReadBytes('\n')
	if err == nil && !json.Valid(line) {
		err = errors.New("not JSON")
	}
	return len(line), err
}

func (f floorStdio) call(tool string) (int, error) { return f.ask(floorCall(tool), tool != "echo") }
func (f floorStdio) list() (int, error) {
	_, err := f.ask(floorList, true)
	return toolCount, err
}
func (f floorStdio) close() { f.stop() }

type floorHTTP struct{ *peer }

func (f floorHTTP) ask(method, name, frame string, large bool) (int, error) {
	r, err := http.NewRequest(http.MethodPost, f.url, strings.NewReader(frame))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", method)
	r.Header.Set("User-Agent", "countersign")
	if name != "" {
		r.Header.Set("Mcp-Name", name)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	var b bytes.Buffer
	b.Grow(int(res.ContentLength) + bytes.MinRead)
	if _, err := b.ReadFrom(res.Body); err != nil {
		return 0, err
	}
	if large && !json.Valid(b.Bytes()) {
		return 0, errors.New("not JSON")
	}
	return b.Len(), nil
}

func (f floorHTTP) call(tool string) (int, error) {
	return f.ask("tools/call", tool, floorCall(tool), tool != "echo")
}
func (f floorHTTP) list() (int, error) {
	_, err := f.ask("tools/list", "", floorList, true)
	return toolCount, err
}
func (f floorHTTP) close() {
	http.DefaultClient.CloseIdleConnections()
	f.stop()
}

// --- ours, with its gate ---------------------------------------------------------

type yes struct{}

func (yes) Admit(context.Context, mcpclient.Send) error { return nil }

type ours struct {
	c    *mcpclient.Client
	peer *peer // over HTTP
}

func connectOurs(transport string) (client, error) {
	cfg := mcpclient.Config{ClientInfo: mcpclient.Implementation{Name: "bench", Version: "1"}, Gate: yes{}}
	var p *peer
	if transport == "http" {
		var err error
		if p, err = startPeer(transport); err != nil {
			return nil, err
		}
		cfg.HTTP = &mcpclient.HTTPConfig{URL: p.url}
	} else {
		cfg.Stdio = &mcpclient.StdioConfig{Path: os.Args[0], Args: []string{"serve", transport}, Env: os.Environ()}
	}
	c, err := mcpclient.Connect(context.Background(), cfg)
	if err != nil {
		return nil, err
	}
	return ours{c, p}, nil
}

func (o ours) call(tool string) (int, error) {
	out, err := o.c.CallTool(context.Background(), mcpclient.Call{ID: "c", Attempt: 1, Tool: tool, Arguments: []byte(`{"text":"hi"}`)})
	if err != nil {
		return 0, err
	}
	if out.Kind != mcpclient.OutcomeComplete || out.IsError {
		return 0, fmt.Errorf("got %.200s", out.Raw)
	}
	return len(out.Raw), nil
}

func (o ours) list() (int, error) {
	l, err := o.c.ListTools(context.Background())
	if err != nil {
		return 0, err
	}
	return len(l.Tools), nil
}

func (o ours) close() {
	_ = o.c.Close(context.Background())
	if o.peer != nil {
		o.peer.stop()
	}
}

// --- the official SDK --------------------------------------------------------------

type sdk struct {
	s    *mcp.ClientSession
	peer *peer
}

func connectSDK(transport string) (client, error) {
	var over mcp.Transport
	var p *peer
	if transport == "http" {
		var err error
		if p, err = startPeer(transport); err != nil {
			return nil, err
		}
		over = &mcp.StreamableClientTransport{Endpoint: p.url}
	} else {
		over = &mcp.CommandTransport{Command: exec.Command(os.Args[0], "serve", transport)}
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(context.Background(), over, nil)
	if err != nil {
		return nil, err
	}
	return sdk{s, p}, nil
}

func (k sdk) call(tool string) (int, error) {
	res, err := k.s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"text": "hi"}})
	if err != nil {
		return 0, err
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		return 0, errors.New("no text")
	}
	return len(text.Text), nil
}

func (k sdk) list() (int, error) {
	l, err := k.s.ListTools(context.Background(), nil)
	if err != nil {
		return 0, err
	}
	return len(l.Tools), nil
}

func (k sdk) close() {
	_ = k.s.Close()
	if k.peer != nil {
		k.peer.stop()
	}
}

// connect opens one of floor, ours and sdk.
func connect(who, transport string) (client, error) {
	switch who {
	case "ours":
		return connectOurs(transport)
	case "sdk":
		return connectSDK(transport)
	}
	p, err := startPeer(transport)
	if err != nil {
		return nil, err
	}
	if transport == "http" {
		return floorHTTP{p}, nil
	}
	return floorStdio{p}, nil
}
