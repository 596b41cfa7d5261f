package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"countersign/app/calls"
	"countersign/app/launch"
	"countersign/app/servers"
	"countersign/mcpclient"
	"countersign/store"
)

// supervision is what the supervisors reach the program by.
func (a *App) supervision() servers.Deps {
	return servers.Deps{
		Prepare: a.prepare, Gate: a.road,
		OnState: func(st servers.Status) {
			a.events.publish(TopicServers, st.ServerID)
			a.events.publish(TopicTools, st.ServerID)
		},
		OnTools:      func(id string) { a.events.publish(TopicTools, id) },
		OnLog:        func(id string) { a.events.publish(TopicLog, id) },
		OnElicit:     func(id string, e mcpclient.LegacyElicitation) { a.road.Elicit(id, e) },
		OnElicitGone: func(id, requestID string) { a.road.ElicitGone(id, requestID) },
		OnAftermath:  func(id string, m mcpclient.Aftermath) { a.road.Aftermath(id, m) },
		OnStarted:    a.started, SaveListing: a.saveListing, KeptListing: a.keptListing, OnEnded: a.ended,
	}
}

// prepare resolves a server's launch. Without consent to exactly this launch
// nothing is started or contacted.
func (a *App) prepare(ctx context.Context, id string) (servers.Prepared, error) {
	c, ok := a.config.get(id)
	if !ok {
		return servers.Prepared{}, &servers.AttentionError{Code: servers.CodeConfig, Reason: "This server was removed."}
	}
	p := servers.Prepared{Name: c.row.Name, Command: c.settings.Command, Mask: a.mask.text}
	r, err := a.resolve(ctx, c)
	var fault *launch.Error
	if errors.As(err, &fault) {
		return p, &servers.AttentionError{Code: fault.Code, Reason: a.mask.text(fault.Message), Hint: fault.Hint}
	}
	if err != nil {
		return p, err
	}
	yes, err := a.consented(ctx, c, r.Fingerprint)
	if err != nil {
		return p, fmt.Errorf("reading the record of consent: %w", err)
	}
	if !yes {
		return p, &servers.AttentionError{Code: codeConsent, Reason: "You have not agreed to this launch yet.", Hint: "Review what it would do, then agree or leave it."}
	}
	p.Fingerprint, p.Data = r.Fingerprint, r
	p.Config = mcpclient.Config{LaunchFingerprint: r.Fingerprint, Elicitation: true,
		MaxMessageBytes: int64(c.settings.MaxResultMiB) << 20,
		ClientInfo:      mcpclient.Implementation{Name: "countersign", Title: "Countersign", Version: a.opt.Version}}
	if l, ok := a.catalog.get(id); ok && l.fingerprint == r.Fingerprint {
		p.Config.RememberedEra = mcpclient.Era(l.info.Remember)
	}
	p.Config.Roots = a.rootsFor(c)
	if r.Stdio != nil {
		p.Config.Stdio = &mcpclient.StdioConfig{Path: r.Stdio.Path, Args: r.Stdio.Args, Env: r.Stdio.Env, Dir: r.Stdio.Dir}
	}
	if r.HTTP != nil {
		p.Config.HTTP = &mcpclient.HTTPConfig{URL: r.HTTP.URL, ExtraCAs: r.HTTP.ExtraCAs, Proxy: r.HTTP.Proxy, PlainHTTP: r.HTTP.PlainHTTP}
		for _, h := range r.HTTP.Headers {
			p.Config.HTTP.Headers = append(p.Config.HTTP.Headers, mcpclient.Header(h))
		}
	}
	return p, nil
}

// connection gives the running connection of a server to the road.
func (a *App) connection(id string) (calls.Conn, error) {
	name, ok := a.config.name(id)
	if !ok { // its process may still be ending
		return calls.Conn{}, errors.New("the server was removed")
	}
	client, p, err := a.manager.Client(id)
	if err == nil {
		return calls.Conn{Client: client, LaunchFingerprint: p.Fingerprint}, nil
	}
	st := a.manager.Status(id)
	if st.Reason != "" {
		return calls.Conn{}, fmt.Errorf("%s is not running: %s", name, a.mask.line(st.Reason))
	}
	return calls.Conn{}, fmt.Errorf("%s is not running: start it first", name)
}

// startedBody is the body of eventServerStarted.
type startedBody struct {
	Launch     string          `json:"launch"`
	Path       string          `json:"path,omitempty"`
	Size       int64           `json:"size,omitempty"` // of the executable, in bytes
	Changed    string          `json:"changed,omitempty"`
	URL        string          `json:"url,omitempty"`
	PID        int             `json:"pid,omitempty"`
	Process    *servers.Mark   `json:"process,omitempty"` // by which a later run knows it
	Era        string          `json:"era"`
	Version    string          `json:"version"`
	ServerInfo json.RawMessage `json:"serverInfo,omitempty"`
	Fallbacks  []string        `json:"fallbacks,omitempty"`
}

func (a *App) started(ctx context.Context, id string, p servers.Prepared, info mcpclient.Info) {
	body := startedBody{Launch: p.Fingerprint, PID: info.PID, Era: string(info.Era), Version: info.Version}
	if r, ok := p.Data.(launch.Resolved); ok && r.Stdio != nil {
		body.Path, body.Size, body.Changed = r.Stdio.Path, r.Stdio.Size, stamp(r.Stdio.ModTime)
	}
	if mark, ok := servers.MarkOf(info.PID); ok {
		body.Process = &mark
	}
	if p.Config.HTTP != nil {
		body.URL = a.mask.text(p.Config.HTTP.URL)
	}
	if len(info.ServerInfoRaw) <= maxText && json.Valid(info.ServerInfoRaw) {
		body.ServerInfo, _ = a.mask.bytes(info.ServerInfoRaw)
	}
	for _, f := range info.Fallbacks {
		body.Fallbacks = append(body.Fallbacks, a.mask.line(f))
	}
	a.note(ctx, store.NewEvent{Kind: eventServerStarted, ServerID: id, Body: body})
}

