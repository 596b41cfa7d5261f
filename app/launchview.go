package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"countersign/app/launch"
	"countersign/store"
)

// codeConsent is the attention code of a server that waits for consent.
const codeConsent = "consent"

// consentBody is the body of eventServerConsented: what was agreed to.
type consentBody struct {
	Fingerprint string          `json:"fingerprint"`
	Launch      launch.Settings `json:"launch"` // as shown: secrets as marks
	Path        string          `json:"path,omitempty"`
}

// resolve turns a server's settings into what would be started now.
func (a *App) resolve(ctx context.Context, c serverConfig) (launch.Resolved, error) {
	if c.fault != "" {
		return launch.Resolved{}, &launch.Error{Code: launch.CodeConfig, Message: sentence(c.fault), Hint: "Edit the server and save it anew."}
	}
	return launch.Resolve(ctx, c.settings, a.env.get(), func(name string) (string, error) { return a.secrets.Get(c.row.ID, name) }, a.key)
}

// consented says whether the person agreed to exactly this launch.
func (a *App) consented(ctx context.Context, c serverConfig, fingerprint string) (bool, error) {
	if c.row.Kind == launch.KindBuiltin {
		return true, nil
	}
	given, err := a.store.Consent(ctx, c.row.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && given.Fingerprint == fingerprint, err
}

// launchView shows all of a launch.
func (a *App) launchView(ctx context.Context, c serverConfig) LaunchView {
	shown := c.settings.Display()
	v := LaunchView{Kind: c.row.Kind, Command: shown.Command, Args: list(shown.Args), Dir: shown.Dir, URL: shown.URL, CAFile: shown.CAFile, Proxy: shown.Proxy, PlainHTTP: shown.PlainHTTP, Env: []Var{}, Headers: []Var{},
		Changed: []string{}, Warnings: []string{}}
	for _, x := range shown.Env {
		v.Env = append(v.Env, Var(x))
	}
	for _, x := range shown.Headers {
		v.Headers = append(v.Headers, Var(x))
	}
	for _, w := range launch.Warnings(c.settings) {
		v.Warnings = append(v.Warnings, w.Message)
	}
	r, err := a.resolve(ctx, c)
	if err != nil {
		v.Error = a.mask.text(err.Error())
		return v
	}
	v.Fingerprint = r.Fingerprint
	if r.Stdio != nil {
		v.ResolvedPath, v.Dir = r.Stdio.Path, a.mask.text(r.Stdio.Dir)
		if c.row.Kind == launch.KindBuiltin {
			v.Command, v.Args = r.Stdio.Path, r.Stdio.Args
		}
	}
	if v.Consented, err = a.consented(ctx, c, r.Fingerprint); err != nil {
		v.Error = "The record of consent cannot be read."
	}
	if !v.Consented {
		v.Changed = list(a.changedSince(ctx, c))
	}
	return v
}

// changedSince names the parts of a launch that differ from what the person
// agreed to last; nothing when they never did.
func (a *App) changedSince(ctx context.Context, c serverConfig) []string {
	events, err := a.store.ServerEvents(ctx, c.row.ID, 1000)
	if err != nil {
		return nil
	}
	var last *consentBody
	var at time.Time
	for _, e := range events {
		var stored struct {
			Body consentBody `json:"body"`
		}
		if e.Kind == eventServerConsented && !e.Time.Before(at) && json.Unmarshal(e.Stored, &stored) == nil {
			last, at = &stored.Body, e.Time
		}
	}
	if last == nil {
		return nil
	}
	now := c.settings.Display()
	same := func(x, y any) bool {
		p, _ := json.Marshal(x)
		q, _ := json.Marshal(y)
		return string(p) == string(q)
	}
	var out []string
	for _, part := range []struct {
		name string
		same bool
	}{
		{"command", now.Command == last.Launch.Command}, {"arguments", same(now.Args, last.Launch.Args)}, {"working directory", now.Dir == last.Launch.Dir},
		{"environment", same(now.Env, last.Launch.Env)}, {"address", now.URL == last.Launch.URL}, {"headers", same(now.Headers, last.Launch.Headers)},
		{"certificate file", now.CAFile == last.Launch.CAFile}, {"proxy", now.Proxy == last.Launch.Proxy}, {"plain http", now.PlainHTTP == last.Launch.PlainHTTP},
	} {
		if !part.same {
			out = append(out, part.name)
		}
	}
	if len(out) == 0 {
		out = []string{"the value of a secret"}
		if now.CAFile != "" {
			out = []string{"the value of a secret or the content of the certificate file"}
		}
	}
	return out
}

// Consent asks the person, in a native dialog that the page cannot answer,
// whether this launch may happen. A yes is recorded and starts the server.
func (s *Servers) Consent(token, id string) (bool, error) {
	a := s.a
	return guard(a, token, "Servers.Consent", func(ctx context.Context) (bool, error) {
		c, ok := a.config.get(id)
		if !ok {
			return false, store.ErrNotFound
		}
		r, err := a.resolve(ctx, c)
		if err != nil {
			return false, &Error{Code: CodeUnavailable, Message: a.mask.text(err.Error()), Hint: "Edit the server, then review its launch again."}
		}
		yes, err := a.opt.Window.Confirm(consentTitle(c), a.consentText(c, r))
		if err != nil {
			return false, fmt.Errorf("asking for consent: %w", err)
		}
		body := consentBody{Fingerprint: r.Fingerprint, Launch: c.settings.Display()}
		if r.Stdio != nil {
			body.Path = r.Stdio.Path
		}
		if !yes {
			return false, a.store.Append(ctx, []store.NewEvent{{Kind: eventServerRefused, ServerID: id, Body: body}})
		}
		// What was agreed to is what the dialog showed; if the settings
		// changed while it stood open, the fingerprint will not match.
		err = a.store.SaveConsent(ctx, store.Consent{ServerID: id, Fingerprint: r.Fingerprint, Given: a.opt.Now()},
			[]store.NewEvent{{Kind: eventServerConsented, ServerID: id, Body: body}})
		if err != nil {
			return false, err
		}
		if err := a.enable(ctx, id, true); err != nil {
			return false, err
		}
		a.manager.Restart(id)
		a.events.publish(TopicServers, id)
		return true, nil
	})
}

func consentTitle(c serverConfig) string {
	if c.row.Kind == launch.KindHTTP {
		return "Contact " + visible(c.row.Name) + "?"
	}
	return "Start " + visible(c.row.Name) + "?"
}

// maxDialog bounds each part of the dialog; the page shows all of it.
const maxDialog = 700

func (a *App) consentText(c serverConfig, r launch.Resolved) string {
	var b strings.Builder
	line := func(label, text string) {
		text = visible(text)
		if len(text) > maxDialog {
			text = clip(text, maxDialog) + " (all of it is shown in the window)"
		}
		fmt.Fprintf(&b, "%s: %s\n", label, text)
	}
	shown := c.settings.Display()
	if r.HTTP != nil {
		line("Address", shown.URL)
		for _, h := range shown.Headers {
			line("Header", h.Name+": "+h.Value)
		}
		if shown.CAFile != "" {
			line("Also trusted", "the certificates in "+shown.CAFile)
		}
		if shown.Proxy == launch.ProxyNone {
			line("Proxy", "none")
		} else if shown.Proxy != "" {
			line("Proxy", shown.Proxy)
		}
		if shown.PlainHTTP {
			line("Plain http", "allowed: where it is used, everything sent and received can be read and changed on the way")
		}
		b.WriteString("\nCountersign will connect to this address and send it the headers above.")
		return b.String()
	}
	line("Program", r.Stdio.Path)
	for i, arg := range shown.Args {
		line(fmt.Sprintf("Argument %d", i+1), arg)
	}
	line("Working directory", a.mask.text(r.Stdio.Dir))
	for _, v := range shown.Env {
		line("Environment", v.Name+"="+v.Value)
	}
	b.WriteString("\nThis runs a program on your computer with your rights: it can read, change and delete what you can, and use the network. " +
		"Start it only if you trust where it comes from.")
	return b.String()
}

// visible shows control and direction characters of a text as code points, so
// that none of them changes how the dialog reads.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
			r == 0xfeff, r == 0xad, r == 0x61c, r >= 0xe0000 && r <= 0xe0fff:
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
