package apptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Puppet is an MCP server over standard input and output that says exactly
// what a test has it say. Its one argument is a folder: the file "legacy", if
// there, makes it speak 2025-11-25; "tools.json" holds its tools/list result;
// "discover.json" its answer to server/discover or initialize. Whatever it
// receives is appended to "received", one message a line.
//
// Each tools/call names the acts of the answer in its arguments:
//
//	{"acts":[{"say":"…"},{"await":"…"},{"exit":true}]}
//
// say writes a line in which $ID, $TOKEN and $N stand for the request's id,
// its progress token and the repetition; times repeats it; "bulk" fills in
// $BULK with that many letters. await waits until a line with that text, $ID
// filled in, came in. Acts of several calls run side by side.
func Puppet(args []string) int {
	p := &puppet{dir: args[0], out: bufio.NewWriter(os.Stdout)}
	p.came = sync.NewCond(&p.mu)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return 0
		}
		if err != nil {
			return 1
		}
		p.receive(strings.TrimSpace(line))
	}
}

type puppet struct {
	dir string

	mu    sync.Mutex
	lines []string
	came  *sync.Cond
	out   *bufio.Writer
}

// Act is one thing that a Puppet does.
type Act struct {
	Say   string `json:"say,omitempty"`
	Times int    `json:"times,omitempty"`
	Bulk  int    `json:"bulk,omitempty"`
	Await string `json:"await,omitempty"`
	Exit  bool   `json:"exit,omitempty"`
}

type puppetCall struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Arguments struct {
			Acts []Act `json:"acts"`
		} `json:"arguments"`
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

func (p *puppet) file(name, otherwise string) string {
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return otherwise
	}
	return string(b)
}

func (p *puppet) receive(line string) {
	p.mu.Lock()
	p.lines = append(p.lines, line)
	p.came.Broadcast()
	p.mu.Unlock()
	if f, err := os.OpenFile(filepath.Join(p.dir, "received"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_, _ = fmt.Fprintln(f, line)
		_ = f.Close()
	}
	var req puppetCall
	if json.Unmarshal([]byte(line), &req) != nil || req.ID == nil || req.Method == "" {
		return
	}
	legacy := p.file("legacy", "no") != "no"
	result := ""
	switch {
	case req.Method == "tools/call":
		go p.perform(req)
		return
	case req.Method == "initialize":
		result = p.file("discover.json", `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"puppet","version":"1"}}`)
	case req.Method == "server/discover" && !legacy:
		result = p.file("discover.json", `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"puppet","version":"1"}}}`)
	case req.Method == "tools/list":
		result = p.file("tools.json", `{"resultType":"complete","tools":[{"name":"do","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`)
	default:
		p.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, req.ID))
		return
	}
	p.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, strings.ReplaceAll(strings.TrimSpace(result), "\n", " ")))
}

func (p *puppet) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.out.WriteString(line + "\n")
	_ = p.out.Flush()
}

func (p *puppet) perform(req puppetCall) {
	for _, a := range req.Params.Arguments.Acts {
		switch {
		case a.Exit:
			p.mu.Lock() // what was said is out
			os.Exit(3)
		case a.Await != "":
			p.await(strings.ReplaceAll(a.Await, "$ID", string(req.ID)))
		}
		if a.Say == "" {
			continue
		}
		for n := range max(a.Times, 1) {
			p.say(strings.NewReplacer("$ID", string(req.ID), "$TOKEN", string(req.Params.Meta.Token), "$N", fmt.Sprint(n),
				"$BULK", strings.Repeat("x", a.Bulk), "$BYTE", "\x97").Replace(a.Say))
		}
	}
}

// await waits for a line with the text that came after the call itself.
func (p *puppet) await(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for _, l := range p.lines {
			if strings.Contains(l, text) && !strings.Contains(l, `"await"`) {
				return
			}
		}
		p.came.Wait()
	}
}
