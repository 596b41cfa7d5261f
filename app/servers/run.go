package servers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"countersign/mcpclient"
)

// Defaults of mcpclient.Config, for the bound on stopping.
const (
	defaultGrace = 3 * time.Second
	stopRungs    = 3
	stopSpare    = 5 * time.Second
)

// run makes one try: prepare, connect, and look after the connection until it
// ends or the server is no longer wanted. It returns when nothing of it is left.
func (s *supervisor) run() {
	ctx, ok := s.begin()
	if !ok {
		return
	}
	defer s.finish()
	firstLine := s.log.newest()
	p, err := s.m.deps.Prepare(ctx, s.id)
	if err != nil {
		s.fail(ctx, p, err, 0, firstLine)
		return
	}
	s.prepared(p)
	l := &link{prepared: p, dirty: make(chan struct{}, 1)}
	c, err := s.m.connect(ctx, s.config(p, l))
	if err != nil {
		s.m.remember(p.Fingerprint, "")
		s.fail(ctx, p, err, 0, firstLine)
		return
	}
	l.conn, l.info = c, c.Info()
	s.m.remember(p.Fingerprint, l.info.Remember)
	s.serve(ctx, l, firstLine)
}

// begin opens a run, if the server is still wanted now.
func (s *supervisor) begin() (context.Context, bool) {
	s.mu.Lock()
	if s.want != wantOn || s.halted || time.Until(s.due) > 0 {
		s.mu.Unlock()
		return nil, false
	}
	if s.clean {
		s.past = history{}
		s.clean = false
	}
	s.due = time.Time{}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.moveLocked(Starting, nil)
	s.mu.Unlock()
	s.deliver()
	return ctx, true
}

// finish closes a run. Where it was ended and the server is wanted again, it
// goes on to the next.
func (s *supervisor) finish() {
	s.mu.Lock()
	s.cancel()
	s.cancel = nil
	if s.status.State == Stopping {
		s.moveLocked(Stopped, nil)
		if s.want == wantOn {
			s.moveLocked(Starting, nil)
		}
	}
	s.broadcastLocked()
	s.mu.Unlock()
	s.deliver()
}

// prepared takes note of the launch. A list of tools that another launch gave
// is dropped: with other settings or credentials it is another's (CACHE-09).
func (s *supervisor) prepared(p Prepared) {
	s.mu.Lock()
	if s.status.State == Starting {
		s.moveLocked(Starting, func(st *Status) { st.Fingerprint = p.Fingerprint })
	}
	dropped := s.listing.list != nil && s.listing.fingerprint != p.Fingerprint
	if dropped {
		s.listing = listing{}
	}
	s.mu.Unlock()
	s.deliver()
	if dropped && s.m.deps.OnTools != nil {
		s.m.deps.OnTools(s.id)
	}
}

// config completes the configuration of a connection.
func (s *supervisor) config(p Prepared, l *link) mcpclient.Config {
	cfg, deps := p.Config, s.m.deps
	cfg.Gate = deps.Gate
	if era, known := s.m.era(p.Fingerprint); known {
		cfg.RememberedEra = era
	}
	cfg.Events = mcpclient.Events{
		ToolsChanged: func() { s.toolsChanged(l) },
		Deaf:         func(why string) { s.deaf(l, why) },
		Log: func(line mcpclient.LogLine) {
			s.addLine(Line{Time: line.Time, Source: line.Source, Level: line.Level, Text: line.Text}, p.Mask)
		},
	}
	if deps.OnElicit != nil {
		cfg.Events.Elicit = func(e mcpclient.LegacyElicitation) { deps.OnElicit(s.id, e) }
	}
	if deps.OnAftermath != nil {
		cfg.Events.Aftermath = func(a mcpclient.Aftermath) { deps.OnAftermath(s.id, a) }
	}
	if deps.OnElicitGone != nil {
		cfg.Events.ElicitGone = func(requestID string) { deps.OnElicitGone(s.id, requestID) }
	}
	return cfg
}

// serve looks after a connection until it ends or ctx does, and closes it.
func (s *supervisor) serve(ctx context.Context, l *link, firstLine int64) {
	began := time.Now()
	s.noteStart(l)
	if s.m.deps.OnStarted != nil {
		s.m.deps.OnStarted(ctx, s.id, l.prepared, l.info)
	}
	s.publish(ctx, l)
	lists, endLists := context.WithCancel(ctx)
	listed := make(chan struct{})
	go func() {
		defer close(listed)
		s.keepListed(lists, l)
	}()
	var ended error
	select {
	case <-l.conn.Done():
		if ended = l.conn.Err(); ended == nil {
			ended = mcpclient.ErrClosed
		}
		ran := max(time.Since(began), 1) // even where the clock did not move
		if !s.fail(ctx, l.prepared, ended, ran, firstLine) {
			ended = nil // it was being stopped anyway
		}
	case <-ctx.Done():
	}
	endLists()
	<-listed
	s.closeConn(l)
	s.mu.Lock()
	if s.listing.link == l {
		s.listing.link = nil // do not hold on to what has ended
	}
	s.mu.Unlock()
	if s.m.deps.OnEnded != nil {
		s.m.deps.OnEnded(s.id, ended)
	}
}

