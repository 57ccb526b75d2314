package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/views"
	"lockstep/web/limit"
)

// A task is what a run and its branches are for: a lesson that it follows, or a
// challenge. The zero one is none.
type task struct {
	course    *course.Course
	lesson    *course.Lesson
	challenge *course.Challenge // nil: the lesson itself
}

// name finds the task again on a server that has begun anew: redis-lock/race/break.
func (t task) name() string {
	switch {
	case t.lesson == nil:
		return ""
	case t.challenge == nil:
		return t.course.Name + "/" + t.lesson.Name
	}
	return t.course.Name + "/" + t.lesson.Name + "/" + t.challenge.Name
}

// task is the one of a name; the zero one: there is none.
func (s *Server) task(name string) task {
	parts := strings.SplitN(name, "/", 3)
	for _, c := range s.courses {
		if c.Name != parts[0] || len(parts) < 2 {
			continue
		}
		t := task{course: c, lesson: c.Lesson(parts[1])}
		if t.lesson == nil {
			return task{}
		}
		if len(parts) == 3 {
			if t.challenge = t.lesson.Challenge(parts[2]); t.challenge == nil {
				return task{}
			}
		}
		if t.challenge != nil || t.lesson.Scenario != nil {
			return t
		}
	}
	return task{}
}

// next is what the run's lesson does next, as long as the run follows it.
func (t task) next(run *engine.Run) (engine.Action, bool) {
	if t.lesson == nil || t.challenge != nil {
		return engine.Action{}, false
	}
	return t.lesson.Next(run.Actions())
}

// foresee asks what can still happen from where a run stands.
func (t task) foresee(run *engine.Run, property string) explore.Question {
	if t.challenge != nil {
		return t.challenge.FromHere(run, property)
	}
	return explore.FromHere(run, property)
}

// begin is the task's run, up to a number of actions of its lesson.
func (t task) begin(actions int) *engine.Run {
	if t.challenge != nil {
		return t.challenge.Begin()
	}
	return t.lesson.Run(actions)
}

// postTask begins a run for a lesson, from its start or from the moment that is
// named, or for a challenge.
func (s *Server) postTask(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if !s.parseForm(w, r, maxForm) {
		return
	}
	t := s.taskOf(r)
	if t.lesson == nil {
		s.fail(w, r, http.StatusNotFound, language(r).Say("error.none"))
		return
	}
	if t.challenge != nil && t.challenge.Fix != nil {
		s.mend(w, r, t)
		return
	}
	at := 0
	if m := t.lesson.Moment(r.PostFormValue("moment")); m != nil && t.challenge == nil {
		at = m.At
	}
	run, err := s.runs.add(askerOf(r), t.begin(at), beginning{Task: t.name()})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	http.Redirect(w, r, s.address(destination{run: run, step: anywhere}), http.StatusSeeOther)
}

// taskOf is the task that an address names; the zero one: there is none.
func (s *Server) taskOf(r *http.Request) task {
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
	}, func(page *views.Page, why refusal) { page.Refusal = why.Text })
}

// goOn does what the lesson does until its next moment.
func (r *run) goOn(a *limit.Asker, position int) error {
	return r.perform(a, position, "", func() ([]engine.Action, error) {
		t := r.task()
		if t.lesson == nil || t.challenge != nil {
			return nil, errOver
		}
		if _, follows := t.lesson.Here(r.engine.Actions()); !follows {
			return nil, errOver
		}
		actions := t.lesson.Scenario.Actions()[position:t.lesson.Following(r.engine.Actions())]
		if len(actions) == 0 {
			return nil, errOver
		}
		return actions, nil
	})
}

var errOver = errors.New("task.over")

// nextMoment is the position of the moment that follows a position that the run has left behind.
func (r *run) nextMoment(at int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t, log := r.task(), r.engine.Actions(); t.lesson != nil && t.challenge == nil {
		return min(len(log), t.lesson.Following(log[:min(at, len(log))]))
	}
	return at
}
