package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// handleLive opens the socket of a viewer, and returns once the socket is open. A
// request that lasts would keep net/http's buffers and the stacks of all its handlers:
// two thirds of the cost of an idle viewer.
func (p *runPages) handleLive(w http.ResponseWriter, r *http.Request) {
	l := language(r)
	run, done, err := p.rooms.Runs.Use(askerOf(r), chi.URLParam(r, "id"))
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
	var room *class.Room
	place := run.Place()
	if place.Room != "" {
		in, out, err := p.rooms.Enter(askerOf(r), place.Room)
		if err != nil {
			httpError(w, refusal.Of(err), l)
			return
		}
		end := done
		done = func() { out(); end() }
		room = in
		url, alone := p.reaches(r)
		room.ReachedAt(url, alone, keyOf(r, place.Room))
	}
	socket, err := p.upgrade(w, r, &p.rooms.Runs.Sockets)
	if err != nil {
		p.log.Debug("socket", "err", nameless(err.Error()))
		return
	}
	of := visitorOf(r)
	surface := live.SurfaceOf(r.URL.Query().Get("surface"))
	if surface == live.OnRemote && (room == nil || !room.Who(keyFor(r, run)).Presenter) {
		surface = live.OnWall // a remote has the presenter's notes, and the right answer in them
	}
	look := live.Look{
		Language: l, Surface: surface, Run: run, Key: keyFor(r, run),
		Network: of.network, Person: of.person, Beats: r.URL.Query().Has("beats"),
	}
	v := p.rooms.Runs.NewViewer(look, socket)
	p.rooms.Runs.Sockets.Add(v)
	opened = true
	p.rooms.Watch(askerOf(r), v, room, extentOf(r.URL.Query()), done)
}
