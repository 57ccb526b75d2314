package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/export"
	"lockstep/engine/lang"
)

// Run plays a scenario.
type Run struct {
	File     string        `arg:"" help:"Scenario file; - reads standard input."`
	JSON     bool          `help:"Print NDJSON: a header line, then one event per line."`
	Language lang.Language `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
}

// Run prints the events, and on standard error the expectations that were not met.
func (r *Run) Run(h *Host) error {
	trace, err := h.play(r.File)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		return said(problem, r.Language)
	}
	if err != nil {
		return err
	}
	if r.JSON {
		err = export.NDJSON.Write(h.Out, trace, r.Language)
	} else {
		err = trace.WriteText(h.Out, r.Language)
	}
	if err != nil {
		return fmt.Errorf("printing the run: %w", err)
	}
	for _, unmet := range trace.Unmet {
		fmt.Fprintln(h.Err, unmet.Sentence(r.Language))
	}
	if len(trace.Unmet) > 0 {
		return errUnmet
	}
	return nil
}

// play runs the scenario of a file, with the programs from files that it names.
func (h *Host) play(file string) (*engine.Trace, error) {
	text, err := h.read(file)
	if err != nil {
		return nil, err
	}
	scenario, err := engine.Parse(file, text, func(path string) (string, error) {
		if !filepath.IsAbs(path) && file != "-" {
			path = filepath.Join(filepath.Dir(file), path)
		}
		return h.read(path)
	})
	if err != nil {
		return nil, err
	}
	return scenario.Play(file, check.All()...)
}
