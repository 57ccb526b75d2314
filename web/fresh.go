package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// handleFresh leads from a run to its task as the course has it now, at the place where the run is.
func (p *runPages) handleFresh(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	t := run.Task()
	if t.Lesson == nil {
		p.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
		return
	}
	http.Redirect(w, r, p.base+present.FreshPath(p.rooms.Task(t.Name()), t, run.Length()), http.StatusSeeOther)
}
