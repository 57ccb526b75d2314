package search

import (
	"context"
	"errors"
	"runtime"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
)

// playWork bounds the work for the picture of a counterexample, in units, even if the request has less left.
const playWork = 20_000_000

// Playing returns a function that plays counterexamples with the rest of a search's work. It judges only
// the property of the question, as the search did. Without one it judges all. A known answer plays its
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
		judged := check.All()
		p, named := check.Named(property)
		if named {
			judged = []engine.Property{p.Property}
		}
		trace, err := s.PlayAt(within(playWork), "counterexample", judged...)
		if errors.Is(err, limit.ErrTooMuch) && named {
			return s.PlayAt(within(max(*left, playWork)), "counterexample", judged...)
		}
		return trace, err
	}
}
