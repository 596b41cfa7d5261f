package app

import (
	"crypto/sha256"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"countersign/app/calls"
	"countersign/mcpclient"
	"countersign/store"
)

// stamp is a time as it crosses the bridge; "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// hue gives a server its colour, from our own id.
func hue(id string) int {
	sum := sha256.Sum256([]byte(id))
	return (int(sum[0])<<8 | int(sum[1])) % 360
}

const (
	inlineBytes = 256 << 10 // what crosses the bridge whole
	headBytes   = 4 << 10   // what crosses of anything larger
)

// bytesView lays out kept bytes for the bridge.
func bytesView(b []byte, handle string, masked int) BytesView {
	v := BytesView{Size: int64(len(b)), Masked: masked}
	if len(b) <= inlineBytes {
		v.Text = string(b)
		return v
	}
	cut := headBytes
	for cut > 0 && !utf8.RuneStart(b[cut]) {
		cut--
	}
	v.Text, v.Handle = string(b[:cut]), handle
	return v
}

// maxFieldErrors is how many faults of one value cross the bridge.
const maxFieldErrors = 200

// fieldErrors lays out faults; their texts may quote the value or the server's
// schema.
func (a *App) fieldErrors(in []calls.FieldError) []FieldError {
	out := []FieldError{}
	for _, e := range in[:min(len(in), maxFieldErrors)] {
		out = append(out, FieldError{Pointer: a.mask.text(e.Pointer), Message: a.mask.line(e.Message)})
	}
	return out
}

// callView is a call's row.
func (a *App) callView(c store.Call) CallView {
	v := CallView{ID: c.ID, Ordinal: c.Ordinal, State: c.State, Origin: c.Origin, ServerID: c.ServerID, ServerName: c.ServerName, Method: c.Method, Tool: c.Tool,
		ToolTitle: c.ToolTitle, Hue: hue(c.ServerID), Created: stamp(c.Created), Updated: stamp(c.Updated), DecidedAt: stamp(c.DecidedAt),
		SentAt: stamp(c.SentAt), FinishedAt: stamp(c.FinishedAt), Revision: c.Revision, Summary: c.ErrorText, DurationMs: -1,
		ArgsBytes: c.ArgsBytes, ResultBytes: c.ResultBytes, IsError: c.IsError, Decision: c.Decision}
	if e, ok := a.catalog.tool(c.ServerID, c.Tool); ok && c.Method == "" {
		v.Icon = a.icons.path(c.ServerID, e.icons)
	}
	if !c.SentAt.IsZero() && !c.FinishedAt.IsZero() {
		v.DurationMs = c.FinishedAt.Sub(c.SentAt).Milliseconds()
	}
	if c.ArgsPayload != c.ArgsHash {
		v.Masked = a.maskedPlaces(c.ID)
	}
	if p := a.road.Progress(c.ID); p != nil {
		v.Progress = a.progressView(*p)
	}
	return v
}

// maskedPlaces reads from a call's record in how many places its newest
// arguments are masked.
func (a *App) maskedPlaces(id string) int {
	ctx, err := a.running()
	if err != nil {
		return 1
	}
	events, err := a.store.Events(ctx, id)
	if err != nil {
		return 1
	}
	n := 1
	for _, e := range events {
		if e.Kind != calls.EventProposed && e.Kind != calls.EventRevised {
			continue
		}
		var b struct {
			Body calls.ProposedBody `json:"body"`
		}
		if json.Unmarshal(e.Stored, &b) == nil && b.Body.Arguments != nil {
			n = b.Body.Arguments.Masked
		}
	}
	return n
}

// progressView makes numbers of a server's progress; the bridge cannot carry
// what is no finite number.
func (a *App) progressView(p mcpclient.Progress) *ProgressView {
	v := &ProgressView{Total: -1, Message: a.mask.line(p.Message)}
	v.Progress = finite(string(p.Progress), 0)
	if p.Total != "" {
		v.Total = finite(string(p.Total), -1)
	}
	return v
}

func finite(text string, otherwise float64) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && f >= 0 && f <= 1e15 { // false for NaN
		return f
	}
	return otherwise
}
