package session

import (
	"lockstep/engine"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/refusal"
)

// GoOn does what the lesson does until its next moment.
func (r *Run) GoOn(a *limit.Asker, position int) error {
	return r.perform(a, press{at: position}, func() ([]engine.Action, error) {
		lesson := r.Task().Guided()
		if lesson == nil {
			return nil, ErrOver
		}
		if _, follows := lesson.Here(r.engine.Actions()); !follows {
			return nil, ErrOver
		}
		actions := lesson.Scenario.Actions()[position:lesson.Following(r.engine.Actions())]
		if len(actions) == 0 {
			return nil, ErrOver
		}
		return actions, nil
	})
}

var ErrOver = refusal.Declare(refusal.Unprocessable, refusal.Refused, "task.over")

// NextMoment is the position of the moment that follows a position that the run has left behind.
func (r *Run) NextMoment(at int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if lesson, log := r.Task().Guided(), r.engine.Actions(); lesson != nil {
		return min(len(log), lesson.Following(log[:min(at, len(log))]))
	}
	return at
}

// NextViolation returns the next position at which a property begins to be violated.
func (r *Run) NextViolation(at int) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := views.NextBreak(r.engine.World().Breaks(), at)
	if next < 0 {
		return 0, errNoViolation
	}
	return next, nil
}
