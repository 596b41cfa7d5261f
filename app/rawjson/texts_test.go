package rawjson

import (
	"fmt"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	var got []string
	err := Texts([]byte(`{"a/b":["x",1,{"~":"é\u202e"},[[],"y"]],"":"z","n":null}`), func(pointer string, name bool, text string) {
		kind := "="
		if name {
			kind = ":"
		}
		got = append(got, fmt.Sprintf("%s%s%+q", pointer, kind, text))
	})
	want := `/a~1b:"a/b" /a~1b/0="x" /a~1b/2/~0:"~" /a~1b/2/~0="\u00e9\u202e" /a~1b/3/1="y" /:"" /="z" /n:"n"`
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %s, %v", strings.Join(got, " "), err)
	}
	if err := Texts([]byte(`"alone"`), func(pointer string, _ bool, text string) {
		if pointer != "" || text != "alone" {
			t.Errorf("got %q %q", pointer, text)
		}
	}); err != nil {
		t.Error(err)
	}
	if Texts([]byte(`{"a":`), func(string, bool, string) {}) == nil {
		t.Error("half a document is no error")
	}
}
