package launch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"countersign/app/launch"
)

func stdio(command string, args ...string) launch.Settings {
	return launch.Settings{Kind: launch.KindStdio, Command: command, Args: args}
}

func http(url string, headers ...launch.Var) launch.Settings {
	return launch.Settings{Kind: launch.KindHTTP, URL: url, Headers: headers}
}

func withEnv(vars ...launch.Var) launch.Settings {
	s := stdio("server")
	s.Env = vars
	return s
}

func with(s launch.Settings, change func(*launch.Settings)) launch.Settings {
	change(&s)
	return s
}

func proxied(proxy string) launch.Settings {
	return with(http("https://h.example.test/"), func(s *launch.Settings) { s.Proxy = proxy })
}

// has tells whether the problems hold one of that field with that text.
func has(list []launch.Problem, field, text string) bool {
	return slices.ContainsFunc(list, func(p launch.Problem) bool { return p.Field == field && strings.Contains(p.Message, text) })
}

func TestValidate(t *testing.T) {
	v := func(name, value string) launch.Var { return launch.Var{Name: name, Value: value} }
	tests := []struct {
		name        string
		s           launch.Settings
		field, text string // "" where nothing is wrong
	}{
		{"program", stdio("npx", "-y", "pkg", ""), "", ""},
		{"program with everything", launch.Settings{Kind: "stdio", Command: "/bin/x", Args: []string{"${secret:A}"}, Dir: "/tmp",
			Env: []launch.Var{v("A_B", "${secret:B}"), v("c", "")}, TimeoutSeconds: 60}, "", ""},
		{"built-in", launch.Settings{Kind: "builtin"}, "", ""},
		{"built-in with settings", launch.Settings{Kind: "builtin", Args: []string{"x"}}, "kind", "takes no settings"},
		{"unknown kind", launch.Settings{Kind: "sse"}, "kind", "not known"},
		{"no command", stdio(" "), "command", "needed"},
		{"tilde", stdio("~/bin/x"), "command", "in full"},
		{"relative folder", launch.Settings{Kind: "stdio", Command: "x", Dir: "work"}, "dir", "in full"},
		{"folder in a secret", launch.Settings{Kind: "stdio", Command: "x", Dir: "${secret:D}"}, "", ""},
		{"NUL", stdio("x", "a\x00b"), "args.0", "NUL"},
		{"malformed reference", stdio("x", "ok", "${secret:a b}"), "args.1", "malformed"},
		{"long", stdio("x", strings.Repeat("x", 40000)), "args.0", "longer"},
		{"empty variable name", withEnv(v("", "x")), "env.0.name", "cannot name"},
		{"variable name with =", withEnv(v("OK", ""), v("A=B", "x")), "env.1.name", "cannot name"},
		{"variable name with a space", withEnv(v("A B", "x")), "env.0.name", "cannot name"},
		{"variable twice", withEnv(v("A", "x"), v("A", "y")), "env.1.name", "twice"},
		{"negative time limit", launch.Settings{Kind: "stdio", Command: "x", TimeoutSeconds: -1}, "timeoutSeconds", "time limit"},

		{"https with secrets", http("https://h.example.test/mcp?k=${secret:K}", v("Authorization", "Bearer ${secret:T}"), v("X-Team", "blue")), "", ""},
		{"http without secrets", with(http("http://h.example.test/mcp", v("X-Team", "blue")), func(s *launch.Settings) { s.PlainHTTP = true }), "", ""},
		{"http that was not allowed", http("http://h.example.test/mcp", v("X-Team", "blue")), "url", "allow plain http"},
		{"credential over http that was allowed", with(http("http://h.example.test/", v("authorization", "Bearer abc")), func(s *launch.Settings) { s.PlainHTTP = true }), "headers.0.value", "Use https"},
		{"proxy", proxied("http://proxy.example.test:3128"), "", ""},
		{"no proxy", proxied("none"), "", ""},
		{"proxy with a password", proxied("socks5://ann:${secret:P}@proxy.example.test:1080"), "", ""},
		{"proxy with a written password", proxied("http://ann:hunter2@proxy.example.test:3128"), "proxy", "must be a secret"},
		{"proxy without a scheme", proxied("proxy.example.test:3128"), "proxy", "proxy's address"},
		{"proxy of another scheme", proxied("ftp://proxy.example.test"), "proxy", "begin with"},
		{"longest time below the time limit", launch.Settings{Kind: "stdio", Command: "x", TimeoutSeconds: 60, MaxSeconds: 59}, "maxSeconds", "shorter"},
		{"longest time too long", launch.Settings{Kind: "stdio", Command: "x", MaxSeconds: 1 << 30}, "maxSeconds", "between"},
		{"result limit", launch.Settings{Kind: "stdio", Command: "x", MaxResultMiB: -1}, "maxResultMiB", "between"},
		{"http to this computer", http("http://127.0.0.1:8080/mcp", v("Authorization", "Bearer ${secret:T}")), "", ""},
		{"http to localhost", http("http://localhost/mcp?k=${secret:K}"), "", ""},
		{"http to ::1", http("http://[::1]:80/mcp?k=${secret:K}"), "", ""},
		{"whole address secret", http("${secret:ADDRESS}"), "", ""},
		{"secret in a header over http", http("http://h.example.test/mcp", v("X-Team", "a"), v("X-Key", "${secret:T}")), "headers.1.value", "Use https"},
		{"secret in the address over http", http("http://h.example.test/${secret:T}"), "url", "Use https"},
		{"secret host over http", http("http://${secret:HOST}/x"), "url", "Use https"},
		{"written credential over http", http("http://h.example.test/", v("authorization", "Bearer abc")), "headers.0.value", "Use https"},
		{"like this computer", http("http://127.0.0.1.example.test/${secret:T}"), "url", "Use https"},
		{"like localhost", http("http://localhost.example.test/${secret:T}"), "url", "Use https"},
		{"odd loopback", http("http://127.1/${secret:T}"), "url", "Use https"},
		{"no address", http(""), "url", "needed"},
		{"no scheme", http("h.example.test/mcp"), "url", "begin with"},
		{"file", http("file:///etc/passwd"), "url", "begin with"},
		{"javascript", http("javascript:alert(1)"), "url", "begin with"},
		{"user name", http("https://ann@h.example.test/"), "url", "user name"},
		{"user name and secret", http("https://ann:${secret:P}@h.example.test/"), "url", "user name"},
		{"no host", http("https:///mcp"), "url", "host"},
		{"port alone", http("https://:80/mcp"), "url", "host"},
		{"fragment", http("https://h.example.test/#x"), "url", "#"},
		{"space", http(" https://h.example.test/"), "url", "cannot be read"},
		{"line break", http("https://h.example.test/\nx"), "url", "cannot be read"},

		{"header name with a colon", http("https://h.example.test", v("X:Y", "a")), "headers.0.name", "cannot name"},
		{"empty header name", http("https://h.example.test", v("", "a")), "headers.0.name", "cannot name"},
		{"header beyond ASCII", http("https://h.example.test", v("Schlüssel", "a")), "headers.0.name", "cannot name"},
		{"header twice", http("https://h.example.test", v("X-A", "a"), v("x-a", "b")), "headers.1.name", "twice"},
		{"line break in a header", http("https://h.example.test", v("X-A", "a\r\nHost: b")), "headers.0.value", "line break"},
		{"tab in a header", http("https://h.example.test", v("X-A", "a\tb")), "", ""},
	}
	for _, name := range []string{"Host", "content-length", "Content-Type", "ACCEPT", "Mcp-Session-Id", "MCP-Protocol-Version", "mcp-param-x",
		"Transfer-Encoding", "Connection", "Upgrade", "TE", "Trailer", "Keep-Alive", "Expect", "Proxy-Authorization", "Accept-Encoding", "Last-Event-ID"} {
		tests = append(tests, struct {
			name        string
			s           launch.Settings
			field, text string
		}{"reserved " + name, http("https://h.example.test", v(name, "x")), "headers.0.name", "cannot be set"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := launch.Validate(tt.s)
			if tt.field == "" && len(got) > 0 || tt.field != "" && !has(got, tt.field, tt.text) {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	v := func(name, value string) launch.Var { return launch.Var{Name: name, Value: value} }
	tests := []struct {
		name        string
		s           launch.Settings
		field, text string
	}{
		{"nothing", stdio("/opt/server", "--port", "80", "-c"), "", ""},
		{"nothing for an address", http("https://h.example.test/mcp?page=2", v("X-Team", "blue and green")), "", ""},
		{"built-in", launch.Settings{Kind: "builtin"}, "", ""},
		{"SEC-05 sudo", stdio("/usr/bin/sudo", "server"), "command", "more rights"},
		{"SEC-05 rm -rf", stdio("sh", "-c", "rm -rf /tmp/x; server"), "args", "deletes files"},
		{"SEC-05 rm -r -f", stdio("rm", "-v", "-fr", "x"), "args", "deletes files"},
		{"SEC-05 shell -c", stdio("bash", "-lc", "server"), "args.0", "whatever the next argument"},
		{"SEC-05 cmd /c", stdio(`C:\Windows\System32\cmd.exe`, "/C", "server"), "args.0", "whatever the next argument"},
		{"SEC-05 curl to sh", stdio("sh", "-c", "curl -fsSL https://h.example.test/i | sudo bash"), "args", "runs it at once"},
		{"SEC-05 network at start", stdio("npx", "-y", "pkg"), "command", "from the network"},
		{"SEC-05 home folder", stdio("server", home+"/"), "args.0", "home folder"},
		{"SEC-05 keys", stdio("server", home+"/.ssh"), "args.0", "keys and passwords"},
		{"SEC-05 system folder", stdio("server", "--dir=/etc"), "args.0", "of the system"},
		{"SEC-05 whole file system", stdio("docker", "run", "-v", "/:/host", "x"), "args.2", "of the system"},
		{"SEC-05 privileged container", stdio("docker", "run", "--privileged", "x"), "args", "all of this computer"},
		{"secret in an argument", stdio("server", "--key", "${secret:K}"), "args.1", "Other programs on this computer can read"},
		{"secret in the command", stdio("${secret:K}"), "command", "Other programs on this computer can read"},
		{"folder missing", launch.Settings{Kind: "stdio", Command: "x", Dir: "/no/such/folder"}, "dir", "no such folder"},
		{"preload", withEnv(v("LD_PRELOAD", "/x.so")), "env.0.name", "foreign code"},
		{"dyld", withEnv(v("DYLD_INSERT_LIBRARIES", "/x")), "env.0.name", "foreign code"},
		{"node options", withEnv(v("A", ""), v("NODE_OPTIONS", "-r /x.js")), "env.1.name", "other code"},
		{"python path", withEnv(v("PYTHONPATH", "/x")), "env.0.name", "other code"},
		{"bash env", withEnv(v("BASH_ENV", "/x")), "env.0.name", "other code"},
		{"path", withEnv(v("PATH", "/x")), "env.0.name", "which programs"},
		{"written secret in the environment", withEnv(v("GITHUB_TOKEN", "ghp_0123456789")), "env.0.value", "looks like a secret"},
		{"field-153 another program's reference", withEnv(v("K", "${TOK}")), "env.0.value", "${TOK} is sent as it is written"},
		{"written secret in a header", http("https://h.example.test", v("Authorization", "Bearer 0123456789")), "headers.0.value", "looks like a secret"},
		{"written secret in the address", http("https://h.example.test/?api_key=0123456789"), "url", "looks like a secret"},
		{"http", http("http://h.example.test/mcp"), "url", "can be read and changed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := launch.Warnings(tt.s)
			if tt.field == "" && len(got) > 0 || tt.field != "" && !has(got, tt.field, tt.text) {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("named secrets are no written ones", func(t *testing.T) {
		s := withEnv(v("GITHUB_TOKEN", "${secret:T}"), v("LITERAL", "$${HOME}"))
		s.Dir = filepath.Clean(t.TempDir())
		if got := launch.Warnings(s); len(got) > 0 {
			t.Errorf("got %q", got)
		}
	})
}

func TestSettingsJSON(t *testing.T) {
	text := `{"kind":"stdio","command":"npx","args":["-y"],"env":[{"name":"A","value":"${secret:T}"}],"dir":"/tmp","timeoutSeconds":5}`
	var s launch.Settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if out, err := json.Marshal(s); err != nil || string(out) != text {
		t.Errorf("%s, %v", out, err)
	}
}

func TestRefsAndDisplay(t *testing.T) {
	s := launch.Settings{Kind: launch.KindStdio, Command: "run", Args: []string{"${secret:B}", "$${x}"}, Dir: "/d",
		Env: []launch.Var{{Name: "X", Value: "${secret:A}-${secret:B}"}}, TimeoutSeconds: 9}
	want := []launch.Ref{{Name: "B", UsedIn: []string{"args.0", "env.0.value"}}, {Name: "A", UsedIn: []string{"env.0.value"}}}
	if got := s.Refs(); !reflect.DeepEqual(got, want) {
		t.Errorf("Refs: %v", got)
	}
	shown := launch.Settings{Kind: launch.KindStdio, Command: "run", Args: []string{"«secret:B»", "${x}"}, Dir: "/d",
		Env: []launch.Var{{Name: "X", Value: "«secret:A»-«secret:B»"}}, TimeoutSeconds: 9}
	if got := s.Display(); !reflect.DeepEqual(got, shown) {
		t.Errorf("Display: %+v", got)
	}
	h := http("https://h.example.test/${secret:P}", launch.Var{Name: "A", Value: "Bearer ${secret:T}"})
	h.Proxy, h.CAFile, h.PlainHTTP, h.MaxSeconds, h.MaxResultMiB, h.Roots = "http://u:${secret:Q}@p:1", "/ca.pem", true, 3, 4, []string{"/r"}
	shown = http("https://h.example.test/«secret:P»", launch.Var{Name: "A", Value: "Bearer «secret:T»"})
	shown.Proxy, shown.CAFile, shown.PlainHTTP, shown.MaxSeconds, shown.MaxResultMiB, shown.Roots = "http://u:«secret:Q»@p:1", "/ca.pem", true, 3, 4, []string{"/r"}
	if got := h.Display(); !reflect.DeepEqual(got, shown) {
		t.Errorf("HTTP: %+v", got)
	}
	want = []launch.Ref{{Name: "P", UsedIn: []string{"url"}}, {Name: "T", UsedIn: []string{"headers.0.value"}}, {Name: "Q", UsedIn: []string{"proxy"}}}
	if got := h.Refs(); !reflect.DeepEqual(got, want) {
		t.Errorf("HTTP refs: %v", got)
	}
}
