package app_test

import (
	"net/url"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

// TestQuestions answers what the demo server asks in each way that there is.
func TestQuestions(t *testing.T) {
	r := apptest.Start(t)
	r.Running(app.DemoServerID)
	ask := func(tool string) (string, app.QuestionView) {
		card := r.Propose(app.DemoServerID, tool, `{}`)
		r.Decide(card, true, "")
		return card.Call.ID, r.Question(card.Call.ID)
	}
	t.Run("ELIC-12 a form", func(t *testing.T) {
		call, q := ask("ask_form")
		if q.ServerName != "Demo" || q.Mode != "form" || q.Problem != "" || !strings.Contains(q.Schema, "enumNames") {
			t.Errorf("ELIC-04 the question shows %+v", q)
		}
		if errs := r.Answer(q, "accept", `{"name":"x","pieces":99}`); len(errs) != 2 {
			t.Errorf("a bad answer: %v", errs)
		}
		if errs := r.Answer(q, "accept", `{"name":"Ada","pieces":2,"weight":1.50}`); len(errs) != 0 {
			t.Fatal(errs)
		}
		d := r.State(call, "succeeded")
		if !strings.Contains(d.Result.Structured.Text, `"weight":1.50`) {
			t.Errorf("the server received %s", d.Result.Structured.Text)
		}
	})
	for _, action := range []string{"decline", "cancel"} {
		t.Run("ELIC-14 "+action, func(t *testing.T) {
			call, q := ask("ask_form")
			r.Answer(q, action, "")
			if d := r.State(call, "succeeded"); d.Result.Blocks[0].Text.Text != "No form: "+action+"." {
				t.Errorf("%+v", d.Result.Blocks)
			}
		})
	}
	t.Run("ELIC-18 ELIC-17 an address", func(t *testing.T) {
		call, q := ask("ask_url")
		if q.URL != "https://example.com/countersign-demo" || q.Host != "example.com" {
			t.Errorf("%+v", q)
		}
		if n := len(r.Window.Opened()); n != 0 {
			t.Errorf("%d addresses were opened before consent", n)
		}
		if _, err := r.Questions.Answer(r.Token, app.AnswerRequest{ID: q.ID, Action: "accept"}); codeOf(t, err) != app.CodeRefused {
			t.Errorf("accepted without opening: %v", err)
		}
		if opened, err := r.Questions.Open(r.Token, q.ID); err != nil || !opened {
			t.Fatal(opened, err)
		}
		r.State(call, "succeeded")
		if got := r.Window.Opened(); len(got) != 1 || got[0] != q.URL {
			t.Errorf("opened: %v", got)
		}
	})
	t.Run("a question survives a restart", func(t *testing.T) {
		call, _ := ask("ask_form")
		r.Restart()
		r.Running(app.DemoServerID)
		q := r.Question(call)
		if errs := r.Answer(q, "decline", ""); len(errs) != 0 {
			t.Fatal(errs)
		}
		// The demo server is a new process: it does not know the state that
		// its forerunner sealed, and says so.
		if d := r.State(call, "succeeded", "protocol_failed"); d.Call.State == "protocol_failed" && !strings.Contains(d.Call.Summary, "requestState") {
			t.Errorf("%+v", d.Call)
		}
	})
	t.Run("cancelled while it waits", func(t *testing.T) {
		call, _ := ask("ask_form")
		if err := r.Calls.Cancel(r.Token, call); err != nil {
			t.Fatal(err)
		}
		r.State(call, "cancelled")
		if open, err := r.Questions.List(r.Token); err != nil || len(open) != 0 {
			t.Errorf("still asked: %v %v", open, err)
		}
	})
}

// TestAddresses vets what a server may want opened.
func TestAddresses(t *testing.T) {
	t.Run("ELIC-25 only whole addresses of the web are opened", addresses)
}

func addresses(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://example.com/a?b=c#d", ""}, {"http://example.com", ""},
		{"javascript:alert(1)", "ELIC-25"}, {"file:///etc/passwd", "ELIC-25"}, {"https:///nohost", "ELIC-25"}, {"https:opaque", "ELIC-25"},
		{"https://example.com/\n", "ELIC-25"}, {"https://example.com\\@evil.test", "ELIC-25"}, {"", "ELIC-25"}, {"//example.com", "ELIC-25"},
	} {
		if _, err := app.WebAddress(c.address); (err != nil) != (c.want != "") {
			t.Errorf("%s %q: %v", c.want, c.address, err)
		}
	}
	for address, part := range map[string]string{"https://xn--pypal-4ve.com": "Punycode", "https://pаypal.com": "ASCII", "https://bank.com@evil.test": "@", "http://example.com": "encrypted", "https://example.com": ""} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := app.AddressWarning(u); (part == "") != (got == "") || !strings.Contains(got, part) {
			t.Errorf("ELIC-20 %s: %q", address, got)
		}
	}
}
