package content

import (
	"bytes"
	"encoding/base64"
	"errors"
	"regexp"
	"strings"
)

var address = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// media decodes an image or audio.
func media(b *Block, text string) {
	switch {
	case address.MatchString(text[:min(len(text), 64)]): // report 57
		b.Text = text
		b.problem("The server sent an address in place of the %s. It is not opened.", b.Type)
		return
	case strings.EqualFold(text[:min(len(text), 5)], "data:"): // report 53
		head, rest, ok := strings.Cut(text, ",")
		if !ok || !strings.HasSuffix(strings.ToLower(head), ";base64") {
			b.problem("The server sent a data: address that is not Base64; it is not decoded.")
			return
		}
		text = rest
		b.problem("The server put a data: prefix before the bytes; it was left out.")
	}
	data, err := decodeBase64(text)
	if err != nil {
		b.problem("The %s cannot be decoded: %v.", b.Type, err)
		return
	}
	b.Data, b.Size, b.Sniffed = data, int64(len(data)), Sniff(data)
	switch {
	case len(data) == 0:
		b.problem("This %s is empty.", b.Type)
	case !strings.HasPrefix(b.Sniffed, b.Type+"/"):
		b.problem("These bytes are no %s that is known here.", b.Type)
	case b.MIME != "" && !sameType(b.MIME, b.Sniffed):
		b.problem("The server says %s; the bytes are %s.", b.MIME, b.Sniffed)
	}
}

// decodeBase64 reads the usual kind, and the kind for URLs, without padding
// and with white space in it too.
func decodeBase64(text string) ([]byte, error) {
	if out, err := base64.StdEncoding.DecodeString(text); err == nil {
		return out, nil
	}
	clean := strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', ' ', '\t':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	out, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(clean, "="))
	if err != nil {
		return nil, errors.New("it is not Base64")
	}
	return out, nil
}

var aliases = map[string]string{
	"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png",
	"audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/mp3": "audio/mpeg",
}

func sameType(claimed, sniffed string) bool {
	claimed, _, _ = strings.Cut(strings.ToLower(claimed), ";")
	claimed = strings.TrimSpace(claimed)
	if a, ok := aliases[claimed]; ok {
		claimed = a
	}
	return claimed == sniffed
}

// Sniff tells the type of bytes by how they begin: image/png, image/jpeg,
// image/gif, image/webp, audio/wav, audio/mpeg, audio/ogg, or
// application/octet-stream for everything else. It never gives a type that a
// browser would lay out or run.
func Sniff(b []byte) string {
	for _, m := range []struct{ magic, mime string }{
		{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
		{"OggS", "audio/ogg"}, {"ID3", "audio/mpeg"}, {"\xff\xfa", "audio/mpeg"}, {"\xff\xfb", "audio/mpeg"},
		{"\xff\xf3", "audio/mpeg"}, {"\xff\xf2", "audio/mpeg"},
	} {
		if bytes.HasPrefix(b, []byte(m.magic)) {
			return m.mime
		}
	}
	if len(b) >= 12 && string(b[:4]) == "RIFF" {
		switch string(b[8:12]) {
		case "WAVE":
			return "audio/wav"
		case "WEBP":
			return "image/webp"
		}
	}
	return "application/octet-stream"
}
