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
}

// page is the format that the site writes; package export writes the others.
const page = "html"

// Help lists the formats.
func (e *Export) Help() string {
	var b strings.Builder
	b.WriteString("The formats:\n\n")
	for _, f := range export.Formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.English)
	}
	fmt.Fprintf(&b, "  %-10s %s\n", page, "One page that plays the run by itself, offline, in both languages.")
	return b.String()
}

// Run prints the run in the format.
func (e *Export) Run(h *Host) error {
	trace, err := h.play(e.File)
	if err != nil {
		return err
	}
	if e.To == page {
		err = h.WritePage(h.Out, trace, e.Language)
	} else {
		err = export.Write(h.Out, e.To, trace)
	}
	if err != nil {
		return fmt.Errorf("printing the run as %s: %w", e.To, err)
	}
	return nil
}
