package app

import (
	"context"
	"net/url"
	"strings"

	"countersign/app/calls"
	"countersign/app/schema"
	"countersign/store"
)

// List gives what servers ask, oldest first.
func (q *Questions) List(token string) ([]QuestionView, error) {
	a := q.a
	return guard(a, token, "Questions.List", func(ctx context.Context) ([]QuestionView, error) {
		out := []QuestionView{}
		for _, open := range a.road.Questions() {
			out = append(out, a.questionView(ctx, open))
		}
		return out, nil
	})
}

func (a *App) questionView(ctx context.Context, q calls.Question) QuestionView {
	v := QuestionView{ID: q.ID, CallID: q.CallID, ServerID: q.ServerID, Mode: q.Mode, Message: clip(a.mask.text(q.Message), maxText), Schema: a.schemaText(q.Schema),
		Created: stamp(q.Created), Round: q.Round, Index: q.Index, Of: q.Of, OtherCalls: q.Others, Opened: q.Opened, Hue: hue(q.ServerID), Problem: a.questionProblem(q)}
	v.ServerName, _ = a.config.name(q.ServerID)
	if row, err := a.store.CallByID(ctx, q.CallID); err == nil {
		v.ToolTitle = row.ToolTitle
		if v.ToolTitle == "" {
			v.ToolTitle = row.Tool
		}
		if e, ok := a.catalog.tool(row.ServerID, row.Tool); ok {
			v.Icon = a.icons.path(row.ServerID, e.icons)
		}
	}
	if q.Mode == "url" {
		v.URL = clip(a.mask.text(q.URL), maxText)
		if u, err := WebAddress(q.URL); err == nil {
			v.Host, v.URLWarning = clip(a.mask.text(u.Host), maxTitle), AddressWarning(u)
		}
	}
	return v
}

// questionProblem says for a person why a question cannot be accepted, or "".
func (a *App) questionProblem(q calls.Question) string {
	switch q.Mode {
	case "url":
		if _, err := WebAddress(q.URL); err != nil {
			return sentence(err.Error())
		}
	case calls.ModeResume:
	default:
		if len(q.Schema) == 0 {
			return "The server gave no form."
		}
		if _, err := schema.Compile(q.Schema); err != nil {
			return a.mask.line(sentence("the server's form cannot be used: " + err.Error()))
		}
		if fault := schema.FormFault(q.Schema); fault != "" {
			return a.mask.line(sentence("the server's form is not one that a question may have: " + fault))
		}
	}
	return ""
}

// addressFault says why an address is not opened.
type addressFault string

func (f addressFault) Error() string { return string(f) }

// WebAddress reads an address that a server wants opened: http and https only
// (ELIC-25).
func WebAddress(text string) (*url.URL, error) {
	for _, r := range text {
		if r <= ' ' || r == 0x7f || r == '\\' {
			return nil, addressFault("the address holds spaces or control characters")
		}
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, addressFault("this is not an address")
	case u.Scheme == "":
		return nil, addressFault("this is no whole address")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, addressFault("only http and https addresses are opened, not " + u.Scheme)
	case u.Host == "" || u.Opaque != "":
		return nil, addressFault("the address names no host")
	}
	return u, nil
}

// AddressWarning points out what makes an address look like another
// (ELIC-20).
func AddressWarning(u *url.URL) string {
	var out []string
	host := strings.ToLower(u.Hostname())
	for _, label := range strings.Split(host, ".") {
		if strings.HasPrefix(label, "xn--") {
			out = append(out, "The host's name is written in Punycode: its letters may look like others.")
			break
		}
	}
	for _, r := range host {
		if r > 127 {
			out = append(out, "The host's name has letters outside ASCII: they may look like others.")
			break
		}
	}
	if u.User != nil {
		out = append(out, "What stands before the @ is not the host.")
	}
	if u.Scheme == "http" {
		out = append(out, "The connection is not encrypted.")
	}
	return strings.Join(out, " ")
}

// Shown reports that a question is on screen.
func (q *Questions) Shown(token, id string) error {
	return act(q.a, token, "Questions.Shown", func(context.Context) error { return q.a.road.QuestionShown(id) })
}

// Answer takes the person's answer. Field errors mean that nothing was sent. An
// address is accepted by Open; "accept" here asks the server again about one that
// was opened before in the same call (ELIC-23). A form with a problem is not accepted.
func (q *Questions) Answer(token string, req AnswerRequest) ([]FieldError, error) {
	a := q.a
	return guard(a, token, "Questions.Answer", func(ctx context.Context) ([]FieldError, error) {
		if open, ok := a.road.Question(req.ID); ok && req.Action == "accept" {
			if open.Mode == "url" && !open.Opened {
				return nil, &Error{Code: CodeRefused, Message: "An address is accepted by opening it."}
			}
			if problem := a.questionProblem(open); problem != "" {
				return nil, &Error{Code: CodeRefused, Message: problem, Hint: "Decline or cancel the question."}
			}
		}
		errs, err := a.road.Answer(ctx, req.ID, req.Action, []byte(req.ContentText))
		if err != nil {
			return nil, err
		}
		return a.fieldErrors(errs), nil
	})
}

// Open opens the address of a question in the system's browser and accepts
// the question: the person's click is the consent. The address is the one of
// the record, never one that the page gives.
func (q *Questions) Open(token, id string) (bool, error) {
	a := q.a
	return guard(a, token, "Questions.Open", func(ctx context.Context) (bool, error) {
		open, ok := a.road.Question(id)
		if !ok {
			return false, store.ErrNotFound
		}
		if open.Mode != "url" {
			return false, &Error{Code: CodeInvalid, Message: "This question has no address."}
		}
		u, err := WebAddress(open.URL)
		if err != nil {
			return false, &Error{Code: CodeRefused, Message: sentence(err.Error()), Hint: "Decline the question."}
		}
		err = a.road.OpenAddress(ctx, id, func(calls.Question) error {
			if err := a.opt.Window.OpenURL(u.String()); err != nil {
				return &Error{Code: CodeUnavailable, Message: sentence("the browser did not open: " + err.Error()),
					Hint: "Copy the address, or cancel the question."}
			}
			return nil
		})
		return err == nil, err
	})
}
