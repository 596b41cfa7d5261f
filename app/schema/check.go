package schema

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxErrors is how many faults of one value are told.
const maxErrors = 50

// Validate checks a value, given as JSON text, and tells its faults; nil when
// it fits. A value that is too large, or a check that takes too long, counts
// as a fault of the whole value. It takes a few seconds at most.
func (s *Schema) Validate(value []byte) []FieldError {
	v, err := decode(value)
	if err != nil {
		return []FieldError{{"", "This is not sound JSON: " + err.Error() + "."}}
	}
	var e extent
	e.measure(v, nil, 0, s.depth)
	switch {
	case e.hasBig:
		return []FieldError{{e.large, "This number is too large to be checked."}}
	case e.depth > s.depth:
		return []FieldError{{"", fmt.Sprintf("This cannot be checked against the schema: it is nested deeper than %d levels.", s.depth)}}
	case e.weight > maxWeight:
		return []FieldError{{"", "This cannot be checked against the schema: it has too many parts."}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter.start(e.depth)
	return s.check(v)
}

func (s *Schema) check(v any) (errs []FieldError) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case errWork:
			errs = []FieldError{{"", "This could not be checked: " + errWork.Error() + "."}}
		default: // the validator meets schemas that its authors did not think of
			errs = []FieldError{{"", fmt.Sprintf("This could not be checked: %v.", p)}}
		}
	}()
	err := s.compiled.Validate(v)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		c := &collector{seen: map[FieldError]bool{}}
		c.walk(invalid)
		return c.sorted()
	}
	if err != nil {
		return []FieldError{{"", err.Error()}}
	}
	return nil
}
