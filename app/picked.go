package app

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"countersign/app/launch"
)

// pickedFiles are the files that the person chose in a native dialog since the
// start. The page hands their paths back, and no others count: it cannot have
// a file opened that nobody chose. Safe to call together.
type pickedFiles struct {
	mu    sync.Mutex
	paths map[string]bool
}

func (p *pickedFiles) add(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paths == nil {
		p.paths = map[string]bool{}
	}
	p.paths[path] = true
}

func (p *pickedFiles) has(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paths[path]
}

// ChooseCA lets the person choose a file of certificates in a native dialog. It
// gives the path for ServerDraft.CAFile, "" when none was chosen.
func (s *Servers) ChooseCA(token string) (string, error) {
	a := s.a
	return guard(a, token, "Servers.ChooseCA", func(context.Context) (string, error) {
		path, err := a.opt.Window.ChooseFile("Choose a file of certificates (PEM)")
		if err != nil {
			return "", fmt.Errorf("choosing a file: %w", err)
		}
		if path == "" {
			return "", nil
		}
		var fault *launch.Error
		if err := launch.CheckCAFile(path); errors.As(err, &fault) {
			return "", &Error{Code: CodeInvalid, Message: fault.Message, Hint: "Choose a file of certificates in PEM form."}
		}
		a.picked.add(path)
		return path, nil
	})
}

// pickedCA says whether a draft's certificate file was chosen by the person,
// now or before.
func (a *App) pickedCA(d ServerDraft) bool {
	c, ok := a.config.get(d.ID)
	return d.CAFile == "" || a.picked.has(d.CAFile) || ok && c.settings.CAFile == d.CAFile
}
