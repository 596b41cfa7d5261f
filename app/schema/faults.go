package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

var english = message.NewPrinter(language.English)

// collector gathers the faults at the leaves of a validator's answer.
type collector struct {
	list []FieldError
	seen map[FieldError]bool
}

func (c *collector) add(at []string, more, message string) {
	var b strings.Builder
	for _, part := range at {
		b.WriteString("/" + escape(part))
	}
	if more != "" {
		b.WriteString("/" + escape(more))
	}
	e := FieldError{b.String(), message}
	if len(c.list) < maxErrors && !c.seen[e] {
		c.seen[e] = true
		c.list = append(c.list, e)
	}
}

// sorted puts the faults in the order of their places: the validator walks
// objects in any order.
func (c *collector) sorted() []FieldError {
	sort.SliceStable(c.list, func(a, b int) bool { return c.list[a].Pointer < c.list[b].Pointer })
	return c.list
}

func (c *collector) walk(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			c.add(e.InstanceLocation, name, "This is required.")
		}
		return
	case *kind.DependentRequired:
		c.missing(e, k.Prop, k.Missing)
		return
	case *kind.Dependency:
		c.missing(e, k.Prop, k.Missing)
		return
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			c.add(e.InstanceLocation, name, "The schema does not allow this member.")
		}
		return
	case *kind.AnyOf, *kind.OneOf:
		if branch := likely(e); branch != nil {
			c.walk(branch)
			return
		}
		c.add(e.InstanceLocation, "", alternatives(e))
		return
	case *kind.Not:
		c.add(e.InstanceLocation, "", "The schema does not allow this value.")
		return
	}
	if len(e.Causes) == 0 {
		c.add(e.InstanceLocation, "", words(e.ErrorKind))
		return
	}
	for _, cause := range e.Causes {
		c.walk(cause)
	}
}

func (c *collector) missing(e *jsonschema.ValidationError, prop string, names []string) {
	for _, name := range names {
		c.add(e.InstanceLocation, name, fmt.Sprintf("This is required beside %q.", prop))
	}
}

// likely is the one branch of anyOf or oneOf that the value was meant for: the
// only one whose type fits.
func likely(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	var found *jsonschema.ValidationError
	for _, branch := range e.Causes {
		if wrongType(branch, len(e.InstanceLocation)) {
			continue
		}
		if found != nil {
			return nil
		}
		found = branch
	}
	return found
}

func wrongType(e *jsonschema.ValidationError, depth int) bool {
	if _, ok := e.ErrorKind.(*kind.Type); ok {
		return len(e.InstanceLocation) == depth
	}
	for _, cause := range e.Causes {
		if wrongType(cause, depth) {
			return true
		}
	}
	return false
}

func alternatives(e *jsonschema.ValidationError) string {
	if k, ok := e.ErrorKind.(*kind.OneOf); ok && len(k.Subschemas) > 0 {
		return "This fits more than one of the allowed forms; it must fit exactly one."
	}
	return "This fits none of the allowed forms."
}

// words says what is expected.
func words(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("This must be %s, not %s.", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		return "This must be one of: " + values(k.Want) + "."
	case *kind.Const:
		return "This must be " + values([]any{k.Want}) + "."
	case *kind.Format:
		return fmt.Sprintf("This is no %s.", formatName(k.Want))
	case *kind.MinLength:
		return fmt.Sprintf("This must have at least %s.", count(k.Want, "character"))
	case *kind.MaxLength:
		return fmt.Sprintf("This must have at most %s; it has %d.", count(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("This must have at least %s.", count(k.Want, "item"))
	case *kind.MaxItems:
		return fmt.Sprintf("This must have at most %s; it has %d.", count(k.Want, "item"), k.Got)
	case *kind.UniqueItems:
		return fmt.Sprintf("Items %d and %d are equal; each may stand once.", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.Pattern:
		return "This must match the pattern " + k.Want + "."
	case *kind.Minimum:
		return "This must be at least " + number(k.Want) + "."
	case *kind.Maximum:
		return "This must be at most " + number(k.Want) + "."
	case *kind.ExclusiveMinimum:
		return "This must be more than " + number(k.Want) + "."
	case *kind.ExclusiveMaximum:
		return "This must be less than " + number(k.Want) + "."
	case *kind.MultipleOf:
		return "This must be a multiple of " + number(k.Want) + "."
	case *kind.FalseSchema:
		return "Nothing may stand here."
	}
	return strings.ToValidUTF8(k.LocalizedString(english), "?")
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func formatName(f string) string {
	names := map[string]string{"email": "e-mail address", "uri": "address (URI)", "date": "date, such as 2026-03-01",
		"date-time": "moment with a time zone, such as 2026-03-01T12:00:00Z", "time": "time of day with a zone, such as 12:00:00Z", "uuid": "UUID"}
	if n, ok := names[f]; ok {
		return n
	}
	return f
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(12), "0")
}

func values(list []any) string {
	var out []string
	for i, v := range list {
		if i == 20 {
			out = append(out, fmt.Sprintf("… (%d in all)", len(list)))
			break
		}
		b, err := json.Marshal(v)
		if err != nil {
			continue
		}
		out = append(out, string(b))
	}
	return strings.Join(out, ", ")
}
