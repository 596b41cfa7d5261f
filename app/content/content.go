// Package content takes a CallToolResult apart for looking at it. The bytes
// are a server's and come in every shape: one bad block degrades itself, with
// a word, and nothing else; what is unknown is handed on as it is.
//
// View is pure, never fails and is safe to call together.
package content

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// ResultView is a result taken apart. Slices alias the result.
type ResultView struct {
	Blocks        []Block
	Structured    json.RawMessage // structuredContent as it was sent
	HasStructured bool            // the key was there, and not null (field report 46)
	IsError       bool
	Notes         []string // what is odd about the result, in sentences
}

// Block is one content block (RES-01 to RES-04).
type Block struct {
	Index                    int
	Type                     string // as sent; "" when there is none
	Text                     string
	Data                     []byte // decoded; nil when there is none or it cannot be decoded
	MIME                     string // the server's claim
	Sniffed                  string // by content; "" for text
	URI                      string
	Name, Title, Description string
	Size                     int64 // decoded bytes, or the size that a link claims
	Audience                 []string
	Priority                 string // number as sent
	Raw                      json.RawMessage
	Problem                  string // why it cannot be shown as what it is, or ""
}

// wire reads every member that any known block has. Members of another type
// than expected are told as a problem of the block.
type wire struct {
	Type        string          `json:"type"`
	Text        *string         `json:"text"`
	Data        *string         `json:"data"`
	MIME        string          `json:"mimeType"`
	URI         string          `json:"uri"`
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Size        json.Number     `json:"size"`
	Resource    json.RawMessage `json:"resource"`
	Blob        *string         `json:"blob"`
	Annotations json.RawMessage `json:"annotations"`
}

