package launch

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"countersign/app/secrets"
)

// Warnings returns what a person should know before saying yes to the settings:
// nothing in it stops them from being used (SEC-05). It looks whether folders are
// there, and reads no secret.
func Warnings(s Settings) []Problem {
	var out problems
	for _, t := range s.templates() {
		if bare := bareReference(t.text); bare != "" {
			out.add(t.field, fmt.Sprintf("%s is sent as it is written. A secret is referred to as ${secret:NAME}.", bare))
		}
	}
	switch s.Kind {
	case KindStdio:
		out.warnCommand(s)
		out.warnArgs(s)
		out.warnEnv(s)
		if s.Dir != "" && len(secrets.Refs(s.Dir)) == 0 {
			if info, err := os.Stat(secrets.Display(s.Dir)); err != nil || !info.IsDir() {
				out.add("dir", "There is no such folder.")
			}
		}
	case KindHTTP:
		out.warnHTTP(s)
	}
	return out
}

var otherRef = regexp.MustCompile(`\$\{[A-Za-z_][^}]*\}`)

// bareReference returns the first ${...} that is no reference of ours, as other
// programs' settings have them.
func bareReference(text string) string {
	for _, at := range otherRef.FindAllStringIndex(text, -1) {
		ours := strings.HasPrefix(text[at[0]:], "${secret:")
		escaped := at[0] > 0 && text[at[0]-1] == '$'
		if !ours && !escaped {
			return text[at[0]:at[1]]
		}
	}
	return ""
}

