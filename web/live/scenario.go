package live

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

// parseWork is the work of parsing and showing a byte of the worst scenario, in units of the engine's work.
const parseWork = 8

// Parse reads a scenario at a pace, if there is one. A server reads no programs in files beside the scenario.
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
