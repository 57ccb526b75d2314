package views

import "lockstep/engine/lang"

// An Author is what a page tells somebody who writes its course. Readers of a server without --watch see none of it.
type Author struct {
	Version  string   // of the courses, as the page shows them
	Mistakes []string // each with its file and line
	Warnings []string // faults in teaching, too
}

// heading says how many mistakes there are.
func (a Author) heading(l lang.Language) string {
	if len(a.Mistakes) == 1 {
		return Say(l, "author.mistake")
	}
	return Say(l, "author.mistakes", len(a.Mistakes))
}

// warns says how many warnings there are.
func (a Author) warns(l lang.Language) string {
	if len(a.Warnings) == 1 {
		return Say(l, "author.warning")
	}
	return Say(l, "author.warnings", len(a.Warnings))
}
