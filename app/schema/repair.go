package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxRepairs is how many faults of a schema are worked around.
const maxRepairs = 50

// repairer compiles a schema, and leaves out the places that keep it from
// being compiled. Each is told as a warning.
type repairer struct {
	doc      any // changed as it goes
	warnings []FieldError
}

func (r *repairer) warn(pointer, format string, args ...any) {
	r.warnings = append(r.warnings, FieldError{pointer, shorten(fmt.Sprintf(format, args...))})
}

// brief bounds what is quoted from a schema.
func brief(text string) string {
	if len(text) > 80 {
		return text[:80] + "…" // warn makes whole characters of it
	}
	return text
}

// compile tries the document as it is, then in the older dialects that it may
// be written in without saying so, then without its faulty places.
func (r *repairer) compile() (*jsonschema.Schema, []*jsonschema.Schema, error) {
	object, _ := r.doc.(map[string]any)
	dialect, declared := object["$schema"].(string)
	compiled, anchors, err := compileAs(r.doc, jsonschema.Draft2020)
	if err == nil {
		return compiled, anchors, nil
	}
	if !declared {
		// Tuples written "items": [...] and "exclusiveMinimum": true are common
		// without a declared dialect (report 15).
		for _, older := range []*jsonschema.Draft{jsonschema.Draft2019, jsonschema.Draft4} {
			if compiled, anchors, olderErr := compileAs(r.doc, older); olderErr == nil {
				if older == jsonschema.Draft4 {
					r.warn("", "The schema is written in the old draft-04 and does not say so; rules that are newer are not checked.")
				}
				return compiled, anchors, nil
			}
		}
	}
	for len(r.warnings) < maxRepairs {
		before := len(r.warnings)
		var invalid *jsonschema.SchemaValidationError
		var noPointer *jsonschema.JSONPointerNotFoundError
		var noAnchor *jsonschema.AnchorNotFoundError
		switch {
		case errors.As(err, &invalid):
			r.prune(invalid)
		case errors.As(err, &noPointer), errors.As(err, &noAnchor):
			r.dangling()
		}
		if len(r.warnings) == before {
			return nil, nil, explain(err, dialect)
		}
		if compiled, anchors, err = compileAs(r.doc, jsonschema.Draft2020); err == nil {
			return compiled, anchors, nil
		}
	}
	return nil, nil, errors.New("the schema has too many faults")
}

// Keywords by what stands under them.
var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	schemas     = []string{"not", "if", "then", "else", "items", "additionalItems", "additionalProperties", "unevaluatedItems",
		"unevaluatedProperties", "contains", "propertyNames", "contentSchema"}
)

// eachSchema visits the subschemas that stand where schemas stand, in a fixed
// order; data such as default and enum is left alone.
func eachSchema(v any, pointer string, visit func(s map[string]any, pointer string)) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	visit(s, pointer)
	for _, key := range schemaMaps {
		m, _ := s[key].(map[string]any)
		names := make([]string, 0, len(m))
		for name := range m {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			eachSchema(m[name], pointer+"/"+key+"/"+escape(name), visit)
		}
	}
	for _, key := range schemaLists {
		list, _ := s[key].([]any)
		for i, child := range list {
			eachSchema(child, pointer+"/"+key+"/"+strconv.Itoa(i), visit)
		}
	}
	for _, key := range schemas {
		eachSchema(s[key], pointer+"/"+key, visit)
	}
}

// patterns leaves out the patterns that cannot be checked here.
func (r *repairer) patterns() {
	total := 0
	fault := func(source string) error {
		p, err := newPattern(source)
		if err != nil {
			return err
		}
		if total += p.size; total > 10*maxPattern {
			return errors.New("the schema has too many of them")
		}
		return nil
	}
	eachSchema(r.doc, "", func(s map[string]any, pointer string) {
		if source, ok := s["pattern"].(string); ok {
			if err := fault(source); err != nil {
				delete(s, "pattern")
				r.warn(pointer+"/pattern", "The pattern %s is not checked: %v.", brief(source), err)
			}
		}
		by, _ := s["patternProperties"].(map[string]any)
		for source := range by {
			if err := fault(source); err != nil {
				// Whom it would have allowed is not known, so nobody can be
				// refused for being additional either.
				delete(by, source)
				delete(s, "additionalProperties")
				delete(s, "unevaluatedProperties")
				r.warn(pointer+"/patternProperties", "The pattern %s is not checked: %v.", brief(source), err)
			}
		}
	})
}

