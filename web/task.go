package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/refusal"
	"lockstep/web/session"
)

// handleTask begins a run for a lesson, from its start or from the moment that is
// named, or for a challenge.
func (s *Server) handleTask(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if !s.parseForm(w, r, maxForm) {
		return
	}
	t := s.taskOf(r)
	if t.Lesson == nil {
		s.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
		return
	}
	if t.Challenge != nil && t.Challenge.Fix != nil {
		s.mend(w, r, t)
		return
	}
	at := 0
	if m := t.Lesson.Moment(r.PostFormValue("moment")); m != nil && t.Challenge == nil {
		at = m.At
	}
	run, err := s.sessions.Runs.Add(askerOf(r), t.Begin(at), session.Beginning{Task: t.Name()})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	http.Redirect(w, r, s.address(destination{run: run, step: session.Anywhere}), http.StatusSeeOther)
}

// task returns the task of a name, or the zero Task.
func (s *Server) task(name string) course.Task { return course.Find(s.courses, name) }

// taskOf returns the task that an address names, or the zero Task.
func (s *Server) taskOf(r *http.Request) course.Task {
	name := chi.URLParam(r, "course") + "/" + chi.URLParam(r, "lesson")
	if challenge := chi.URLParam(r, "challenge"); challenge != "" {
		name += "/" + challenge
	}
	return s.task(name)
}

// handleNextMoment goes on to the next moment of the run's lesson. What was guessed is
// remembered by the page that follows.
func (s *Server) handleNextMoment(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *session.Run, at int) (destination, error) {
		if err := s.sessions.MayAct(askerOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		if r.PostFormValue("past") != "" {
			return destination{run: run, step: run.NextMoment(at)}, nil
		}
		return destination{run: run, step: session.Anywhere, guess: r.PostFormValue("guess")}, run.GoOn(askerOf(r), at)
	}, func(page *views.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}
