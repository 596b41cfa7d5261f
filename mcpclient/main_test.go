package mcpclient

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// childEnv names the server that the test binary plays when it starts itself.
const childEnv = "MCPCLIENT_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		run, ok := children[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such child:", name)
			os.Exit(64)
		}
		run()
		os.Exit(0)
	}
	flag.Parse()
	fuzzing := flag.Lookup("test.fuzz").Value.String() != "" // which has goroutines of its own
	before := runtime.NumGoroutine()
	code := m.Run()
	if code == 0 && !fuzzing && !settled(before) {
		buf := make([]byte, 1<<20)
		fmt.Fprintf(os.Stderr, "goroutines left over: %d before, %d after\n%s\n",
			before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		code = 1
	}
	os.Exit(code)
}

// settled waits until no more goroutines run than before.
func settled(before int) bool {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if runtime.NumGoroutine() <= before {
			return true
		}
	}
	return false
}

// children are the servers that this binary can play.
var children = map[string]func(){
	"sdk":  sdkChild,
	"echo": echoChild,
	"argv": argvChild,
}

// sdkChild is a server of the official SDK.
func sdkChild() {
	s := sdkServer(nil)
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// argvChild says which arguments it was started with, one a line, then echoes.
func argvChild() {
	for _, arg := range os.Args[1:] {
		fmt.Fprintf(os.Stderr, "arg %q\n", arg)
	}
	echoChild()
}

// echoChild is the floor: no JSON is read, the id is taken from its fixed place.
func echoChild() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		const prefix = `{"jsonrpc":"2.0","id":`
		id, _, _ := strings.Cut(line[len(prefix):], ",")
		if strings.Contains(line, "server/discover") {
			fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`+"\n", id)
			continue
		}
		if strings.Contains(line, `"method":"initialize"`) {
			fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}}`+"\n", id)
			continue
		}
		if strings.Contains(line, `"method":"notifications/`) {
			continue
		}
		os.Stdout.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}}` + "\n")
	}
}

func childConfig(name string, args ...string) *StdioConfig {
	return &StdioConfig{Path: os.Args[0], Args: args, Env: []string{
		childEnv + "=" + name,
		"GORACE=atexit_sleep_ms=0", // under the race detector a child would linger for a second
	}}
}
