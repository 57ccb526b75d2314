package cli

import (
	"fmt"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// Check proves the claims of a course.
type Check struct {
	Dir      string        `arg:"" help:"Directory of the course." type:"existingdir"`
	Language lang.Language `help:"Language of the sentences: ${enum}." enum:"en,zh" default:"en"`
}

// Run prints the cards that are too long, and the mistakes of the course or how much it has proved.
func (c *Check) Run(h *Host) error {
	opened, err := course.Open(c.Dir)
	if err != nil {
		return err
	}
	for _, long := range opened.Long {
		fmt.Fprintln(h.Out, long.Sentence(c.Language))
	}
	mistakes := opened.Check(h.Hands(nil))
	for _, m := range mistakes {
		fmt.Fprintln(h.Out, m.Sentence(c.Language))
	}
	if len(mistakes) > 0 {
		return errUnmet
	}
	fmt.Fprintln(h.Out, opened.Proved(c.Language))
	return nil
}
