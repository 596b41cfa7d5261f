package launch

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"countersign/app/secrets"
)

// DemoWord is the fixed argument with which the program is its own demo server.
const DemoWord = "demo-server"

// Resolve turns settings into what is started or contacted: secrets in place, the
// command found in the child's own PATH, its size and time of change as they are
// now. get returns a secret's value. Errors are of type [*Error], worded for a
// person and free of secret values, or ctx's own.
//
// Everything that [Validate] refuses is refused here too, also where only a value
// makes it so.
func Resolve(ctx context.Context, s Settings, env *BaseEnv, get func(name string) (string, error), key []byte) (Resolved, error) {
	if wrong := Validate(s); len(wrong) > 0 {
		return Resolved{}, &Error{Code: CodeConfig, Field: wrong[0].Field, Message: wrong[0].Message, Hint: "Change the server's settings."}
	}
	values, known, err := s.expand(get)
	if err != nil {
		return Resolved{}, err
	}
	extraCAs, err := readCAs(s.CAFile)
	if err != nil {
		return Resolved{}, err
	}
	out := Resolved{
		Fingerprint: fingerprint(key, s.Command, values, extraCAs),
		Secrets:     append(known, s.literalSecrets()...),
	}
	switch s.Kind {
	case KindHTTP:
		out.HTTP, err = resolveHTTP(s, values)
		if err == nil {
			out.HTTP.ExtraCAs = extraCAs
		}
	case KindBuiltin:
		out.Stdio, err = resolveBuiltin(ctx, env)
	default:
		out.Stdio, err = resolveStdio(ctx, s, values, env)
	}
	if err != nil {
		return Resolved{}, err
	}
	return out, nil
}

func resolveHTTP(s, values Settings) (*HTTPSpec, error) {
	u, wrong := parseURL(values.URL)
	if wrong != "" {
		return nil, &Error{Code: CodeConfig, Field: "url", Message: wrong, Hint: "Look at the value of the secret in the address."}
	}
	secret := len(s.Refs()) > 0
	for _, h := range values.Headers {
		secret = secret || credentialHeader(h.Name)
		if !validHeaderValue(h.Value) {
			return nil, &Error{Code: CodeConfig, Field: "headers",
				Message: fmt.Sprintf("The value of the header %s holds a line break or another control character.", h.Name),
				Hint:    "Enter the secret again, without the line's end."}
		}
	}
	if secret && u.Scheme == "http" && !isLoopback(u.Hostname()) {
		return nil, &Error{Code: CodeConfig, Field: "url",
			Message: "A secret would be sent readable for everyone on the way, since the address is http and not this computer.", Hint: "Use https."}
	}
	if u.Scheme == "http" && !isLoopback(u.Hostname()) && !s.PlainHTTP {
		return nil, &Error{Code: CodeConfig, Field: "url", Message: plainRefused}
	}
	if values.Proxy != "" && values.Proxy != ProxyNone {
		if wrong := wrongProxy(values.Proxy); wrong != "" {
			return nil, &Error{Code: CodeConfig, Field: "proxy", Message: wrong, Hint: "Look at the value of the secret in it."}
		}
	}
	return &HTTPSpec{URL: values.URL, Headers: values.Headers, Proxy: values.Proxy, PlainHTTP: s.PlainHTTP}, nil
}

// resolveBuiltin starts this very executable, with an environment and arguments
// that no setting can change.
func resolveBuiltin(ctx context.Context, env *BaseEnv) (*StdioSpec, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, &Error{Code: CodeNotFound, Message: "The program's own executable cannot be found.", Cause: err}
	}
	vars := env.Vars(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return specFor(path, []string{DemoWord}, vars, homeDir(vars))
}

