package calls

import (
	"slices"
	"testing"
	"time"
)

// TestPause: a server that asks for nothing but to be asked again is left alone ever
// longer, up to a limit, from the shortest pause on.
func TestPause(t *testing.T) {
	t.Run("MRTR-05 the wait doubles up to half a minute", func(t *testing.T) {
		var got []time.Duration
		for n := range 8 {
			got = append(got, pause(time.Second, n)/time.Second)
		}
		if want := []time.Duration{1, 2, 4, 8, 16, 30, 30, 30}; !slices.Equal(got, want) {
			t.Errorf("it waits %v seconds, not %v", got, want)
		}
		if got := pause(time.Second, 1<<40); got != 30*time.Second {
			t.Errorf("after very many rounds it waits %v", got)
		}
	})
}
