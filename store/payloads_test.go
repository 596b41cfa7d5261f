package store_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"countersign/store"
)

func TestPayloads(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for _, size := range []int{0, 1, 1000, store.PartSize - 1, store.PartSize, store.PartSize + 1, 3*store.PartSize + 7} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b := bytes.Repeat([]byte("0123456789\x00\xff"), size/12+1)[:size]
			p := store.NewPayload(b, b, 0)
			if p.Size != int64(size) || p.WireName != p.Name {
				t.Errorf("payload %+v", p)
			}
			mustDo(t, s.Append(t.Context(), event("k", "", p.Name), p, p)) // twice is once
			if got := must(s.PayloadBytes(t.Context(), p.Name))(t); got == nil || !bytes.Equal(got, b) {
				t.Errorf("%d bytes come back", len(got))
			}
		})
	}
	mustVerify(t, s)
	if _, err := s.PayloadBytes(t.Context(), "name"); !isNotFound(err) {
		t.Errorf("no such payload: %v", err)
	}
	if err := s.Append(t.Context(), nil, store.Payload{}); err == nil {
		t.Error("a payload that is none was kept")
	}
}

func TestPayloadNamesAreSalted(t *testing.T) {
	b := []byte("the same")
	one, two := store.NewPayload(b, b, 0), store.NewPayload(b, b, 0)
	if one.Name == two.Name || len(one.Name) != 64 {
		t.Errorf("names %s and %s", one.Name, two.Name)
	}
	masked := store.NewPayload([]byte("key=secret"), []byte("key=«secret:K»"), 1)
	if masked.Name == masked.WireName || masked.Masks != 1 || masked.Size != int64(len("key=«secret:K»")) {
		t.Errorf("payload %+v", masked)
	}
}

func TestPayloadThatWasChangedIsNotGiven(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	p := store.NewPayload([]byte("yes"), []byte("yes"), 0)
	mustDo(t, s.Append(t.Context(), nil, p))
	writer, _ := s.Handles()
	must(writer.ExecContext(t.Context(), `DROP TRIGGER payloads_no_update`))(t)
	must(writer.ExecContext(t.Context(), `UPDATE payloads SET bytes = CAST('no!' AS BLOB)`))(t)
	if got, err := s.PayloadBytes(t.Context(), p.Name); err == nil {
		t.Errorf("%q was given", got)
	}
}

// TestLargestPayload keeps 256 MiB without another copy of it in memory.
func TestLargestPayload(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	b := make([]byte, 256<<20)
	for i := 0; i < len(b); i += 4096 {
		b[i] = byte(i >> 12)
	}
	p := store.NewPayload(b, b, 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mustDo(t, s.Append(t.Context(), event("k", "", p.Name), p))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("keeping it allocated %d MiB", n>>20)
	}
	runtime.ReadMemStats(&before)
	got := must(s.PayloadBytes(t.Context(), p.Name))(t)
	runtime.ReadMemStats(&after)
	if !bytes.Equal(got, b) {
		t.Error("other bytes come back")
	}
	// The bytes, and each part once on its way out of SQLite.
	if n := after.TotalAlloc - before.TotalAlloc; n > 2*uint64(len(b))+64<<20 {
		t.Errorf("reading it allocated %d MiB", n>>20)
	}
}
