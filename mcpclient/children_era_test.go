package mcpclient

import (
	"fmt"
	"os"

	"countersign/mcpclient/jsonrpc"
)

// silentChild ignores what it does not know, and answers the probe at last, when
// initialize has been asked: with the answer's id of the probe.
func silentChild() {
	p := newPeer()
	var probe jsonrpc.Message
	for {
		m, ok := p.next()
		if !ok {
			return
		}
		switch m.Method {
		case "server/discover":
			probe = m
		case "initialize":
			p.result(probe, fmt.Sprintf(discovered, false))
			p.result(m, fmt.Sprintf(initialized, LegacyVersion))
		case "tools/call":
			p.result(m, okResult)
		}
	}
}

// slowChild answers the probe when initialize has been asked; so it is modern, and
// legacy too if both is set.
func slowChild(both bool) {
	p := newPeer()
	probe, _ := p.next()
	m, _ := p.next()
	p.result(probe, fmt.Sprintf(discovered, false))
	if !both {
		p.fail(m, -32601, "no such method")
		p.serve(EraModern, p.tools)
		return
	}
	p.result(m, fmt.Sprintf(initialized, LegacyVersion))
	p.serve(EraLegacy, p.tools)
}

// latecomerChild is a legacy server that begins to read late: it refuses the
// probe, without an id, when initialize has been asked.
func latecomerChild() {
	p := newPeer()
	_, _ = p.next()
	m, _ := p.next()
	p.line(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not initialized"}}`)
	p.result(m, fmt.Sprintf(initialized, LegacyVersion))
	p.serve(EraLegacy, p.tools)
}

// readerChild reads and never answers.
func readerChild() {
	p := newPeer()
	for {
		if _, ok := p.next(); !ok {
			return
		}
	}
}

// pickyChild ends at any first message but the opening one of its era.
func pickyChild(era Era) {
	p := newPeer()
	m, _ := p.next()
	opening, answer := "initialize", fmt.Sprintf(initialized, LegacyVersion)
	if era == EraModern {
		opening, answer = "server/discover", fmt.Sprintf(discovered, false)
	}
	if m.Method != opening {
		fmt.Fprintln(os.Stderr, "expected "+opening)
		os.Exit(1)
	}
	p.result(m, answer)
	p.serve(era, p.tools)
}

// modernOnlyChild does not answer what is not modern.
func modernOnlyChild() {
	p := newPeer()
	for {
		m, ok := p.next()
		if !ok {
			return
		}
		switch m.Method {
		case "server/discover":
			p.result(m, fmt.Sprintf(discovered, false))
		case "tools/call":
			p.result(m, okResult)
		}
	}
}