// View takes a result apart.
func View(result []byte) ResultView {
	var v ResultView
	var r struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    json.RawMessage `json:"isError"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		v.Notes = append(v.Notes, "The result is no JSON object; it is shown as it came.")
		return v
	}
	switch string(bytes.TrimSpace(r.IsError)) {
	case "true":
		v.IsError = true
	case "", "false", "null":
	default:
		v.Notes = append(v.Notes, "The server's isError is neither true nor false; it counts as false.")
	}
	if s := bytes.TrimSpace(r.Structured); len(s) > 0 && string(s) != "null" {
		v.Structured, v.HasStructured = r.Structured, true
	}
	v.blocks(r.Content)
	return v
}

func (v *ResultView) blocks(raw json.RawMessage) {
	trimmed := bytes.TrimSpace(raw)
	switch {
	case len(trimmed) == 0 || string(trimmed) == "null":
		if v.HasStructured {
			v.Notes = append(v.Notes, "The server sent structured content only.")
		} else {
			v.Notes = append(v.Notes, "The result is empty: the server sent no content.")
		}
		return
	case trimmed[0] != '[':
		v.Notes = append(v.Notes, "The server's content is no list; it is shown as one block.")
		v.Blocks = []Block{block(0, raw)}
		return
	}
	var list []json.RawMessage
	if err := json.Unmarshal(trimmed, &list); err != nil {
		v.Notes = append(v.Notes, "The server's content cannot be read: "+err.Error()+".")
		return
	}
	if len(list) == 0 && !v.HasStructured {
		v.Notes = append(v.Notes, "The result is empty.")
	}
	for i, item := range list {
		v.Blocks = append(v.Blocks, block(i, item))
	}
}

func block(i int, raw json.RawMessage) Block {
	b := Block{Index: i, Raw: raw}
	var w wire
	if err := json.Unmarshal(raw, &w); err != nil {
		b.Type = kindOf(raw)
		b.Problem = "This block is not as the protocol has it: " + strings.TrimPrefix(err.Error(), "json: ") + "."
		return b
	}
	b.Type, b.MIME, b.URI, b.Name, b.Title, b.Description = w.Type, w.MIME, w.URI, w.Name, w.Title, w.Description
	annotate(&b, w.Annotations)
	switch w.Type {
	case "text":
		if w.Text == nil {
			b.Problem = "This text block has no text."
			return b
		}
		b.Text, b.Size = *w.Text, int64(len(*w.Text))
	case "image", "audio":
		media(&b, w.Data)
	case "resource":
		resource(&b, w.Resource)
	case "resource_link":
		if w.URI == "" {
			b.Problem = "This link names no address."
		}
		if n, err := w.Size.Int64(); err == nil {
			b.Size = n
		}
	case "":
		b.Problem = "This block does not say what type it is."
	default:
		b.Problem = fmt.Sprintf("Blocks of type %q are not known here; this is what the server sent.", w.Type)
	}
	return b
}

// kindOf finds the type of a block whose other members are odd.
func kindOf(raw json.RawMessage) string {
	var t struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(raw, &t) // "" is the answer where there is none
	return t.Type
}

func annotate(b *Block, raw json.RawMessage) {
	var a struct {
		Audience []string    `json:"audience"`
		Priority json.Number `json:"priority"`
	}
	if json.Unmarshal(raw, &a) == nil {
		b.Audience, b.Priority = a.Audience, string(a.Priority)
	}
}

// media decodes an image or audio.
func media(b *Block, data *string) {
	if data == nil {
		b.Problem = "This " + b.Type + " has no data."
		return
	}
	text := *data
	if lower := strings.ToLower(text[:min(len(text), 8)]); strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		b.Text, b.Problem = text, "The server sent an address in place of the "+b.Type+". It is not opened."
		return
	}
	if strings.HasPrefix(text, "data:") {
		if i := strings.IndexByte(text, ','); i > 0 && strings.HasSuffix(text[:i], ";base64") {
			text = text[i+1:]
			b.Problem = "The server put a data: prefix before the bytes; it was left out."
		}
	}
	raw, err := decode(text)
	if err != nil {
		b.Problem = "The " + b.Type + " cannot be decoded: " + err.Error() + "."
		return
	}
	b.Data, b.Size, b.Sniffed = raw, int64(len(raw)), Sniff(raw)
	if !strings.HasPrefix(b.Sniffed, b.Type+"/") {
		b.Problem = fmt.Sprintf("These bytes are no %s that is known here.", b.Type)
	} else if b.MIME != "" && !sameType(b.MIME, b.Sniffed) && b.Problem == "" {
		b.Problem = fmt.Sprintf("The server says %s; the bytes are %s.", b.MIME, b.Sniffed)
	}
}

// resource takes an embedded resource apart.
func resource(b *Block, raw json.RawMessage) {
	var r wire
	if err := json.Unmarshal(raw, &r); err != nil || len(raw) == 0 {
		b.Problem = "The embedded resource cannot be read."
		return
	}
	b.URI, b.MIME = r.URI, r.MIME
	switch {
	case r.Text != nil:
		b.Text, b.Size = *r.Text, int64(len(*r.Text))
	case r.Blob != nil:
		data, err := decode(*r.Blob)
		if err != nil {
			b.Problem = "The embedded bytes cannot be decoded: " + err.Error() + "."
			return
		}
		b.Data, b.Size, b.Sniffed = data, int64(len(data)), Sniff(data)
	default:
		b.Problem = "The embedded resource has neither text nor bytes."
	}
}

// decode reads Base64, of the URL kind and without padding too.
func decode(text string) ([]byte, error) {
	clean := strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', ' ', '\t', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	out, err := base64.RawStdEncoding.DecodeString(clean)
	if err != nil {
		return nil, fmt.Errorf("it is not Base64")
	}
	return out, nil
}

func sameType(claimed, sniffed string) bool {
	claimed, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(claimed)), ";")
	aliases := map[string]string{"image/jpg": "image/jpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/mp3": "audio/mpeg"}
	if a, ok := aliases[claimed]; ok {
		claimed = a
	}
	return claimed == sniffed
}

// Sniff tells the type of bytes by how they begin; application/octet-stream
// for what it does not know. It never gives a type that a browser would lay
// out or run.
func Sniff(b []byte) string {
	for _, m := range []struct{ magic, mime string }{
		{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
		{"OggS", "audio/ogg"}, {"ID3", "audio/mpeg"}, {"\xff\xfb", "audio/mpeg"}, {"\xff\xf3", "audio/mpeg"}, {"\xff\xf2", "audio/mpeg"},
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
