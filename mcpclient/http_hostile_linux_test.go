package mcpclient

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// pack compresses a text.
func pack(t *testing.T, text string, to func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var b bytes.Buffer
	w := to(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func toGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func toZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func toFlate(w io.Writer) io.WriteCloser {
	f, err := flate.NewWriter(w, flate.DefaultCompression)
	if err != nil { // the level is known
		panic(err)
	}
	return f
}

// whole is the answer to a call.
func whole(e *webExchange) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, e.msg.ID, okResult)
}

// as writes a body under a type and an encoding, either of which may be empty.
func as(kind, encoding string, body func(e *webExchange) string) func(*webExchange) {
	return func(e *webExchange) {
		e.w.Header()["Content-Type"] = []string{kind}
		if kind == "" {
			e.w.Header()["Content-Type"] = nil
		}
		if encoding != "" {
			e.w.Header().Set("Content-Encoding", encoding)
		}
		_, _ = io.WriteString(e.w, body(e))
	}
}

// lines writes an event stream with the answer for JSON.
func lines(format string) func(*webExchange) {
	return as("text/event-stream", "", func(e *webExchange) string { return strings.ReplaceAll(format, "JSON", whole(e)) })
}

// readable are odd answers to a call that can be read, and what is odd.
func readable(t *testing.T) map[string]func(e *webExchange) {
	packed := func(to func(io.Writer) io.WriteCloser, wrap string) func(e *webExchange) string {
		return func(e *webExchange) string { return pack(t, fmt.Sprintf(wrap, whole(e)), to) }
	}
	const js, sse = "application/json", "text/event-stream"
	return map[string]func(e *webExchange){
		"gzip":                         as(js, "gzip", packed(toGzip, "%s")),
		"deflate":                      as(js, "deflate", packed(toZlib, "%s")),
		"deflate without its header":   as(js, "Deflate", packed(toFlate, "%s")),
		"gzip twice":                   as(js, "gzip, gzip", func(e *webExchange) string { return pack(t, pack(t, whole(e), toGzip), toGzip) }),
		"a gzip stream":                as(sse, "x-gzip", packed(toGzip, "data: %s\n\n")),
		"identity":                     as(js, "identity", whole),
		"HTTP-04 charset":              as("Application/JSON;Charset=UTF-8", "", whole),
		"HTTP-04 a stream's charset":   as("text/event-stream; charset=utf-8", "", func(e *webExchange) string { return "data: " + whole(e) + "\n\n" }),
		"no type":                      as("", "", whole),
		"a type with an odd parameter": as("application/json; ;=", "", whole),
		"another type":                 as("application/vnd.api+json", "", whole),
		"a byte order mark":            lines("\xef\xbb\xbfdata: JSON\n\n"),
		"CR only":                      lines(": c\rretry: 1\rdata: JSON\r\r"),
		"field-80 CR LF":               lines("event: message\r\ndata: JSON\r\n\r\n"),
		"HTTP-07 field-83 comments":    lines(": keep-alive\n\n:\n\n: \xff\n\nunknown: x\n\nevent: message\n\ndata: JSON\n\n"),
		"an event of another type":     lines("event: other\ndata: {}\n\ndata: JSON\n\n"),
		"data in several lines": as(sse, "", func(e *webExchange) string {
			return "data: " + strings.Replace(whole(e), `"result"`, "\ndata:\"result\"", 1) + "\n\n"
		}),
		"what cannot be read comes first": lines("data: {\n\ndata: 5\n\ndata: \"x\"\n\ndata: []\n\ndata: null\n\ndata: JSON\n\n"),
		"a big event comes first": as(sse, "", func(e *webExchange) string {
			return `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + strings.Repeat("x", 1<<20) + "\"}}\n\ndata: " + whole(e) + "\n\n"
		}),
	}
}

// unreadable are answers to a call that cannot be read, and what is said of them.
func unreadable(t *testing.T) map[string]func(e *webExchange) {
	const js, sse = "application/json", "text/event-stream"
	return map[string]func(e *webExchange){
		"compressed as": as(js, "br", whole),
		"gzip:":         as(js, "gzip", whole),
		"unexpected EOF": as(js, "gzip", func(e *webExchange) string {
			p := pack(t, whole(e), toGzip)
			return p[:len(p)-4]
		}),
		"limit of 1 MiB": as(js, "gzip", func(e *webExchange) string {
			return pack(t, strings.Replace(whole(e), "{", "{"+strings.Repeat(" ", 4<<20), 1), toGzip)
		}),
		"larger than the limit of 1 MiB": as(sse, "gzip", func(e *webExchange) string {
			return pack(t, "data: "+strings.Replace(whole(e), okResult, `"`+strings.Repeat("x", 4<<20)+`"`, 1)+"\n\n", toGzip)
		}),
		"EOF": func(e *webExchange) {
			e.w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(e.w, whole(e))
			panic(http.ErrAbortHandler)
		},
		"stream ended before": lines("data: JSON\n"),
		"the answer's stream": func(e *webExchange) {
			e.stream("data: {\"jsonrpc\"")
			panic(http.ErrAbortHandler)
		},
	}
}

// TestHostileHTTP: whatever a server does with one answer, that call alone ends,
// usefully, and nothing is left over.
func TestHostileHTTP(t *testing.T) {
	leavesNothing(t, func() { t.Run("each", hostileHTTP) })
}

func hostileHTTP(t *testing.T) {
	good, bad := readable(t), unreadable(t)
	s := newWebServer(t, EraModern)
	s.handle = func(e *webExchange) {
		switch name := e.tool(); {
		case good[name] != nil:
			good[name](e)
		case bad[name] != nil:
			bad[name](e)
		default:
			e.result(okResult)
		}
	}
	cfg, _, _ := s.config(t)
	cfg.MaxMessageBytes = 1 << 20
	c := mustConnect(t, cfg)
	for name := range good {
		t.Run(name, func(t *testing.T) {
			out := mustCall(t, c, call(name, `{}`))
			if strings.Join(strings.Fields(string(out.Raw)), "") != strings.Join(strings.Fields(okResult), "") {
				t.Errorf("got %s", out.Raw)
			}
		})
	}
	for name := range bad {
		t.Run(name, func(t *testing.T) {
			_, err := c.CallTool(context.Background(), call(name, `{}`))
			if !errors.As(err, new(*LostError)) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
			mustCall(t, c, call("another", `{}`))
		})
	}
	t.Run("a body that stalls ends with its call's time", func(t *testing.T) {
		gone := make(chan struct{}, 2)
		for name, stall := range map[string]string{"headers only": "", "half a body": `{"jsonrpc":`} {
			bad[name] = func(e *webExchange) {
				e.w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(e.w, stall)
				_ = http.NewResponseController(e.w).Flush()
				<-e.r.Context().Done()
				gone <- struct{}{}
			}
			k := call(name, `{}`)
			k.MaxTimeout = 50 * time.Millisecond
			if _, err := c.CallTool(context.Background(), k); !errors.As(err, new(*TimeoutError)) {
				t.Errorf("%s: %v", name, err)
			}
			wait(t, gone, "the end of its stream")
		}
		mustCall(t, c, call("another", `{}`))
	})
}

// TestOverLimitOnSharedStream: over HTTP+SSE all answers come on one stream, and
// one that is too large must not take the others with it.
func TestOverLimitOnSharedStream(t *testing.T) {
	o := newOldServer(t, "/msg?sid=N")
	asked := make(chan string, 2)
	o.handle = func(e *webExchange) {
		if e.msg.Method == "tools/call" {
			asked <- string(e.msg.ID)
			e.w.WriteHeader(202)
			return
		}
		o.serve(e)
	}
	cfg, _, _ := o.config(t)
	cfg.MaxMessageBytes = 1 << 16
	c := mustConnect(t, cfg)
	big := start(context.Background(), c, call("big", `{}`))
	bigID := wait(t, asked, "the call")
	small := start(context.Background(), c, call("small", `{}`))
	smallID := wait(t, asked, "the call")
	o.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, bigID, strings.Repeat("x", 1<<17))
	if got := wait(t, big, "the end"); !errors.As(got.err, new(*LostError)) || !strings.Contains(got.err.Error(), "limit of 65536 bytes") {
		t.Errorf("got %v", got.err)
	}
	o.say(`{"jsonrpc":"2.0","result":%s,"id":%s}`, okResult, smallID)
	if got := wait(t, small, "the result"); got.err != nil || o.opened != 1 {
		t.Errorf("got %v", got.err)
	}
}

// TestHTTPStartsAndStops: connections of each kind, in use and given up at every
// point, leave no goroutine and no descriptor behind.
func TestHTTPStartsAndStops(t *testing.T) {
	stuck := func(e *webExchange) {
		if e.tool() != "x" && e.r.Method != http.MethodGet {
			e.w.WriteHeader(202)
			return
		}
		e.stream(": open\n\n")
		<-e.r.Context().Done()
	}
	leavesNothing(t, func() {
		t.Run("each", func(t *testing.T) {
			modern, legacy, old := newWebServer(t, EraModern), newWebServer(t, EraLegacy), newOldServer(t, "/msg?sid=N")
			modern.handle, legacy.handle, legacy.session, old.silent = stuck, stuck, "s-1", true
			for range soak(30, 1000) {
				for _, address := range []string{modern.URL, legacy.URL, old.URL + "/sub/sse"} {
					cfg, _, _ := modern.config(t)
					cfg.HTTP.URL = address
					c, err := Connect(context.Background(), cfg)
					if err != nil {
						t.Fatal(err)
					}
					r := start(context.Background(), c, call("x", `{}`))
					if err := c.Close(context.Background()); err != nil {
						t.Error(err)
					}
					wait(t, r, "the end of the call")
				}
			}
		})
	})
}
