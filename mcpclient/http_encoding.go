package mcpclient

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// do makes a request. An answer that comes compressed, though we did not ask for
// that, is unpacked as it is read; the limits of those who read hold for what
// comes out.
func do(client *http.Client, req *http.Request) (*http.Response, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	values := resp.Header.Values("Content-Encoding")
	if len(values) == 0 {
		return resp, nil
	}
	names := strings.Split(strings.ToLower(strings.Join(values, ",")), ",")
	for i := len(names) - 1; i >= 0; i-- {
		name := strings.TrimSpace(names[i])
		if name == "" || name == "identity" {
			continue
		}
		resp.Body = &unpacker{name: name, packed: resp.Body}
		resp.ContentLength = -1
	}
	return resp, nil
}

// unpacker unpacks a body. It begins at the first Read, since an event stream
// may not have anything to read for a long time.
type unpacker struct {
	name   string
	packed io.ReadCloser
	r      io.Reader
	err    error
}

func (u *unpacker) Read(b []byte) (int, error) {
	if u.r == nil && u.err == nil {
		u.r, u.err = unpack(u.name, u.packed)
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.r.Read(b)
}

func (u *unpacker) Close() error { return u.packed.Close() }

func unpack(name string, packed io.Reader) (io.Reader, error) {
	switch name {
	case "gzip", "x-gzip":
		return gzip.NewReader(packed)
	case "deflate":
		// Both with the zlib header, as it should be, and without.
		b := bufio.NewReader(packed)
		if head, err := b.Peek(2); err == nil && head[0]&0x0F == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			return zlib.NewReader(b)
		}
		return flate.NewReader(b), nil
	}
	return nil, fmt.Errorf("the answer is compressed as %q, which nobody asked for", clip(name, 32))
}
