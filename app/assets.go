package app

import (
	"bytes"
	"errors"
	"html"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"countersign/store"
)

// PagePolicy is the policy of the top document: scripts and everything else
// only from the program itself, no plug-ins, no frames, no forms that leave.
const PagePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' blob:; media-src blob:; " +
	"style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types default"

// payloadPolicy is the policy of everything that came from a server.
const payloadPolicy = "sandbox; default-src 'none'"

// TokenHeader is the request header in which the page shows its launch token
// when it fetches payloads.
const TokenHeader = "X-Countersign-Token"

// Middleware serves the page with its policy and token, and the program's own
// data: icons by hash and payloads by handle. page is the built page.
func (a *App) Middleware(page fs.FS) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path := r.URL.Path
			w = &sealedWriter{ResponseWriter: w}
			switch {
			case path == "/" || path == "/index.html":
				a.serveDocument(w, page)
			case strings.HasPrefix(path, "/icon/"):
				a.serveIcon(w, r, strings.TrimPrefix(path, "/icon/"))
			case strings.HasPrefix(path, "/payload/"):
				a.servePayload(w, r, strings.TrimPrefix(path, "/payload/"))
			default:
				w.Header().Set("X-Content-Type-Options", "nosniff")
				next.ServeHTTP(w, r)
			}
		})
	}
}

var headTag = regexp.MustCompile(`(?i)<head[^>]*>`)

func (a *App) serveDocument(w http.ResponseWriter, page fs.FS) {
	doc, err := fs.ReadFile(page, "index.html")
	if err != nil {
		http.Error(w, "The page was not built: run make build.", http.StatusInternalServerError)
		return
	}
	token, ok := a.token.take()
	if !ok {
		// Somebody other than the window's first document asks.
		a.log.Warn("the page was asked for a second time, and not served")
		http.Error(w, "Countersign's page is open already.", http.StatusForbidden)
		return
	}
	meta := `<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(PagePolicy) + `">` +
		`<meta name="countersign-token" content="` + token + `">`
	at := headTag.FindIndex(doc)
	if at == nil {
		http.Error(w, "The page is not sound: run make build.", http.StatusInternalServerError)
		return
	}
	out := bytes.Join([][]byte{doc[:at[1]], []byte(meta), doc[at[1]:]}, nil)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", PagePolicy)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	_, _ = w.Write(out)
}

func (a *App) serveIcon(w http.ResponseWriter, r *http.Request, hash string) {
	ctx, err := a.running()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	icon, err := a.store.Icon(ctx, hash)
	if err != nil || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	h := payloadHeaders(w, icon.MIME)
	h.Set("Cache-Control", "max-age=31536000, immutable")
	_, _ = w.Write(icon.Bytes)
}

// payloadTypes are the types under which a server's bytes may reach the page:
// nothing that a browser would run or lay out.
var payloadTypes = map[string]bool{
	"text/plain; charset=utf-8": true, "application/octet-stream": true,
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true,
	"audio/mpeg": true, "audio/wav": true, "audio/ogg": true,
}

func payloadHeaders(w http.ResponseWriter, mime string) http.Header {
	if !payloadTypes[mime] {
		mime = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", mime)
	h.Set("Content-Security-Policy", payloadPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	return h
}

func (a *App) servePayload(w http.ResponseWriter, r *http.Request, handle string) {
	payloadHeaders(w, "text/plain; charset=utf-8")
	if r.Method != http.MethodGet || !a.token.ok(r.Header.Get(TokenHeader)) {
		a.refusedCalls.Add(1)
		http.Error(w, "Only Countersign's own window may read this.", http.StatusForbidden)
		return
	}
	ctx, err := a.running()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	data, mime, err := a.results.bytes(ctx, handle)
	if err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, store.ErrNotFound) {
			status = http.StatusNotFound
		}
		http.Error(w, "These bytes cannot be read.", status)
		return
	}
	data, ok := slice(data, r.URL.Query().Get("offset"), r.URL.Query().Get("length"))
	if !ok {
		http.Error(w, "No such part.", http.StatusBadRequest)
		return
	}
	h := payloadHeaders(w, mime)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(data)
}

// slice cuts a part out of data; empty texts mean from the start and to the
// end. A part that reaches past the end is shortened.
func slice(data []byte, offset, length string) ([]byte, bool) {
	if offset != "" {
		n, err := strconv.ParseInt(offset, 10, 64)
		if err != nil || n < 0 {
			return nil, false
		}
		data = data[min(n, int64(len(data))):]
	}
	if length != "" {
		n, err := strconv.ParseInt(length, 10, 64)
		if err != nil || n < 0 {
			return nil, false
		}
		data = data[:min(n, int64(len(data)))]
	}
	return data, true
}
