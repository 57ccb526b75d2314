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
}

func (m Mistake) Error() string { return m.Sentence(lang.English) }

// Sentence returns the mistake and its place, in one language.
func (m Mistake) Sentence(in lang.Language) string {
	if m.Line == 0 {
		return fmt.Sprintf("%s: %s", m.File, m.Why.Sentence(in))
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Why.Sentence(in))
}
