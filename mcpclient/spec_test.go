package mcpclient

import (
	"bytes"
	"fmt"
	"os"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"countersign/mcpclient/jsonrpc"
)

// The published schemas hold every message that we send, in every revision.

type specKey struct{ version, definition string }

var spec = struct {
	sync.Mutex
	compilers map[string]*jsonschema.Compiler
	schemas   map[specKey]*jsonschema.Schema
}{compilers: map[string]*jsonschema.Compiler{}, schemas: map[specKey]*jsonschema.Schema{}}

// specSchema compiles a definition of a revision.
func specSchema(version, definition string) (*jsonschema.Schema, error) {
	spec.Lock()
	defer spec.Unlock()
	if s := spec.schemas[specKey{version, definition}]; s != nil {
		return s, nil
	}
	c := spec.compilers[version]
	if c == nil {
		raw, err := os.ReadFile("testdata/spec/schema-" + version + ".json")
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		c = jsonschema.NewCompiler()
		if err := c.AddResource("mcp:"+version, doc); err != nil {
			return nil, err
		}
		spec.compilers[version] = c
	}
	where := "definitions"
	if version >= "2025-11-25" {
		where = "$defs"
	}
	s, err := c.Compile("mcp:" + version + "#/" + where + "/" + definition)
	if err == nil {
		spec.schemas[specKey{version, definition}] = s
	}
	return s, err
}

// fitsSpec holds JSON against a definition of a revision.
func fitsSpec(version, definition string, raw []byte) error {
	s, err := specSchema(version, definition)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	if err := s.Validate(v); err != nil {
		return fmt.Errorf("no %s of %s: %w", definition, version, err)
	}
	return nil
}

// sentFits holds a message of ours against the schema of a revision: the one that
// is negotiated, for an opening the one that it opens.
func sentFits(version string, message []byte) error {
	m, err := jsonrpc.Parse(message)
	if err != nil {
		return err
	}
	meta, _ := jsonrpc.Get(m.Params, "_meta")
	if _, modern := jsonrpc.Get(meta, metaVersion); modern { // each of them says so
		version = ModernVersion
	} else if m.Method == "initialize" {
		version = LegacyVersion
	}
	switch {
	case m.IsRequest():
		return fitsSpec(version, "ClientRequest", message)
	case m.IsNotification():
		return fitsSpec(version, "ClientNotification", message)
	case m.Error != nil && version >= "2025-11-25":
		return fitsSpec(version, "JSONRPCErrorResponse", message)
	case m.Error != nil:
		return fitsSpec(version, "JSONRPCError", message)
	}
	return fitsSpec(version, "ClientResult", m.Result)
}