func resolveStdio(ctx context.Context, s, values Settings, env *BaseEnv) (*StdioSpec, error) {
	vars := env.Vars(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vars = overlay(vars, values.Env)
	dir := values.Dir
	if dir == "" {
		dir = homeDir(vars)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return nil, &Error{Code: CodeConfig, Field: "dir", Cause: err,
			Message: fmt.Sprintf("The working directory `%s` is not a folder that can be used.", shown(s.Dir, dir)), Hint: "Make it, or choose another."}
	}
	if strings.TrimSpace(values.Command) == "" {
		return nil, &Error{Code: CodeConfig, Field: "command", Message: "The secret that is the command is blank.", Hint: "Enter it again."}
	}
	path, err := lookup(values.Command, secrets.Display(s.Command), dir, vars)
	if err != nil {
		return nil, err
	}
	if scripted(path) {
		if i := slices.IndexFunc(values.Args, interpreted); i >= 0 {
			return nil, &Error{Code: CodeConfig, Field: "args",
				Message: fmt.Sprintf("Argument %d holds a character that the interpreter of `%s` would act on.", i+1, filepath.Base(path)),
				Hint:    "Name the program itself rather than the script that starts it."}
		}
	}
	return specFor(path, values.Args, vars, dir)
}

// interpreted tells whether the interpreter of .cmd and .bat files could take part of
// the argument for a command or a variable. No quoting is safe there: variables are
// replaced within quotes too, and scripts hand their arguments on to be read again.
func interpreted(arg string) bool { return strings.ContainsAny(arg, "\"%!^&|<>()\r\n") }

// shown words a text for a person: as configured, where that says anything.
func shown(configured, value string) string {
	if configured == "" {
		return value
	}
	return secrets.Display(configured)
}

func specFor(path string, args, env []string, dir string) (*StdioSpec, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &Error{Code: CodeNotFound, Field: "command", Message: fmt.Sprintf("`%s` cannot be looked at.", path), Cause: err}
	}
	return &StdioSpec{Path: path, Args: slices.Clone(args), Env: env, Dir: dir, Size: info.Size(), ModTime: info.ModTime()}, nil
}

// lookup finds the command as the child would: a path from its working directory, a
// bare name in its PATH. name is how the command is called before a person.
func lookup(command, name, dir string, env []string) (string, error) {
	if strings.ContainsRune(command, filepath.Separator) || strings.ContainsRune(command, '/') || filepath.VolumeName(command) != "" {
		path := command
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		found, why := executable(path, env)
		switch {
		case found != "":
			return found, nil
		case why == "":
			return "", &Error{Code: CodeNotFound, Field: "command", Message: fmt.Sprintf("There is no file `%s`.", name)}
		}
		return "", &Error{Code: CodeConfig, Field: "command", Message: fmt.Sprintf("`%s` %s.", name, why), Hint: "Name the program itself."}
	}
	var searched []string
	var near string
	for _, folder := range filepath.SplitList(envValue(env, "PATH")) {
		// A folder that depends on where we stand is no place to take programs from.
		if !filepath.IsAbs(folder) || slices.Contains(searched, folder) {
			continue
		}
		searched = append(searched, folder)
		found, why := executable(filepath.Join(folder, command), env)
		if found != "" {
			return found, nil
		}
		if why != "" && near == "" {
			near = fmt.Sprintf(" `%s` %s.", filepath.Join(folder, name), why)
		}
	}
	hint := "Install it, or give the command with its complete path."
	if strings.ContainsRune(command, ' ') {
		hint = "The command is the program alone; each argument has a line of its own."
	}
	return "", &Error{
		Code: CodeNotFound, Field: "command",
		Message: fmt.Sprintf("`%s` was not found. Searched %s: %s.%s", name, folders(len(searched)), strings.Join(searched, ", "), near),
		Hint:    hint,
	}
}

func folders(n int) string {
	if n == 1 {
		return "1 folder"
	}
	return fmt.Sprintf("%d folders", n)
}

// overlay returns env with vars put over it.
func overlay(env []string, vars []Var) []string {
	out := slices.Clone(env)
	for _, v := range vars {
		entry := v.Name + "=" + v.Value
		at := slices.IndexFunc(out, func(e string) bool { return sameEnvName(e[:max(0, strings.IndexByte(e, '='))], v.Name) })
		if at >= 0 {
			out[at] = entry
		} else {
			out = append(out, entry)
		}
	}
	return out
}

func envValue(env []string, name string) string {
	for _, e := range env {
		if n, v, ok := strings.Cut(e, "="); ok && sameEnvName(n, name) {
			return v
		}
	}
	return ""
}

func sorted(vars []Var) []Var {
	out := slices.Clone(vars)
	slices.SortStableFunc(out, func(a, b Var) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	return out
}
