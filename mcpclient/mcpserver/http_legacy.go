package mcpserver

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
)

// maxSessions bounds the legacy sessions: the oldest is ended for a new one.
const maxSessions = 256

// sessions are the legacy HTTP sessions. Safe to use together.
type sessions struct {
	mu    sync.Mutex
	byID  map[string]*httpSession
	order []string // oldest first
}

// httpSession is a legacy client. Its context ends with it.
type httpSession struct {
	*session
	ctx     context.Context
	cancel  context.CancelFunc
	changed <-chan struct{}
	stop    func()
}

func (h *httpSession) close() {
	h.cancel()
	h.stop()
}

func (s *sessions) add(id string, h *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == maxSessions {
		s.byID[s.order[0]].close()
		delete(s.byID, s.order[0])
		s.order = s.order[1:]
	}
	s.byID[id], s.order = h, append(s.order, id)
}

func (s *sessions) find(id string) (*httpSession, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.byID[id]
	return h, ok
}

func (s *sessions) remove(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.byID[id]
	if !ok {
		return false
	}
	h.close()
	delete(s.byID, id)
	for i, other := range s.order {
		if other == id {
			s.order = append(s.order[:i], s.order[i+1:]...)
			break
		}
	}
	return true
}

// open answers initialize, and gives out a session where it succeeds.
func (h *httpServer) open(w http.ResponseWriter, r *http.Request, m message) {
	hs := &httpSession{session: newSession(h.srv)}
	result, err := hs.answer(r.Context(), m, nil) // initialize sends nothing beside its result
	if err != nil {
		write(w, http.StatusBadRequest, failure(m.id, asError(err)))
		return
	}
	hs.ctx, hs.cancel = context.WithCancel(h.base)
	hs.changed, hs.stop = h.srv.watch()
	id := rand.Text()
	h.sessions.add(id, hs)
	w.Header().Set(sessionHeader, id)
	write(w, http.StatusOK, response(m.id, result))
}

// legacy takes a message of a session.
func (h *httpServer) legacy(w http.ResponseWriter, r *http.Request, m message, id string) {
	hs, ok := h.inSession(w, r, id)
	if !ok {
		return
	}
	if !m.isRequest() {
		hs.take(m)
		w.WriteHeader(http.StatusAccepted) // LEG-12
		return
	}
	respond(hs.ctx, hs.session, m, &answer{w: w, legacy: true}) // a dropped connection is no cancellation in this era (CANCEL-12)
}

// inSession finds the session of a request, or answers why there is none.
func (h *httpServer) inSession(w http.ResponseWriter, r *http.Request, id string) (*httpSession, bool) {
	hs, ok := h.sessions.find(id)
	if !ok { // LEG-08
		refuse(w, http.StatusNotFound, codeUnknownSession, "Session not found")
		return nil, false
	}
	if v := r.Header.Values(versionHeader); len(v) != 1 || v[0] != Legacy { // LEG-05
		refuse(w, http.StatusBadRequest, codeInvalidRequest, versionHeader+" must be "+Legacy+" in this session")
		return nil, false
	}
	return hs, true
}

// stream is the GET stream of a session.
func (h *httpServer) stream(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	if id == "" { // HTTP-10
		notAllowed(w)
		return
	}
	if !accepts(r, "text/event-stream") {
		refuse(w, http.StatusNotAcceptable, codeInvalidRequest, "Accept must list text/event-stream")
		return
	}
	hs, ok := h.inSession(w, r, id)
	if !ok {
		return
	}
	out := &answer{w: w}
	out.event(nil)
	for {
		select {
		case <-hs.changed:
			out.event(notification("notifications/tools/list_changed", nil))
		case <-r.Context().Done():
			return
		case <-hs.ctx.Done():
			return
		}
	}
}

// end ends a session (LEG-09).
func (h *httpServer) end(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	if id == "" {
		notAllowed(w)
		return
	}
	if _, ok := h.inSession(w, r, id); !ok {
		return
	}
	h.sessions.remove(id)
	w.WriteHeader(http.StatusNoContent)
}
