package icons_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"countersign/app/icons"
)

// drawn gives a picture whose left half is red and right half is blue.
func drawn(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: 255, A: 255}
			if x >= w/2 {
				c = color.NRGBA{B: 255, A: 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, drawn(w, h)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, drawn(w, h), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gifOf(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gif.Encode(&out, drawn(8, 8), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pngHeader is a PNG that claims a size in its header and holds nothing else.
func pngHeader(w, h uint32) []byte {
	body := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(body[4:], w)
	binary.BigEndian.PutUint32(body[8:], h)
	body[12], body[13] = 8, 6
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

// chunk is a PNG chunk; withChunk puts one after the header of an image.
func withChunk(img []byte, kind string, data []byte) []byte {
	body := append([]byte(kind), data...)
	out := append([]byte{}, img[:33]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	out = append(out, body...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
	return append(out, img[33:]...)
}

func vetted(t *testing.T, src, origin string) icons.Source {
	t.Helper()
	s, err := icons.Vet(icons.Icon{Src: src}, origin)
	if err != nil {
		t.Fatalf("vetting: %v", err)
	}
	return s
}

func TestFetchInline(t *testing.T) {
	secret := []byte("hidden words in a text chunk")
	scans := append(jpegOf(t, 8, 8), bytes.Repeat([]byte{0xff, 0xda}, 100)...)
	tests := []struct {
		name, kind string
		data       []byte
		want       icons.Code
		w, h       int
	}{
		{"ICON-01 PNG", "image/png", pngOf(t, 48, 48), "", 48, 48},
		{"ICON-01 JPEG", "image/jpeg", jpegOf(t, 48, 32), "", 48, 32},
		{"large is drawn smaller", "image/png", pngOf(t, 1024, 512), "", 128, 64},
		{"a line stays a line", "image/png", pngOf(t, 1024, 1), "", 128, 1},
		{"what hides in the file is left out", "image/png", withChunk(pngOf(t, 48, 48), "tEXt", secret), "", 48, 48},
		{"ICON-02 animated: one frame", "image/png", withChunk(pngOf(t, 16, 16), "acTL", []byte{0, 0, 255, 255, 0, 0, 0, 0}), "", 16, 16},
		{"ICON-02 too wide", "image/png", pngOf(t, 1025, 1), icons.CodeSize, 0, 0},
		{"ICON-02 too high", "image/jpeg", jpegOf(t, 1, 1025), icons.CodeSize, 0, 0},
		{"ICON-02 huge by its header alone", "image/png", pngHeader(50_000, 50_000), icons.CodeSize, 0, 0},
		{"ICON-02 larger than numbers go", "image/png", pngHeader(1<<30, 1<<30), icons.CodeMalformed, 0, 0},
		{"ICON-02 JPEG of many scans", "image/jpeg", scans, icons.CodeSize, 0, 0},
		{"ICON-08 JPEG that says PNG", "image/png", jpegOf(t, 8, 8), icons.CodeType, 0, 0},
		{"ICON-08 GIF that says PNG", "image/png", gifOf(t), icons.CodeType, 0, 0},
		{"ICON-08 WebP that says PNG", "image/png", []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), icons.CodeType, 0, 0},
		{"ICON-07 SVG that says PNG", "image/png", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), icons.CodeType, 0, 0},
		{"cut in the header", "image/png", pngOf(t, 8, 8)[:20], icons.CodeMalformed, 0, 0},
		{"cut in the pixels", "image/png", pngOf(t, 48, 48)[:60], icons.CodeMalformed, 0, 0},
		{"header without pixels", "image/png", pngHeader(16, 16), icons.CodeMalformed, 0, 0},
	}
	var fetcher icons.Fetcher
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mime, data, err := fetcher.Fetch(t.Context(), vetted(t, dataURI(tt.kind, tt.data), ""))
			if got := code(t, err); got != tt.want {
				t.Fatalf("code %q (%v), want %q", got, err, tt.want)
			}
			if tt.want == "" {
				checkImage(t, mime, data, tt.w, tt.h)
				if bytes.Contains(data, secret) {
					t.Fatal("bytes of the server's file are in the image handed on")
				}
			}
		})
	}
}

// checkImage looks that the picture is the drawn one, at the expected size.
func checkImage(t *testing.T, mime string, data []byte, w, h int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || mime != "image/png" {
		t.Fatalf("type %q, decoding: %v", mime, err)
	}
	if img.Bounds().Dx() != w || img.Bounds().Dy() != h {
		t.Fatalf("size %v, want %d × %d", img.Bounds(), w, h)
	}
	left, _, _, _ := img.At(1, 0).RGBA()
	_, _, right, _ := img.At(w-2, 0).RGBA()
	if left < 0xe000 || right < 0xe000 {
		t.Fatalf("left %#x is not red or right %#x is not blue", left, right)
	}
}

// iconServer is a TLS server whose every path is one way to answer.
func iconServer(t *testing.T, other string) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	good := pngOf(t, 48, 48)
	mux := http.NewServeMux()
	send := func(path, kind string, data []byte) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			if kind != "" {
				w.Header().Set("Content-Type", kind)
			}
			w.Write(data)
		})
	}
	to := func(path, target string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		})
	}
	send("/good", "image/png", good)
	send("/jpeg", "image/jpeg; charset=binary", jpegOf(t, 48, 48))
	send("/untyped", "", good)
	send("/octets", "application/octet-stream", good)
	send("/svg", "image/svg+xml", []byte("<svg/>"))
	send("/html", "text/html", good)
	send("/lie", "image/png", jpegOf(t, 8, 8))
	send("/large", "image/png", make([]byte, icons.MaxBytes+1))
	to("/once", "/good")
	to("/loop", "/loop")
	to("/away", other+"/good")
	to("/plain", "http://127.0.0.1/good")
	to("/data", "data:image/png;base64,AAAA")
	mux.HandleFunc("/user", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://u:p@"+r.Host+"/good", http.StatusFound)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/packed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(good)
	})
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "c", Value: "1", Path: "/"})
		http.Redirect(w, r, "/bare", http.StatusFound)
	})
	mux.HandleFunc("/bare", func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Cookie", "Authorization", "Referer", "Proxy-Authorization"} {
			if r.Header.Get(name) != "" {
				t.Errorf("the request carries %s: %s", name, r.Header.Get(name))
			}
		}
		http.SetCookie(w, &http.Cookie{Name: "c", Value: "2", Path: "/"})
		w.Header().Set("Content-Type", "image/png")
		w.Write(good)
	})
	var asked atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		mux.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that a test lets fail
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, &asked
}

