package course

import (
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Mistake is a fault in a course, and its place.
type Mistake struct {
	File string
	Line int // counted from 1; 0: the file as a whole, for example a missing one
	Why  *engine.Refusal

	Warns        bool // of a fault in teaching; the course can be played
	Untranslated bool // it warns of words that are missing in one of the course's languages, where the first one stands
}

func (m Mistake) Error() string { return m.Sentence(lang.English) }

// Sentence returns the mistake and its place, in one language.
func (m Mistake) Sentence(in lang.Language) string {
	why := m.Why.Sentence(in)
	switch {
	case m.Warns && in == lang.Chinese:
		why = "警告：" + why
	case m.Warns:
		why = "warning: " + why
	}
	return m.Place() + ": " + why
}

// Place returns the file and the line of the mistake.
func (m Mistake) Place() string {
	if m.Line > 0 {
		return fmt.Sprintf("%s:%d", m.File, m.Line)
	}
	return m.File
}

// In returns the mistakes in the files of a lesson or a reading.
func In(all []Mistake, lesson string) (its []Mistake) {
	for _, m := range all {
		if strings.HasPrefix(m.File, lesson+".") {
			its = append(its, m)
		}
	}
	return its
}
