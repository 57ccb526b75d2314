package cli

import (
	"fmt"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// Check proves the claims of a course.
type Check struct {
	Course   string        `arg:"" help:"Directory of the course, or a course file." type:"path"`
	Language lang.Language `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
	Strict   bool          `help:"Fail on warnings, too."`
}

// Run prints the warnings, and the mistakes of the course or how much it has proved, with its own programs.
func (c *Check) Run(h *Host) error {
	opened, err := course.Open(c.Course)
	if err != nil {
		return said(err, c.Language)
	}
	for _, w := range opened.Warnings {
		fmt.Fprintln(h.Out, w.Sentence(c.Language))
	}
	mistakes := opened.Check(h.Hands(nil))
	for _, m := range mistakes {
		fmt.Fprintln(h.Out, m.Sentence(c.Language))
	}
	if len(mistakes) > 0 {
		return errUnmet
	}
	fmt.Fprintln(h.Out, opened.Proved(c.Language))
	if own := opened.Own(c.Language); own != "" {
		fmt.Fprintln(h.Out, own)
	}
	if c.Strict && len(opened.Warnings) > 0 {
		return errUnmet
	}
	return nil
}
