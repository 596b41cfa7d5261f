package calllist

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Outcome is what became of one line.
type Outcome struct {
	Line     int    `json:"line"`
	ID       string `json:"id,omitempty"`
	Server   string `json:"server"`
	Tool     string `json:"tool"`
	CallID   string `json:"call,omitempty"` // "" where nothing was proposed
	State    string `json:"state"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"` // the person's, or why it ended
	Error    string `json:"error,omitempty"`
	// Result is the exact bytes that the server answered with, as they were kept.
	Result []byte `json:"-"`
}

// WriteJSONLines writes a report, one object a line. A result that cannot stand
// in a line as it is, is written as Base64 in resultBase64.
func WriteJSONLines(w io.Writer, outcomes func(yield func(Outcome) bool)) error {
	for o := range outcomes {
		line, err := jsonLine(o)
		if err != nil {
			return fmt.Errorf("line %d: %w", o.Line, err)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func jsonLine(o Outcome) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		return nil, err
	}
	line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if len(o.Result) == 0 {
		return line, nil
	}
	line = line[:len(line)-1]
	if json.Valid(o.Result) && utf8.Valid(o.Result) && !bytes.ContainsAny(o.Result, "\r\n") {
		return append(append(append(line, `,"result":`...), o.Result...), '}'), nil
	}
	line = append(line, `,"resultBase64":"`...)
	line = base64.StdEncoding.AppendEncode(line, o.Result)
	return append(line, `"}`...), nil
}

// WriteTable writes a report as CSV.
func WriteTable(w io.Writer, outcomes func(yield func(Outcome) bool)) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"line", "id", "server", "tool", "call", "state", "decision", "reason", "error", "result"}); err != nil {
		return err
	}
	for o := range outcomes {
		cells := []string{strconv.Itoa(o.Line), o.ID, o.Server, o.Tool, o.CallID, o.State, o.Decision, o.Reason, o.Error, string(o.Result)}
		for i := range cells {
			cells[i] = inert(cells[i])
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// inert keeps a spreadsheet from taking a cell for a formula.
func inert(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}
