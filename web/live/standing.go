package live

import (
	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
)

// A Standing is how a sandbox stands, as everybody can see it from afar.
type Standing struct {
	Run           string
	Broken, Stuck bool // a violation has happened; the worse one counts
	Actions       int  // by its owner or, once it is solved, of the solution
	Solved        bool
}

// Report has those hear how the run stands who hear of its changes.
func (r *Run) Report() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed()
}

func (r *Run) changed() {
	switch place := r.Place(); {
	case place.Room == "":
	case place.Seat > 0:
		r.home.changed(place, r.standing())
	default:
		r.home.changed(place, Standing{Run: r.id})
	}
}

// standing leaves out violations that the run was given with.
func (r *Run) standing() Standing {
	s := Standing{Run: r.id, Actions: len(r.engine.Actions()) - r.given}
	for _, e := range r.engine.World().Events() {
		if e.Kind != engine.Violated || e.Action <= r.given {
			continue
		}
		if e.Violation.Property != check.Stuck.Name {
			s.Broken, s.Stuck = true, false
			break
		}
		s.Stuck = true
	}
	if c := r.Task().Challenge; c != nil && c.Fix == nil {
		standing := c.Judge(r.engine)
		if standing.Broken {
			s.Solved, s.Actions = true, standing.Actions
		}
		if c.Par == 0 && r.claimed != nil && r.claimed.Verdict == explore.Holds {
			s.Solved, s.Actions = true, 0
		}
	}
	return s
}
