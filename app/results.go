package app

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"

	"countersign/app/calls"
	"countersign/app/content"
	"countersign/app/rawjson"
	"countersign/store"
)

// results lays out kept results for looking at them, and hands out their
// parts by handle. Safe to call together.
//
// A handle is the name of a payload, alone for its bytes, or with ".bN" or
// ".tN" for the decoded bytes or the text of block N, or ".s" for the
// structured content. ".rb" and ".rt" are those of what a read brought.
type results struct {
	app *App

	mu     sync.Mutex
	recent []decoded // newest last
}

type decoded struct {
	name string
	read bool // the result of a resources/read
	raw  []byte
	view content.ResultView
}

// keepDecoded is how many decoded results stay in memory.
const keepDecoded = 2

// rawBlock is how much of a block's own JSON crosses the bridge.
const rawBlock = 64 << 10

func (r *results) decode(ctx context.Context, name string, read bool) (decoded, error) {
	r.mu.Lock()
	for _, d := range r.recent {
		if d.name == name && d.read == read {
			r.mu.Unlock()
			return d, nil
		}
	}
	r.mu.Unlock()
	raw, err := r.app.store.PayloadBytes(ctx, name)
	if err != nil {
		return decoded{}, err
	}
	d := decoded{name: name, read: read, raw: raw}
	if read {
		d.view = content.Contents(raw)
	} else {
		d.view = content.View(raw)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recent = append(r.recent, d)
	if len(r.recent) > keepDecoded {
		r.recent = r.recent[1:]
	}
	return d, nil
}

// bytes gives what a handle stands for, with the type to serve it under.
func (r *results) bytes(ctx context.Context, handle string) (data []byte, mime string, err error) {
	const text = "text/plain; charset=utf-8"
	name, part, _ := strings.Cut(handle, ".")
	if len(name) != 64 || strings.Trim(name, "0123456789abcdef") != "" {
		return nil, "", store.ErrNotFound
	}
	if part == "" {
		data, err = r.app.store.PayloadBytes(ctx, name)
		return data, text, err
	}
	part, read := strings.CutPrefix(part, "r")
	d, err := r.decode(ctx, name, read)
	if err != nil {
		return nil, "", err
	}
	if part == "s" {
		return d.view.Structured, text, nil
	}
	if part == "" {
		return nil, "", store.ErrNotFound
	}
	n, err := strconv.Atoi(part[1:])
	if err != nil || n < 0 || n >= len(d.view.Blocks) {
		return nil, "", store.ErrNotFound
	}
	switch part[0] {
	case 'b':
		return d.view.Blocks[n].Data, d.view.Blocks[n].Sniffed, nil
	case 't':
		return []byte(d.view.Blocks[n].Text), text, nil
	}
	return nil, "", store.ErrNotFound
}

// view lays out the result of a call. outputSchema may be empty.
func (r *results) view(ctx context.Context, row store.Call, outputSchema []byte) (ResultView, error) {
	v := ResultView{Blocks: []BlockView{}, Notes: []string{}, SchemaErrors: []FieldError{}, IsError: row.IsError}
	masked := r.maskedResult(ctx, row.ID)
	if calls.State(row.State) == calls.ProtocolFailed {
		raw, err := r.app.store.PayloadBytes(ctx, row.ResultPayload)
		if err != nil {
			return v, err
		}
		v.Raw = bytesView(raw, row.ResultPayload, masked)
		v.Error = &RPCErrorView{Code: row.ErrorCode, Message: row.ErrorText}
		if data, ok := rawjson.Get(raw, "data"); ok {
			v.Error.Data = cut(string(data))
		}
		return v, nil
	}
	read := row.Method == calls.MethodRead
	d, err := r.decode(ctx, row.ResultPayload, read)
	if err != nil {
		return v, err
	}
	v.Raw = bytesView(d.raw, row.ResultPayload, masked)
	v.Notes = append(v.Notes, d.view.Notes...)
	for i, b := range d.view.Blocks {
		part := row.ResultPayload + "."
		if read {
			part += "r"
		}
		v.Blocks = append(v.Blocks, blockView(part, i, b))
	}
	if read {
		return v, nil
	}
	if d.view.StructuredNull && len(outputSchema) > 0 {
		// Where a schema says what to expect, null may be meant (RES-06).
		d.view.Structured, d.view.HasStructured = json.RawMessage("null"), true
	}
	if d.view.HasStructured {
		s := bytesView(d.view.Structured, row.ResultPayload+".s", 0)
		v.Structured = &s
	}
	r.checkStructured(d.view, outputSchema, &v)
	return v, nil
}

// checkStructured holds structured content against the tool's output schema.
// Errors of the tool are never gated by it.
func (r *results) checkStructured(view content.ResultView, outputSchema []byte, v *ResultView) {
	if len(outputSchema) == 0 || bytes.Equal(outputSchema, []byte("null")) || v.IsError {
		return
	}
	if !view.HasStructured {
		v.Notes = append(v.Notes, "The tool promises structured content, and sent none.")
		return
	}
	errs, err := validate(outputSchema, view.Structured)
	if err != nil {
		v.Notes = append(v.Notes, r.app.mask.line("The structured content was not checked: "+sentence(err.Error())))
	}
	v.SchemaErrors = r.app.fieldErrors(errs)
}

// blockView lays out a block; part is its handle without letter and number.
func blockView(part string, i int, b content.Block) BlockView {
	suffix := strconv.Itoa(i)
	v := BlockView{Index: b.Index, Type: b.Type, MIME: b.MIME, Sniffed: b.Sniffed, URI: b.URI, Name: b.Name, Title: b.Title,
		Description: b.Description, Size: b.Size, Audience: list(b.Audience), Raw: cut(string(b.Raw)), Problem: b.Problem}
	if b.Text != "" || b.Type == "text" {
		t := bytesView([]byte(b.Text), part+"t"+suffix, 0)
		v.Text = &t
	}
	if len(b.Data) > 0 {
		v.Handle = part + "b" + suffix
	}
	return v
}

func cut(s string) string { return clip(s, rawBlock) }

// maskedResult tells in how many places a kept result is masked.
func (r *results) maskedResult(ctx context.Context, callID string) int {
	events, err := r.app.store.Events(ctx, callID)
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range events {
		var stored struct {
			Body calls.EndBody `json:"body"`
		}
		if e.Kind == calls.EventResult && json.Unmarshal(e.Stored, &stored) == nil && stored.Body.Result != nil {
			n = stored.Body.Result.Masked
		}
	}
	return n
}
