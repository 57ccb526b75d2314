package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/refusal"
)

// postTask begins a run for a lesson, from its start or from the moment that is
// named, or for a challenge.
func (s *Server) postTask(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if !s.parseForm(w, r, maxForm) {
		return
	}
	t := s.taskOf(r)
	if t.Lesson == nil {
		s.fail(w, r, http.StatusNotFound, language(r).Say("error.none"))
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
	run, err := s.runs.add(askerOf(r), t.Begin(at), beginning{Task: t.Name()})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	http.Redirect(w, r, s.address(destination{run: run, step: anywhere}), http.StatusSeeOther)
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

// postLesson goes on to the next moment of the run's lesson. What was guessed is
// remembered by the page that follows.
func (s *Server) postLesson(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run, at int) (destination, error) {
		if err := s.mayAct(askerOf(r), keyFor(r, run), run, other); err != nil {
			return destination{}, err
		}
		if r.PostFormValue("past") != "" {
			return destination{run: run, step: run.nextMoment(at)}, nil
		}
		return destination{run: run, step: anywhere, guess: r.PostFormValue("guess")}, run.goOn(askerOf(r), at)
	}, func(page *views.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

// goOn does what the lesson does until its next moment.
func (r *run) goOn(a *limit.Asker, position int) error {
	return r.perform(a, press{at: position}, func() ([]engine.Action, error) {
		lesson := r.task().Guided()
		if lesson == nil {
			return nil, errOver
		}
		if _, follows := lesson.Here(r.engine.Actions()); !follows {
			return nil, errOver
		}
		actions := lesson.Scenario.Actions()[position:lesson.Following(r.engine.Actions())]
		if len(actions) == 0 {
			return nil, errOver
		}
		return actions, nil
	})
}

var errOver = refusal.Declare(refusal.Unprocessable, refusal.Refused, "task.over")

// nextMoment is the position of the moment that follows a position that the run has left behind.
func (r *run) nextMoment(at int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if lesson, log := r.task().Guided(), r.engine.Actions(); lesson != nil {
		return min(len(log), lesson.Following(log[:min(at, len(log))]))
	}
	return at
}
