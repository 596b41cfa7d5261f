package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"countersign/app"
)

//go:embed check.js
var script []byte

// Check is what the script in the top document asks and tells; it is bound beside
// the application's own structs. It is also the foreign origin that frames come
// from. Safe for use together.
type Check struct {
	beacon string
	done   chan struct{}

	mu      sync.Mutex
	frames  map[string]string // the document of each frame
	ran     map[string]bool
	refused int
	failed  bool
	reports int
}

// Addresses are where frames find the foreign origin, and payloads.
type Addresses struct {
	Beacon  string `json:"beacon"`
	Payload string `json:"payload"`
}

// Addresses tells the script where things are.
func (c *Check) Addresses() Addresses {
	return Addresses{Beacon: c.beacon, Payload: "/framecheck"}
}

// Serve keeps the document of a frame for when it is asked for.
func (c *Check) Serve(name, document string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frames == nil {
		c.frames, c.ran = map[string]string{}, map[string]bool{}
	}
	c.frames[name] = document
}

// Ran says whether the script of that frame ran.
func (c *Check) Ran(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran[name]
}

// Refused is how many calls over the bridge were refused for want of the token.
func (c *Check) Refused() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// Report prints one case.
func (c *Check) Report(ok bool, name, otherwise string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reports++
	if ok {
		fmt.Printf("ok - %s\n", name)
		return
	}
	c.failed = true
	fmt.Printf("not ok - %s\n    %s\n", name, otherwise)
}

// Done ends the check.
func (c *Check) Done() { close(c.done) }

func (c *Check) result() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed || c.reports == 0 {
		return errors.New("a frame got further than it may")
	}
	return nil
}

// format counts the refusals on their way to the page.
func (c *Check) format(err error) any {
	text := app.FormatError(err)
	var e app.Error
	if s, ok := text.(string); ok && json.Unmarshal([]byte(s), &e) == nil && e.Code == app.CodeToken {
		c.mu.Lock()
		c.refused++
		c.mu.Unlock()
	}
	return text
}

// ServeHTTP is the foreign origin: the loopback frame, and the sign that a script ran.
func (c *Check) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name, ok := strings.CutPrefix(r.URL.Path, "/ran/"); ok && c.ran != nil {
		c.ran[name] = true
		return
	}
	c.serveFrame(w, strings.TrimPrefix(r.URL.Path, "/frame/"))
}

// serveFrame writes a frame's document as HTML. The caller holds mu.
func (c *Check) serveFrame(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, c.frames[name])
}

// weaken takes the policy off the top document and puts the script into it, and
// serves two frames from the page's own origin: /framecheck/payload as a payload
// would be if its answer were not sealed, /framecheck/sealed under the headers that
// the real asset handler gives.
func (c *Check) weaken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/", "/index.html":
			c.document(w, r, next)
		case "/framecheck.js":
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			_, _ = w.Write(script)
		case "/framecheck/payload":
			c.mu.Lock()
			defer c.mu.Unlock()
			c.serveFrame(w, "payload")
		case "/framecheck/sealed":
			c.mu.Lock()
			defer c.mu.Unlock()
			// The strictest policy of the two that payloads carry; the type, which
			// would stop it too, is left out so that the policy alone is tried.
			w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
			c.serveFrame(w, "sealed")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// document is the real top document without its policy, with the script.
func (c *Check) document(w http.ResponseWriter, r *http.Request, next http.Handler) {
	got := &recorder{header: http.Header{}}
	next.ServeHTTP(got, r)
	doc := got.body.String()
	for {
		before, rest, found := strings.Cut(doc, `<meta http-equiv="Content-Security-Policy"`)
		if !found {
			break
		}
		_, after, _ := strings.Cut(rest, ">")
		doc = before + after
	}
	doc = strings.Replace(doc, "</body>", `<script src="/framecheck.js"></script></body>`, 1)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if got.status != 0 {
		w.WriteHeader(got.status)
	}
	_, _ = io.WriteString(w, doc)
}

// recorder keeps an answer instead of sending it.
type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
