package web

import (
	"net/http"

	"lockstep/engine/course"
	"lockstep/views"
)

// handleAgain answers with the question that a lesson supplies to later ones, at the place where it asks. The answer
// begins a run, as in a lesson.
func (p *coursePages) handleAgain(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	c, l := p.lessonOf(w, r)
	switch {
	case l == nil:
	case l.Again == nil:
		p.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
	default:
		p.draw(w, r, course.Task{Course: c, Lesson: l.Again.Lesson}, 0)
	}
}
