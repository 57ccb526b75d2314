package live

import (
	"context"

	"lockstep/engine/course"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// Draft returns a run that begins as a task, for the answer to one request. No registry, log or limit knows the run. Its
// epoch is its id, because each answer about a draft draws the run again.
func (g *Runs) Draft(ctx context.Context, id string, t course.Task, done int) *Run {
	r := newRun(id, g)
	r.engine, r.epoch, r.draft = t.Begin(done), id, present.DraftQuery(t, done)
	r.family.begin(id, t)
	limit.Charge(ctx, r.engine.World().Meter().Effort())
	return r
}

// Begin makes an untouched run the task's, before somebody's first action in it. A run that has begun stays as it is: the
// same form may come twice.
func (g *Runs) Begin(ctx context.Context, r *Run, t course.Task, done int) error {
	if !r.Untouched() {
		return nil
	}
	if err := g.MayMake(limit.NetworkOf(ctx), limit.PersonOf(ctx)); err != nil {
		return err
	}
	e := t.Begin(done)
	t.Free, t.Many = nil, 0 // the run has begun: what it may do is up to the reader
	limit.Charge(ctx, e.World().Meter().Effort())
	if err := r.become(ctx, "", e, t); err != nil && r.Untouched() {
		return err
	}
	return nil
}

// Rest gives back what a draft has borrowed to answer its request.
func (r *Run) Rest() { r.engine.World().Close() }