func (a *App) ended(id string, err error) {
	a.toldRoots.forget(id)
	body := map[string]string{"reason": "stopped as wanted"}
	if err != nil {
		body["reason"] = a.mask.text(err.Error())
	}
	a.note(context.Background(), store.NewEvent{Kind: eventServerEnded, ServerID: id, Body: body})
}

// note records an event that no action waits for.
func (a *App) note(ctx context.Context, e store.NewEvent) {
	if err := a.store.Append(ctx, []store.NewEvent{e}); err != nil {
		a.log.Error("an event could not be recorded", slog.String("kind", e.Kind), slog.String("error", err.Error()))
		a.notices.add("error", "Countersign could not write to its record: "+a.mask.text(err.Error())+".", "Check that the disk is not full.")
	}
}

// listedBody is the body of eventServerListed.
type listedBody struct {
	Launch   string   `json:"launch"`
	Tools    int      `json:"tools"`
	Problems int      `json:"problems,omitempty"`
	New      []string `json:"new,omitempty"`
	Changed  []string `json:"changed,omitempty"`
	Gone     []string `json:"gone,omitempty"`
}

// saveListing keeps a new list of tools and makes it count.
func (a *App) saveListing(ctx context.Context, id string, p servers.Prepared, tools *mcpclient.ToolList, info mcpclient.Info) error {
	kept := a.infoToKeep(p, info)
	before, _ := a.catalog.get(id)
	l := newListing(tools, kept, a.mask)
	l.fingerprint, l.received, l.fresh, l.expires = p.Fingerprint, a.opt.Now(), true, expiry(tools.Pages)
	infoJSON, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	row := store.Listing{ServerID: id, Fingerprint: p.Fingerprint, Info: infoJSON, Received: l.received}
	for _, page := range tools.Pages {
		raw, places := a.mask.bytes(page.Raw)
		if places > 0 {
			page.TTLMs = 0 // what is kept is not what the server gave: it must be asked again
		}
		row.Pages = append(row.Pages, store.ListPage{Cursor: page.Cursor, Raw: raw, Received: page.Received, TTLMs: page.TTLMs,
			CacheScope: page.CacheScope, Version: page.Version})
	}
	var defs []store.Definition
	for _, t := range l.tools {
		raw, _ := a.mask.bytes(t.Raw)
		defs = append(defs, store.Definition{Hash: t.Hash, ServerID: id, Name: t.Name, Raw: raw})
	}
	var events []store.NewEvent
	if body, news := listed(before, l); news {
		events = []store.NewEvent{{Kind: eventServerListed, ServerID: id, Body: body}}
	}
	if err := a.store.SaveListing(ctx, row, defs, events); err != nil {
		// A call points to the kept definition: what is not kept cannot be
		// called, so the former list stays.
		return fmt.Errorf("keeping the list: %w", err)
	}
	a.vouch(ctx, id, l)
	a.watchChanges(ctx, id, before, l)
	a.catalog.set(id, l)
	a.road.Redefined(id)
	a.events.publish(TopicTools, id)
	a.background(func(ctx context.Context) { a.icons.want(ctx, id, l, true) })
	return nil
}

// listed says what is new in a list; news is false when nothing is.
func listed(before, now *listing) (body listedBody, news bool) {
	body = listedBody{Launch: now.fingerprint, Tools: len(now.tools), Problems: len(now.problems)}
	defer func() {
		for _, names := range []*[]string{&body.New, &body.Changed, &body.Gone} {
			*names = fewNames(*names)
		}
	}()
	if before == nil {
		return body, true
	}
	for _, t := range now.tools {
		i, ok := before.byName[t.Name]
		switch {
		case !ok:
			body.New = append(body.New, t.Name)
		case before.tools[i].Hash != t.Hash:
			body.Changed = append(body.Changed, t.Name)
		}
	}
	for _, t := range before.tools {
		if _, ok := now.byName[t.Name]; !ok {
			body.Gone = append(body.Gone, t.Name)
		}
	}
	return body, len(body.New)+len(body.Changed)+len(body.Gone) > 0 || before.fingerprint != now.fingerprint
}

// maxNames is how many names of tools stand in one event.
const maxNames = 100

func fewNames(names []string) []string {
	more := len(names) - maxNames
	if more > 0 {
		names = names[:maxNames]
	}
	for i, name := range names {
		names[i] = clip(name, maxTitle)
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("… and %d more", more))
	}
	return names
}

// cachedListing reads what a server offered in an earlier run.
func (a *App) cachedListing(ctx context.Context, id string) (*listing, bool) {
	row, err := a.store.Listing(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, false
	}
	var info cachedInfo
	if err == nil {
		err = json.Unmarshal(row.Info, &info)
	}
	if err != nil {
		name, _ := a.config.name(id)
		a.notices.add("warning", "The kept tool list of "+name+" cannot be read: "+err.Error()+".", "It is fetched anew when the server runs.")
		return nil, false
	}
	pages := keptPages(row)
	l := newListing(mcpclient.ToolsFromPages(pages), info, a.mask)
	l.fingerprint, l.received, l.expires = row.Fingerprint, row.Received, expiry(pages)
	return l, true
}
