package coursepages

import (
	"net/http"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/door"
)

// handleAgain answers with the question that a lesson supplies to later ones, at the place where it asks. The answer
// begins a run, as in a lesson.
func (p *Pages) handleAgain(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	c, l := p.lessonOf(w, r)
	switch {
	case l == nil:
	case l.Again == nil:
		p.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
	default:
		p.draw(w, r, course.Task{Course: c, Lesson: l.Again.Lesson}, 0)
	}
}
