package course

import (
	"fmt"
	"regexp"
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

// maxName is how long a name may be, which stands in addresses, in file names and on every page of the course.
const maxName = 64

var nameOf = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// isName reports whether a course, or a part of one, may have a name.
func isName(name string) bool { return len(name) <= maxName && nameOf.MatchString(name) }

// clipped returns as much of a text as a refusal quotes.
func clipped(text string) string {
	if shown := []rune(text); len(shown) > maxName {
		return string(shown[:maxName]) + "…"
	}
	return text
}
