package secrets_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/app/secrets"
)

// childVar makes the test binary play a part inside a session bus of its own.
const childVar = "COUNTERSIGN_KEYRING_TEST"

// inSession runs this test again as the only one of a new process, on a new session
// bus, with home as its home folder; part tells it what to play.
func inSession(t *testing.T, home, part string) {
	t.Helper()
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is needed to test the system keyring (Debian packages dbus and gnome-keyring; `make test` installs them): %v", program, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "dbus-run-session", "--", os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1", "-test.v")
	cmd.Env = []string{
		childVar + "=" + part, "PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8",
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"),
	}
	if err := os.MkdirAll(filepath.Join(home, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Fatalf("part %s: %v\n%s", part, err, out)
	}
}

// startKeyring starts the daemon; a nil password leaves its keyring locked. The
// daemon ends with the session bus.
func startKeyring(t *testing.T, password *string) {
	t.Helper()
	args := []string{"--components=secrets"}
	cmd := exec.Command("gnome-keyring-daemon", append(args, "--start")...)
	if password != nil {
		cmd = exec.Command("gnome-keyring-daemon", append(args, "--daemonize", "--unlock")...)
		cmd.Stdin = strings.NewReader(*password)
	}
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("starting the keyring: %v\n%s", err, out)
	}
}

func TestSystemKeyring(t *testing.T) {
	password := "\n" // an empty one; with no line at all the daemon makes no keyring
	switch os.Getenv(childVar) {
	case "":
		home := t.TempDir()
		inSession(t, home, "write")
		inSession(t, home, "read")
	case "write":
		startKeyring(t, &password)
		st := open(t, "folder/1")
		other := open(t, "folder")
		for _, err := range []error{
			st.Set("srv", "TOKEN", "vålue \"1\""), st.Set("srv", "TOKEN", "vålue \"2\"\nline"),
			st.Set("srv/2", "TOKEN", "second"), other.Set("1/srv", "TOKEN", "third"),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		key, err := secrets.LaunchKey(st, os.Getenv("HOME"))
		if err != nil || len(key) != 32 {
			t.Fatalf("launch key: %v", err)
		}
		if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), "seen"), key, 0o600); err != nil {
			t.Fatal(err)
		}
	case "read": // a later start of the program
		startKeyring(t, &password)
		st := open(t, "folder/1")
		want(t, st, "srv", "TOKEN", "vålue \"2\"\nline")
		want(t, st, "srv/2", "TOKEN", "second")
		want(t, open(t, "folder"), "1/srv", "TOKEN", "third")
		if _, err := st.Get("srv", "OTHER"); !errors.Is(err, secrets.ErrNotFound) {
			t.Errorf("a name never set: %v", err)
		}
		for range 2 {
			if err := st.Delete("srv", "TOKEN"); err != nil {
				t.Errorf("deleting: %v", err)
			}
		}
		if _, err := st.Get("srv", "TOKEN"); !errors.Is(err, secrets.ErrNotFound) {
			t.Errorf("after deleting: %v", err)
		}
		want(t, st, "srv/2", "TOKEN", "second")
		seen, _ := os.ReadFile(filepath.Join(os.Getenv("HOME"), "seen"))
		if key, err := secrets.LaunchKey(st, os.Getenv("HOME")); err != nil || !bytes.Equal(key, seen) {
			t.Errorf("the launch key changed: %v", err)
		}
		if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), "launch.key")); err == nil {
			t.Error("the launch key lies in a file although there is a keyring")
		}
	}
}

// A keyring that is locked asks the person, who is not there: the program goes on
// with memory.
func TestLockedKeyring(t *testing.T) {
	password := "open sesame"
	switch os.Getenv(childVar) {
	case "":
		home := t.TempDir()
		inSession(t, home, "make")
		inSession(t, home, "locked")
		inSession(t, home, "no keyring")
	case "make":
		startKeyring(t, &password)
		if err := open(t, "n").Set("srv", "TOKEN", "kept before"); err != nil {
			t.Fatal(err)
		}
	case "locked":
		startKeyring(t, nil)
		st := secrets.Open("n")
		inMemory(t, st)
		if !strings.Contains(st.Reason(), "locked") {
			t.Errorf("reason: %s", st.Reason())
		}
	case "no keyring":
		os.Unsetenv("DBUS_SESSION_BUS_ADDRESS")
		st := secrets.Open("n")
		inMemory(t, st)
		if !strings.Contains(st.Reason(), "no session bus") {
			t.Errorf("reason: %s", st.Reason())
		}
		if a := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); a != "" {
			t.Errorf("a bus was started: %s", a)
		}
	}
}

func open(t *testing.T, namespace string) secrets.Store {
	t.Helper()
	st := secrets.Open(namespace)
	if !st.Persistent() || st.Reason() != "" {
		t.Fatalf("the keyring is not used: %s", st.Reason())
	}
	return st
}

func want(t *testing.T, st secrets.Store, server, name, value string) {
	t.Helper()
	if got, err := st.Get(server, name); err != nil || got != value {
		t.Errorf("%s of %s: %q, %v; want %q", name, server, got, err, value)
	}
}

func inMemory(t *testing.T, st secrets.Store) {
	t.Helper()
	if st.Persistent() || st.Reason() == "" {
		t.Fatalf("persistent %v, reason %q", st.Persistent(), st.Reason())
	}
	if _, err := st.Get("srv", "TOKEN"); err == nil {
		t.Error("a value came from nowhere")
	}
	if err := st.Set("srv", "TOKEN", "for this run"); err != nil {
		t.Fatal(err)
	}
	want(t, st, "srv", "TOKEN", "for this run")
}
