package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/refusal"
	"lockstep/web/session"
)

// handleLive opens the socket of a viewer, and returns when it is open: a request that
// lasts keeps net/http's buffers and the stacks of all its handlers, which were
// two thirds of what an idle viewer cost.
func (s *Server) handleLive(w http.ResponseWriter, r *http.Request) {
	l := language(r)
	run, done, err := s.sessions.Runs.Use(askerOf(r), chi.URLParam(r, "id"))
	if err != nil {
		httpError(w, refusal.Of(err), l)
		return
	}
	opened := false
	defer func() {
		if !opened {
			done()
		}
	}()
	if run.Crowded() {
		http.Error(w, views.Say(l, "error.crowded"), http.StatusServiceUnavailable)
		return
	}
	if err := s.mayLook(r, run); err != nil {
		httpError(w, refusal.Forbidden(err), l)
		return
	}
	var live *session.LiveRoom
	place := run.Place()
	if place.Room != "" {
		in, out, err := s.sessions.Rooms.Enter(askerOf(r), place.Room)
		if err != nil {
			httpError(w, refusal.Of(err), l)
			return
		}
		end := done
		done = func() { out(); end() }
		live = in
		live.ReachedAt(s.publicURL(r), keyOf(r, place.Room))
	}
	socket, err := s.upgrade(w, r)
	if err != nil {
		s.log.Debug("socket", "err", nameless(err.Error()))
		return
	}
	of := visitorOf(r)
	look := session.Look{
		Language: l, Surface: session.SurfaceOf(r.URL.Query().Get("surface")), Run: run, Room: live, Key: keyFor(r, run),
		Network: of.network, Person: of.person,
	}
	v := s.sessions.NewViewer(look, socket)
	s.sessions.Sockets.Add(v)
	opened = true
	s.sessions.Watch(askerOf(r), v, extentOf(r.URL.Query()), done)
}
