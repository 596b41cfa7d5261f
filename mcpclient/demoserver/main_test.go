package demoserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// childEnv makes the test binary the demo server.
const childEnv = "DEMOSERVER_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func childCommand(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), childEnv+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// protocol is the published schema of a version.
type protocol struct {
	compiler *jsonschema.Compiler
	version  string
}

func loadProtocol(t *testing.T, version string) protocol {
	t.Helper()
	c := jsonschema.NewCompiler()
	f, err := os.Open("../testdata/spec/schema-" + version + ".json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("mcp:"+version, doc); err != nil {
		t.Fatal(err)
	}
	return protocol{c, version}
}

// check holds a message or a part of one against a definition.
func (p protocol) check(t *testing.T, definition string, raw json.RawMessage) {
	t.Helper()
	s, err := p.compiler.Compile("mcp:" + p.version + "#/$defs/" + definition)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("no %s: %v\n%.400s", definition, err, raw)
	}
}

// client speaks raw messages to the demo server as a child process.
type client struct {
	t     *testing.T
	p     protocol
	in    io.WriteCloser
	out   *bufio.Reader
	last  int
	seen  []string        // methods of notifications, in order
	asked json.RawMessage // the last legacy question
	reply string          // what it is answered with
}

func startClient(t *testing.T, version string) *client {
	t.Helper()
	cmd := childCommand()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, p: loadProtocol(t, version), in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, c.out)
		if err := cmd.Wait(); err != nil || errs.Len() > 0 {
			t.Errorf("the server ended with %v, and wrote %q", err, errs.String())
		}
	})
	if version == legacy {
		r := c.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"t","version":"1"}}`)
		c.p.check(t, "InitializeResult", r.result)
		c.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
}

func (c *client) write(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

type reply struct {
	result json.RawMessage
	code   int
	frame  []byte
}

// params puts the _meta of the era before the members in more.
func (c *client) params(more string) string {
	meta := `"_meta":{"progressToken":` + strconv.Itoa(c.last)
	if c.p.version == modern {
		meta += `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}`
	}
	if more != "" {
		meta += "}," + more + "}"
	} else {
		meta += "}}"
	}
	return "{" + meta
}

func (c *client) request(method, params string) reply {
	c.t.Helper()
	c.last++
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.last, method, params))
	return c.answer(c.last)
}

// answer reads up to the response to id, and holds everything before it
// against the schema.
func (c *client) answer(id int) reply {
	c.t.Helper()
	for {
		frame, err := c.out.ReadBytes('\n')
		if err != nil {
			c.t.Fatal(err)
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		if err := json.Unmarshal(frame, &m); err != nil {
			c.t.Fatalf("%v in %s", err, frame)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			c.p.check(c.t, "ServerRequest", frame)
			c.asked = m.Params
			c.write(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + c.reply + `}`)
		case m.Method != "":
			c.p.check(c.t, "ServerNotification", frame)
			c.seen = append(c.seen, m.Method)
		case string(m.ID) != strconv.Itoa(id):
			c.t.Fatalf("a response to %s, in wait for %d", m.ID, id)
		case m.Error != nil:
			c.p.check(c.t, "JSONRPCErrorResponse", frame)
			return reply{code: m.Error.Code, frame: frame}
		default:
			c.p.check(c.t, "JSONRPCResultResponse", frame)
			return reply{result: m.Result, frame: frame}
		}
	}
}

// call calls a tool; a modern question is answered with c.reply.
func (c *client) call(tool, args string) reply {
	c.t.Helper()
	members := fmt.Sprintf(`"name":%q,"arguments":%s`, tool, args)
	r := c.request("tools/call", c.params(members))
	var asked struct {
		ResultType    string
		RequestState  string
		InputRequests map[string]struct{ Params json.RawMessage }
	}
	if r.result == nil {
		return r
	}
	if err := json.Unmarshal(r.result, &asked); err != nil {
		c.t.Fatal(err)
	}
	if asked.ResultType == "input_required" {
		c.p.check(c.t, "InputRequiredResult", r.result)
		for key, q := range asked.InputRequests {
			c.asked = q.Params
			members += fmt.Sprintf(`,"inputResponses":{%q:%s},"requestState":%q`, key, c.reply, asked.RequestState)
		}
		r = c.request("tools/call", c.params(members))
	}
	if r.result != nil {
		c.p.check(c.t, "CallToolResult", r.result)
	}
	return r
}
