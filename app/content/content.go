package content

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"countersign/app/rawjson"
)

// MaxBlocks is how many blocks of a result are taken apart.
const MaxBlocks = 5000

// ResultView is a result taken apart. Structured and the Raw of blocks are
// bytes as they were sent; they may alias the result, which must not change.
type ResultView struct {
	Blocks []Block
	// Structured is structuredContent as it was sent; nil when HasStructured
	// is false.
	Structured json.RawMessage
	// HasStructured: the key was there (RES-06: false, 0 and "" count), and not
	// null (report 46).
	HasStructured bool
	// StructuredNull: the key was there, and null.
	StructuredNull bool
	IsError        bool
	Notes          []string // what is odd about the result, in sentences
}

// Block is one content block (RES-01 to RES-04).
type Block struct {
	Index                    int
	Type                     string // as sent; "" when there is none
	Text                     string
	Data                     []byte // decoded; nil when there is none or it cannot be decoded
	MIME                     string // the server's claim
	Sniffed                  string // by content, see Sniff; "" where Data is nil
	URI                      string
	Name, Title, Description string
	Size                     int64    // bytes of Text or Data, or the size that a link claims
	Audience                 []string // as claimed
	Priority                 string   // number as sent
	Raw                      json.RawMessage
	Problem                  string // what is odd or cannot be shown, in sentences, or ""
}

// View takes a result apart.
func View(result []byte) ResultView {
	var v ResultView
	r, fault := read(result)
	if fault != "" {
		v.note("The result is no JSON object that can be read (%s); it is shown as it came.", fault)
		return v
	}
	for _, name := range r.twice {
		v.note("The result has %q twice; the last one counts.", name)
	}
	switch raw := r.get("isError"); string(raw) {
	case "true":
		v.IsError = true
	case "", "false", "null":
	default:
		v.note("The server's isError is neither true nor false; it counts as false.")
	}
	if raw, ok := r.members["structuredContent"]; ok {
		v.StructuredNull = string(raw) == "null"
		if v.HasStructured = !v.StructuredNull; v.HasStructured {
			v.Structured = raw
		} else {
			v.note("The server sent null as structured content; it counts as none.")
		}
	}
	v.blocks(r.get("content"))
	return v
}

// Contents takes the result of a resources/read apart: each item of contents is a
// block of type "resource" (RSRC-01).
func Contents(result []byte) ResultView {
	var v ResultView
	r, fault := read(result)
	if fault != "" {
		v.note("The answer is no JSON object that can be read (%s); it is shown as it came.", fault)
		return v
	}
	for _, name := range r.twice {
		v.note("The answer has %q twice; the last one counts.", name)
	}
	raw := r.get("contents")
	if len(raw) == 0 || raw[0] != '[' {
		v.note("The server sent no list of contents; the raw view has what it sent.")
		return v
	}
	items, more, err := listed(raw)
	if err != nil {
		v.note("The server's contents cannot be read: %v.", err)
		return v
	}
	if len(items) == 0 { // RSRC-03
		v.note("The resource is there, and empty.")
	}
	v.more(len(items), more, "contents")
	for i, item := range items {
		b := Block{Index: i, Type: "resource", Raw: item}
		resource(&b, item)
		if b.MIME == "inode/directory" {
			b.problem("This is a folder.")
		}
		v.Blocks = append(v.Blocks, b)
	}
	return v
}

// listed gives the first items of an array, and how many more it has.
func listed(raw json.RawMessage) (list []json.RawMessage, more int, err error) {
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, 0, err
	}
	if more = len(list) - MaxBlocks; more > 0 {
		return list[:MaxBlocks], more, nil
	}
	return list, 0, nil
}

func (v *ResultView) more(shown, more int, what string) {
	if more > 0 {
		v.note("There are %d %s; the last %d are not laid out. The raw view has them.", shown+more, what, more)
	}
}

func (v *ResultView) note(format string, args ...any) {
	v.Notes = append(v.Notes, fmt.Sprintf(format, args...))
}

func (v *ResultView) blocks(raw json.RawMessage) {
	switch {
	case len(raw) == 0 || string(raw) == "null": // reports 44, 45
		if v.HasStructured {
			v.note("The server sent structured content only.")
		} else {
			v.note("The result is empty: the server sent no content.")
		}
		return
	case raw[0] != '[':
		v.note("The server's content is no list; it is shown as one block.")
		v.Blocks = []Block{block(0, raw)}
		return
	}
	list, more, err := listed(raw)
	if err != nil {
		v.note("The server's content cannot be read: %v.", err)
		return
	}
	if len(list) == 0 && !v.HasStructured {
		v.note("The result is empty.")
	}
	v.more(len(list), more, "blocks")
	v.Blocks = make([]Block, 0, len(list))
	for i, item := range list {
		v.Blocks = append(v.Blocks, block(i, item))
	}
}

func (b *Block) problem(format string, args ...any) {
	if b.Problem != "" {
		b.Problem += " "
	}
	b.Problem += fmt.Sprintf(format, args...)
}

