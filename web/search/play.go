package search

import (
	"context"
	"errors"
	"runtime"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
)

// playWork bounds the work for the picture of a counterexample, in units, with every property judged. If the request has
// less work left, playWork is the bound with one property judged.
const playWork = 20_000_000

// Playing returns a function that plays counterexamples with the rest of a search's work. If every property takes too
// much work to judge, the function judges only the property of the question, as the search did. A known answer plays its
// counterexamples for each request again, so the work is the request's, too.
func Playing(property string, left *int64, ctx context.Context) func(*engine.Scenario) (*engine.Trace, error) {
	within := func(most int64) engine.Pace {
		return func(units int64) error {
			runtime.Gosched()
			*left -= units
			if most -= units; most < 0 {
				return limit.ErrTooMuch
			}
			return limit.Spend(ctx, units)
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
