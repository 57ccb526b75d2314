package live

import (
	"lockstep/engine/course"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// Draft returns a run that begins as a task, for the answer to one request. No registry, log or limit knows the run. Its
// epoch is its id, because each answer about a draft draws the run anew.
func (g *Runs) Draft(a *limit.Asker, id string, t course.Task, done int) *Run {
	r := newRun(id, g)
	r.engine, r.epoch, r.draft = t.Begin(done), id, present.DraftQuery(t, done)
	r.family.begin(id, t)
	a.Charge(r.engine.World().Effort())
	return r
}

// Begin makes an untouched run the task's, before somebody's first action in it. A run that has begun stays as it is: the
// same form may come twice.
func (g *Runs) Begin(a *limit.Asker, r *Run, t course.Task, done int) error {
	if !r.Untouched() {
		return nil
	}
	if err := g.MayMake(a.Network(), a.Person()); err != nil {
		return err
	}
	e := t.Begin(done)
	a.Charge(e.World().Effort())
	if err := r.become(a, "", e, t); err != nil && r.Untouched() {
		return err
	}
	return nil
}

// Rest gives back what a draft has borrowed to answer its request.
func (r *Run) Rest() { r.engine.World().Close() }
