package cli

import (
	"fmt"
	"strings"

	"lockstep/engine/export"
	"lockstep/engine/lang"
)

// Export translates a run for another tool.
type Export struct {
	File     string        `arg:"" help:"Scenario file; - reads standard input."`
	To       string        `help:"Format of the translation: ${enum}." enum:"${formats}" required:""`
	Language lang.Language `help:"Language in which the html page opens: ${enum}." enum:"en,zh" default:"en"`

	// Formats lists the formats to choose from. It is set before the flags are read.
	Formats export.List `kong:"-"`
}

// Help lists the formats.
func (e *Export) Help() string {
	var b strings.Builder
	b.WriteString("The formats:\n\n")
	for _, f := range e.Formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.Purpose.English)
	}
	return b.String()
}

// Run prints the run in the format.
func (e *Export) Run(h *Host) error {
	trace, err := h.play(e.File)
	if err != nil {
		return err
	}
	format, err := e.Formats.Named(e.To)
	if err != nil {
		return err
	}
	if err := format.Write(h.Out, trace, e.Language); err != nil {
		return fmt.Errorf("printing the run as %s: %w", e.To, err)
	}
	return nil
}
