package runpages

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/present"
)

// handleFresh leads from a run to its task as the course has it now, at the place where the run is.
func (p *Pages) handleFresh(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	t := run.Task()
	if t.Lesson == nil {
		p.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
		return
	}
	http.Redirect(w, r, p.Base+present.FreshPath(p.Rooms.Task(t.Name()), t, run.Length()), http.StatusSeeOther)
}
