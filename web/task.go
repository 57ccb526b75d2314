package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// handleTask begins a run for a lesson, from its start or from the named moment, or
// for a challenge.
func (p *coursePages) handleTask(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if !p.parseForm(w, r, maxForm) {
		return
	}
	t := p.taskOf(r)
	if t.Lesson == nil {
		p.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
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
	run, err := p.rooms.Runs.Add(askerOf(r), t.Begin(at), live.Beginning{Task: t.Name()})
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	http.Redirect(w, r, destination{run: run, step: live.Anywhere}.url(p.base), http.StatusSeeOther)
}

// taskOf returns the task that an address names, or the zero Task.
func (p *coursePages) taskOf(r *http.Request) course.Task {
	name := chi.URLParam(r, "course") + "/" + chi.URLParam(r, "lesson")
	if challenge := chi.URLParam(r, "challenge"); challenge != "" {
		name += "/" + challenge
	}
	return course.Find(p.shelf.All(), name)
}

// handleNextMoment goes on to the next moment of the run's lesson. The next page's
// address carries the guess.
func (p *runPages) handleNextMoment(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (destination, error) {
		if err := p.rooms.MayAct(askerOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		if r.PostFormValue("past") != "" {
			return destination{run: run, step: run.NextMoment(at)}, nil
		}
		return destination{run: run, step: live.Anywhere, guess: r.PostFormValue("guess")}, run.GoOn(askerOf(r), at)
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}
