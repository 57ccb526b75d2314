package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/refusal"
	"lockstep/web/session"
)

// handleLive opens the socket of a viewer, and returns once the socket is open. A
// request that lasts would keep net/http's buffers and the stacks of all its handlers:
// two thirds of the cost of an idle viewer.
func (p *runPages) handleLive(w http.ResponseWriter, r *http.Request) {
	l := language(r)
	run, done, err := p.sessions.Runs.Use(askerOf(r), chi.URLParam(r, "id"))
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
	if err := p.mayLook(r, run); err != nil {
		httpError(w, refusal.Forbidden(err), l)
		return
	}
	var live *session.LiveRoom
	place := run.Place()
	if place.Room != "" {
		in, out, err := p.sessions.Rooms.Enter(askerOf(r), place.Room)
		if err != nil {
			httpError(w, refusal.Of(err), l)
			return
		}
		end := done
		done = func() { out(); end() }
		live = in
		url, alone := p.reaches(r)
		live.ReachedAt(url, alone, keyOf(r, place.Room))
	}
	socket, err := p.upgrade(w, r, &p.sessions.Sockets)
	if err != nil {
		p.log.Debug("socket", "err", nameless(err.Error()))
		return
	}
	of := visitorOf(r)
	surface := session.SurfaceOf(r.URL.Query().Get("surface"))
	if surface == session.OnRemote && (live == nil || !live.Who(keyFor(r, run)).Presenter) {
		surface = session.OnWall // a remote has the presenter's notes, and the right answer in them
	}
	look := session.Look{
		Language: l, Surface: surface, Run: run, Room: live, Key: keyFor(r, run),
		Network: of.network, Person: of.person, Beats: r.URL.Query().Has("beats"),
	}
	v := p.sessions.NewViewer(look, socket)
	p.sessions.Sockets.Add(v)
	opened = true
	p.sessions.Watch(askerOf(r), v, extentOf(r.URL.Query()), done)
}
