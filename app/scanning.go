package app

import (
	"os"
	"sync"

	"countersign/app/findings"
)

// scans remembers findings, so that a queue that is looked at again is not
// scanned again. Safe to call together.
type scans struct {
	mu    sync.Mutex
	rev   uint64 // of the catalog that known was made from
	known map[string]*findings.Known
	done  map[scanned][]findings.Finding
}

// scanned is one text and what it was compared with.
type scanned struct {
	server, hash string
	arguments    bool
}

// keptScans is how many scans are remembered.
const keptScans = 512

// definitionFindings scans a tool's definition.
func (a *App) definitionFindings(serverID string, e toolEntry) []FindingView {
	return a.scan(scanned{server: serverID, hash: e.Hash}, e.Raw)
}

// argumentFindings scans arguments as they were kept, secrets masked.
func (a *App) argumentFindings(serverID, hash string, args []byte) []FindingView {
	return a.scan(scanned{server: serverID, hash: hash, arguments: true}, args)
}

func (a *App) scan(what scanned, raw []byte) []FindingView {
	known := a.knownBeside(what.server)
	a.scans.mu.Lock()
	found, ok := a.scans.done[what]
	a.scans.mu.Unlock()
	if !ok {
		if what.arguments {
			found = findings.Arguments(raw, known)
		} else {
			found = findings.Definition(raw, known)
		}
		a.scans.mu.Lock()
		if len(a.scans.done) >= keptScans {
			clear(a.scans.done)
		}
		a.scans.done[what] = found
		a.scans.mu.Unlock()
	}
	out := []FindingView{}
	for _, f := range found {
		out = append(out, FindingView{Kind: string(f.Kind), Pointer: a.mask.line(f.Pointer), Name: f.Name, Piece: a.mask.line(f.Piece), Says: a.mask.line(f.Says), Definition: !what.arguments})
	}
	return out
}

// knownBeside is what the texts of a server are compared with; made anew, and
// every scan forgotten, once any list changed.
func (a *App) knownBeside(serverID string) *findings.Known {
	rev := a.catalog.revision()
	a.scans.mu.Lock()
	defer a.scans.mu.Unlock()
	if a.scans.known == nil || a.scans.rev != rev {
		a.scans.rev, a.scans.known, a.scans.done = rev, map[string]*findings.Known{}, map[scanned][]findings.Finding{}
	}
	k := a.scans.known[serverID]
	if k == nil {
		home, _ := os.UserHomeDir() // without one there is none to compare with
		k = findings.NewKnown(a.toolsBeside(serverID), a.opt.DataDir, home)
		a.scans.known[serverID] = k
	}
	return k
}

func (a *App) toolsBeside(serverID string) (list []findings.Tool) {
	for id, l := range a.catalog.all() {
		name, ok := a.config.name(id)
		if id == serverID || !ok {
			continue
		}
		for _, t := range l.tools {
			list = append(list, findings.Tool{Server: name, Name: t.Name})
		}
	}
	return list
}
