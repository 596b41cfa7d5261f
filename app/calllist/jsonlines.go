package calllist

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"countersign/app/rawjson"
)

// ReadJSONLines reads a list of objects, one a line. Blank lines are skipped.
// Arguments alias data.
func ReadJSONLines(data []byte) ([]Line, error) {
	data, err := text(data)
	if err != nil {
		return nil, err
	}
	var lines []Line
	for number := 1; len(data) > 0; number++ {
		var raw []byte
		raw, data, _ = bytes.Cut(data, []byte("\n"))
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		if len(lines) == MaxLines {
			return nil, errTooMany
		}
		lines = append(lines, readLine(number, raw))
	}
	if len(lines) == 0 {
		return nil, errEmpty
	}
	return lines, nil
}

var (
	errEmpty   = errors.New("the file has no lines")
	errTooMany = fmt.Errorf("the file has more than %d lines: split it", MaxLines)
)

// text takes a byte order mark off and refuses what is not the text that is
// read.
func text(data []byte) ([]byte, error) {
	switch {
	case len(data) > MaxFile:
		return nil, fmt.Errorf("the file is larger than %d MiB: split it", MaxFile>>20)
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return nil, errors.New("the file is UTF-16: save it as UTF-8")
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}

// unreadable says why a line is not text that can be read, or "".
func unreadable(raw []byte) string {
	switch {
	case len(raw) > MaxLine:
		return fmt.Sprintf("the line is longer than %d MiB", MaxLine>>20)
	case !utf8.Valid(raw):
		return "the line is not valid UTF-8"
	case bytes.IndexByte(raw, 0) >= 0:
		return "the line holds a NUL character"
	}
	return ""
}

func readLine(number int, raw []byte) Line {
	l := Line{Number: number, Arguments: []byte("{}")}
	if l.Fault = unreadable(raw); l.Fault != "" {
		return l
	}
	if _, err := rawjson.Compact(raw); err != nil {
		l.Fault = "the line is not one JSON object: " + err.Error()
		return l
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		l.Fault = "the line is not a JSON object, in curly brackets"
		return l
	}
	for _, m := range members {
		if fault := l.take(m); fault != "" && l.Fault == "" {
			l.Fault = fault
		}
	}
	switch {
	case l.Fault != "":
	case l.Server == "":
		l.Fault = `the line names no "server"`
	case l.Tool == "":
		l.Fault = `the line names no "tool"`
	}
	return l
}

func (l *Line) take(m rawjson.Member) (fault string) {
	fields := map[string]*string{"server": &l.Server, "tool": &l.Tool, "id": &l.ID}
	field, ok := fields[m.Key]
	switch {
	case m.Key == "arguments":
		l.Arguments = m.Value
		if m.Value[0] != '{' {
			return `"arguments" is not a JSON object, in curly brackets`
		}
		return ""
	case !ok:
		return fmt.Sprintf("the line has a part %q that is not known: it has server, tool, arguments and id", short(m.Key))
	}
	text, ok := rawjson.Text(m.Value)
	if !ok && m.Key == "id" && m.Value[0] != '{' && m.Value[0] != '[' {
		text, ok = string(m.Value), true // a number is told as it is written
	}
	if !ok || len(text) > maxText {
		return fmt.Sprintf("%q is not a text of at most %d bytes", m.Key, maxText)
	}
	*field = text
	return ""
}

// short cuts a text for a message, between two characters.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
