package session

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

// parseWork is what a byte of a scenario costs to parse and to show, in units of the engine's work: of the worst text.
const parseWork = 8

// Parse reads a scenario at a pace, if one is given; programs in files beside it are not for a server to read.
func Parse(pace engine.Pace, text string) (*engine.Scenario, error) {
	if pace != nil {
		if err := pace(parseWork * int64(len(text))); err != nil {
			return nil, err
		}
	}
	return engine.Parse("scenario", text, nil)
}

// Play runs a scenario at a pace.
func Play(pace engine.Pace, text string) (*engine.Trace, error) {
	scenario, err := Parse(pace, text)
	if err != nil {
		return nil, err
	}
	return scenario.PlayAt(pace, "scenario", check.All()...)
}
