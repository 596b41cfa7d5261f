package mcpclient

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"countersign/mcpclient/jsonrpc"
)

func init() { children["hostile"] = hostileChild }

// hostileChild is a server that writes what no server should, by the name of the
// tool.
func hostileChild() {
	p := newPeer()
	p.serve(EraModern, func(m jsonrpc.Message, tool string) {
		if !p.misbehave(m, tool) {
			p.tools(m, tool)
		}
	})
	if p.stays {
		time.Sleep(time.Hour)
	}
}

// misbehave reports false for tools that it does not have.
func (p *peer) misbehave(m jsonrpc.Message, tool string) bool {
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, okResult)
	number := func(name string) int64 {
		args, _ := jsonrpc.Get(m.Params, "arguments")
		raw, _ := jsonrpc.Get(args, name)
		n, _ := jsonrpc.Int(raw)
		return n
	}
	switch tool {
	case "stderr":
		_, _ = fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("e", 99)+"\n", 5000), strings.Repeat("e", 1<<20))
		p.line("%s", answer)
	case "stdout":
		p.line("%s%s", strings.Repeat("starting ...\n[1,2]\n{\"level\":\"info\",\"id\":3}\n\n", 5000), answer)
	case "endless":
		p.line("%s\n%s", strings.Repeat("x", 8<<20), answer)
	case "pieces":
		for _, b := range []byte(strings.Replace(answer, "ok", "河 – 🚲", 1) + "\n") {
			_, _ = os.Stdout.Write([]byte{b})
		}
	case "marked":
		p.line("\xEF\xBB\xBF%s\r", answer)
	case "twice":
		p.line("%s\n%s", strings.Replace(answer, "ok", "first", 1), strings.Replace(answer, "ok", "second", 1))
	case "batch":
		p.line(`[{"jsonrpc":"2.0","id":4711,"result":{}},{"jsonrpc":"2.0","method":"notifications/x"},7,%s]`, answer)
		p.line(`[{"jsonrpc":"2.0","id":4711,"result":{}},{"jsonrpc":"2.0","method":"notifications/x"},%s]`, answer)
	case "unknown":
		for _, id := range []string{"0", "-1", `"x"`, "null", "4711", "1.5", "{}", "[1]", "true"} {
			p.line(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		}
		p.line("%s", answer)
	case "null":
		p.result(m, "null")
	case "huge":
		p.result(m, `{"content":[{"type":"text","text":"`+strings.Repeat("a", 5<<20)+`"}]}`)
	case "broken":
		p.result(m, `{"content":[}`)
	case "sized":
		p.sized(m, number("bytes"))
	case "garbage":
		p.garbage(uint64(number("seed")))
		p.line("\n%s", answer)
	case "half":
		_, _ = os.Stdout.WriteString(answer[:len(answer)/2])
		fmt.Fprintln(os.Stderr, "gave up")
		os.Exit(9)
	case "closeout":
		_ = os.Stdout.Close()
		p.stays = true
	case "closein":
		_ = os.Stdin.Close()
		p.stays = true
		p.line("%s", answer)
	default:
		return false
	}
	return true
}

// sized answers with a text of so many bytes, made in small pieces.
func (p *peer) sized(m jsonrpc.Message, n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, m.ID)
	piece := []byte(strings.Repeat("a", 1<<20))
	for ; n > 0; n -= int64(len(piece)) {
		_, _ = os.Stdout.Write(piece[:min(n, int64(len(piece)))])
	}
	_, _ = io.WriteString(os.Stdout, "\"}]}}\n")
}

// garbage writes random bytes, with brackets, quotes and line ends among them
// more often than chance would have it.
func (p *peer) garbage(seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, rnd.IntN(4096))
	const likely = "{}[]\",:\n\r\\ \x00\xEF\xBB\xBFnull\"method\"\"result\"\"jsonrpc\""
	for i := range b {
		b[i] = byte(rnd.UintN(256))
		if rnd.IntN(2) == 0 {
			b[i] = likely[rnd.IntN(len(likely))]
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = os.Stdout.Write(b)
}
