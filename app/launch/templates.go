package launch

import (
	"errors"
	"fmt"
	"strings"

	"countersign/app/secrets"
)

// templates lists every text of the settings that may refer to a secret, of the
// kind that is set.
func (s Settings) templates() []template {
	var out []template
	switch s.Kind {
	case KindStdio:
		out = append(out, template{"command", s.Command})
		for i, a := range s.Args {
			out = append(out, template{fmt.Sprintf("args.%d", i), a})
		}
		for i, v := range s.Env {
			out = append(out, template{fmt.Sprintf("env.%d.value", i), v.Value})
		}
		out = append(out, template{"dir", s.Dir})
	case KindHTTP:
		out = append(out, template{"url", s.URL})
		for i, h := range s.Headers {
			out = append(out, template{fmt.Sprintf("headers.%d.value", i), h.Value})
		}
		out = append(out, template{"proxy", s.Proxy})
	}
	return out
}

// Display returns the settings as they are shown to a person: complete, with a
// mark in the place of each secret.
func (s Settings) Display() Settings {
	out, err := s.mapTemplates(func(_, text string) (string, error) { return secrets.Display(text), nil })
	if err != nil {
		return s // cannot happen: the function never fails
	}
	return out
}

// mapTemplates returns a copy of the settings with f applied to each template.
func (s Settings) mapTemplates(f func(field, text string) (string, error)) (Settings, error) {
	out := Settings{Kind: s.Kind, CAFile: s.CAFile, PlainHTTP: s.PlainHTTP, TimeoutSeconds: s.TimeoutSeconds, MaxSeconds: s.MaxSeconds, MaxResultMiB: s.MaxResultMiB,
		Roots: s.Roots}
	var err error
	apply := func(field, text string) string {
		if err != nil {
			return ""
		}
		var done string
		done, err = f(field, text)
		return done
	}
	switch s.Kind {
	case KindStdio:
		out.Command = apply("command", s.Command)
		for i, a := range s.Args {
			out.Args = append(out.Args, apply(fmt.Sprintf("args.%d", i), a))
		}
		for i, v := range s.Env {
			out.Env = append(out.Env, Var{v.Name, apply(fmt.Sprintf("env.%d.value", i), v.Value)})
		}
		out.Dir = apply("dir", s.Dir)
	case KindHTTP:
		out.URL = apply("url", s.URL)
		for i, h := range s.Headers {
			out.Headers = append(out.Headers, Var{h.Name, apply(fmt.Sprintf("headers.%d.value", i), h.Value)})
		}
		out.Proxy = apply("proxy", s.Proxy)
	}
	return out, err
}

// expand puts the secrets' values in, and returns them. In an address, a value
// that stands behind the host is percent-encoded; one that stands before (a whole
// secret address) is put in as it is. In a proxy's address every value is encoded
// that is not all of it.
func (s Settings) expand(get func(name string) (string, error)) (Settings, []secrets.Known, error) {
	var known []secrets.Known
	seen := map[string]string{}
	fetch := func(name string) (string, error) {
		if v, ok := seen[name]; ok {
			return v, nil
		}
		v, err := get(name)
		if err != nil {
			return "", &missingError{name, err}
		}
		seen[name] = v
		known = append(known, secrets.Known{Name: name, Value: v})
		return v, nil
	}
	out, err := s.mapTemplates(func(field, text string) (string, error) {
		done, err := "", error(nil)
		switch {
		case field == "url":
			done, err = expandURL(text, fetch)
		case field == "proxy" && !startsWithRef(text):
			done, err = expandEncoded(text, fetch)
		default:
			done, err = secrets.Expand(text, fetch)
		}
		if err != nil {
			return "", expandError(field, err)
		}
		if strings.ContainsRune(done, 0) {
			return "", &Error{Code: CodeConfig, Field: field, Message: "The " + fieldName(field) + " holds a NUL character."}
		}
		return done, nil
	})
	return out, known, err
}

type missingError struct {
	name  string
	cause error
}

func (e *missingError) Error() string { return "secret " + e.name + ": " + e.cause.Error() }
func (e *missingError) Unwrap() error { return e.cause }

func expandError(field string, err error) *Error {
	var missing *missingError
	out := &Error{Code: CodeConfig, Field: field, Cause: err}
	switch {
	case errors.As(err, &missing) && errors.Is(err, secrets.ErrNotFound):
		out.Message = fmt.Sprintf("The secret %s has no value.", missing.name)
		out.Hint = "Enter it in the server's settings."
	case errors.As(err, &missing) && errors.Is(err, secrets.ErrNoAnswer):
		out.Message = fmt.Sprintf("The secret %s cannot be read: the system keyring did not answer.", missing.name)
		out.Hint = "Unlock the keyring, then start the server again."
	case errors.As(err, &missing):
		out.Message = fmt.Sprintf("The secret %s cannot be read: %v.", missing.name, missing.cause)
	default:
		out.Message = fmt.Sprintf("The %s holds a malformed reference: %v.", fieldName(field), err)
		out.Hint = "Refer to a secret as ${secret:NAME}; write $${ for a plain ${."
	}
	return out
}

// expandURL is Expand for an address.
func expandURL(text string, get func(string) (string, error)) (string, error) {
	behind := hostEnd(text)
	head, err := secrets.Expand(text[:behind], get)
	if err != nil {
		return "", err
	}
	tail, err := expandEncoded(text[behind:], get)
	return head + tail, err
}

// expandEncoded is Expand with percent-encoded values.
func expandEncoded(text string, get func(string) (string, error)) (string, error) {
	return secrets.Expand(text, func(name string) (string, error) {
		v, err := get(name)
		return percentEncode(v), err
	})
}

// hostEnd returns where the host of an address template ends: at the first slash,
// question mark or hash sign behind "//" that stands in no reference (a secret's
// name holds none of them).
func hostEnd(text string) int {
	scheme := strings.Index(text, "://")
	if scheme < 0 {
		return len(text)
	}
	from := scheme + len("://")
	if n := strings.IndexAny(text[from:], "/?#"); n >= 0 {
		return from + n
	}
	return len(text)
}

func percentEncode(v string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(v) {
		c := v[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// fieldName words a field's path for a person.
func fieldName(field string) string {
	kind, rest, _ := strings.Cut(field, ".")
	index, _, _ := strings.Cut(rest, ".")
	number := 0
	fmt.Sscanf(index, "%d", &number)
	switch kind {
	case "args":
		return fmt.Sprintf("argument %d", number+1)
	case "env":
		return fmt.Sprintf("environment variable %d", number+1)
	case "headers":
		return fmt.Sprintf("header %d", number+1)
	case "dir":
		return "working directory"
	case "url":
		return "address"
	case "proxy":
		return "proxy's address"
	}
	return kind
}
