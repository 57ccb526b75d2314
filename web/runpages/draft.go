package runpages

import (
	"net/http"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/program"
	runview "lockstep/views/run"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// A draft is the run of a lesson, a challenge or the playground in which nobody has acted. Each answer about it draws it again, and the
// server keeps nothing of it. The addresses on its page tell how the run begins, and the first form makes it.

// ShowDraft answers with the page of a task's draft.
func (p *Pages) ShowDraft(w http.ResponseWriter, r *http.Request, t course.Task, done int) {
	draft := p.Rooms.Runs.Draft(r.Context(), live.NewID(), t, done)
	defer draft.Rest()
	p.showRun(w, r, http.StatusOK, draft, live.Anywhere, func(*runview.Page) {})
}

// LookAt returns the run of an id for reading or, if nobody has acted in it, the draft that the request describes.
func LookAt(r *http.Request, in *class.Rooms, id string) (run *live.Run, done func(), err error) {
	run, done, err = in.Runs.Look(r.Context(), id)
	if err != nil || !run.Untouched() {
		return run, done, err
	}
	t, from := draftOf(r, in)
	if t == (course.Task{}) {
		return run, done, nil
	}
	done()
	run = in.Runs.Draft(r.Context(), id, t, from)
	return run, run.Rest, nil
}

// draftOf returns the task as which a request's run begins, and how many actions it has done then. A request that names
// neither a task nor a program has the zero Task.
func draftOf(r *http.Request, in *class.Rooms) (t course.Task, done int) {
	query := r.URL.Query()
	if p, ok := program.Builtin(query.Get("program")); ok {
		return course.Task{Free: p, Many: clientsOf(query.Get("clients"))}, 0
	}
	return in.Task(query.Get("begin")), DoneOf(query.Get("done"))
}

// clientsOf reads how many clients the playground begins with. As many as without a number are 0.
func clientsOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n == 2 {
		return 0
	}
	return min(max(n, 0), engine.MaxClients)
}

// DoneOf reads how many actions of a task are done. Without a number the task is at its opening.
func DoneOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// begin makes the run of a draft before its first form is carried out. If there is no room for the run, begin answers
// with the draft and the reason.
func (p *Pages) begin(w http.ResponseWriter, r *http.Request, run *live.Run, explained func(*runview.Page, *refusal.Error)) bool {
	t, done := draftOf(r, p.Rooms)
	if t == (course.Task{}) {
		return true
	}
	err := p.Rooms.Runs.Begin(r.Context(), run, t, done)
	if err == nil {
		return true
	}
	e, draft := refusal.Of(err), p.Rooms.Runs.Draft(r.Context(), run.ID(), t, done)
	defer draft.Rest()
	p.showRun(w, r, e.Status, draft, live.Anywhere, func(page *runview.Page) { explained(page, e) })
	return false
}
