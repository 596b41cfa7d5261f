//go:build unix

package launch_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/app/launch"
	"countersign/app/secrets"
)

// world is a home folder with a PATH of two folders and what they hold.
type world struct {
	home, bin1, bin2 string
	env              *launch.BaseEnv
}

func newWorld(t *testing.T) world {
	t.Helper()
	home := t.TempDir()
	w := world{home: home, bin1: filepath.Join(home, "bin1"), bin2: filepath.Join(home, "bin2")}
	for _, dir := range []string{w.bin1, w.bin2, filepath.Join(w.bin1, "folder"), filepath.Join(home, "work")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, mode := range map[string]os.FileMode{
		w.bin1 + "/server": 0o755, w.bin2 + "/server": 0o755, w.bin1 + "/second": 0o644, w.bin2 + "/second": 0o755,
		w.bin2 + "/flat": 0o640, home + "/work/local": 0o755, home + "/here": 0o755,
	} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	// A login shell that adds the second folder.
	shell := filepath.Join(home, "shell")
	script := "#!/bin/sh\nPATH=" + w.bin2 + "\nexport PATH\nshift 3\nexec /bin/sh -c \"$1\"\n"
	if err := os.WriteFile(shell, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"HOME": home, "PATH": w.bin1 + "::relative", "SHELL": shell, "LANG": "C.UTF-8", "USER": "ann",
		"TMPDIR": "/tmp", "XDG_DATA_HOME": home + "/data", "AWS_SECRET_ACCESS_KEY": "not for children", "NODE_OPTIONS": "x"} {
		t.Setenv(name, value)
	}
	w.env = launch.NewBaseEnv(t.Context())
	t.Cleanup(w.env.Close)
	return w
}

func get(name string) (string, error) {
	switch name {
	case "TOKEN":
		return "s3cret/& +value", nil
	case "NL":
		return "line\r\nX-Evil: 1", nil
	case "NUL":
		return "a\x00b", nil
	case "BLANK":
		return " ", nil
	case "ADDRESS":
		return "https://hidden.example.test/mcp?x=1", nil
	case "PLAIN":
		return "http://hidden.example.test/mcp", nil
	case "FTP":
		return "ftp://hidden.example.test", nil
	case "LOCKED":
		return "", fmt.Errorf("secret: %w", secrets.ErrNoAnswer)
	}
	return "", secrets.ErrNotFound
}

func TestResolveProgram(t *testing.T) {
	w := newWorld(t)
	s := launch.Settings{Kind: launch.KindStdio, Command: "server", Args: []string{"--key=${secret:TOKEN}", "", "$${x}"}, Dir: w.home + "/work",
		Env: []launch.Var{{Name: "LANG", Value: "de_DE"}, {Name: "KEY", Value: "${secret:TOKEN}"}}}
	r, err := launch.Resolve(t.Context(), s, w.env, get, key)
	if err != nil {
		t.Fatal(err)
	}
	got := *r.Stdio
	info, _ := os.Stat(w.bin2 + "/server")
	if got.Path != w.bin2+"/server" || got.Size != info.Size() || !got.ModTime.Equal(info.ModTime()) || got.Dir != w.home+"/work" {
		t.Errorf("program: %+v", got)
	}
	if !slices.Equal(got.Args, []string{"--key=s3cret/& +value", "", "${x}"}) {
		t.Errorf("arguments: %q", got.Args)
	}
	slices.Sort(got.Env)
	want := []string{"HOME=" + w.home, "KEY=s3cret/& +value", "LANG=de_DE", "PATH=" + w.bin2 + ":" + w.bin1, "SHELL=" + w.home + "/shell",
		"TMPDIR=/tmp", "USER=ann", "XDG_DATA_HOME=" + w.home + "/data"}
	env := slices.DeleteFunc(slices.Clone(got.Env), func(v string) bool { // what the machine itself sets
		return strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "XDG_DATA_HOME=")
	})
	if !slices.Equal(env, want) {
		t.Errorf("environment:\n got %q\nwant %q", env, want)
	}
	if !slices.Equal(r.Secrets, []secrets.Known{{Name: "TOKEN", Value: "s3cret/& +value"}}) {
		t.Errorf("secrets: %v", r.Secrets)
	}

	t.Run("the fingerprint covers values", func(t *testing.T) {
		changed, err := launch.Resolve(t.Context(), s, w.env, func(string) (string, error) { return "another value", nil }, key)
		if err != nil || changed.Fingerprint == r.Fingerprint {
			t.Errorf("%v", err)
		}
		again, err := launch.Resolve(t.Context(), s, w.env, get, key)
		if err != nil || again.Fingerprint != r.Fingerprint {
			t.Errorf("the same launch differs: %v", err)
		}
	})
	t.Run("folders that are open to doubt", func(t *testing.T) {
		for command, path := range map[string]string{"second": w.bin2 + "/second", "./local": w.home + "/work/local", w.home + "/here": w.home + "/here", "../here": w.home + "/here"} {
			r, err := launch.Resolve(t.Context(), launch.Settings{Kind: launch.KindStdio, Command: command, Dir: w.home + "/work"}, w.env, get, key)
			if err != nil || r.Stdio.Path != path {
				t.Errorf("%s: %+v, %v", command, r.Stdio, err)
			}
		}
	})
	t.Run("PATH of the settings decides", func(t *testing.T) {
		s := withEnv(launch.Var{Name: "PATH", Value: w.bin1})
		r, err := launch.Resolve(t.Context(), s, w.env, get, key)
		if err != nil || r.Stdio.Path != w.bin1+"/server" || r.Stdio.Dir != w.home {
			t.Errorf("%+v, %v", r.Stdio, err)
		}
	})
}

