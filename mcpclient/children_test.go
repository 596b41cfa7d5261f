package mcpclient

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"countersign/mcpclient/jsonrpc"
)

// recordEnv names a file to which a scripted child copies each line it reads.
const recordEnv = "MCPCLIENT_TEST_RECORD"

// peer is the server's end in a child process.
type peer struct {
	in     *bufio.Reader
	rules  wireRules
	record *os.File
	mu     sync.Mutex // of stdout
	// waits is a call of the tool "late", which does as its argument says when it
	// is cancelled.
	waits jsonrpc.Message
	stays bool // lives on after its input has ended
}

func newPeer() *peer {
	p := &peer{in: bufio.NewReaderSize(os.Stdin, 1<<20)}
	if name := os.Getenv(recordEnv); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		p.record = f
	}
	return p
}

// next reads a message; ok is false at the end of input.
func (p *peer) next() (m jsonrpc.Message, ok bool) {
	line, err := p.in.ReadString('\n')
	if err != nil {
		return m, false
	}
	if p.record != nil {
		_, _ = p.record.WriteString(line)
	}
	line = strings.TrimSuffix(line, "\n")
	m, err = jsonrpc.Parse([]byte(line))
	if err == nil {
		err = p.rules.check(line)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bad message:", err)
		os.Exit(65)
	}
	return m, true
}

func (p *peer) line(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(os.Stdout, format+"\n", args...)
}

func (p *peer) result(m jsonrpc.Message, result string) {
	p.line(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (p *peer) fail(m jsonrpc.Message, code int, text string) {
	p.line(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
}

const (
	discovered  = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":%v}},"instructions":"be kind","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"7","icons":[]}},"ttlMs":0,"cacheScope":"public"}`
	initialized = `{"protocolVersion":"%s","capabilities":{"tools":{"listChanged":"yes","x":1},"future":null},"serverInfo":{"name":"old","version":"1"},"instructions":"old ways"}`
	okResult    = `{"content":[{"type":"text","text":"ok"}]}`
)

// serve answers the handshake of an era; everything else goes to tool, by method
// and tool name.
func (p *peer) serve(era Era, handle func(m jsonrpc.Message, tool string)) {
	p.rules.era = era
	for {
		m, ok := p.next()
		if !ok {
			return
		}
		switch {
		case m.Method == "server/discover" && era == EraModern:
			p.result(m, fmt.Sprintf(discovered, true))
		case m.Method == "initialize" && era == EraLegacy:
			p.result(m, fmt.Sprintf(initialized, LegacyVersion))
		case m.Method == "notifications/initialized":
		case m.Method == "tools/call":
			raw, _ := jsonrpc.Get(m.Params, "name")
			tool, _ := jsonrpc.String(raw)
			handle(m, tool)
		case m.IsRequest() && m.Method != "tools/list" && m.Method != "subscriptions/listen":
			p.fail(m, -32601, "no such method")
		default:
			handle(m, "")
		}
	}
}

func init() {
	for name, run := range map[string]func(){
		"modern":      func() { p := newPeer(); p.serve(EraModern, p.tools) },
		"legacy":      func() { p := newPeer(); p.serve(EraLegacy, p.tools) },
		"silent":      silentChild,
		"mute":        func() { _, _ = newPeer().in.ReadString(0) },
		"reader":      readerChild,
		"latecomer":   latecomerChild,
		"slow":        func() { slowChild(false) },
		"slowboth":    func() { slowChild(true) },
		"picky":       func() { pickyChild(EraLegacy) },
		"pickymodern": func() { pickyChild(EraModern) },
		"modernonly":  modernOnlyChild,
		"exit7":       func() { fmt.Fprintln(os.Stderr, "starting\nmissing TOKEN"); os.Exit(7) },
		"oldversion":  func() { versionChild("2024-11-05") },
		"newversion":  func() { versionChild("2030-01-01") },
		"unsupported": unsupportedChild,
		"noise":       noiseChild,
		"stubborn":    stubbornChild,
		"eager":       eagerChild,
		"large":       largeChild,
		"sleeper":     func() { signal.Ignore(syscall.SIGTERM); time.Sleep(time.Hour) },
	} {
		children[name] = run
	}
}

// tools are what the scripted servers can do.
func (p *peer) tools(m jsonrpc.Message, tool string) {
	token := func() string {
		meta, _ := jsonrpc.Get(m.Params, "_meta")
		raw, _ := jsonrpc.Get(meta, "progressToken")
		return string(raw)
	}
	switch tool {
	case "echo":
		args, _ := jsonrpc.Get(m.Params, "arguments")
		p.result(m, `{"content":[],"structuredContent":`+string(args)+`}`)
	case "progress":
		for n := range 3 {
			p.line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d.50,"total":3,"message":"step"}}`, token(), n)
		}
		for _, odd := range []string{`99999,"progress":1`, `null,"progress":1`, `{},"progress":1`, token() + `,"progress":1`, token() + `,"progress":"x","total":null`} {
			p.line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s}}`, odd)
		}
		p.result(m, okResult)
	case "hang":
		p.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hanging"}}`)
	case "late":
		p.waits = m
		p.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hanging"}}`)
	case "codepage":
		p.result(m, "{\"content\":[],\"x\":\"a \x97 b\"}")
	case "die":
		fmt.Fprintln(os.Stderr, "panic: out of cheese")
		os.Exit(3)
	case "killself":
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
		time.Sleep(time.Minute)
	case "flood":
		fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("e", 99)+"\n", 2600))
		p.result(m, okResult)
	case "big":
		p.result(m, `{"content":[{"type":"text","text":"`+strings.Repeat("a", 20<<20)+`"}]}`)
	case "ask":
		p.line(`{"jsonrpc":"2.0","id":"q-1","method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object","properties":{}}}}`)
		for {
			answer, ok := p.next()
			if !ok {
				return
			}
			if answer.Method == "" {
				what := answer.Result
				if what == nil {
					what = answer.Error
				}
				p.result(m, `{"content":[],"structuredContent":`+string(what)+`}`)
				return
			}
		}
	case "askandleave":
		p.line(`{"jsonrpc":"2.0","id":"q-2","method":"elicitation/create","params":{"message":"who?"}}`)
		p.line(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q-2"}}`)
	case "raw": // answers with the arguments' "result" member as it is
		args, _ := jsonrpc.Get(m.Params, "arguments")
		raw, _ := jsonrpc.Get(args, "result")
		p.result(m, string(raw))
	case "send": // writes the text of the argument "line" to stdout, then answers
		args, _ := jsonrpc.Get(m.Params, "arguments")
		raw, _ := jsonrpc.Get(args, "line")
		line, _ := jsonrpc.String(raw)
		p.line("%s", line)
		p.result(m, okResult)
	case "":
		p.others(m)
	default:
		p.fail(m, -32602, "unknown tool")
	}
}

