package apptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Recorder is a modern MCP server over standard input and output that writes
// the exact argument bytes of every tools/call it gets into a file, one a
// line. Its one tool is called record; arguments {"ask":true} make it ask for
// input once, {"later":true} ask to be asked again until a file of its file's
// name with ".open" is there, and {"slow":true} never answer. With a second
// word, "legacy", it speaks 2025-11-25.
func Recorder(args []string) int {
	file, err := os.OpenFile(args[0], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = file.Close() }()
	legacy := len(args) > 1 && args[1] == "legacy"
	waiting := "" // id of the legacy call that waits for an answer
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return 0
		}
		if err != nil {
			return 1
		}
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Arguments json.RawMessage `json:"arguments"`
				Inputs    json.RawMessage `json:"inputResponses"`
				State     string          `json:"requestState"`
			} `json:"params"`
		}
		if json.Unmarshal([]byte(line), &req) != nil || req.ID == nil {
			continue
		}
		result := ""
		switch req.Method {
		case "":
			if string(req.ID) == `"q1"` && waiting != "" {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"recorded"}]}}`+"\n", waiting)
			}
			continue
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"recorder","version":"1"}}`
		case "server/discover":
			if legacy {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", req.ID)
				continue
			}
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"recorder","version":"1"}}}`
		case "tools/list":
			result = `{"resultType":"complete","tools":[{"name":"record","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`
		case "tools/call":
			if _, err := fmt.Fprintf(file, "%s\n", req.Params.Arguments); err != nil {
				return 1
			}
			if err := file.Sync(); err != nil {
				return 1
			}
			switch args := string(req.Params.Arguments); {
			case strings.Contains(args, `"slow":true`):
				continue
			case strings.Contains(args, `"ask":true`) && legacy:
				waiting = string(req.ID)
				fmt.Printf(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{"why":{"type":"string"}}}}}` + "\n")
				continue
			case strings.Contains(args, `"ask":true`) && req.Params.Inputs == nil:
				result = `{"resultType":"input_required","requestState":"s1","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{"why":{"type":"string"}}}}}}}`
			case strings.Contains(args, `"later":true`) && !open(file.Name()+".open"):
				result = `{"resultType":"input_required","requestState":"later"}`
			case strings.Contains(args, `"later":true`) && req.Params.State != "later":
				result = `{"resultType":"complete","isError":true,"content":[{"type":"text","text":"the state did not come back"}]}`
			default:
				result = `{"resultType":"complete","content":[{"type":"text","text":"recorded"}]}`
			}
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", req.ID)
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result)
	}
}

// open tells whether a file is there.
func open(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Recorded reads what a Recorder wrote: the argument bytes of each call that
// reached it, in order.
func Recorded(path string) ([]string, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n"), nil
}