func TestResolveErrors(t *testing.T) {
	w := newWorld(t)
	header := func(value string) launch.Settings {
		return http("https://h.example.test", launch.Var{Name: "X-K", Value: value})
	}
	tests := []struct {
		name string
		s    launch.Settings
		code string
		text string
	}{
		{"field-77 not found, with the PATH searched", stdio("npx"), launch.CodeNotFound, "`npx` was not found. Searched 2 folders: " + w.bin2 + ", " + w.bin1 + "."},
		{"one folder", withEnv(launch.Var{Name: "PATH", Value: "/nowhere"}), launch.CodeNotFound, "Searched 1 folder: /nowhere."},
		{"found but not a program", stdio("flat"), launch.CodeNotFound, "flat` may not be run (its mode is 0640"},
		{"found but a folder", stdio("folder"), launch.CodeNotFound, "is a folder"},
		{"no such file", stdio("/no/such/file"), launch.CodeNotFound, "There is no file `/no/such/file`."},
		{"a folder", stdio(w.home), launch.CodeConfig, "is a folder."},
		{"not a program", stdio(w.bin2 + "/flat"), launch.CodeConfig, "may not be run"},
		{"a device", stdio("/dev/null"), launch.CodeConfig, "is not a file"},
		{"folder missing", launch.Settings{Kind: "stdio", Command: "server", Dir: w.home + "/gone"}, launch.CodeConfig, "working directory"},
		{"folder is a file", launch.Settings{Kind: "stdio", Command: "server", Dir: w.home + "/here"}, launch.CodeConfig, "working directory"},
		{"no value", stdio("server", "${secret:GONE}"), launch.CodeConfig, "The secret GONE has no value."},
		{"locked", stdio("server", "${secret:LOCKED}"), launch.CodeConfig, "did not answer"},
		{"NUL in a value", stdio("server", "${secret:NUL}"), launch.CodeConfig, "argument 1 holds a NUL"},
		{"blank command", stdio("${secret:BLANK}"), launch.CodeConfig, "blank"},
		{"invalid settings", stdio(""), launch.CodeConfig, "A command is needed"},
		{"line break in a header's value", header("${secret:NL}"), launch.CodeConfig, "line break"},
		{"secret address over http", http("${secret:PLAIN}"), launch.CodeConfig, "readable for everyone"},
		{"secret address of another kind", http("${secret:FTP}"), launch.CodeConfig, "https://"},
		{"written credential to a secret http address", http("${secret:PLAIN}", launch.Var{Name: "Cookie", Value: "a=b"}), launch.CodeConfig, "readable for everyone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := launch.Resolve(t.Context(), tt.s, w.env, get, key)
			var e *launch.Error
			if !errors.As(err, &e) || e.Code != tt.code || !strings.Contains(e.Message, tt.text) {
				t.Fatalf("got %v", err)
			}
			for _, secret := range []string{"s3cret", "X-Evil", "hidden.example.test"} {
				if strings.Contains(mustJSON(e), secret) || strings.Contains(err.Error(), secret) {
					t.Errorf("the error tells a secret: %v", err)
				}
			}
		})
	}
	t.Run("a command line in the command field", func(t *testing.T) {
		_, err := launch.Resolve(t.Context(), stdio("npx -y pkg"), w.env, get, key)
		var e *launch.Error
		if !errors.As(err, &e) || !strings.Contains(e.Hint, "each argument") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a context that has ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := launch.Resolve(ctx, stdio("server"), w.env, get, key); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestResolveAddress(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct{ name, url, want string }{
		{"behind the host a value is encoded", "https://h.example.test/a/${secret:TOKEN}?k=${secret:TOKEN}&l=%2F",
			"https://h.example.test/a/s3cret%2F%26%20%2Bvalue?k=s3cret%2F%26%20%2Bvalue&l=%2F"},
		{"a whole address is not", "${secret:ADDRESS}", "https://hidden.example.test/mcp?x=1"},
		{"this computer", "http://localhost:8080/${secret:TOKEN}", "http://localhost:8080/s3cret%2F%26%20%2Bvalue"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := http(tt.url, launch.Var{Name: "Authorization", Value: "Bearer ${secret:TOKEN}"})
			r, err := launch.Resolve(t.Context(), s, w.env, get, key)
			if err != nil {
				t.Fatal(err)
			}
			if r.HTTP.URL != tt.want || r.HTTP.Headers[0].Value != "Bearer s3cret/& +value" || r.Stdio != nil || len(r.Fingerprint) != 64 {
				t.Errorf("%+v", r.HTTP)
			}
			m := secrets.NewMasker(r.Secrets)
			if kept := m.MaskString(r.HTTP.URL + r.HTTP.Headers[0].Value); strings.Contains(kept, "s3cret") {
				t.Errorf("not masked: %s", kept)
			}
		})
	}
	t.Run("credentials written out are masked too", func(t *testing.T) {
		s := http("https://h.example.test/?api_key=written%2Fout&page=12345678", launch.Var{Name: "Authorization", Value: "Bearer 0123456789"}, launch.Var{Name: "X-Team", Value: "blue-team-all"})
		r, err := launch.Resolve(t.Context(), s, w.env, get, key)
		if err != nil {
			t.Fatal(err)
		}
		kept := secrets.NewMasker(r.Secrets).MaskString("0123456789 written/out blue-team-all 12345678")
		if kept != "«secret:header-Authorization» «secret:url-api_key» blue-team-all 12345678" {
			t.Errorf("kept %s", kept)
		}
	})
}

func TestResolveBuiltin(t *testing.T) {
	w := newWorld(t)
	r, err := launch.Resolve(t.Context(), launch.Settings{Kind: launch.KindBuiltin}, w.env, get, key)
	if err != nil {
		t.Fatal(err)
	}
	self, _ := os.Executable()
	if r.Stdio.Path != self || !slices.Equal(r.Stdio.Args, []string{"demo-server"}) || r.Stdio.Dir != w.home || len(r.Secrets) != 0 {
		t.Errorf("%+v", r.Stdio)
	}
}

// TestFileURI writes folders as file URIs.
func TestFileURI(t *testing.T) {
	t.Run("ROOTS-03 every path becomes one file URI that gives it back", func(t *testing.T) {
		for path, want := range map[string]string{
			"/home/ada": "file:///home/ada", "/a b/c#d?e%20": "file:///a%20b/c%23d%3Fe%2520", "/ä": "file:///%C3%A4", "/": "file:///",
			"/x\xff": "file:///x%FF",
		} {
			got := launch.FileURI(path)
			u, err := url.Parse(got)
			if got != want || err != nil || u.Path != path || u.Scheme != "file" || u.Host != "" {
				t.Errorf("%q became %s, which is %+v, %v", path, got, u, err)
			}
		}
	})
	t.Run("ROOTS-04 no folder with detours, no file and nothing that is missing is told", func(t *testing.T) {
		dir := t.TempDir()
		file := filepath.Join(dir, "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"", "relative", dir + "/../x", dir + "/", dir + "/missing", file, "/a\x00b"} {
			if launch.RootFault(path) == "" {
				t.Errorf("%q can be told", path)
			}
		}
		if why := launch.RootFault(dir); why != "" {
			t.Error(why)
		}
	})
}