func programName(command string) string {
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	name = strings.ToLower(name)
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

func (p *problems) warnCommand(s Settings) {
	switch name := programName(s.Command); name {
	case "sudo", "su", "doas", "pkexec", "runas":
		p.add("command", fmt.Sprintf("“%s” starts the server with more rights than you have yourself.", name))
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh":
		for i, a := range s.Args {
			if shellFlag(a) {
				p.add(fmt.Sprintf("args.%d", i), fmt.Sprintf("“%s %s” runs whatever the next argument says, which can be many commands.", name, a))
				break
			}
		}
	case "npx", "bunx", "uvx", "pipx", "pnpx":
		p.add("command", fmt.Sprintf("“%s” may load the program from the network when it starts, each time in its newest version.", name))
	}
	if len(secrets.Refs(s.Command)) > 0 {
		p.add("command", "Other programs on this computer can read the secret in the command.")
	}
}

func shellFlag(arg string) bool {
	switch low := strings.ToLower(arg); low {
	case "/c", "/k", "-command", "-encodedcommand", "-e", "-ec", "-enc":
		return true
	default:
		return len(low) <= 6 && strings.HasPrefix(low, "-") && !strings.HasPrefix(low, "--") && strings.Contains(low, "c")
	}
}

var (
	removeAll = regexp.MustCompile(`\brm\s+(-[a-zA-Z]+\s+)*-[a-zA-Z]*([rR][a-zA-Z]*f|f[a-zA-Z]*[rR])`)
	loadAndDo = regexp.MustCompile(`\b(curl|wget|iwr|invoke-webrequest)\b[^|]*\|\s*(sudo\s+)?(\S*/)?(ba|z|da|k)?sh\b|\b(iex|invoke-expression)\b`)
	allOfIt   = regexp.MustCompile(`(^|[\s=:,"'])(/|/etc|/root|/home|/usr|/var|/Users|[A-Za-z]:\\)/?($|[\s:,"'])`)
	keyPlaces = regexp.MustCompile(`(^|[/\\])\.(ssh|gnupg|aws|kube|docker|netrc|password-store|mozilla)($|[/\\])`)
)

func (p *problems) warnArgs(s Settings) {
	home, _ := os.UserHomeDir()
	line := s.Command + " " + strings.Join(s.Args, " ")
	if removeAll.MatchString(line) {
		p.add("args", "“rm -rf” deletes files without asking.")
	}
	if loadAndDo.MatchString(strings.ToLower(line)) {
		p.add("args", "This loads something from the network and runs it at once.")
	}
	if strings.Contains(line, "--privileged") {
		p.add("args", "“--privileged” lets a container reach all of this computer.")
	}
	for i, a := range s.Args {
		field := fmt.Sprintf("args.%d", i)
		clean := strings.TrimRight(a, `/\`)
		switch {
		case len(secrets.Refs(a)) > 0:
			p.add(field, "Other programs on this computer can read the secret in this argument. Where the server allows, put it into the environment.")
		case keyPlaces.MatchString(a):
			p.add(field, "This is a place where keys and passwords are kept.")
		case home != "" && clean == filepath.Clean(home):
			p.add(field, "This is your complete home folder.")
		case allOfIt.MatchString(a):
			p.add(field, "This is a folder of the system itself, or all of its files.")
		}
	}
}

func (p *problems) warnEnv(s Settings) {
	for i, v := range s.Env {
		if why := dangerousEnv(v.Name); why != "" {
			p.add(fmt.Sprintf("env.%d.name", i), fmt.Sprintf("%s %s.", v.Name, why))
		}
		if secretName.MatchString(v.Name) && literalSecret(v.Value) {
			p.add(fmt.Sprintf("env.%d.value", i), looksSecret)
		}
	}
}

// dangerousEnv says what a variable can do to the program that starts, "" if it is
// an ordinary one.
func dangerousEnv(name string) string {
	switch up := strings.ToUpper(name); {
	case strings.HasPrefix(up, "LD_"), strings.HasPrefix(up, "DYLD_"):
		return "can put foreign code into the program"
	case up == "NODE_OPTIONS", up == "PYTHONPATH", up == "PYTHONSTARTUP", up == "PYTHONHOME", up == "PERL5OPT", up == "PERL5LIB",
		up == "RUBYOPT", up == "RUBYLIB", up == "JAVA_TOOL_OPTIONS", up == "_JAVA_OPTIONS", up == "BASH_ENV", up == "ENV",
		up == "ZDOTDIR", up == "PROMPT_COMMAND", up == "NODE_PATH", up == "GCONV_PATH", strings.HasPrefix(up, "BASH_FUNC_"):
		return "can make the program load and run other code"
	case up == "PATH":
		return "decides which programs the server finds, itself included"
	case up == "GIT_SSH_COMMAND", up == "GIT_SSH", up == "GIT_EXTERNAL_DIFF", up == "EDITOR", up == "PAGER":
		return "names a program that may be run"
	case up == "NODE_TLS_REJECT_UNAUTHORIZED", up == "PYTHONHTTPSVERIFY", up == "GIT_SSL_NO_VERIFY":
		return "can switch off the check of who is at the other end"
	}
	return ""
}

const looksSecret = "This looks like a secret and is kept readable in the settings. Make it one: ${secret:NAME}."

var secretName = regexp.MustCompile(`(?i)(token|secret|passw|credential|api[-_]?key|access[-_]?key|private[-_]?key|^authorization$|^cookie$)`)

// literalSecret tells whether the value is written out and worth hiding.
func literalSecret(value string) bool {
	return len(secrets.Refs(value)) == 0 && !secrets.Weak(strings.TrimSpace(value)) && bareReference(value) == ""
}

func (p *problems) warnHTTP(s Settings) {
	for i, h := range s.Headers {
		if (credentialHeader(h.Name) || secretName.MatchString(h.Name)) && literalSecret(h.Value) {
			p.add(fmt.Sprintf("headers.%d.value", i), looksSecret)
		}
	}
	u, err := url.Parse(maskRefs(s.URL))
	if err != nil {
		return
	}
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		p.add("url", "The address is http: everything sent and received can be read and changed on the way.")
	}
	if len(literalQuerySecrets(s.URL)) > 0 {
		p.add("url", looksSecret)
	}
}

// literalQuerySecrets returns the values written out in the query of an address
// under names of secrets.
func literalQuerySecrets(text string) []secrets.Known {
	_, query, _ := strings.Cut(text, "?")
	var out []secrets.Known
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if !secretName.MatchString(name) && !strings.EqualFold(name, "key") || !literalSecret(value) {
			continue
		}
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		out = append(out, secrets.Known{Name: "url-" + name, Value: value})
	}
	return out
}

// literalSecrets returns the credentials that are written out in headers and
// address, so that they are masked like named ones.
func (s Settings) literalSecrets() []secrets.Known {
	if s.Kind != KindHTTP {
		return nil
	}
	out := literalQuerySecrets(s.URL)
	for _, h := range s.Headers {
		if !credentialHeader(h.Name) && !secretName.MatchString(h.Name) || !literalSecret(h.Value) {
			continue
		}
		name := "header-" + h.Name
		if _, value, ok := strings.Cut(h.Value, " "); ok && !secrets.Weak(value) { // "Bearer VALUE"
			out = append(out, secrets.Known{Name: name, Value: value})
		}
		out = append(out, secrets.Known{Name: name, Value: h.Value})
	}
	return out
}