func (s *supervisor) noteStart(l *link) {
	for _, fallback := range l.info.Fallbacks {
		s.note("info", l.prepared.Mask, "Tried and given up: %s", fallback)
	}
	text := fmt.Sprintf("Connected: %s, %s", l.info.Era, l.info.Version)
	if l.info.PID != 0 {
		text += fmt.Sprintf(", process %d", l.info.PID)
	}
	s.note("info", nil, "%s.", text)
}

// publish makes the connection known, unless the server was stopped meanwhile.
func (s *supervisor) publish(ctx context.Context, l *link) {
	s.mu.Lock()
	if ctx.Err() == nil {
		s.link = l
		s.moveLocked(Running, func(st *Status) {
			st.Era, st.Version = string(l.info.Era), l.info.Version
			st.ServerName, st.ServerVersion = l.info.ServerInfo.Title, l.info.ServerInfo.Version
			if st.ServerName == "" {
				st.ServerName = l.info.ServerInfo.Name
			}
			st.Instructions, st.PID, st.Fallbacks = l.info.Instructions, l.info.PID, l.info.Fallbacks
			st.Fingerprint = l.prepared.Fingerprint
			l.tellDeaf(st)
		})
	}
	s.mu.Unlock()
	s.deliver()
}

// deaf takes note that changes of the tools are not heard of, or are again.
func (s *supervisor) deaf(l *link, why string) {
	s.mu.Lock()
	l.deaf = why
	if s.link == l && s.status.State == Running {
		now := s.status
		s.moveLocked(Running, func(st *Status) {
			*st = now
			l.tellDeaf(st)
		})
	}
	s.mu.Unlock()
	s.deliver()
}

// tellDeaf words the state of a connection whose changes are not heard of.
func (l *link) tellDeaf(st *Status) {
	st.Code, st.Reason, st.Hint = "", "", ""
	if l.deaf != "" {
		st.Code, st.Reason = CodeDeaf, "Changes of its tools are not announced now: "+l.deaf+"."
		st.Hint = "Calls work, and its list is asked for before each."
	}
}

// fail takes in that a run did not come to be, or ended: it shows why, and
// plans the next try or gives up. It says no, and does nothing, when the run
// was being ended anyway.
func (s *supervisor) fail(ctx context.Context, p Prepared, err error, ran time.Duration, firstLine int64) bool {
	f := explain(p, ran > 0, err, s.lastStderr(firstLine))
	s.mu.Lock()
	if ctx.Err() != nil {
		s.mu.Unlock()
		return false
	}
	now := time.Now()
	wait, giveUp := s.past.note(f.kind, now, ran)
	s.link = nil
	to, next := Starting, now.Add(wait)
	if giveUp {
		to, next, f = Attention, time.Time{}, f.tooOften(p)
	}
	s.halted, s.due = giveUp, next
	s.moveLocked(to, func(st *Status) {
		st.Code, st.Reason, st.Hint = f.code, f.reason, f.hint
		st.NextTry, st.Fingerprint = next, p.Fingerprint
	})
	s.mu.Unlock()
	s.deliver()
	s.note("error", nil, "%s", f.reason)
	if !giveUp {
		s.note("info", nil, "The next try is in %s.", wait.Round(100*time.Millisecond))
	}
	return true
}

// closeConn stops the server by mcpclient's ladder. When the whole program
// ends, the ladder is cut short by the Manager's hard end.
func (s *supervisor) closeConn(l *link) {
	grace := l.prepared.Config.StopGrace
	if grace <= 0 {
		grace = defaultGrace
	}
	ctx, cancel := context.WithTimeout(s.m.hard, stopRungs*grace+stopSpare)
	defer cancel()
	if err := l.conn.Close(ctx); err != nil && !errors.Is(err, mcpclient.ErrClosed) {
		s.note("warning", l.prepared.Mask, "Stopping was not clean: %v", err)
	}
}

// note writes a line of our own into the log.
func (s *supervisor) note(level string, mask func(string) string, format string, args ...any) {
	s.addLine(Line{Time: time.Now(), Source: "countersign", Level: level, Text: fmt.Sprintf(format, args...)}, mask)
}

func (s *supervisor) addLine(line Line, mask func(string) string) {
	if mask != nil {
		line.Text = mask(line.Text)
	}
	s.log.add(line)
	if s.m.deps.OnLog != nil {
		s.m.deps.OnLog(s.id)
	}
}

// lastStderr gives the last lines of stderr after a line number.
func (s *supervisor) lastStderr(after int64) []string {
	lines, _ := s.log.after(after)
	var texts []string
	for i := len(lines) - 1; i >= 0 && len(texts) < 3; i-- {
		if lines[i].Source == "stderr" && strings.TrimSpace(lines[i].Text) != "" {
			texts = append([]string{lines[i].Text}, texts...)
		}
	}
	return texts
}
