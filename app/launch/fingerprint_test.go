package launch_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"countersign/app/launch"
)

var key = []byte("0123456789abcdef0123456789abcdef")

func TestFingerprint(t *testing.T) {
	base := func() launch.Settings {
		return launch.Settings{Kind: "stdio", Command: "c", Args: []string{"a", "b"}, Dir: "/d",
			Env: []launch.Var{{Name: "X", Value: "1"}, {Name: "Y", Value: "2"}}, URL: "u", Headers: []launch.Var{{Name: "H", Value: "3"}}}
	}
	first := launch.Fingerprint(key, base())
	same := map[string]func(*launch.Settings){
		"nothing":              func(*launch.Settings) {},
		"time limit":           func(s *launch.Settings) { s.TimeoutSeconds = 7 },
		"other limits":         func(s *launch.Settings) { s.MaxSeconds, s.MaxResultMiB = 7, 7 },
		"roots":                func(s *launch.Settings) { s.Roots = []string{"/r"} },
		"order of environment": func(s *launch.Settings) { s.Env[0], s.Env[1] = s.Env[1], s.Env[0] },
	}
	for name, change := range same {
		s := base()
		if change(&s); launch.Fingerprint(key, s) != first {
			t.Errorf("%s counts", name)
		}
	}
	// SEC-07: consent is asked anew after any of these.
	other := map[string]func(*launch.Settings){
		"kind":                  func(s *launch.Settings) { s.Kind = "http" },
		"command":               func(s *launch.Settings) { s.Command = "cc" },
		"argument":              func(s *launch.Settings) { s.Args[1] = "B" },
		"order of arguments":    func(s *launch.Settings) { s.Args = []string{"b", "a"} },
		"cut between arguments": func(s *launch.Settings) { s.Args = []string{"ab"} },
		"empty argument more":   func(s *launch.Settings) { s.Args = []string{"a", "b", ""} },
		"folder":                func(s *launch.Settings) { s.Dir = "/e" },
		"argument for folder":   func(s *launch.Settings) { s.Args, s.Dir = []string{"a"}, "b/d" },
		"name in environment":   func(s *launch.Settings) { s.Env[0].Name = "Z" },
		"value in environment":  func(s *launch.Settings) { s.Env[0].Value = "2" },
		"variable more":         func(s *launch.Settings) { s.Env = append(s.Env, launch.Var{Name: "Z"}) },
		"values exchanged":      func(s *launch.Settings) { s.Env[0].Value, s.Env[1].Value = "2", "1" },
		"address":               func(s *launch.Settings) { s.URL = "v" },
		"header name":           func(s *launch.Settings) { s.Headers[0].Name = "I" },
		"header value":          func(s *launch.Settings) { s.Headers[0].Value = "4" },
		"proxy":                 func(s *launch.Settings) { s.Proxy = "none" },
		"plain http":            func(s *launch.Settings) { s.PlainHTTP = true },
		"header for variable":   func(s *launch.Settings) { s.Env, s.Headers = s.Headers, s.Env },
	}
	seen := map[string]string{first: "the first"}
	for name, change := range other {
		s := base()
		change(&s)
		got := launch.Fingerprint(key, s)
		if was, ok := seen[got]; ok {
			t.Errorf("%s has the fingerprint of %s", name, was)
		}
		seen[got] = name
	}
	if launch.Fingerprint([]byte("another key"), base()) == first {
		t.Error("the key does not count")
	}
}

func TestFingerprintTellsLaunchesApart(t *testing.T) {
	text := rapid.StringMatching(`[ab\x00]{0,3}`)
	vars := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) launch.Var {
		return launch.Var{Name: text.Draw(t, "name"), Value: text.Draw(t, "value")}
	}), 0, 2, func(v launch.Var) string { return v.Name })
	settings := rapid.Custom(func(t *rapid.T) launch.Settings {
		return launch.Settings{Kind: "stdio", Command: text.Draw(t, "command"), Args: rapid.SliceOfN(text, 0, 2).Draw(t, "args"), Dir: text.Draw(t, "dir"), Env: vars.Draw(t, "env")}
	})
	// flat is the launch as plain data, environment as a set.
	flat := func(s launch.Settings) any {
		env := map[string]string{}
		for _, v := range s.Env {
			env[v.Name] = v.Value
		}
		return []any{s.Command, s.Args, len(s.Args), s.Dir, env}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := settings.Draw(t, "a"), settings.Draw(t, "b")
		equal := mustJSON(flat(a)) == mustJSON(flat(b))
		if (launch.Fingerprint(key, a) == launch.Fingerprint(key, b)) != equal {
			t.Fatalf("equal is %v, the fingerprints say otherwise", equal)
		}
	})
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