// others answers what is no call.
func (p *peer) others(m jsonrpc.Message) {
	switch m.Method {
	case "tools/list":
		p.result(m, `{"resultType":"complete","tools":[{"name":"echo","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"public"}`)
	case "notifications/cancelled":
		if p.waits.ID != nil {
			p.afterCancel()
		}
	case "subscriptions/listen":
		p.line(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":{"toolsListChanged":true}}}`, m.ID)
		p.line(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, m.ID)
	}
}

// afterCancel is what becomes of a call of the tool "late".
func (p *peer) afterCancel() {
	args, _ := jsonrpc.Get(p.waits.Params, "arguments")
	raw, _ := jsonrpc.Get(args, "then")
	then, _ := jsonrpc.String(raw)
	switch then {
	case "error":
		p.fail(p.waits, 0, "Request cancelled")
	case "progress":
		meta, _ := jsonrpc.Get(p.waits.Params, "_meta")
		token, _ := jsonrpc.Get(meta, "progressToken")
		p.line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":7}}`, token)
	case "":
	default:
		p.result(p.waits, then)
	}
}

func versionChild(version string) {
	p := newPeer()
	for {
		m, ok := p.next()
		if !ok {
			return
		}
		switch {
		case m.Method == "initialize":
			p.result(m, fmt.Sprintf(initialized, version))
		case m.Method == "server/discover":
			// In a legacy server's own words, and with the id as it should not be.
			p.line(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not initialized"}}`)
		case m.Method == "tools/call":
			p.result(m, okResult)
		}
	}
}

func unsupportedChild() {
	p := newPeer()
	for {
		m, ok := p.next()
		if !ok {
			return
		}
		if m.Method == "initialize" {
			fmt.Fprintln(os.Stderr, "initialize came")
		}
		p.line(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2025-11-25","2027-01-01"],"requested":"2026-07-28"}}}`, m.ID)
	}
}

func noiseChild() {
	fmt.Println("Starting server on stdio...")
	fmt.Println("[dbg] {not json")
	p := newPeer()
	p.serve(EraModern, func(m jsonrpc.Message, tool string) {
		fmt.Println("handling " + tool + " \x97")
		p.tools(m, tool)
	})
}

// stubbornChild neither ends with its input nor at SIGTERM.
func stubbornChild() {
	signal.Ignore(syscall.SIGTERM)
	p := newPeer()
	p.serve(EraModern, p.tools)
	time.Sleep(time.Hour)
}

// eagerChild asks before it was asked.
func eagerChild() {
	p := newPeer()
	p.line(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
	p.serve(EraLegacy, p.tools)
}

// largeChild answers with 20 MB, and lists 10,000 tools; both made once.
func largeChild() {
	result := []byte(`,"result":{"resultType":"complete","content":[{"type":"text","text":"` + strings.Repeat("some text of it\\n", 20<<20/17+1) + `"}]}}` + "\n")
	list := []byte(`,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[`)
	for n := range 10_000 {
		if n > 0 {
			list = append(list, ',')
		}
		list = fmt.Appendf(list, `{"name":"tool_%d","title":"Tool %d","description":"%s","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"%s"}},"required":["text"]}}`,
			n, n, strings.Repeat("what it does ", 40), strings.Repeat("what it is ", 25))
	}
	list = append(list, "]}}\n"...)
	p := newPeer()
	for {
		m, ok := p.next()
		if !ok {
			return
		}
		head := append([]byte(`{"jsonrpc":"2.0","id":`), m.ID...)
		switch m.Method {
		case "server/discover":
			p.result(m, fmt.Sprintf(discovered, false))
		case "tools/call":
			_, _ = os.Stdout.Write(append(head, result...))
		case "tools/list":
			_, _ = os.Stdout.Write(append(head, list...))
		}
	}
}
