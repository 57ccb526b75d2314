package live

import (
	"context"

	"lockstep/engine"
	"lockstep/engine/ask"
	roomview "lockstep/views/room"
	"lockstep/web/refusal"
)

// GoOn does the lesson's actions up to its next moment.
func (r *Run) GoOn(ctx context.Context, position int) error {
	return r.Press(ctx, Press{At: position, choose: func(*Run) ([]engine.Action, error) {
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
	}})
}

// ErrOver says that the lesson has no further action.
var ErrOver = refusal.Declare(refusal.Unprocessable, refusal.Refused, "task.over")

// NextMoment returns the position of the lesson's next moment after a position in the past.
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
	next := roomview.NextBreak(ask.Breaks(r.engine.World().Events()), at)
	if next < 0 {
		return 0, errNoViolation
	}
	return next, nil
}
