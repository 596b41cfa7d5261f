package app_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// encodings are the ways in which a secret may stand in a file.
func encodings(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	out := map[string]string{
		"plain": secret, "JSON": strings.Trim(string(quoted), `"`), "percent": url.QueryEscape(secret), "path": url.PathEscape(secret),
		"Base64": base64.StdEncoding.EncodeToString([]byte(secret)), "URL Base64": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"hexadecimal": hex.EncodeToString([]byte(secret)),
	}
	for shift, pad := range []string{"", "x", "xx"} {
		enc := base64.StdEncoding.EncodeToString([]byte(pad + secret))
		start, end := (shift*8+5)/6, (len(pad+secret)*8)/6
		out["Base64 inside "+pad] = enc[start:end]
	}
	return out
}

// TestNoSecretIsKept puts secrets everywhere they may stand, has servers echo
// them, and searches everything that the program wrote, logged and showed.
func TestNoSecretIsKept(t *testing.T) {
	const (
		inEnv    = `env-S3cret/"with quotes"+and=more`
		inArg    = "arg-S3cret-0123456789"
		inTyped  = "sk-live-typed-into-a-header-named-KEY"
		inLiving = "argument-of-a-call-S3cret"
	)
	all := []string{inEnv, inArg, inTyped, inLiving}
	var log bytes.Buffer
	r := apptest.New(t, t.TempDir())
	r.Log = &log
	r.Open()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	draft := app.ServerDraft{Name: "Echo", Kind: "stdio", Command: self, Enabled: false,
		Args: []string{"echo-secrets", "${secret:ARG}"},
		Env:  []app.Var{{Name: "ECHO_ENV", Value: "${secret:ENV}"}, {Name: "API_KEY", Value: inTyped}, {Name: "LIVING", Value: "${secret:LIVING}"}}}
	saved, err := r.Servers.Save(r.Token, draft)
	if err != nil || saved.ID == "" {
		t.Fatalf("%v %v", saved, err)
	}
	for name, value := range map[string]string{"ARG": inArg, "ENV": inEnv, "LIVING": inLiving} {
		if _, err := r.Servers.SetSecret(r.Token, saved.ID, name, value); err != nil {
			t.Fatal(err)
		}
	}
	r.Window.AnswerWith(true)
	if yes, err := r.Servers.Consent(r.Token, saved.ID); err != nil || !yes {
		t.Fatal(yes, err)
	}
	r.Running(saved.ID)
	args, _ := json.Marshal(map[string]string{"text": "take " + inLiving + " along"})
	card := r.Propose(saved.ID, "echo", string(args))
	if card.Args.Masked != 1 || strings.Contains(card.Args.Text, inLiving) {
		t.Errorf("the card shows %+v", card.Args)
	}
	r.Decide(card, true, "because of "+inLiving)
	d := r.State(card.Call.ID, "succeeded", "tool_failed", "protocol_failed")
	if d.Call.State != "succeeded" {
		t.Fatalf("%+v", d.Call)
	}
	if d.Result.Raw.Masked < 8 {
		t.Errorf("the result says that it is masked in %d places", d.Result.Raw.Masked)
	}
	if err := r.Settings.SaveUI(r.Token, "draft", `"`+inArg+`"`); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	enc := json.NewEncoder(&shown)
	detail, _ := r.Servers.Get(r.Token, saved.ID)
	tools, _ := r.Tools.List(r.Token)
	page, _ := r.Servers.Log(r.Token, saved.ID, 0)
	history, _ := r.Calls.History(r.Token, app.HistoryFilter{})
	hello, _ := r.Settings.Hello(r.Token)
	for _, v := range []any{detail, tools, page, history, hello, d, card, r.Window.Asked()} {
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if len(page.Lines) == 0 {
		t.Error("the echo server's standard error did not reach the log: this test would find nothing there")
	}
	r.Close()
	search := func(what string, data []byte) {
		for _, secret := range all {
			for how, form := range encodings(secret) {
				if bytes.Contains(data, []byte(form)) {
					t.Errorf("%s holds a secret (%s, as %s)", what, secret[:6], how)
				}
			}
		}
	}
	search("what the page was shown", shown.Bytes())
	search("the program's log", log.Bytes())
	files, err := filepath.Glob(filepath.Join(r.Dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		search(filepath.Base(f), data)
	}
}
