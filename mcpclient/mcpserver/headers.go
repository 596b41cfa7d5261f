package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"sort"
	"strings"
)

// mirrored is an argument that travels as a header too (HDR-06).
type mirrored struct {
	header string // without Mcp-Param-
	path   []string
}

// mirroredParams finds the x-mcp-header annotations of a tool, and refuses
// those that clients must refuse (HDR-07 to HDR-13).
func mirroredParams(definition json.RawMessage) ([]mirrored, error) {
	d, ok := members(definition)
	if !ok {
		return nil, errors.New("the definition is not an object")
	}
	schema, ok := members(d["inputSchema"])
	if !ok || len(d["inputSchema"]) == 0 {
		return nil, errors.New("inputSchema is not an object")
	}
	var found []mirrored
	if err := mirroredUnder(schema, nil, &found); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range found {
		lower := strings.ToLower(f.header)
		if seen[lower] {
			return nil, fmt.Errorf("two arguments are mirrored as %s", f.header) // HDR-08
		}
		seen[lower] = true
	}
	if n := strings.Count(string(definition), `"x-mcp-header"`); n != len(found) {
		return nil, errors.New("an x-mcp-header stands where none may stand") // HDR-12, HDR-13
	}
	return found, nil
}

func mirroredUnder(schema object, path []string, found *[]mirrored) error {
	properties, _ := members(schema["properties"])
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p, ok := members(properties[name])
		if !ok {
			continue // true or false
		}
		here := append(append([]string(nil), path...), name)
		if raw, given := p["x-mcp-header"]; given {
			header, isString := str(raw)
			if !isString || !isToken(header) {
				return fmt.Errorf("the x-mcp-header of %s is not a token", name) // HDR-07
			}
			if t, _ := str(p["type"]); t != "string" && t != "integer" && t != "boolean" {
				return fmt.Errorf("%s cannot be mirrored: it is not a string, an integer or a boolean", name) // HDR-09
			}
			*found = append(*found, mirrored{header, here})
		}
		if err := mirroredUnder(p, here, found); err != nil {
			return err
		}
	}
	return nil
}

func isToken(s string) bool {
	for _, r := range s {
		if r >= 0x7f || r <= ' ' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) {
			return false
		}
	}
	return s != ""
}

// checkHeaders holds the mirrored headers of a modern request against its
// body.
func (s *Server) checkHeaders(h http.Header, m message) *Error {
	meta, _ := members(m.params["_meta"])
	version, _ := str(meta[metaVersion])
	if version == "" {
		return nil // the session refuses that
	}
	if e := equalHeader(h, "MCP-Protocol-Version", version); e != nil { // HDR-01
		return e
	}
	if e := equalHeader(h, "Mcp-Method", m.method); e != nil { // HDR-02
		return e
	}
	name := "name"
	switch m.method { // HDR-03
	case "resources/read":
		name = "uri"
	case "tools/call", "prompts/get":
	default:
		return nil
	}
	value, ok := str(m.params[name])
	if !ok {
		return nil // the method refuses that
	}
	if e := equalHeader(h, "Mcp-Name", value); e != nil {
		return e
	}
	if tool, known := s.tool(value); known && m.method == "tools/call" {
		for _, p := range tool.headers {
			if e := p.check(h, m.params["arguments"]); e != nil {
				return e
			}
		}
	}
	return nil
}

func mismatch(format string, args ...any) *Error {
	return &Error{Code: codeHeaderMismatch, Message: "Header mismatch: " + fmt.Sprintf(format, args...)}
}

// equalHeader wants a header once, of this value. Values are compared after
// decoding, with case (HDR-24).
func equalHeader(h http.Header, name, want string) *Error {
	values := h.Values(name)
	if len(values) != 1 {
		return mismatch("%s is there %d times, for body value %q", name, len(values), want)
	}
	got, ok := decodeHeader(values[0])
	if !ok {
		return mismatch("%s cannot be decoded", name)
	}
	if got != want {
		return mismatch("%s header value %q does not match body value %q", name, got, want)
	}
	return nil
}

// check holds one Mcp-Param header against the arguments (HDR-15 to HDR-19).
func (p mirrored) check(h http.Header, args json.RawMessage) *Error {
	name := "Mcp-Param-" + p.header
	value := args
	for _, key := range p.path {
		o, ok := members(value)
		if value = o[key]; !ok || len(value) == 0 {
			break
		}
	}
	if len(value) == 0 || string(value) == "null" {
		if len(h.Values(name)) > 0 {
			return mismatch("%s is there, and the argument is not", name)
		}
		return nil
	}
	if text, ok := str(value); ok {
		return equalHeader(h, name, text)
	}
	if values := h.Values(name); len(values) == 1 && sameInteger(values[0], string(value)) {
		return nil
	}
	return equalHeader(h, name, string(value))
}

// sameInteger compares by value: 42.0 is 42.
func sameInteger(a, b string) bool {
	if len(a) > 32 || len(b) > 32 || strings.ContainsAny(a+b, "/_xXpP") {
		return false
	}
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.IsInt() && x.Cmp(y) == 0
}

// decodeHeader reads a value that may be wrapped in the Base64 sentinel. A
// plain value may hold only what needs none.
func decodeHeader(v string) (string, bool) {
	if inner, ok := strings.CutPrefix(v, "=?base64?"); ok {
		if inner, ok = strings.CutSuffix(inner, "?="); ok {
			b, err := base64.StdEncoding.DecodeString(inner)
			return string(b), err == nil
		}
	}
	for i := range len(v) {
		if v[i] < ' ' && v[i] != '\t' || v[i] >= 0x7f {
			return "", false
		}
	}
	return v, true
}
