package mcpclient

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"countersign/mcpclient/jsonrpc"
)

// annotation is the schema member that mirrors an argument in a header.
const annotation = "x-mcp-header"

// maxSafe is the greatest whole number that may be mirrored (HDR-10).
const maxSafe = 1<<53 - 1

// mirrored is one annotated property of an input schema.
type mirrored struct {
	path   []string // keys of properties from the root
	header string   // without Mcp-Param-
	kind   string   // string, integer or boolean
}

// HiddenReason tells why a tool must not be offered over HTTP: a bad
// x-mcp-header annotation makes the whole definition invalid (HDR-07..HDR-14).
// It is "" for a good tool. Over stdio annotations mean nothing (STDIO-10).
func HiddenReason(tool json.RawMessage) string {
	if _, err := mirrors(tool); err != nil {
		return err.Error()
	}
	return ""
}

// mirrors finds the annotations of a tool object.
func mirrors(tool []byte) ([]mirrored, error) {
	schema, ok := jsonrpc.Get(tool, "inputSchema")
	if !ok || !jsonrpc.IsObject(schema) {
		return nil, nil
	}
	s := &mirrorScan{names: make(map[string]string)}
	if err := s.schema(schema, nil, true, 0); err != nil {
		return nil, err
	}
	return s.found, nil
}

type mirrorScan struct {
	found []mirrored
	names map[string]string // lower case -> as written
}

// maxSchemaDepth bounds how deep annotations are looked for.
const maxSchemaDepth = 200

// The keywords that hold schemas: one, a list of them, or a map of them. Data
// (default, const, enum, examples) is not looked into (GAP-16).
var (
	oneSchema = map[string]bool{
		"items": true, "contains": true, "additionalItems": true, "additionalProperties": true, "propertyNames": true,
		"unevaluatedItems": true, "unevaluatedProperties": true, "not": true, "if": true, "then": true, "else": true,
		"contentSchema": true,
	}
	schemaList = map[string]bool{"prefixItems": true, "items": true, "allOf": true, "anyOf": true, "oneOf": true}
	schemaMap  = map[string]bool{
		"patternProperties": true, "dependentSchemas": true, "dependencies": true, "$defs": true, "definitions": true,
	}
)

// schema looks at one schema. reachable tells whether a chain of properties
// leads from the root to it; path is that chain, empty at the root itself.
func (s *mirrorScan) schema(raw []byte, path []string, reachable bool, depth int) error {
	if depth > maxSchemaDepth {
		return fmt.Errorf("the schema is nested more than %d deep", maxSchemaDepth)
	}
	var failed error
	keep := func(err error) bool {
		failed = err
		return err == nil
	}
	_ = jsonrpc.Members(raw, func(key string, value []byte) bool { // true and false are schemas too
		switch {
		case key == annotation:
			return keep(s.annotated(raw, value, path, reachable))
		case key == "properties":
			return keep(s.each(value, func(name string, sub []byte) error {
				return s.schema(sub, append(path[:len(path):len(path)], name), reachable, depth+1)
			}))
		case schemaMap[key]:
			return keep(s.each(value, func(name string, sub []byte) error {
				return s.schema(sub, append(path[:len(path):len(path)], key, name), false, depth+1)
			}))
		case schemaList[key] && len(value) > 0 && value[0] == '[':
			_ = jsonrpc.Elements(value, func(sub []byte) bool { // its syntax is known to be right
				return keep(s.schema(sub, append(path[:len(path):len(path)], key), false, depth+1))
			})
			return failed == nil
		case oneSchema[key]:
			return keep(s.schema(value, append(path[:len(path):len(path)], key), false, depth+1))
		}
		return true
	})
	return failed
}

func (s *mirrorScan) each(object []byte, fn func(name string, sub []byte) error) error {
	var failed error
	_ = jsonrpc.Members(object, func(name string, sub []byte) bool { // not an object: nothing in it
		failed = fn(name, sub)
		return failed == nil
	})
	return failed
}

