package servers

import "testing"

func TestMovesTable(t *testing.T) {
	all := []State{Stopped, Starting, Running, Attention, Stopping}
	if len(moves) != len(all) {
		t.Fatalf("the table has %d states, want %d", len(moves), len(all))
	}
	in := map[State]int{}
	for _, from := range all {
		for _, to := range all {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				s := newSupervisor(New(Deps{}), "a")
				s.status.State = from
				s.mu.Lock()
				defer s.mu.Unlock()
				if allowed(from, to) {
					if s.moveLocked(to, nil); s.status.State != to {
						t.Fatalf("state is %s", s.status.State)
					}
					return
				}
				defer func() {
					if recover() == nil {
						t.Error("a move outside the table did not panic")
					}
					if s.status.State != from {
						t.Errorf("it changed the state to %s", s.status.State)
					}
				}()
				s.moveLocked(to, nil)
			})
			if from != to && allowed(from, to) {
				in[to]++
			}
		}
		if len(moves[from]) == 0 {
			t.Errorf("no way out of %s", from)
		}
	}
	for _, state := range all {
		if in[state] == 0 {
			t.Errorf("no way into %s", state)
		}
	}
	for from, tos := range moves {
		for _, to := range tos {
			if from == Stopped && to != Starting || to == Running && from != Starting {
				t.Errorf("the table lets a server go from %s to %s", from, to)
			}
		}
	}
}
