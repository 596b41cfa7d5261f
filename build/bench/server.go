package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

// The server answers with stored bytes, so that what is measured is the client.

const (
	bigText   = 20 << 20  // bytes of text of the tool "big"
	hugeText  = 200 << 20 // bytes of text of the tool "huge"
	toolCount = 10_000
)

// stored are the results by what is asked for; made once.
type stored struct{ discover, list, echo, text []byte }

func store(textBytes int) *stored {
	s := &stored{
		discover: []byte(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1"}}}`),
		echo: []byte(`{"resultType":"complete","content":[{"type":"text","text":"hi"}]}`),
	}
	var list, text bytes.Buffer
	list.WriteString(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[`)
	filler := strings.Repeat("It is as long as the words of real tools are. ", 13)
	for i := range toolCount {
		if i > 0 {
			list.WriteByte(',')
		}
		fmt.Fprintf(&list, `{"name":"tool_%05d","title":"Tool %d","description":"%s","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Where"},"depth":{"type":"integer","minimum":0}},"required":["path"]},"annotations":{"readOnlyHint":true}}`, i, i, filler)
	}
	list.WriteString(`]}`)
	text.Grow(textBytes + 100)
	text.WriteString(`{"resultType":"complete","content":[{"type":"text","text":"`)
	const line = `A line of a long text, with a "quoted\" word.\n`
	quoted := strings.ReplaceAll(line, `"quoted\"`, `\"quoted\"`)
	for text.Len() < textBytes {
		text.WriteString(quoted)
	}
	text.WriteString(`"}]}`)
	s.list, s.text = list.Bytes(), text.Bytes()
	return s
}

// answer gives id and result for a request, or nil for what is none.
func (s *stored) answer(message []byte) (id, result []byte) {
	_, after, ok := bytes.Cut(message, []byte(`"id":`))
	if !ok {
		return nil, nil
	}
	id = after[:bytes.IndexAny(after, ",}")]
	switch {
	case bytes.Contains(message, []byte(`"method":"server/discover"`)):
		return id, s.discover
	case bytes.Contains(message, []byte(`"method":"tools/list"`)):
		return id, s.list
	case bytes.Contains(message, []byte(`"name":"echo"`)):
		return id, s.echo
	case bytes.Contains(message, []byte(`"method":"tools/call"`)):
		return id, s.text
	}
	return nil, nil
}

func frame(w io.Writer, id, result []byte) {
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`)
	_, _ = w.Write(id)
	_, _ = io.WriteString(w, `,"result":`)
	_, _ = w.Write(result)
	_, _ = io.WriteString(w, "}")
}

func serveStdio(textBytes int) {
	s := store(textBytes)
	in, out := bufio.NewReaderSize(os.Stdin, 64<<10), bufio.NewWriterSize(os.Stdout, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		if id, result := s.answer(line); id != nil {
			frame(out, id, result)
			_ = out.WriteByte('\n')
			_ = out.Flush()
		}
	}
}

// serveHTTP writes the address on stdout and ends with stdin.
func serveHTTP(textBytes int) error {
	s := store(textBytes)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		id, result := s.answer(body)
		switch {
		case err != nil || r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case id == nil:
			w.WriteHeader(http.StatusAccepted)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", fmt.Sprint(len(`{"jsonrpc":"2.0","id":,"result":}`)+len(id)+len(result)))
			frame(w, id, result)
		}
	}))
}