// annotated judges one annotation (HDR-07..HDR-13, GAP-15).
func (s *mirrorScan) annotated(schema, value []byte, path []string, reachable bool) error {
	at := "/" + strings.Join(path, "/")
	name, ok := jsonrpc.String(value)
	switch {
	case !ok:
		return fmt.Errorf("%s at %s is no text", annotation, at)
	case !isToken(name):
		return fmt.Errorf("%s %q at %s is no header name", annotation, name, at)
	case !reachable || len(path) == 0:
		return fmt.Errorf("%s %q stands at %s, where it must not", annotation, name, at)
	}
	lower := strings.ToLower(name)
	if other, taken := s.names[lower]; taken {
		return fmt.Errorf("%s %q at %s clashes with %q", annotation, name, at, other)
	}
	s.names[lower] = name
	raw, _ := jsonrpc.Get(schema, "type")
	kind, _ := jsonrpc.String(raw)
	if kind != "string" && kind != "integer" && kind != "boolean" {
		return fmt.Errorf("%s %q at %s stands on a type that cannot be mirrored", annotation, name, at)
	}
	if _, ref := jsonrpc.Get(schema, "$ref"); ref {
		return fmt.Errorf("%s %q at %s stands beside $ref", annotation, name, at)
	}
	s.found = append(s.found, mirrored{path: path, header: name, kind: kind})
	return nil
}

func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
			strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// callHeaders makes the Mcp-Param-* headers of a call (HDR-06, HDR-15), for
// modern HTTP only. A value that cannot be mirrored refuses the call (GAP-17).
func (c *Client) callHeaders(call *Call) ([]Header, error) {
	if c.cfg.HTTP == nil || c.meta == nil || call.Definition == nil {
		return nil, nil
	}
	return MirroredHeaders(call.Definition, call.Arguments)
}

// MirroredHeaders gives the Mcp-Param-* headers that a call of a tool with
// these arguments sends over modern HTTP, so that a person can see them first
// (HDR-26). tool is the tool object as listed, arguments a JSON object.
func MirroredHeaders(tool json.RawMessage, arguments []byte) ([]Header, error) {
	found, err := mirrors(tool)
	if err != nil {
		return nil, fmt.Errorf("the tool's definition is invalid: %w", err)
	}
	var headers []Header
	for _, m := range found {
		value, present := arguments, true
		for _, key := range m.path {
			if value, present = jsonrpc.Get(value, key); !present {
				break
			}
		}
		if !present || jsonrpc.IsNull(value) {
			continue
		}
		text, err := mirrorText(m.kind, value)
		if err != nil {
			return nil, fmt.Errorf("argument /%s cannot be sent as header Mcp-Param-%s: %w", strings.Join(m.path, "/"), m.header, err)
		}
		headers = append(headers, Header{"Mcp-Param-" + m.header, headerValue(text)})
	}
	return headers, nil
}

// mirrorText writes a value as text (HDR-16).
func mirrorText(kind string, value []byte) (string, error) {
	switch kind {
	case "string":
		if s, ok := jsonrpc.String(value); ok {
			return s, nil
		}
	case "boolean":
		if s := string(value); s == "true" || s == "false" {
			return s, nil
		}
	case "integer":
		if n, ok := wholeNumber(value); ok {
			return strconv.FormatInt(n, 10), nil
		}
		return "", fmt.Errorf("%s is no whole number of at most 53 bits", clip(string(value), 64))
	}
	return "", fmt.Errorf("%s is no %s", clip(string(value), 64), kind)
}

// wholeNumber reads any spelling of a safe whole number: 42, 42.0, 4.2e1.
func wholeNumber(raw []byte) (int64, bool) {
	n, ok := jsonrpc.Int(raw)
	if !ok {
		if number(raw) == "" || len(raw) > 400 {
			return 0, false
		}
		text := strings.ToLower(string(raw))
		if _, exp, found := strings.Cut(text, "e"); found {
			if e, err := strconv.Atoi(exp); err != nil || e > 400 || e < -400 {
				return 0, false
			}
		}
		r, valid := new(big.Rat).SetString(text)
		if !valid || !r.IsInt() || !r.Num().IsInt64() {
			return 0, false
		}
		n = r.Num().Int64()
	}
	return n, n >= -maxSafe && n <= maxSafe
}

const sentinel, sentinelEnd = "=?base64?", "?="

// headerValue encodes a text for a mirrored header (HDR-17..HDR-19).
func headerValue(s string) string {
	plain := !(strings.HasPrefix(s, sentinel) && strings.HasSuffix(s, sentinelEnd))
	if s != "" && (s[0] == ' ' || s[len(s)-1] == ' ') {
		plain = false
	}
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= 0x20 && s[i] <= 0x7E
	}
	if plain {
		return s
	}
	return sentinel + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelEnd
}