func block(i int, raw json.RawMessage) Block {
	b := Block{Index: i, Raw: raw}
	r, fault := read(raw)
	if fault != "" {
		if text, ok := decodeText(&b, raw); ok {
			b.Text, b.Size = text, int64(len(text))
			b.problem("This is a bare text where the protocol has a block.")
			return b
		}
		b.problem("This block is not as the protocol has it: %s.", fault)
		return b
	}
	b.Type = r.text(&b, "type")
	if b.Type == "" {
		b.problem("This block does not say what type it is.")
	}
	for _, name := range r.twice {
		b.problem("It has %q twice; the last one is shown.", name)
	}
	b.MIME = r.text(&b, "mimeType")
	annotate(&b, r.get("annotations"))
	switch b.Type {
	case "text":
		if text, ok := r.known(&b, "text"); ok {
			b.Text, b.Size = text, int64(len(text))
		} else if !r.has("text") {
			b.problem("This text block has no text.")
		}
	case "image", "audio":
		if data, ok := r.known(&b, "data"); ok {
			media(&b, data)
		} else if !r.has("data") {
			b.problem("This %s has no data.", b.Type)
		}
	case "resource":
		resource(&b, r.get("resource"))
	case "resource_link":
		link(&b, r)
	case "":
	default: // RES-10
		b.problem("Blocks of type %q are not known here; this is what the server sent.", b.Type)
	}
	return b
}

func link(b *Block, r object) {
	b.URI, b.Name = r.text(b, "uri"), r.text(b, "name")
	b.Title, b.Description = r.text(b, "title"), r.text(b, "description")
	if b.URI == "" {
		b.problem("This link names no address.")
	}
	var size int64
	if r.has("size") {
		if err := json.Unmarshal(r.get("size"), &size); err != nil || size < 0 {
			b.problem("Its size is no number of bytes.")
			return
		}
	}
	b.Size = size
}

// resource takes an embedded resource apart (RES-04).
func resource(b *Block, raw json.RawMessage) {
	r, fault := read(raw)
	if fault != "" {
		b.problem("The embedded resource cannot be read: %s.", fault)
		return
	}
	for _, name := range r.twice {
		b.problem("The embedded resource has %q twice; the last one is shown.", name)
	}
	b.URI = r.text(b, "uri")
	if m := r.text(b, "mimeType"); m != "" {
		b.MIME = m
	}
	text, hasText := r.known(b, "text")
	blob, hasBlob := r.known(b, "blob")
	switch {
	case hasText:
		b.Text, b.Size = text, int64(len(text))
		if hasBlob {
			b.problem("It has both text and bytes; the text is shown.")
		}
	case hasBlob:
		data, err := decodeBase64(blob)
		if err != nil {
			b.problem("The embedded bytes cannot be decoded: %v.", err)
			return
		}
		b.Data, b.Size, b.Sniffed = data, int64(len(data)), Sniff(data)
	default:
		b.problem("The embedded resource has neither text nor bytes.")
	}
}

// annotate reads RES-05; what is odd about it is no matter.
func annotate(b *Block, raw json.RawMessage) {
	r, fault := read(raw)
	if fault != "" {
		return
	}
	var audience []json.RawMessage
	if json.Unmarshal(r.get("audience"), &audience) == nil {
		for _, a := range audience {
			if text, ok := rawjson.Text(a); ok {
				b.Audience = append(b.Audience, text)
			}
		}
	}
	if p := r.get("priority"); len(p) > 0 && (p[0] == '-' || p[0] >= '0' && p[0] <= '9') {
		b.Priority = string(p)
	}
}

// object is a JSON object by its exact member names.
type object struct {
	members map[string]json.RawMessage
	twice   []string // names that are there more than once, each time again
}

// read gives an object, or the fault, as a clause.
func read(raw []byte) (object, string) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 {
		return object{}, "it is missing"
	}
	if trimmed[0] != '{' {
		return object{}, "it is no object"
	}
	list, err := rawjson.Members(trimmed)
	if err != nil {
		r := object{}
		if json.Unmarshal(trimmed, &r.members) == nil { // nested deeper than rawjson goes
			return r, ""
		}
		return object{}, strings.TrimSuffix(err.Error(), ".")
	}
	r := object{members: make(map[string]json.RawMessage, len(list))}
	for _, m := range list {
		if _, ok := r.members[m.Key]; ok {
			r.twice = append(r.twice, m.Key)
		}
		r.members[m.Key] = bytes.TrimSpace(m.Value)
	}
	return r, ""
}

// get gives a member as written; nil when there is none.
func (r object) get(name string) json.RawMessage { return r.members[name] }

// has tells whether a member is there, and not null.
func (r object) has(name string) bool {
	raw := r.members[name]
	return len(raw) > 0 && string(raw) != "null"
}

// text gives a member that should be a text; "" when it is not there, or is
// something else, which is then a problem of the block.
func (r object) text(b *Block, name string) string {
	text, _ := r.known(b, name)
	return text
}

// known is text, and tells whether the member is there and a text.
func (r object) known(b *Block, name string) (string, bool) {
	if !r.has(name) {
		return "", false
	}
	text, ok := decodeText(b, r.members[name])
	if !ok {
		b.problem("Its %s is not a text.", name)
	}
	return text, ok
}

// decodeText decodes a JSON string. Halves of characters and bytes that are
// not UTF-8 become replacement marks, with a word (report 69).
func decodeText(b *Block, raw json.RawMessage) (string, bool) {
	text, ok := rawjson.Text(raw)
	if !ok {
		return "", false
	}
	const mark = "\ufffd"
	if n := strings.Count(text, mark); n > 0 {
		n -= bytes.Count(raw, []byte(mark)) // those that were sent as such
		n -= bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`))
		if n > 0 || !utf8.Valid(raw) {
			b.problem("Some characters in it are broken; they are shown as %s.", mark)
		}
	}
	return text, true
}
