package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// maxLine is the longest message that is taken, in bytes.
const maxLine = 64 << 20

// ServeStdio speaks to one client over a pair of pipes until in ends or ctx
// does. Requests run together; it waits for them before it returns.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	send := func(frame []byte) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = out.Write(append(frame, '\n')) // a client that left is seen at in
	}
	session := newSession(s, send)
	stop := s.watch(func() {
		session.mu.Lock()
		legacy := session.legacy
		session.mu.Unlock()
		if legacy {
			send(notification("notifications/tools/list_changed", map[string]any{}))
		}
	})
	defer stop()
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > maxLine {
			send(failure(nil, &Error{Code: -32600, Message: "the message is too long"}))
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			dispatch(ctx, session, line, send, &work)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// dispatch runs a request on a goroutine, but for initialize, which decides
// how everything after it is read.
func dispatch(ctx context.Context, session *session, line []byte, send func([]byte), work *sync.WaitGroup) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		send(failure(nil, &Error{Code: -32700, Message: "not JSON: " + err.Error()}))
		return
	}
	switch {
	case m.Version != "2.0":
		send(failure(nil, &Error{Code: -32600, Message: "not JSON-RPC 2.0"}))
	case m.Method == "" || m.ID == nil || string(m.ID) == "null":
		session.take(m)
	case m.Method == "initialize":
		session.serve(ctx, m, send)
	default:
		work.Go(func() { session.serve(ctx, m, send) })
	}
}
