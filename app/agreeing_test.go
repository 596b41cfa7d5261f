package app_test

import (
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// TestConsent starts nothing before the native question was answered with yes,
// and asks again after any part of the launch changed.
func TestConsent(t *testing.T) {
	t.Run("SEC-01 SEC-02 SEC-03 SEC-04 SEC-07 nothing starts before an explicit yes to the whole of it", launchConsent)
}

func launchConsent(t *testing.T) {
	r := apptest.Start(t)
	marker := t.TempDir() + "/started"
	draft := app.ServerDraft{Name: "Touch %s %n", Kind: "stdio", Command: "/bin/sh", Args: []string{"-c", "echo x >> " + marker + "; sleep 100"}, Enabled: true}
	saved, err := r.Servers.Save(r.Token, draft)
	if err != nil || saved.ID == "" {
		t.Fatal(saved, err)
	}
	needs := func() app.ServerDetail {
		var d app.ServerDetail
		r.Until("the server waits for consent", func() bool {
			if d, err = r.Servers.Get(r.Token, saved.ID); err != nil {
				t.Fatal(err)
			}
			return d.Server.NeedsConsent
		})
		return d
	}
	starts := func() int {
		lines, err := apptest.Recorded(marker)
		if err != nil {
			t.Fatal(err)
		}
		return len(lines)
	}
	if d := needs(); d.Launch.Consented || d.Launch.ResolvedPath != "/bin/sh" {
		t.Errorf("the launch is shown as %+v", d.Launch)
	}
	t.Run("SEC-01 SEC-03 SEC-04 neither starting it nor a no in the dialog starts it", func(t *testing.T) {
		if err := r.Servers.Start(r.Token, saved.ID); err != nil {
			t.Fatal(err)
		}
		needs()
		if yes, err := r.Servers.Consent(r.Token, saved.ID); yes || err != nil || starts() != 0 {
			t.Fatalf("refused, but: %v %v, %d starts", yes, err, starts())
		}
	})
	r.Window.AnswerWith(true)
	if yes, err := r.Servers.Consent(r.Token, saved.ID); !yes || err != nil {
		t.Fatal(yes, err)
	}
	r.Until("it starts", func() bool { return starts() == 1 })
	t.Run("SEC-02 the question holds the command and says that it runs with the person's rights", func(t *testing.T) {
		asked := r.Window.Asked()[0]
		for _, part := range []string{"/bin/sh", "-c", marker, "runs a program on your computer with your rights", "change and delete"} {
			if !strings.Contains(asked, part) {
				t.Errorf("%q is not in %q", part, asked)
			}
		}
	})
	r.Window.AnswerWith(false)
	t.Run("SEC-07 each change of the launch asks again", func(t *testing.T) {
		for _, change := range []func(*app.ServerDraft){
			func(d *app.ServerDraft) { d.Args = append(d.Args, "more") },
			func(d *app.ServerDraft) { d.Env = []app.Var{{Name: "A", Value: "1"}} },
			func(d *app.ServerDraft) { d.Env = []app.Var{{Name: "A", Value: "2"}} },
			func(d *app.ServerDraft) { d.Dir = "/" },
			func(d *app.ServerDraft) { d.Command = "/bin/bash" },
		} {
			draft.ID = saved.ID
			change(&draft)
			if res, err := r.Servers.Save(r.Token, draft); err != nil || res.ID == "" {
				t.Fatal(res, err)
			}
			if d := needs(); len(d.Launch.Changed) == 0 {
				t.Errorf("what changed is not told: %+v", d.Launch)
			}
		}
	})
	if starts() != 1 {
		t.Errorf("it was started %d times", starts())
	}
}

// TestRemoveAndUndo removes a server with its secrets, but not before the time
// for undoing has passed.
func TestRemoveAndUndo(t *testing.T) {
	r := apptest.Start(t)
	id, _ := recorder(t, r)
	call := r.Call(id, "record", `{"kept":true}`).Call.ID
	draft := app.ServerDraft{ID: id, Name: "Recorder", Kind: "stdio", Command: "/bin/cat", Env: []app.Var{{Name: "K", Value: "${secret:K}"}}}
	if res, err := r.Servers.Save(r.Token, draft); err != nil || res.ID == "" {
		t.Fatal(res, err)
	}
	if _, err := r.Servers.SetSecret(r.Token, id, "K", "a-secret-of-some-length"); err != nil {
		t.Fatal(err)
	}
	if err := r.Servers.Remove(r.Token, id); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Servers.Get(r.Token, id); codeOf(t, err) != app.CodeNotFound {
		t.Errorf("a removed server is there: %v", err)
	}
	if err := r.Servers.UndoRemove(r.Token, id); err != nil {
		t.Fatal(err)
	}
	if d, err := r.Servers.Get(r.Token, id); err != nil || !d.Secrets[0].Stored {
		t.Errorf("after the undo: %+v %v", d.Secrets, err)
	}
	if err := r.Servers.Remove(r.Token, id); err != nil {
		t.Fatal(err)
	}
	r.Restart() // closing within the ten seconds ends them
	if _, err := r.Secrets.Get(id, "K"); err == nil {
		t.Error("the secret outlived its server")
	}
	if err := r.Servers.UndoRemove(r.Token, id); codeOf(t, err) != app.CodeConflict {
		t.Errorf("undone too late: %v", err)
	}
	if d := r.Detail(call); d.Call.State != "succeeded" || !d.ServerGone {
		t.Errorf("the history lost the call: %+v", d)
	}
}
