package schema

import (
	"encoding/json"
	"fmt"
	"slices"
)

// FormFault says why a schema is none that a server may ask a person to fill in,
// as a clause, or "" if it is one: an object whose members are texts, numbers, yes
// or no, choices, or lists of those (ELIC-08 to ELIC-10). What nests is not taken in
// part (ELIC-13). Rules that only judge a value are no matter here.
func FormFault(raw []byte) string {
	root, ok := members(raw)
	if !ok {
		return "it is no object"
	}
	if kinds := typesOf(root); len(kinds) > 0 && !slices.Equal(kinds, []string{"object"}) {
		return "it asks for something else than an object"
	}
	for _, key := range []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"} {
		if _, ok := root[key]; ok {
			return fmt.Sprintf("its fields stand behind %q", key)
		}
	}
	if _, ok := root["properties"]; !ok {
		return ""
	}
	fields, ok := members(root["properties"])
	if !ok {
		return "its fields cannot be read"
	}
	for _, name := range sortedKeys(fields) {
		if !plain(fields[name], true) {
			return fmt.Sprintf("the field %q is neither a text, a number, yes or no, a choice, nor a list of those", name)
		}
	}
	return ""
}

// plain tells whether a field holds a single value, or where lists is set also a
// list of such.
func plain(raw json.RawMessage, lists bool) bool {
	field, ok := members(raw)
	if !ok {
		return false
	}
	for _, key := range []string{"$ref", "$dynamicRef", "allOf", "properties", "patternProperties"} {
		if _, ok := field[key]; ok {
			return false
		}
	}
	kinds := typesOf(field)
	for _, kind := range kinds {
		switch kind {
		case "string", "number", "integer", "boolean", "null":
		case "array":
			if !lists || !plain(field["items"], false) {
				return false
			}
		default:
			return false
		}
	}
	known := len(kinds) > 0
	for _, key := range []string{"enum", "const"} {
		_, ok := field[key]
		known = known || ok
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		list, ok := field[key]
		if !ok {
			continue
		}
		var branches []json.RawMessage
		if json.Unmarshal(list, &branches) != nil {
			return false
		}
		for _, branch := range branches {
			if !plain(branch, lists) {
				return false
			}
		}
		known = true
	}
	return known
}

// typesOf gives the types that a schema names; what is no text among them is "".
func typesOf(schema map[string]json.RawMessage) []string {
	raw, ok := schema["type"]
	if !ok {
		return nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var several []string
	if json.Unmarshal(raw, &several) != nil || len(several) == 0 {
		return []string{""}
	}
	return several
}

// members gives those of an object; ok is false for anything else.
func members(raw []byte) (m map[string]json.RawMessage, ok bool) {
	return m, json.Unmarshal(raw, &m) == nil && m != nil
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
