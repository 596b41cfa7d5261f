package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"countersign/app/calllist"
	"countersign/app/rawjson"
	"countersign/store"
)

const (
	defaultAtOnce   = 8
	maxAtOnce       = 32
	defaultListWait = 600 // seconds
	maxListPage     = 500 // lines
	formatTable     = "csv"
	formatLines     = "jsonl"
)

// Open has the person choose a call list in a native dialog, and reads it.
// Nothing is proposed before Start. The id is "" where none was chosen.
func (s *Lists) Open(token string) (ListView, error) {
	a := s.a
	return guard(a, token, "Lists.Open", func(context.Context) (ListView, error) {
		path, err := a.opt.Window.ChooseFile("Open a call list (JSON Lines or CSV)")
		if err != nil {
			return ListView{}, fmt.Errorf("choosing a file: %w", err)
		}
		if path == "" {
			return ListView{Columns: []string{}, Counts: []ListCount{}}, nil
		}
		l, err := readList(path)
		if err != nil {
			return ListView{}, &Error{Code: CodeInvalid, Message: sentence(a.mask.line(err.Error())), Hint: "Open another file: JSON Lines, or CSV with the names of the arguments in its first row."}
		}
		if !a.lists.add(l) {
			return ListView{}, &Error{Code: CodeUnavailable, Message: fmt.Sprintf("%d lists are open.", maxLists), Hint: "Close one first."}
		}
		a.events.publish(TopicLists, l.id)
		return a.listView(l), nil
	})
}

// readList reads a file that the person chose. Errors are clauses for a person
// and name no path.
func readList(path string) (*openList, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	l := &openList{id: uuid.NewString(), name: baseName(path), format: formatLines, byCall: map[string]int{}, touched: map[string]bool{},
		wake: make(chan struct{}, 1), atOnce: defaultAtOnce, wait: defaultListWait * time.Second}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv", ".tab":
		l.format = formatTable
		if l.table, err = calllist.ReadTable(data); err != nil {
			return nil, err
		}
		l.set(l.table.Lines(nil))
		return l, nil
	}
	lines, err := calllist.ReadJSONLines(data)
	if err != nil {
		return nil, err
	}
	l.set(lines)
	return l, nil
}

// readFile reads a whole ordinary file; anything else could block for ever.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("this is not an ordinary file")
	}
	if err != nil {
		return nil, withoutPath(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, calllist.MaxFile+1))
	return data, withoutPath(err)
}

func withoutPath(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("the file cannot be used: %w", at.Err)
	}
	return err
}

// set takes the lines in.
func (l *openList) set(lines []calllist.Line) {
	l.lines = make([]listLine, len(lines))
	for i, line := range lines {
		l.lines[i] = listLine{Line: line, state: lineReady, reason: sentence(line.Fault)}
		if line.Fault != "" {
			l.lines[i].state = lineNotProposed
		}
	}
}

// Start proposes the lines of a list, so many at once. Started again, a list
// that had to stop goes on.
func (s *Lists) Start(token, id string, req StartRequest) (ListView, error) {
	a := s.a
	return guard(a, token, "Lists.Start", func(context.Context) (ListView, error) {
		l, ok := a.lists.get(id)
		if !ok {
			return ListView{}, store.ErrNotFound
		}
		if req.AtOnce < 1 || req.AtOnce > maxAtOnce {
			return ListView{}, &Error{Code: CodeInvalid, Message: fmt.Sprintf("From 1 to %d calls of a list can wait at once.", maxAtOnce)}
		}
		if req.DeadlineSeconds < 0 || req.DeadlineSeconds > maxDeadline {
			return ListView{}, &Error{Code: CodeInvalid, Message: "A call waits at most 30 days."}
		}
		var lines []calllist.Line
		if l.table != nil {
			e, ok := a.catalog.tool(req.ServerID, req.Tool)
			if !ok {
				return ListView{}, &Error{Code: CodeInvalid, Message: "The server does not list this tool.", Hint: "Choose a tool for the columns of the list."}
			}
			schema, _ := rawjson.Get(e.Raw, "inputSchema")
			lines = l.table.Lines(schema)
		}
		if l.begin(req, lines) {
			a.background(func(ctx context.Context) { a.workList(ctx, l) })
		}
		a.events.publish(TopicLists, l.id)
		return a.listView(l), nil
	})
}

// begin starts a list or has it go on, and is true where it needs a worker.
func (l *openList) begin(req StartRequest, lines []calllist.Line) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.started {
		l.serverID, l.tool = req.ServerID, req.Tool
		l.atOnce, l.wait = req.AtOnce, time.Duration(req.DeadlineSeconds)*time.Second
		if l.table != nil {
			l.set(lines)
		}
	}
	first := !l.started && !l.gone
	l.started, l.problem = true, ""
	l.stir()
	return first
}

// List gives the open lists, in the order in which they were opened.
func (s *Lists) List(token string) ([]ListView, error) {
	a := s.a
	return guard(a, token, "Lists.List", func(context.Context) ([]ListView, error) {
		out := []ListView{}
		for _, l := range a.lists.all() {
			out = append(out, a.listView(l))
		}
		return out, nil
	})
}

