package approval

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

func TestCheckAnswer(t *testing.T) {
	t0 := time.Now()
	card := Card{Revision: 3, Hash: "h", Shown: t0, Deadline: t0.Add(time.Minute)}
	good := Answer{Approve: true, Revision: 3, Hash: "h"}
	for _, c := range []struct {
		name string
		card Card
		a    Answer
		at   time.Duration
		ok   bool
	}{
		{"in time", card, good, MinOnScreen, true},
		{"a click on something that had just appeared", card, good, MinOnScreen - 1, false},
		{"an older revision", card, Answer{true, 2, "h"}, time.Second, false},
		{"a revision not yet shown", Card{Revision: 3, Hash: "h"}, good, time.Second, false},
		{"another hash", card, Answer{true, 3, "g"}, time.Second, false},
		{"no hash", card, Answer{true, 3, ""}, time.Second, false},
		{"at the deadline", card, good, time.Minute, false},
		{"no deadline", Card{3, "h", t0, time.Time{}}, good, time.Hour, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := CheckAnswer(c.card, c.a, t0.Add(c.at))
			var ae *AnswerError
			if (err == nil) != c.ok || (err != nil && !errors.As(err, &ae)) {
				t.Fatalf("%v", err)
			}
		})
	}
}

// TestBindingEveryField fails when a field is added to Binding that
// Difference does not compare.
func TestBindingEveryField(t *testing.T) {
	typ := reflect.TypeFor[Binding]()
	for i := range typ.NumField() {
		var a, b Binding
		f := reflect.ValueOf(&b).Elem().Field(i)
		if f.Kind() == reflect.Int {
			f.SetInt(7)
		} else {
			f.SetString("other")
		}
		if a.Difference(b) == "" {
			t.Errorf("%s is not bound", typ.Field(i).Name)
		}
		now := time.Now()
		var se *SendError
		if err := CheckSend(a, b, now, now); !errors.As(err, &se) || se.Void {
			t.Errorf("%s: %v", typ.Field(i).Name, err)
		}
	}
	var a Binding
	if a.Difference(a) != "" {
		t.Error("equal bindings differ")
	}
}

func TestCheckSendExpires(t *testing.T) {
	now := time.Now()
	var b Binding
	if err := CheckSend(b, b, now, now.Add(MaxToWire)); err != nil {
		t.Fatal(err)
	}
	var se *SendError
	if err := CheckSend(b, b, now, now.Add(MaxToWire+1)); !errors.As(err, &se) || !se.Void {
		t.Fatalf("a stale approval must be void, got %v", err)
	}
}
