package cli

import (
	"fmt"
	"io"

	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// Import writes the log of a real Redis as a scenario, or reports what it tells about locks.
type Import struct {
	File     string        `arg:"" help:"What redis-cli MONITOR printed, or a recording; - reads standard input."`
	Report   bool          `help:"Read the whole log, and report who held which lock when, and what went wrong. The exit code is 1 where something was found."`
	JSON     bool          `name:"json" help:"Report for a program." xor:"form"`
	HTML     bool          `name:"html" help:"Report as a page, with bars of who held what when." xor:"form"`
	Key      []string      `help:"Import only the commands on this key; give it several times for several keys." placeholder:"KEY" sep:"none"`
	Redact   bool          `help:"Replace keys and values by short names, so that the scenario can be shared."`
	Language lang.Language `help:"Language of the comments: ${enum}." enum:"en,zh" default:"en"`
}

// Run prints the scenario, or the report.
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
	if c.Report || c.JSON || c.HTML {
		return c.report(h, in)
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

// report prints what the whole log tells about locks.
func (c *Import) report(h *Host, in io.Reader) error {
	account, err := monitor.Investigate(in)
	if err != nil {
		return said(err, c.Language)
	}
	if c.Redact {
		account.Redact()
	}
	write := account.WriteText
	switch {
	case c.JSON:
		write = account.WriteJSON
	case c.HTML:
		write = account.WriteHTML
	}
	if err := write(h.Out, c.Language); err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	if account.Found > 0 {
		return errUnmet
	}
	return nil
}
