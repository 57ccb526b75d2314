package live

import (
	"errors"

	"lockstep/engine"
	"lockstep/engine/check"
)

// parseWork is the work of parsing and showing a byte of the worst scenario, in units of the engine's work.
const parseWork = 8

// Parse reads a scenario at a pace, if there is one. A server reads no programs in files beside the scenario.
func Parse(pace engine.Pace, text string) (*engine.Scenario, error) {
	if err := paced(pace, parseWork*int64(len(text))); err != nil {
		return nil, err
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

// SketchWork bounds the work of all actions of a sketch, in units of the engine's work: 40 ms.
const SketchWork = 4_000_000

// ErrSketch says that a run takes more work than a sketch may.
var ErrSketch = errors.New("live: the run is too long for a sketch")

// Sketch plays a scenario up to an action for its picture, at a pace. Nobody has asked for the run yet, so a sketch does far less
// than Play may, and the caller closes it.
func Sketch(pace engine.Pace, scenario *engine.Scenario, until int) (*engine.Run, error) {
	run := engine.NewRun(scenario.Header, check.All()...)
	spent := func() int64 { return run.World().Meter().Effort() }
	for _, line := range scenario.Lines {
		for i, action := range line.Actions {
			if len(run.Actions()) == until {
				return run, nil
			}
			before := spent()
			_, err := run.DoWithin(SketchWork-before, action)
			if errors.Is(err, engine.ErrLonger) {
				err = ErrSketch
			} else if err != nil {
				err = &engine.Problem{File: "scenario", Line: line.Number, Column: line.Columns[i], Err: err}
			}
			if ended := paced(pace, spent()-before); ended != nil {
				err = ended
			}
			if err != nil {
				run.World().Close()
				return nil, err
			}
		}
	}
	return run, nil
}

func paced(pace engine.Pace, work int64) error {
	if pace == nil {
		return nil
	}
	return pace(work)
}
