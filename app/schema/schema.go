// Package schema checks JSON values against JSON Schemas that servers send. A
// schema is hostile input: it is bounded in size, depth and number of parts,
// is never fetched from anywhere, and checking has a time limit.
//
// The default dialect is 2020-12 (SCHEMA-01); a declared one is honoured
// (draft-04, -06, -07, 2019-09, 2020-12), any other is a clear error. Formats
// are checked. Numbers are exact.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of a schema (SCHEMA-09).
const (
	MaxBytes = 1 << 20 // size of the schema
	MaxDepth = 256     // nesting of its JSON
	MaxNodes = 50_000  // objects and arrays in it
)

const (
	// maxExponent bounds the exponent of numbers, which are checked exactly:
	// 1e999999999 would be a number of a thousand million digits.
	maxExponent = 4000
	// checkLimit is how long one check may take.
	checkLimit = 3 * time.Second
	// maxErrors is how many faults of one value are told.
	maxErrors = 50
)

// Schema is a compiled schema. It does not change and is safe to use
// together.
type Schema struct{ compiled *jsonschema.Schema }

// FieldError is a fault in a value at the JSON Pointer of its field. For a
// member that is missing, the pointer is where it would stand.
type FieldError struct{ Pointer, Message string }

// Compile reads a schema. Errors are clauses for a person. nil and null make a
// schema that takes any object.
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
	if err := bound(doc, 1, new(int)); err != nil {
		return nil, err
	}
	object, isObject := doc.(map[string]any)
	if _, isBool := doc.(bool); !isObject && !isBool {
		return nil, errors.New("a schema is an object, true or false")
	}
	compiled, err := compile(doc, jsonschema.Draft2020)
	dialect, declared := object["$schema"].(string)
	if err != nil && !declared {
		// Tuples written the old way, "items": [...], are common without a
		// declared dialect.
		if older, olderErr := compile(doc, jsonschema.Draft2019); olderErr == nil {
			compiled, err = older, nil
		}
	}
	if err != nil {
		return nil, explain(err, dialect)
	}
	return &Schema{compiled}, nil
}

const schemaURL = "schema:///root"

func compile(doc any, draft *jsonschema.Draft) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	return c.Compile(schemaURL)
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
		return fmt.Errorf("the dialect %s is not supported", dialect)
	case remote != nil:
		return fmt.Errorf("the schema cannot be used: it refers to %s, and nothing is fetched for a schema", remote.URL)
	}
	text := strings.ReplaceAll(err.Error(), schemaURL, "")
	if i := strings.IndexByte(text, '\n'); i > 0 {
		text = strings.TrimSpace(strings.TrimPrefix(text[i+1:], "- "))
	}
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	return errors.New("the schema cannot be used: " + strings.ToValidUTF8(text, "?"))
}

func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("there is text behind the value")
	}
	return v, nil
}

// bound walks decoded JSON and refuses what would cost too much.
func bound(v any, depth int, nodes *int) error {
	if depth > MaxDepth {
		return fmt.Errorf("the schema is nested deeper than %d levels", MaxDepth)
	}
	if *nodes++; *nodes > MaxNodes {
		return fmt.Errorf("the schema has more than %d parts", MaxNodes)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			if err := bound(child, depth+1, nodes); err != nil {
				return err
			}
		}
	case []any:
		for _, child := range v {
			if err := bound(child, depth+1, nodes); err != nil {
				return err
			}
		}
	case json.Number:
		if hugeExponent(string(v)) {
			return errors.New("the schema holds a number too large to reckon with")
		}
	}
	return nil
}

func hugeExponent(n string) bool {
	i := strings.IndexAny(n, "eE")
	if i < 0 {
		return false
	}
	exp, err := strconv.Atoi(n[i+1:])
	return err != nil || exp > maxExponent || exp < -maxExponent
}

// running bounds the checks that ran over their time and cannot be stopped.
var running = make(chan struct{}, 8)

// Validate checks a value, given as JSON text, and tells its faults; nil when
// it fits. A check that takes longer than three seconds is given up, which
// counts as a fault of the whole value.
func (s *Schema) Validate(value []byte) []FieldError {
	v, err := decode(value)
	if err != nil {
		return []FieldError{{"", "this is not sound JSON: " + err.Error()}}
	}
	if p, found := findHuge(v, ""); found {
		return []FieldError{{p, "this number is too large to be checked"}}
	}
	select {
	case running <- struct{}{}:
	default:
		return []FieldError{{"", "too many checks are under way: try again"}}
	}
	done := make(chan []FieldError, 1)
	go func() {
		defer func() { <-running }()
		done <- s.check(v)
	}()
	limit := time.NewTimer(checkLimit)
	defer limit.Stop()
	select {
	case errs := <-done:
		return errs
	case <-limit.C:
		// The validator cannot be stopped; it ends by itself, and running
		// bounds how many do so at once.
		return []FieldError{{"", "checking against the server's schema took too long"}}
	}
}

func findHuge(v any, at string) (string, bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			if p, ok := findHuge(child, at+"/"+escape(k)); ok {
				return p, true
			}
		}
	case []any:
		for i, child := range v {
			if p, ok := findHuge(child, at+"/"+strconv.Itoa(i)); ok {
				return p, true
			}
		}
	case json.Number:
		return at, hugeExponent(string(v))
	}
	return "", false
}

func (s *Schema) check(v any) (errs []FieldError) {
	defer func() {
		if p := recover(); p != nil {
			errs = []FieldError{{"", fmt.Sprintf("the value could not be checked: %v", p)}}
		}
	}()
	err := s.compiled.Validate(v)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		c := &collector{seen: map[FieldError]bool{}}
		c.walk(invalid)
		return c.list
	}
	if err != nil {
		return []FieldError{{"", err.Error()}}
	}
	return nil
}
