package search

import (
	"errors"
	"runtime"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
)

// playWork is how much work the picture of a counterexample may take, in units, with every property judged. Where less
// is left of the request's work, it is the bound with one property judged.
const playWork = 20_000_000

// Playing returns a function that plays counterexamples with what is left of the request's work. Where it takes too much
// work to judge every property, the function judges only the property of the question, as the search did.
func Playing(property string, left *int64) func(*engine.Scenario) (*engine.Trace, error) {
	within := func(most int64) engine.Pace {
		return func(units int64) error {
			runtime.Gosched()
			*left -= units
			if most -= units; most < 0 {
				return limit.ErrTooMuch
			}
			return nil
		}
	}
	return func(s *engine.Scenario) (*engine.Trace, error) {
		trace, err := s.PlayAt(within(playWork), "counterexample", check.All()...)
		if p, ok := check.Named(property); errors.Is(err, limit.ErrTooMuch) && ok {
			return s.PlayAt(within(max(*left, playWork)), "counterexample", p.Property)
		}
		return trace, err
	}
}