func TestFetchFromServer(t *testing.T) {
	other, otherAsked := iconServer(t, "")
	server, _ := iconServer(t, other.URL)
	fetcher := icons.Fetcher{Roots: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	tests := []struct {
		name, path string
		want       icons.Code
	}{
		{"PNG", "/good", ""},
		{"JPEG", "/jpeg", ""},
		{"ICON-08 no type stated, bytes decide", "/untyped", ""},
		{"ICON-08 no useful type stated, bytes decide", "/octets", ""},
		{"ICON-04 redirect within the origin", "/once", ""},
		{"ICON-05 no cookie, credential or referrer", "/cookie", ""},
		{"ICON-05 no cookie the next time", "/bare", ""},
		{"ICON-04 redirect to another origin", "/away", icons.CodeOrigin},
		{"ICON-04 redirect to http", "/plain", icons.CodeScheme},
		{"ICON-04 redirect to data", "/data", icons.CodeScheme},
		{"ICON-05 redirect with a user name", "/user", icons.CodeOrigin},
		{"redirects without end", "/loop", icons.CodeFetch},
		{"ICON-07 SVG", "/svg", icons.CodeType},
		{"ICON-08 HTML", "/html", icons.CodeType},
		{"ICON-08 bytes of another type", "/lie", icons.CodeType},
		{"packed without being asked", "/packed", icons.CodeType},
		{"ICON-02 larger than allowed, said so", "/large", icons.CodeSize},
		{"ICON-02 larger than allowed, not said", "/endless", icons.CodeSize},
		{"absent", "/nothing", icons.CodeFetch},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mime, data, err := fetcher.Fetch(t.Context(), vetted(t, server.URL+tt.path, server.URL+"/mcp"))
			if got := code(t, err); got != tt.want {
				t.Fatalf("code %q (%v), want %q", got, err, tt.want)
			}
			if tt.want == "" {
				checkImage(t, mime, data, 48, 48)
			}
		})
	}
	if n := otherAsked.Load(); n != 0 {
		t.Errorf("the other origin was asked %d times", n)
	}
	t.Run("an authority that is not trusted", func(t *testing.T) {
		var strict icons.Fetcher
		_, _, err := strict.Fetch(t.Context(), vetted(t, server.URL+"/good", server.URL))
		if got := code(t, err); got != icons.CodeFetch {
			t.Fatalf("code %q (%v)", got, err)
		}
	})
}

func TestFetchThatHangs(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 16)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	defer server.Close()
	defer close(release)
	roots := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	source := vetted(t, server.URL+"/slow", server.URL)

	t.Run("is given up after the deadline", func(t *testing.T) {
		fetcher := icons.Fetcher{Roots: roots, Timeout: 50 * time.Millisecond}
		_, _, err := fetcher.Fetch(t.Context(), source)
		if got := code(t, err); got != icons.CodeFetch {
			t.Fatalf("code %q (%v)", got, err)
		}
	})
	t.Run("ends with the caller, and four run at once", func(t *testing.T) {
		for len(arrived) > 0 {
			<-arrived
		}
		fetcher := icons.Fetcher{Roots: roots, Timeout: time.Hour}
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, 6)
		for range cap(errs) {
			go func() {
				_, _, err := fetcher.Fetch(ctx, source)
				errs <- err
			}()
		}
		for range 4 {
			<-arrived
		}
		cancel()
		for range cap(errs) {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want the caller's", err)
			}
		}
		if n := len(arrived); n != 0 {
			t.Errorf("%d more than four were asked for at once", n)
		}
	})
}

// nameServer answers every question for an address with 127.0.0.1.
func nameServer(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { conn.Close(); <-done })
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1},
					Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
				}}
			}
			if out, err := m.Pack(); err == nil {
				conn.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func TestPublicNameThatLeadsHome(t *testing.T) {
	server, asked := iconServer(t, "")
	fetcher := icons.Fetcher{
		Roots:    server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs,
		Resolver: nameServer(t),
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	origin := "https://example.com:" + port // a name that the test server's certificate holds
	_, _, err := fetcher.Fetch(t.Context(), vetted(t, origin+"/good", origin))
	if got := code(t, err); got != icons.CodeAddress {
		t.Fatalf("code %q (%v), want %q", got, err, icons.CodeAddress)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
}
