package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"countersign/app/calls"
	"countersign/store"
)

// workList is the worker of a list: it sleeps until a call of the list changed, or
// the person did something to the list.
func (a *App) workList(ctx context.Context, l *openList) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		}
		a.settleLines(ctx, l)
		for {
			i, line, ok := l.take()
			if !ok {
				break
			}
			a.proposeLine(ctx, l, i, line)
			a.settleLines(ctx, l)
		}
		l.mu.Lock()
		gone := l.gone
		l.mu.Unlock()
		if gone {
			return
		}
	}
}

// proposeLine proposes one line and enters its call, or why there is none.
func (a *App) proposeLine(ctx context.Context, l *openList, i int, line listLine) {
	defer a.events.publish(TopicLists, l.id)
	serverID, why := a.listServer(l, line)
	if why != "" {
		l.refuse(i, why)
		return
	}
	tool := line.Tool
	if l.table != nil {
		tool = l.tool
	}
	wait := l.wait
	row, errs, err := a.road.Propose(ctx, calls.Proposal{ServerID: serverID, Tool: tool, Arguments: line.Arguments, Origin: calls.OriginList,
		OriginDetail: fmt.Sprintf("%s, line %d", l.name, line.Number), Wait: &wait})
	var unavailable *calls.UnavailableError
	switch {
	case row.ID != "":
		if l.enter(i, row) { // closed meanwhile
			a.withdrawLine(ctx, row.ID)
		}
		if err != nil {
			l.halt(a.mask.line(sentence(err.Error())))
		}
	case len(errs) > 0:
		l.refuse(i, a.fieldWords(errs))
	case errors.As(err, &unavailable), errors.Is(err, calls.ErrNoTool):
		l.refuse(i, a.mask.line(sentence(err.Error())))
	case err != nil:
		l.putBack(i)
		l.halt(a.mask.line(sentence(err.Error())))
	}
}

// fieldWords are faults of arguments in one line.
func (a *App) fieldWords(errs []calls.FieldError) string {
	text := "The arguments do not fit the tool"
	for i, e := range a.fieldErrors(errs[:min(len(errs), 3)]) {
		text += [...]string{": ", "; ", "; "}[i]
		if e.Pointer != "" {
			text += e.Pointer + ": "
		}
		text += e.Message
	}
	return clip(text, maxLine)
}

// listServer finds the server of a line by id, else by its name.
func (a *App) listServer(l *openList, line listLine) (id, why string) {
	name := line.Server
	if l.table != nil {
		name = l.serverID
	}
	if _, ok := a.config.get(name); ok {
		return name, ""
	}
	for _, c := range a.config.all() {
		if c.row.Name != name {
			continue
		}
		if id != "" {
			return "", "Two servers have this name: name the server by its id."
		}
		id = c.row.ID
	}
	if id == "" {
		return "", "There is no such server."
	}
	return id, ""
}

// settleLines reads the calls that changed. One that was proposed anew is
// followed to the call in its place.
func (a *App) settleLines(ctx context.Context, l *openList) {
	l.mu.Lock()
	touched := l.touched
	l.touched = map[string]bool{}
	l.mu.Unlock()
	for id := range touched {
		row, err := a.store.CallByID(ctx, id)
		if err == nil && calls.State(row.State).Final() {
			if next, ok := a.successor(ctx, row); ok {
				l.follow(id, next)
				row = next
			}
		}
		if err != nil {
			if ctx.Err() == nil {
				a.log.Error("a call of a list cannot be read", slog.String("error", a.mask.text(err.Error())))
			}
			l.again(id)
			continue
		}
		l.settle(row)
	}
	if len(touched) > 0 {
		a.events.publish(TopicLists, l.id)
	}
}

// successor is the call that was proposed in the place of one whose tool
// changed.
func (a *App) successor(ctx context.Context, row store.Call) (store.Call, bool) {
	children, err := a.store.Children(ctx, row.ID, 100)
	if err != nil {
		return store.Call{}, false
	}
	for _, c := range children {
		if c.Origin == calls.OriginList && c.OriginDetail == row.OriginDetail {
			return c, true
		}
	}
	return store.Call{}, false
}

const reasonListClosed = "the list was closed"

// withdrawLine takes back the call of a line that still waits. One that went on
// meanwhile goes on; where another took its place, that is taken back.
func (a *App) withdrawLine(ctx context.Context, id string) {
	for {
		_, err := a.road.Withdraw(ctx, id, reasonListClosed)
		if err == nil {
			return
		}
		var moved *calls.MoveError
		if !errors.As(err, &moved) {
			if ctx.Err() == nil {
				a.log.Error("a call of a closed list could not be withdrawn", slog.String("error", a.mask.text(err.Error())))
				a.notices.add("error", "A call of a list that was closed could not be withdrawn: it still waits for you.", "Withdraw it on its card.")
				a.events.publish(TopicSettings, "")
			}
			return
		}
		row, err := a.store.CallByID(ctx, id)
		if err != nil {
			return
		}
		next, ok := a.successor(ctx, row)
		if !ok {
			return
		}
		id = next.ID
	}
}

// enter notes the call of a line, and says whether the list was closed
// meanwhile.
func (l *openList) enter(i int, row store.Call) (gone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := &l.lines[i]
	line.callID, line.serverName, line.Tool, line.state = row.ID, row.ServerName, row.Tool, row.State
	l.byCall[row.ID] = i
	l.touched[row.ID] = true // it may have changed before it was known here
	l.stir()
	return l.gone
}

func (l *openList) follow(from string, row store.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := l.byCall[from]
	if !ok {
		return
	}
	delete(l.byCall, from)
	l.byCall[row.ID] = i
	l.lines[i].callID = row.ID
	l.touched[row.ID] = true
	l.stir()
}

// settle enters the state of a call; one that has ended leaves room for
// another.
func (l *openList) settle(row store.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := l.byCall[row.ID]
	if !ok || l.lines[i].done() {
		return
	}
	line := &l.lines[i]
	line.state, line.reason = row.State, row.DecisionReason
	if line.reason == "" {
		line.reason = row.ErrorText
	}
	if line.done() {
		l.busy--
	}
}

// refuse ends a line for which nothing is proposed.
func (l *openList) refuse(i int, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy--
	l.lines[i].state, l.lines[i].reason = lineNotProposed, why
}

// putBack undoes take.
func (l *openList) putBack(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy--
	l.next = i
}

// halt has no more lines proposed until the person has the list go on.
func (l *openList) halt(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.problem = why
}

// again has a call looked at with the next change.
func (l *openList) again(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.touched[id] = true
}

// baseName is the name of a file as it is shown and recorded.
func baseName(path string) string { return clip(visible(filepath.Base(path)), 200) }
