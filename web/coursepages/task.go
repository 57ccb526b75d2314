package coursepages

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/runpages"
)

// handleTask begins a run for a lesson, from its start or from the named moment, or
// for a challenge.
func (p *Pages) handleTask(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if !p.ParseForm(w, r, door.MaxForm) {
		return
	}
	t := p.taskOf(r)
	if t.Lesson == nil {
		p.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
		return
	}
	if t.Challenge != nil && t.Challenge.Fix != nil {
		p.mend(w, r, t)
		return
	}
	at := 0
	if m := t.Lesson.Moment(r.PostFormValue("moment")); m != nil && t.Challenge == nil {
		at = m.At
	}
	run, err := p.Rooms.Runs.Add(r.Context(), t.Begin(at), live.Beginning{Task: t.Name()})
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	http.Redirect(w, r, runpages.Destination{Run: run, Step: live.Anywhere}.URL(p.Base), http.StatusSeeOther)
}

// taskOf returns the task that an address names, or the zero Task.
func (p *Pages) taskOf(r *http.Request) course.Task {
	name := chi.URLParam(r, "course") + "/" + chi.URLParam(r, "lesson")
	if challenge := chi.URLParam(r, "challenge"); challenge != "" {
		name += "/" + challenge
	}
	return course.Find(p.Shelf.All(), name)
}

// handleEmbeddedTask answers the form of a challenge in a frame. A program to fix is searched; any other challenge is at its
// page.
func (p *Pages) handleEmbeddedTask(w http.ResponseWriter, r *http.Request) {
	if t := p.taskOf(r); t.Challenge != nil && t.Challenge.Fix != nil {
		p.handleTask(w, r)
		return
	}
	p.handleChallenge(w, r)
}
