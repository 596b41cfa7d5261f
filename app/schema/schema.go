package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of a schema (SCHEMA-09).
const (
	MaxBytes   = 1 << 20 // size of the schema
	MaxDepth   = 256     // nesting of its JSON
	MaxNodes   = 50_000  // JSON values in it
	MaxObjects = 10_000  // JSON objects in it, and so subschemas
)

// Schema is a compiled schema. It does not change, and is safe to use
// together; checks of one schema wait for each other.
type Schema struct {
	compiled *jsonschema.Schema
	warnings []FieldError
	depth    int // of values that it can check

	mu    sync.Mutex // held while a check runs
	meter meter
}

// FieldError is a fault at a JSON Pointer: of a field in a value, or of a
// place in a schema. For a member that is missing, the pointer is where it
// would stand.
type FieldError struct{ Pointer, Message string }

// Warnings tells which places of the schema are not checked and why, by JSON
// Pointers into the schema. The caller must not change the slice.
func (s *Schema) Warnings() []FieldError { return s.warnings }

// Compile reads a schema. Errors are clauses for a person, and mean that the
// schema as a whole cannot be used. nil and null make a schema that takes any
// object (report 18).
func Compile(raw []byte) (s *Schema, err error) {
	defer func() {
		// The compiler meets schemas that its authors did not think of.
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("the schema cannot be read: %v", p)
		}
	}()
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		raw = []byte(`{"type":"object"}`)
	}
	if len(raw) > MaxBytes {
		return nil, fmt.Errorf("the schema is larger than %d KiB", MaxBytes>>10)
	}
	doc, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("the schema is not sound JSON: %w", err)
	}
	if err := (&bounds{}).check(doc, 1); err != nil {
		return nil, err
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, errors.New("a schema is an object, true or false")
	}
	r := &repairer{doc: doc}
	r.patterns()
	compiled, anchors, err := r.compile()
	if err != nil {
		return nil, err
	}
	s = &Schema{compiled: compiled, warnings: r.warnings}
	s.depth, err = s.meter.attach(append(anchors, compiled))
	if err != nil {
		return nil, err
	}
	return s, nil
}

const schemaURL = "schema:///root"

// compileAs compiles a document, and its dynamic anchors beside it: they are
// reached while checking, by ways that the compiled schema does not show.
func compileAs(doc any, draft *jsonschema.Draft) (*jsonschema.Schema, []*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, nil, err
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, nil, err
	}
	d := dynamics{}
	d.scan(doc, true)
	if d.embedded && d.refs {
		return nil, nil, errors.New("it has both dynamic references and schemas of their own $id, which is not supported here")
	}
	var anchors []*jsonschema.Schema
	if d.refs {
		for _, name := range d.anchors {
			a, err := c.Compile(schemaURL + "#" + name)
			if err != nil {
				continue // what looks like an anchor is data
			}
			anchors = append(anchors, a)
		}
	}
	return compiled, anchors, nil
}

// dynamics finds what is resolved while checking only.
type dynamics struct {
	refs, embedded bool
	anchors        []string
}

func (d *dynamics) scan(v any, root bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if text, ok := child.(string); ok {
				switch key {
				case "$dynamicRef", "$recursiveRef":
					d.refs = true
				case "$dynamicAnchor":
					d.anchors = append(d.anchors, text)
				case "$id", "id":
					d.embedded = d.embedded || !root
				}
				continue
			}
			d.scan(child, false)
		}
	case []any:
		for _, child := range v {
			d.scan(child, false)
		}
	}
}

// noLoader refuses every address (SCHEMA-05, SCHEMA-08).
type noLoader struct{}

// Load refuses.
func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is fetched for a schema") }

// explain words a compiler's error; dialect is the schema's own.
func explain(err error, dialect string) error {
	var remote *jsonschema.LoadURLError
	var draft *jsonschema.UnsupportedDraftError
	switch {
	case errors.As(err, &draft), errors.As(err, &remote) && dialect != "" && strings.TrimSuffix(remote.URL, "#") == strings.TrimSuffix(dialect, "#"):
		return fmt.Errorf("the dialect %s is not supported", shorten(dialect))
	case remote != nil:
		return fmt.Errorf("the schema cannot be used: it refers to %s, and nothing is fetched for a schema", shorten(remote.URL))
	}
	text := strings.ReplaceAll(err.Error(), schemaURL, "")
	if i := strings.IndexByte(text, '\n'); i > 0 {
		text = strings.TrimSpace(strings.TrimPrefix(text[i+1:], "- "))
		text, _, _ = strings.Cut(text, "\n")
	}
	return errors.New("the schema cannot be used: " + shorten(text))
}

// shorten bounds text that comes from a schema.
func shorten(text string) string {
	text = strings.ToValidUTF8(text, "?")
	if len(text) > 300 {
		return strings.ToValidUTF8(text[:300], "") + "…"
	}
	return text
}

func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err == nil || err.Error() != "EOF" {
		return nil, errors.New("there is text behind the value")
	}
	return v, nil
}
