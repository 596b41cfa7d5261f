package launch

import (
	"maps"
	"reflect"
	"testing"
)

func TestHideSecrets(t *testing.T) {
	in := Settings{Kind: KindHTTP, URL: "https://h.example.test/mcp?key=a%20b&x=1&access_token=${secret:T}#f",
		Env:     []Var{{"API_TOKEN", "short"}, {"PLAIN", "value"}, {"MY_SECRET", "${secret:S}"}, {"EMPTY_TOKEN", ""}},
		Headers: []Var{{"Authorization", "Bearer abc def"}, {"X-Api-Key", "k1"}, {"x-api-key", "k2"}, {"Accept-Language", "en"}}}
	got, values := HideSecrets(in)
	want := Settings{Kind: KindHTTP, URL: "https://h.example.test/mcp?key=${secret:KEY}&x=1&access_token=${secret:T}#f",
		Env:     []Var{{"API_TOKEN", "${secret:API_TOKEN}"}, {"PLAIN", "value"}, {"MY_SECRET", "${secret:S}"}, {"EMPTY_TOKEN", ""}},
		Headers: []Var{{"Authorization", "Bearer ${secret:AUTHORIZATION}"}, {"X-Api-Key", "${secret:X-API-KEY}"}, {"x-api-key", "${secret:X-API-KEY_2}"}, {"Accept-Language", "en"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if stored := map[string]string{"KEY": "a b", "API_TOKEN": "short", "AUTHORIZATION": "abc def", "X-API-KEY": "k1", "X-API-KEY_2": "k2"}; !maps.Equal(values, stored) {
		t.Errorf("stored: %v", values)
	}
	again, none := HideSecrets(got)
	if !reflect.DeepEqual(again, got) || len(none) != 0 {
		t.Errorf("hiding twice: %+v %v", again, none)
	}
	if in.Headers[1].Value != "k1" {
		t.Error("the settings given were changed")
	}
}