// Get gives a list with count of its lines from the one of that index on.
func (s *Lists) Get(token, id string, from, count int) (ListPage, error) {
	a := s.a
	return guard(a, token, "Lists.Get", func(context.Context) (ListPage, error) {
		l, ok := a.lists.get(id)
		if !ok {
			return ListPage{}, store.ErrNotFound
		}
		page := ListPage{List: a.listView(l), From: max(from, 0), Lines: []ListLine{}}
		l.mu.Lock()
		page.From = min(page.From, len(l.lines))
		lines := slices.Clone(l.lines[page.From:min(len(l.lines), page.From+min(max(count, 0), maxListPage))])
		l.mu.Unlock()
		for _, line := range lines {
			page.Lines = append(page.Lines, a.lineView(l, line))
		}
		return page, nil
	})
}

func (a *App) listView(l *openList) ListView {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := ListView{ID: l.id, Name: a.mask.text(l.name), Format: l.format, Lines: len(l.lines), Columns: []string{}, Started: l.started, ServerID: l.serverID, Tool: l.tool,
		AtOnce: l.atOnce, DeadlineSeconds: int(l.wait / time.Second), Counts: l.counts(), Problem: l.problem}
	for i := range l.lines {
		if l.lines[i].Fault != "" {
			v.Faults++
		}
	}
	if l.table != nil {
		for _, c := range l.table.Columns[:min(len(l.table.Columns), maxListPage)] {
			v.Columns = append(v.Columns, clip(a.mask.text(c), maxTitle))
		}
	}
	return v
}

func (a *App) lineView(l *openList, line listLine) ListLine {
	v := ListLine{Line: line.Number, ID: clip(a.mask.text(line.ID), maxTitle), ServerName: line.serverName, Tool: line.Tool, State: line.state, CallID: line.callID,
		Reason: a.mask.line(line.reason)}
	if v.ServerName == "" {
		v.ServerName = line.Server
	}
	if v.Tool == "" {
		v.Tool = l.tool
	}
	v.ServerName, v.Tool = clip(a.mask.text(v.ServerName), maxTitle), clip(a.mask.text(v.Tool), maxTitle)
	return v
}

// Close closes a list: its calls that wait are withdrawn, those that run go on.
func (s *Lists) Close(token, id string) error {
	a := s.a
	return act(a, token, "Lists.Close", func(ctx context.Context) error {
		l, ok := a.lists.get(id)
		if !ok {
			return store.ErrNotFound
		}
		open := l.leave()
		a.lists.remove(l)
		a.events.publish(TopicLists, l.id)
		for _, call := range open {
			a.withdrawLine(ctx, call)
		}
		return nil
	})
}

// Report has the person choose where to save what became of each line, and is
// false where they chose nothing.
func (s *Lists) Report(token, id string) (bool, error) {
	a := s.a
	return guard(a, token, "Lists.Report", func(ctx context.Context) (bool, error) {
		l, ok := a.lists.get(id)
		if !ok {
			return false, store.ErrNotFound
		}
		path, err := a.opt.Window.SaveFile("Save the report of "+l.name, strings.TrimSuffix(l.name, filepath.Ext(l.name))+"-report."+l.format)
		if err != nil {
			return false, fmt.Errorf("choosing where to save: %w", err)
		}
		if path == "" {
			return false, nil
		}
		if err := a.saveReport(ctx, l, path); err != nil {
			return false, &Error{Code: CodeUnavailable, Message: "The report could not be saved: " + sentence(a.mask.line(withoutPath(err).Error())), Hint: "Save it in another place."}
		}
		return true, nil
	})
}

// saveReport writes to the side and renames, so that half a report is never
// taken for a whole one.
func (a *App) saveReport(ctx context.Context, l *openList, path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".report-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone where it was renamed
	write := calllist.WriteJSONLines
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		write = calllist.WriteTable
	}
	var broken error
	err = write(f, a.outcomes(ctx, l, &broken))
	if err = errors.Join(err, broken, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// outcomes goes through the lines as they are now. It ends at a fault of the
// store, which it leaves in broken.
func (a *App) outcomes(ctx context.Context, l *openList, broken *error) func(yield func(calllist.Outcome) bool) {
	l.mu.Lock()
	lines := slices.Clone(l.lines)
	l.mu.Unlock()
	return func(yield func(calllist.Outcome) bool) {
		for _, line := range lines {
			o, err := a.outcome(ctx, l, line)
			if err != nil {
				*broken = fmt.Errorf("line %d: %w", line.Number, err)
				return
			}
			if !yield(o) {
				return
			}
		}
	}
}

func (a *App) outcome(ctx context.Context, l *openList, line listLine) (calllist.Outcome, error) {
	v := a.lineView(l, line)
	o := calllist.Outcome{Line: line.Number, ID: a.mask.text(line.ID), Server: v.ServerName, Tool: v.Tool, State: line.state}
	if line.callID == "" {
		o.Error = v.Reason
		return o, nil
	}
	row, err := a.store.CallByID(ctx, line.callID)
	if err != nil {
		return o, err
	}
	o.CallID, o.State, o.Decision, o.Reason, o.Error = row.ID, row.State, row.Decision, row.DecisionReason, row.ErrorText
	if row.ResultPayload != "" {
		o.Result, err = a.store.PayloadBytes(ctx, row.ResultPayload)
	}
	return o, err
}
