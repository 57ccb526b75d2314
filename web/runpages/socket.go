package runpages

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// handleLive opens the socket of a viewer, and returns once the socket is open. A
// request that lasts would keep net/http's buffers and the stacks of all its handlers:
// two thirds of the cost of an idle viewer.
func (p *Pages) handleLive(w http.ResponseWriter, r *http.Request) {
	l := door.Language(r)
	run, done, err := p.Rooms.Runs.Use(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		door.HttpError(w, refusal.Of(err), l)
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
		door.HttpError(w, refusal.Forbidden(err), l)
		return
	}
	var room *class.Room
	place := run.Place()
	if place.Room != "" {
		in, out, err := p.Rooms.Enter(r.Context(), place.Room)
		if err != nil {
			door.HttpError(w, refusal.Of(err), l)
			return
		}
		end := done
		done = func() { out(); end() }
		room = in
		url, alone := p.Reaches(r)
		room.ReachedAt(url, alone, door.KeyOf(r, place.Room))
	}
	socket, err := p.Upgrade(w, r, &p.Rooms.Runs.Sockets)
	if err != nil {
		p.Log.Debug("socket", "err", door.Nameless(err.Error()))
		return
	}
	of := door.VisitorOf(r)
	surface := live.SurfaceOf(r.URL.Query().Get("surface"))
	if surface == live.OnRemote && (room == nil || !room.Who(KeyFor(r, run)).Presenter) {
		surface = live.OnWall // a remote has the presenter's notes, and the right answer in them
	}
	look := live.Look{
		Language: l, Surface: surface, Run: run, Key: KeyFor(r, run),
		Network: of.Network, Person: of.Person, Beats: r.URL.Query().Has("beats"),
	}
	v := p.Rooms.Runs.NewViewer(look, socket)
	p.Rooms.Runs.Sockets.Add(v)
	opened = true
	p.Rooms.Watch(r.Context(), v, room, ExtentOf(r.URL.Query()), done)
}
