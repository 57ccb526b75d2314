package cli

import (
	"fmt"

	"lockstep/engine/course"
)

// Check proves the claims of a course.
type Check struct {
	Course string `arg:"" help:"Directory of the course, or a course file." zh:"课程目录，或课程文件。" type:"path"`
	Strict bool   `help:"Fail on warnings, too." zh:"有警告也算失败。"`
}

// Run prints the warnings, and the mistakes of the course or how much it has proved, with its own programs.
func (c *Check) Run(h *Host) error {
	opened, err := course.Open(c.Course)
	if err != nil {
		return Said(err, h.Language)
	}
	for _, w := range opened.Warnings {
		fmt.Fprintln(h.Out, w.Sentence(h.Language))
	}
	mistakes := opened.Check(h.Hands(nil))
	for _, m := range mistakes {
		fmt.Fprintln(h.Out, m.Sentence(h.Language))
	}
	if len(mistakes) > 0 {
		return errUnmet
	}
	fmt.Fprintln(h.Out, opened.Proved(h.Language))
	if own := opened.Own(h.Language); own != "" {
		fmt.Fprintln(h.Out, own)
	}
	if c.Strict && len(opened.Warnings) > 0 {
		return errUnmet
	}
	return nil
}
