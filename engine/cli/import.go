package cli

import (
	"fmt"
	"io"

	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// Import writes the log of a real Redis as a scenario.
type Import struct {
	File     string        `arg:"" help:"What redis-cli MONITOR printed, or a recording; - reads standard input."`
	Key      []string      `help:"Import only the commands on this key; give it several times for several keys." placeholder:"KEY" sep:"none"`
	Redact   bool          `help:"Replace keys and values by short names, so that the scenario can be shared."`
	Language lang.Language `help:"Language of the comments: ${enum}." enum:"en,zh" default:"en"`
}

// Run prints the scenario.
func (c *Import) Run(h *Host) error {
	in := h.In
	if c.File != "-" {
		file, err := h.Open(c.File)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	log, err := monitor.Read(in, monitor.Options{Keys: c.Key, Redact: c.Redact})
	if err != nil {
		return said(err, c.Language)
	}
	if _, err := io.WriteString(h.Out, log.Scenario(c.Language).String()); err != nil {
		return fmt.Errorf("printing the scenario: %w", err)
	}
	return nil
}
