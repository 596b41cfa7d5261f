package calllist

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"countersign/app/rawjson"
)

// Table is a list as a table: its columns are the names of arguments.
type Table struct {
	Columns []string
	rows    []row
}

type row struct {
	number int
	cells  []string
	fault  string
}

// Rows is how many rows the table has.
func (t *Table) Rows() int { return len(t.rows) }

// ReadTable reads a table whose first row has the names of the arguments. The
// separator is the comma, or where the first row has none, the semicolon or tab
// that stands in it.
func ReadTable(data []byte) (*Table, error) {
	data, err := text(data)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	r.Comma = separator(data)
	t := &Table{}
	if t.Columns, err = r.Read(); err != nil {
		if err == io.EOF {
			return nil, errEmpty
		}
		return nil, fmt.Errorf("the row of names cannot be read: %w", plain(err))
	}
	if err := checkColumns(t.Columns); err != nil {
		return nil, err
	}
	for {
		from := r.InputOffset()
		cells, err := r.Read()
		if err == io.EOF {
			break
		}
		if len(t.rows) == MaxLines {
			return nil, errTooMany
		}
		t.rows = append(t.rows, t.row(r, cells, data[from:r.InputOffset()], err))
	}
	if len(t.rows) == 0 {
		return nil, errEmpty
	}
	return t, nil
}

func separator(data []byte) rune {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	for _, c := range ",;\t" {
		if bytes.ContainsRune(first, c) {
			return c
		}
	}
	return ','
}

func checkColumns(columns []string) error {
	for i, name := range columns {
		switch {
		case name == "":
			return fmt.Errorf("column %d has no name: the first row has the names of the arguments", i+1)
		case unreadable([]byte(name)) != "" || len(name) > maxText:
			return fmt.Errorf("the name of column %d cannot be read", i+1)
		case slices.Contains(columns[:i], name):
			return fmt.Errorf("two columns have the name %q", short(name))
		}
	}
	return nil
}

func (t *Table) row(r *csv.Reader, cells []string, raw []byte, err error) row {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return row{number: parse.StartLine, fault: "the row cannot be read: " + plain(err).Error()}
	}
	number, _ := r.FieldPos(0)
	out := row{number: number, cells: cells, fault: unreadable(raw)}
	if out.fault == "" && len(cells) > len(t.Columns) {
		out.fault = fmt.Sprintf("the row has %d cells, but there are %d names", len(cells), len(t.Columns))
	}
	return out
}

// plain is an error of package csv in plain words.
func plain(err error) error {
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return errors.New("a quotation mark stands in a cell without quotes")
	case errors.Is(err, csv.ErrQuote):
		return errors.New("a cell in quotes does not end, or text follows behind its quotes")
	}
	return err
}

// Lines makes the arguments of each row by a tool's input schema. An empty
// cell is no argument.
func (t *Table) Lines(schema []byte) []Line {
	properties, _ := rawjson.Get(schema, "properties")
	kinds := make([][]string, len(t.Columns))
	for i, name := range t.Columns {
		property, _ := rawjson.Get(properties, name)
		kinds[i] = typesOf(property)
	}
	lines := make([]Line, len(t.rows))
	for i, r := range t.rows {
		lines[i] = Line{Number: r.number, Fault: r.fault, Arguments: []byte("{}")}
		if r.fault == "" {
			lines[i].Arguments, lines[i].Fault = t.arguments(r, kinds)
		}
	}
	return lines
}

func (t *Table) arguments(r row, kinds [][]string) (args []byte, fault string) {
	out := []byte{'{'}
	for i, cell := range r.cells {
		if cell == "" {
			continue
		}
		value, ok := convert(cell, kinds[i])
		if !ok {
			return []byte("{}"), fmt.Sprintf("column %q: “%s” is not %s", short(t.Columns[i]), short(cell), wanted(kinds[i]))
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(t.Columns[i])...), ':'), value...)
	}
	return append(out, '}'), ""
}

// typesOf lists the types that a property may have, as far as its schema says
// so directly or one level down in anyOf or oneOf.
func typesOf(property []byte) []string {
	raw, ok := rawjson.Get(property, "type")
	if ok {
		if one, ok := rawjson.Text(raw); ok {
			return []string{one}
		}
		var out []string
		items, _ := rawjson.Items(raw)
		for _, item := range items {
			one, _ := rawjson.Text(item)
			out = append(out, one)
		}
		return out
	}
	var out []string
	for _, key := range []string{"anyOf", "oneOf"} {
		raw, _ := rawjson.Get(property, key)
		choices, _ := rawjson.Items(raw)
		for _, choice := range choices {
			if one, ok := rawjson.GetText(choice, "type"); ok {
				out = append(out, one)
			}
		}
	}
	return out
}

// convert makes a JSON value of a cell. Where several types are possible, text
// is the last.
func convert(cell string, types []string) (value []byte, ok bool) {
	if len(types) == 0 {
		return quote(cell), true
	}
	trimmed := strings.TrimSpace(cell)
	text := false
	for _, t := range types {
		switch t {
		case "string":
			text = true
		case "integer", "number":
			if number(trimmed) {
				return []byte(trimmed), true
			}
		case "boolean":
			if lower := strings.ToLower(trimmed); lower == "true" || lower == "false" {
				return []byte(lower), true
			}
		case "object", "array":
			if v, err := rawjson.Compact([]byte(trimmed)); err == nil && ((v[0] == '{') == (t == "object")) && (v[0] == '{' || v[0] == '[') {
				return v, true
			}
		}
	}
	return quote(cell), text
}

// number is true for a number as JSON writes it; its text is kept as it is.
func number(s string) bool {
	if s == "" || (s[0] != '-' && (s[0] < '0' || s[0] > '9')) {
		return false
	}
	_, err := rawjson.Compact([]byte(s))
	return err == nil
}

func wanted(types []string) string {
	words := map[string]string{"integer": "a whole number", "number": "a number", "boolean": "true or false", "object": "a JSON object", "array": "a JSON array"}
	var out []string
	for _, t := range types {
		if w, ok := words[t]; ok {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return "a value that a cell can give"
	}
	return strings.Join(out, " or ")
}

// quote makes a JSON string of text, which keeps every character.
func quote(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string can always be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
