package servers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"countersign/mcpclient/demoserver"
)

// roleVar makes the test binary a server, a well-behaved one or not.
const roleVar = "COUNTERSIGN_TEST_SERVER"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		play(role)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is the life of a server that the tests start as a child process.
func play(role string) {
	switch role {
	case "exits": // field report 74
		fmt.Fprintln(os.Stderr, "reading settings")
		fmt.Fprintln(os.Stderr, "missing TOKEN")
		os.Exit(7)
	case "silent": // field report 76
		fmt.Fprintln(os.Stderr, "loading the model")
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		}
	case "sleeps":
		time.Sleep(time.Hour)
	case "demo":
		os.Exit(demoserver.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "plain":
		serve()
	case "stays": // does not end when it should
		signal.Ignore(syscall.SIGTERM)
		serve()
		time.Sleep(time.Hour)
	case "family": // field report 72
		child := exec.Command(os.Args[0])
		child.Env = []string{roleVar + "=sleeps"}
		if err := child.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", child.Process.Pid)
		serve()
	default:
		fmt.Fprintf(os.Stderr, "unknown role %q\n", role)
		os.Exit(2)
	}
}

// serve is the smallest legacy server with one tool.
func serve() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, answer(m.Method))
	}
}

// answer is the member "result" or "error" to a method.
func answer(method string) string {
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"plain","version":"1"}}`
	case "tools/list":
		return `"result":{"tools":[{"name":"t1","inputSchema":{"type":"object"}}]}`
	case "ping":
		return `"result":{}`
	}
	return `"error":{"code":-32601,"message":"no such method"}`
}
