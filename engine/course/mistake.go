package course

import (
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Mistake is a fault in a course, and its place.
type Mistake struct {
	File string
	Line int // counted from 1; 0: the file as a whole, for example a missing one
	Why  *engine.Refusal

	Warns bool // of a fault in teaching; the course can be played
}

func (m Mistake) Error() string { return m.Sentence(lang.English) }

// Sentence returns the mistake and its place, in one language.
func (m Mistake) Sentence(in lang.Language) string {
	place, why := m.File, m.Why.Sentence(in)
	if m.Line > 0 {
		place = fmt.Sprintf("%s:%d", m.File, m.Line)
	}
	switch {
	case m.Warns && in == lang.Chinese:
		why = "警告：" + why
	case m.Warns:
		why = "warning: " + why
	}
	return place + ": " + why
}
