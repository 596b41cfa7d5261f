package servers

import (
	"slices"
	"testing"
	"time"
)

func TestGrowing(t *testing.T) {
	want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60}
	for failures, seconds := range want {
		low, high := growing(failures, 0), growing(failures, 0.999)
		base := seconds * time.Second
		if low != base || high > base+base/4 || high > longestWait || base < longestWait && high <= base {
			t.Errorf("after %d failures the wait is %s to %s, want about %s", failures, low, high, base)
		}
	}
	if got := growing(1<<40, 0.5); got != longestWait {
		t.Errorf("after very many failures the wait is %s", got)
	}
}

func TestHistory(t *testing.T) {
	type step struct {
		at, ran time.Duration
		kind    kind
	}
	tests := []struct {
		name  string
		steps []step
		want  []time.Duration // least waits; -1: gives up
	}{
		{"needs a person", []step{{0, 0, final}}, []time.Duration{-1}},
		{"STDIO-09 five crashes in two minutes",
			[]step{{0, 0, crash}, {1, 1, crash}, {3, 1, crash}, {7, 1, crash}, {119, 1, crash}},
			[]time.Duration{1, 2, 4, 8, -1}},
		{"five crashes over a longer time",
			[]step{{0, 0, crash}, {31, 1, crash}, {62, 1, crash}, {93, 1, crash}, {124, 1, crash}},
			[]time.Duration{1, 2, 4, 8, 16}},
		{"a stable run forgets failures",
			[]step{{0, 0, crash}, {1, 1, crash}, {100, 90, crash}},
			[]time.Duration{1, 2, 1}},
		{"unreachable for ever",
			[]step{{0, 0, network}, {1, 0, network}, {2, 0, network}, {3, 0, network}, {4, 0, network}, {5, 0, network}, {6, 0, network}, {7, 0, network}},
			[]time.Duration{1, 2, 4, 8, 16, 32, 60, 60}},
		{"three starts without an answer", []step{{0, 0, slow}, {35, 0, slow}, {70, 0, slow}}, []time.Duration{1, 2, -1}},
		{"starts without an answer, not in a row",
			[]step{{0, 0, slow}, {35, 0, slow}, {100, 5, crash}, {140, 0, slow}, {170, 0, slow}},
			[]time.Duration{1, 2, 4, 8, 16}},
		{"LEG-08 a forgotten session is begun anew at once", []step{{0, 30, renewal}}, []time.Duration{0}},
		{"LEG-08 a server that forgets all the time",
			[]step{{0, 30, renewal}, {5, 5, renewal}, {10, 5, renewal}, {200, 90, renewal}},
			[]time.Duration{0, 2, 4, 0}},
		{"LEG-08 a session forgotten before it was used", []step{{0, 0, renewal}}, []time.Duration{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h history
			start := time.Now()
			for i, s := range tt.steps {
				wait, giveUp := h.note(s.kind, start.Add(s.at*time.Second), s.ran*time.Second)
				least := tt.want[i] * time.Second
				if giveUp != (least < 0) {
					t.Fatalf("step %d: gives up: %v", i, giveUp)
				}
				if !giveUp && (wait < least || wait > least+least/4) {
					t.Fatalf("step %d: waits %s, want about %s", i, wait, least)
				}
			}
		})
	}
	t.Run("waits differ", func(t *testing.T) {
		var waits []time.Duration
		for range 8 {
			wait, _ := (&history{}).note(network, time.Now(), 0)
			waits = append(waits, wait)
		}
		slices.Sort(waits)
		if len(slices.Compact(waits)) == 1 {
			t.Errorf("all waits are %s", waits[0])
		}
	})
}
