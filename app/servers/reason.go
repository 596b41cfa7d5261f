package servers

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"countersign/mcpclient"
)

// failure is a failure in words, and what is done about it.
type failure struct {
	kind               kind
	code, reason, hint string
}

const hintLog = "Its log may say why."

// explain words why a server did not start, or, when it had been running, why
// it ended. tail are the last lines it wrote to stderr. Nothing is decided by
// what the server says, only by the type of the error.
func explain(p Prepared, ran bool, err error, tail []string) failure {
	var attention *AttentionError
	if errors.As(err, &attention) {
		return failure{final, attention.Code, attention.Reason, attention.Hint}
	}
	f := explainProcess(p, err, &tail)
	if f == nil {
		f = explainAnswer(p, err)
	}
	if f == nil {
		f = explainNetwork(p, err)
	}
	if f == nil {
		f = &failure{kind: slow, code: CodeFailed, reason: strings.TrimPrefix(err.Error(), "connect: "), hint: hintLog}
		if p.Config.HTTP != nil {
			f.kind, f.hint = network, ""
		}
	}
	if f.kind == slow && ran && p.Config.Stdio != nil {
		f.kind, f.code = crash, CodeCrashed // it runs, perhaps, but it is gone for us
	}
	verb := " did not start: "
	switch {
	case p.Config.HTTP != nil && ran:
		verb = " is disconnected: "
	case p.Config.HTTP != nil:
		verb = " could not be reached: "
	case ran:
		verb = " stopped: "
	}
	f.reason = named(p) + verb + sentence(f.reason) + lastWords(tail)
	if p.Mask != nil {
		f.reason = p.Mask(f.reason)
	}
	return *f
}

// explainProcess knows the ways in which a program does not start or ends.
func explainProcess(p Prepared, err error, tail *[]string) *failure {
	if p.Config.Stdio == nil {
		return nil
	}
	var exit *mcpclient.ExitError
	var path *fs.PathError
	program := "`" + command(p) + "`"
	switch {
	case errors.As(err, &exit):
		if exit.Stderr != "" {
			*tail = strings.Split(exit.Stderr, "\n")
		}
		if exit.Signal != "" {
			return &failure{crash, CodeCrashed, "it was ended by the signal " + exit.Signal, hintLog}
		}
		return &failure{crash, CodeCrashed, fmt.Sprintf("it ended with exit code %d", exit.Code), hintLog}
	case errors.As(err, &path) && noFolder(p.Config.Stdio.Dir):
		return &failure{final, CodeConfig, "its working directory `" + p.Config.Stdio.Dir + "` is not a folder that can be used",
			"Create the folder or choose another in its settings."}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return &failure{final, CodeNotFound, program + " was not found", "Set the full path or check your shell's PATH."}
	case errors.Is(err, fs.ErrPermission):
		return &failure{final, CodeConfig, program + " may not be executed", "Check the file's permissions."}
	case errors.Is(err, syscall.ENOEXEC):
		return &failure{final, CodeConfig, program + " is not a program for this system", "Choose another command."}
	}
	return nil
}

// noFolder looks whether the working directory is why a program could not be
// started: the system's own error names the program in either case.
func noFolder(dir string) bool {
	if dir == "" {
		return false
	}
	info, err := os.Stat(dir)
	return err != nil || !info.IsDir()
}

// explainAnswer knows the answers that tell that trying again is of no use.
func explainAnswer(p Prepared, err error) *failure {
	var status *mcpclient.HTTPError
	var moved *mcpclient.RedirectError
	var version *mcpclient.VersionError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(err, mcpclient.ErrSessionGone):
		return &failure{renewal, CodeFailed, mcpclient.ErrSessionGone.Error(), ""}
	case errors.As(err, &moved):
		return &failure{final, CodeConfig, moved.Error(), "If you trust the new address, put it into the settings."}
	case errors.As(err, &status):
		return explainStatus(status)
	case errors.As(err, &version):
		return &failure{final, CodeFailed, version.Error(), "A newer version of the server may help."}
	case errors.As(err, &cert):
		return &failure{final, CodeFailed, "its certificate is not trusted (" + cert.Err.Error() + ")",
			"Check the address and this computer's clock. If the server has an authority of its own, choose its certificate file in the settings."}
	}
	return nil
}

func explainStatus(err *mcpclient.HTTPError) *failure {
	f := &failure{final, CodeConfig, err.Error(), "Check the address."}
	switch {
	case err.Status == 401 || err.Status == 403:
		f.hint = "Check the headers and secrets in its settings."
	case err.Status == 408 || err.Status == 425 || err.Status == 429 || err.Status >= 500:
		*f = failure{network, CodeFailed, err.Error(), ""}
	}
	return f
}

// explainNetwork knows why nobody answered.
func explainNetwork(p Prepared, err error) *failure {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	var limit *mcpclient.TimeoutError
	f := &failure{kind: network, code: CodeFailed, hint: "Check the address, and that the server runs."}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		f.reason = "nothing answers at " + host(p) + " (connection refused)"
	case errors.As(err, &dns):
		f.reason = "the name " + dns.Name + " was not found"
		if !dns.IsNotFound {
			f.reason = "the name " + dns.Name + " could not be looked up (" + dns.Err + ")"
		}
	case errors.As(err, &limit):
		f.reason = limit.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.reason = "no answer in time"
	default:
		return nil
	}
	if p.Config.HTTP == nil {
		f.kind, f.hint = slow, hintLog
	}
	return f
}

// tooOften words the last of several failures after which nothing is tried any
// more.
func (f failure) tooOften(p Prepared) failure {
	switch f.kind {
	case crash:
		f.reason = fmt.Sprintf("%s stopped %d times within 2 minutes. The last time: %s", named(p), crashLimit, f.reason)
	case slow:
		f.reason = fmt.Sprintf("%s was tried %d times. The last time: %s", named(p), slowLimit, f.reason)
	default:
		return f
	}
	f.hint = strings.TrimSpace(f.hint + " It is not tried again until you start it.")
	return f
}

func named(p Prepared) string {
	if p.Name != "" {
		return p.Name
	}
	return "The server"
}

func command(p Prepared) string {
	if p.Command != "" {
		return p.Command
	}
	return p.Config.Stdio.Path
}

func host(p Prepared) string {
	if p.Config.HTTP == nil {
		return "its address"
	}
	if u, err := url.Parse(p.Config.HTTP.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return "its address"
}

// sentence ends a text with a full stop where it has no end.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// lastWords quotes the last three lines that say something, each cut at 200
// characters.
func lastWords(lines []string) string {
	var kept []string
	for i := len(lines) - 1; i >= 0 && len(kept) < 3; i-- {
		line := []rune(strings.TrimSpace(strings.ToValidUTF8(lines[i], "\uFFFD")))
		if len(line) == 0 {
			continue
		}
		if len(line) > 200 {
			line = append(line[:200:200], '…')
		}
		kept = append([]string{"“" + string(line) + "”"}, kept...)
	}
	if len(kept) == 0 {
		return ""
	}
	return " It last wrote: " + strings.Join(kept, ", ") + "."
}