// dangling leaves out the references to places that are not there (report 1).
func (r *repairer) dangling() {
	anchors := map[string]bool{}
	findAnchors(r.doc, anchors)
	eachSchema(r.doc, "", func(s map[string]any, pointer string) {
		for _, key := range []string{"$ref", "$dynamicRef"} {
			ref, ok := s[key].(string)
			if !ok || !strings.HasPrefix(ref, "#") {
				continue
			}
			target := ref[1:]
			if target != "" && target[0] != '/' {
				if anchors[target] {
					continue
				}
			} else if _, found := lookup(r.doc, target); found {
				continue
			}
			delete(s, key)
			r.warn(pointer+"/"+key, "It refers to %s, which is not there; any value is taken.", brief(ref))
		}
	})
}

func findAnchors(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if name, ok := child.(string); ok && (key == "$anchor" || key == "$dynamicAnchor") {
				into[name] = true
			}
			findAnchors(child, into)
		}
	case []any:
		for _, child := range v {
			findAnchors(child, into)
		}
	}
}

// lookup resolves a JSON Pointer.
func lookup(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	for _, token := range strings.Split(pointer, "/")[1:] {
		if decoded, err := url.PathUnescape(token); err == nil {
			token = decoded
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch at := v.(type) {
		case map[string]any:
			child, ok := at[token]
			if !ok {
				return nil, false
			}
			v = child
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// prune leaves out what is not sound in the schema's dialect (SCHEMA-04).
func (r *repairer) prune(invalid *jsonschema.SchemaValidationError) {
	var verr *jsonschema.ValidationError
	if !errors.As(invalid.Err, &verr) {
		return
	}
	seen := map[string]bool{}
	var leaves func(e *jsonschema.ValidationError)
	leaves = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			leaves(cause)
		}
		key := strings.Join(e.InstanceLocation, "\x00")
		if len(e.Causes) > 0 || len(e.InstanceLocation) == 0 || seen[key] || len(r.warnings) >= maxRepairs {
			return
		}
		seen[key] = true
		r.remove(e.InstanceLocation)
	}
	leaves(verr)
}

// remove takes the keyword away that a location leads into; where a schema
// should stand, any value is allowed instead.
func (r *repairer) remove(location []string) {
	parents := []any{r.doc}
	for _, token := range location {
		child, ok := lookup(parents[len(parents)-1], "/"+strings.ReplaceAll(escape(token), "%", "%25"))
		if !ok {
			return // it went with something else
		}
		parents = append(parents, child)
	}
	pointer := ""
	for _, token := range location {
		pointer += "/" + escape(token)
	}
	last := len(location) - 1
	bad, _ := json.Marshal(parents[len(parents)-1]) // it was decoded from JSON
	if isSchemaPlace(location) {
		switch parent := parents[last].(type) {
		case map[string]any:
			parent[location[last]] = true
		case []any:
			i, _ := strconv.Atoi(location[last]) // lookup has read it
			parent[i] = true
		}
		r.warn(pointer, "%s is not a schema; any value is taken.", brief(string(bad)))
		return
	}
	for ; last >= 0; last-- {
		if parent, ok := parents[last].(map[string]any); ok {
			delete(parent, location[last])
			r.warn(pointer, "%s is not allowed here, so the rule %q is not checked.", brief(string(bad)), location[last])
			return
		}
	}
}

// isSchemaPlace tells whether a schema should stand at a location.
func isSchemaPlace(location []string) bool {
	place := true // of the root
	for i := 0; i < len(location); i++ {
		key := location[i]
		place = false
		switch {
		case slices.Contains(schemaMaps, key), slices.Contains(schemaLists, key) && i+1 < len(location) && isIndex(location[i+1]):
			if i++; i < len(location) {
				place = true
			}
		case slices.Contains(schemas, key):
			place = true
		default:
			return false
		}
	}
	return place
}

func isIndex(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}
