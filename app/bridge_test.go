package app_test

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m, childWords) }

// methods lists what the page can call.
func methods(a *app.App) []reflect.Value {
	var out []reflect.Value
	for _, b := range a.Bindings() {
		out = append(out, reflect.ValueOf(b))
	}
	return out
}

// TestBridgeShape holds every bound method to the rules of the bridge: the
// first argument is the token, the last result an error, and what crosses are
// plain types of package app.
func TestBridgeShape(t *testing.T) {
	a := app.New(app.Options{})
	for _, v := range methods(a) {
		for i := range v.NumMethod() {
			m := v.Type().Method(i)
			name := v.Type().Elem().Name() + "." + m.Name
			typ := m.Type
			if typ.NumIn() < 2 || typ.In(1).Kind() != reflect.String {
				t.Errorf("%s does not take the token first", name)
			}
			if last := typ.Out(typ.NumOut() - 1); last != reflect.TypeFor[error]() {
				t.Errorf("%s cannot fail", name)
			}
			for j := 1; j < typ.NumIn(); j++ {
				plain(t, name, typ.In(j), map[reflect.Type]bool{})
			}
			for j := range typ.NumOut() - 1 {
				plain(t, name, typ.Out(j), map[reflect.Type]bool{})
			}
		}
	}
}

func plain(t *testing.T, where string, typ reflect.Type, seen map[reflect.Type]bool) {
	t.Helper()
	if seen[typ] {
		return
	}
	seen[typ] = true
	switch typ.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
	case reflect.Float64:
		if where != "ProgressView.progress" && where != "ProgressView.total" {
			t.Errorf("%s carries a floating-point number: NaN would end the program", where)
		}
	case reflect.Pointer, reflect.Slice:
		plain(t, where, typ.Elem(), seen)
	case reflect.Map:
		plain(t, where, typ.Key(), seen)
		plain(t, where, typ.Elem(), seen)
	case reflect.Struct:
		if typ.PkgPath() != "countersign/app" {
			t.Errorf("%s carries %s, which is not of package app", where, typ)
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			tag := f.Tag.Get("json")
			if tag == "" || strings.Contains(tag, ",") {
				t.Errorf("%s.%s has no plain JSON name", typ, f.Name)
			}
			plain(t, typ.Name()+"."+tag, f.Type, seen)
		}
	default:
		t.Errorf("%s carries %s, which the bridge cannot", where, typ)
	}
}

// TestBridgeGolden lists what the page can call; a new method is entered by
// hand, after thought for a hostile caller.
func TestBridgeGolden(t *testing.T) {
	var got []string
	for _, v := range methods(app.New(app.Options{})) {
		for i := range v.NumMethod() {
			got = append(got, v.Type().Elem().Name()+"."+v.Type().Method(i).Name)
		}
	}
	sort.Strings(got)
	want, err := os.ReadFile("testdata/bridge.txt")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, "\n")+"\n" != string(want) {
		t.Errorf("the bound methods differ from testdata/bridge.txt; they are now:\n%s", strings.Join(got, "\n"))
	}
}

// TestBridgeWantsToken calls every bound method with wrong tokens on a running
// application: each must refuse, whatever else it is given.
func TestBridgeWantsToken(t *testing.T) {
	t.Run("SEC-11 the bridge hears nobody without the launch token", bridgeWantsToken)
}

func bridgeWantsToken(t *testing.T) {
	r := apptest.Start(t)
	r.Running(app.DemoServerID)
	card := r.Propose(app.DemoServerID, "weather", `{"city":"Oslo"}`)
	r.Look(card)
	for _, token := range []string{"", "0", strings.Repeat("0", 64), r.Token[:63], r.Token + "0", strings.ToUpper(r.Token) + " "} {
		for _, v := range methods(r.App) {
			for i := range v.NumMethod() {
				m := v.Method(i)
				args := []reflect.Value{reflect.ValueOf(token)}
				for j := 1; j < m.Type().NumIn(); j++ {
					args = append(args, reflect.Zero(m.Type().In(j)))
				}
				out := m.Call(args)
				err, _ := out[len(out)-1].Interface().(error)
				if err == nil || codeOf(t, err) != app.CodeToken {
					t.Errorf("%s.%s with token %q: %v", v.Type().Elem().Name(), v.Type().Method(i).Name, token, err)
				}
			}
		}
	}
	_, err := r.Approvals.Decide("", app.DecideRequest{CallID: card.Call.ID, Revision: card.Revision, Hash: card.Hash, Approve: true})
	if codeOf(t, err) != app.CodeToken {
		t.Errorf("an approval without the token: %v", err)
	}
	if got := r.Detail(card.Call.ID).Call.State; got != "awaiting_approval" {
		t.Errorf("the call is %s", got)
	}
	if rec := r.Get("/", ""); rec.Code != 403 || strings.Contains(rec.Body.String(), r.Token) {
		t.Errorf("a second document was served the page: %d", rec.Code)
	}
	for _, token := range []string{"", "0"} {
		if rec := r.Get("/payload/"+card.Hash, token); rec.Code != 403 {
			t.Errorf("a payload was served to token %q: %d", token, rec.Code)
		}
	}
}

func codeOf(t *testing.T, err error) string {
	t.Helper()
	text, ok := app.FormatError(err).(string)
	if !ok {
		t.Fatalf("an error crosses as %T", app.FormatError(err))
	}
	var e app.Error
	if json.Unmarshal([]byte(text), &e) != nil {
		t.Fatalf("an error crosses as %s", text)
	}
	return e.Code
}
