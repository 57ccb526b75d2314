package coursepages

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/picture"
	"lockstep/web/present"
)

// handleCourseCard answers with the card of a course.
func (p *Pages) handleCourseCard(w http.ResponseWriter, r *http.Request) {
	if c := p.courseOf(w, r); c != nil {
		p.ShowCard(w, r, "", func(l lang.Language) (picture.Card, error) { return present.CourseCard(c, l), nil })
	}
}

// handleTaskCard answers with the card of a lesson up to its first question, or of a challenge at its start.
func (p *Pages) handleTaskCard(w http.ResponseWriter, r *http.Request) {
	t := p.taskOf(r)
	if t.Lesson == nil || t.Challenge == nil && t.Lesson.Question == nil && chi.URLParam(r, "challenge") != "" {
		p.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
		return
	}
	p.ShowCard(w, r, "", func(l lang.Language) (picture.Card, error) { return present.TaskCard(t, l), nil })
}
