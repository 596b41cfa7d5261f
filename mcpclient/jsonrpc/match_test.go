package jsonrpc

import (
	"context"
	"io"
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

// FuzzConn lets a server write anything, in pieces of any size: a request that
// none of it can be the answer to gets the answer that comes last.
func FuzzConn(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"result":{}}`, `{"id":"2","error":{}}` + "\n" + `{"id":2.0,"result":null}`, `[{"id":1,"result":1},{"method":"a"}]`,
		`{"error":{"code":1}}`, "\xEF\xBB\xBF{\"id\":null,\"error\":{}}\r", `{"result":"` + strings.Repeat("x", 2000) + `","id":1}`, "\n\n{", `{"method":"m","id":{}}`,
		`{"id":1,"result":{}}{"id":2,"result":{}}`, `{"jsonrpc":"2.0","id":1}`,
	} {
		f.Add([]byte(seed), 7)
	}
	f.Fuzz(func(t *testing.T, data []byte, step int) {
		if step < 1 || step > 1<<16 || strings.ContainsAny(string(data), "789") {
			return
		}
		const last = `{"id":9,"result":"last"}`
		c := NewConn(Options{
			In: &stepReader{append(append(data, '\n'), last+"\n"...), step}, Out: io.Discard, MaxMessage: 1000,
			Incoming: func(m Message) {
				if m.Method == "" {
					t.Errorf("%q is no request", m.Raw)
				}
			},
			Late:  func(id int64, _ Message) { t.Errorf("late: %d", id) },
			Stray: func(Message, string) {}, Skipped: func([]byte, error) {}, Note: func(string) {},
		})
		first, err := c.Expect(1, false)
		if err != nil {
			t.Fatal(err)
		}
		wanted := map[int64]*Pending{}
		for _, id := range []int64{8, 9} { // two, so that neither is the only one
			if wanted[id], err = c.Expect(id, false); err != nil {
				t.Fatal(err)
			}
		}
		c.Start()
		if m, err := first.Wait(context.Background(), noLimit); err == nil && m.Result == nil && m.Error == nil {
			t.Errorf("%q is no answer", m.Raw)
		}
		if m, err := wanted[9].Wait(context.Background(), noLimit); err != nil || string(m.Result) != `"last"` {
			t.Errorf("got %q (%v)", m.Raw, err)
		}
		if _, err := wanted[8].Wait(context.Background(), noLimit); err != io.EOF {
			t.Errorf("the other got %v", err)
		}
		c.Close(nil)
	})
}
