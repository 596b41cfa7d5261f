package approval

import (
	"encoding/json"
	"strings"

	"countersign/app/rawjson"
)

// FromCall is where the making of a rule begins: every argument of a call is named,
// and equal to what it is. Arguments that are no object give none.
func FromCall(args []byte) []Condition {
	members, err := rawjson.Members(args)
	if err != nil {
		return nil
	}
	var out []Condition
	for _, m := range members {
		out = append(out, Condition{Path: "/" + rawjson.EscapePointer(m.Key), Op: Equals, Values: []json.RawMessage{m.Value}})
	}
	return out
}

// Describe says a condition in words, for lists and cards.
func Describe(c Condition) string {
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = string(v)
	}
	between := ""
	switch {
	case c.Min != "" && c.Max != "":
		between = "from " + c.Min + " to " + c.Max
	case c.Min != "":
		between = "at least " + c.Min
	default:
		between = "at most " + c.Max
	}
	switch c.Op {
	case Equals:
		return c.Path + " is " + strings.Join(values, "")
	case OneOf:
		return c.Path + " is one of " + strings.Join(values, ", ")
	case Prefix:
		return c.Path + " begins with " + c.Text
	case Glob:
		return c.Path + " is a path like " + c.Text
	case Number:
		return c.Path + " is " + between
	case Length:
		return "the length of " + c.Path + " is " + between
	case Absent:
		return c.Path + " is not given"
	case URLHost:
		return c.Path + " is an address on " + strings.Join(c.Hosts, " or ")
	}
	return c.Path
}
