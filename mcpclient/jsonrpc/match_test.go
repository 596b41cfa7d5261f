package jsonrpc

import (
	"context"
	"strings"
	"testing"
)

func TestMatching(t *testing.T) {
	tests := []struct {
		name, send string
		noted      bool
	}{
		{"BASE-07 equal id", `{"id":5,"result":{}}`, false},
		{"field-109 the id as text", `{"id":"5","result":{}}`, true},
		{"field-109 the id with a fraction", `{"id":5.0,"result":{}}`, true},
		{"BASE-08 error without id, one waiting", `{"error":{"code":-32700,"message":"x"}}`, true},
		{"BASE-08 error with a null id and data of any type", `{"id":null,"error":{"code":-32700,"message":"x","data":[1]}}`, true},
		{"LEG-22 batch", `[{"method":"n"},{"id":5,"result":{}}]`, false},
		{"CR LF", "{\"id\":5,\"result\":{}}\r", false},
		{"a byte order mark", "\xEF\xBB\xBF{\"id\":5,\"result\":{}}", true},
		{"a null result", `{"id":5,"result":null}`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, 1<<20)
			got := r.start(context.Background(), 5)
			r.read()
			r.send(test.send + "\n")
			if a := <-got; a.err != nil {
				t.Fatal(a.err)
			}
			if noted := len(r.notes) > 0; noted != test.noted {
				t.Errorf("noted: %v, want %v", noted, test.noted)
			}
		})
	}
	t.Run("BASE-07 field-109 field-111 an id that can be another's is no answer", func(t *testing.T) {
		r := newRig(t, 1<<20)
		got := r.start(context.Background(), 5)
		r.read()
		for _, id := range []string{`0`, `"x"`, `"05"`, `"+5"`, `" 5"`, `"5.0"`, `5.5`, `-5`, `"6"`, `""`, `1e300`} {
			r.send(`{"id":` + id + `,"result":{}}` + "\n")
			if why := <-r.stray; !strings.Contains(why, "unknown id "+id) {
				t.Errorf("%s: %s", id, why)
			}
		}
		r.send(`{"id":5,"result":{"a":1}}` + "\n")
		if a := <-got; string(a.m.Result) != `{"a":1}` {
			t.Errorf("got %s (%v)", a.m.Raw, a.err)
		}
	})
	t.Run("BASE-08 an error without id is nobody's while two wait", func(t *testing.T) {
		r := newRig(t, 1<<20)
		a, b := r.start(context.Background(), 5), r.start(context.Background(), 6)
		r.read()
		r.read()
		r.send(`{"error":{"code":1,"message":"x"}}` + "\n")
		<-r.stray
		r.send(`{"id":6,"result":{}}` + "\n" + `{"id":5,"result":{}}` + "\n")
		if x, y := <-a, <-b; x.err != nil || y.err != nil {
			t.Error(x.err, y.err)
		}
	})
	t.Run("CANCEL-05 a late answer, and an error without id that may be one, are nobody else's", func(t *testing.T) {
		r := newRig(t, 1<<20)
		first, err := r.conn.Expect(1, false)
		if err != nil {
			t.Fatal(err)
		}
		first.GiveUp()
		got := r.start(context.Background(), 2)
		r.read()
		r.send(`{"id":null,"error":{"code":-32600,"message":"not initialized"}}` + "\n")
		if why := <-r.stray; why != "without id" {
			t.Error(why)
		}
		r.send(`{"id":"1","result":{}}` + "\n" + `{"id":1,"result":{}}` + "\n")
		if id := <-r.late; id != 1 {
			t.Errorf("late: %d", id)
		}
		if why := <-r.stray; !strings.Contains(why, "had its answer before") {
			t.Error(why)
		}
		r.send(`{"id":2,"result":{"mine":1}}` + "\n")
		if a := <-got; string(a.m.Result) != `{"mine":1}` {
			t.Errorf("got %s (%v)", a.m.Raw, a.err)
		}
	})
	t.Run("a second answer changes nothing", func(t *testing.T) {
		r := newRig(t, 1<<20)
		got := r.start(context.Background(), 1)
		r.read()
		r.send(`{"id":1,"result":{"n":1}}` + "\n" + `{"id":1,"result":{"n":2}}` + "\n")
		if a := <-got; string(a.m.Result) != `{"n":1}` {
			t.Errorf("got %s (%v)", a.m.Raw, a.err)
		}
		if why := <-r.stray; !strings.Contains(why, "request 1") {
			t.Error(why)
		}
	})
	t.Run("a line of a log that has an id is no answer", func(t *testing.T) {
		r := newRig(t, 1<<20)
		got := r.start(context.Background(), 1)
		r.read()
		r.send(`{"level":"info","id":1,"msg":"began"}` + "\n" + `{"level":"info","id":1,` + "\n" + `{"id":1,"result":{}}` + "\n")
		if a := <-got; a.err != nil {
			t.Error(a.err)
		}
	})
}
