package apptest

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
)

// EchoSecrets is a modern MCP server that says everything it was given back,
// in several encodings: in its name, its tool's description, its standard
// error and its results.
func EchoSecrets(args []string) int {
	given := append([]string{os.Getenv("ECHO_ENV"), os.Getenv("API_KEY"), os.Getenv("LIVING")}, args...)
	var all []string
	for _, s := range given {
		fmt.Fprintln(os.Stderr, "starting with", s)
		all = append(all, s, url.QueryEscape(s), base64.StdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte("k="+s)))
	}
	told, _ := json.Marshal(fmt.Sprint(all))
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Arguments json.RawMessage `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		var result string
		switch req.Method {
		case "server/discover":
			result = fmt.Sprintf(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":%s,"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"echo","version":%s}}}`, told, told)
		case "tools/list":
			result = fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"echo","description":%s,"inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`, told)
		case "tools/call":
			result = fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":%s}],"structuredContent":{"given":%s,"back":%s}}`, told, req.Params.Arguments, told)
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method, and %s"}}`+"\n", req.ID, "nothing else")
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result)
	}
	return 0
}
