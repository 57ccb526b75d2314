package course

import (
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
	"lockstep/views"
)

// A Text is a sentence of a course. A course that lacks the reader's language
// speaks the one that it has.
type Text struct {
	Say  string        // plain text, or HTML where the field notes it
	Lang lang.Language // empty: that of the page
}

// In returns the attribute that tells a browser the language.
func (t Text) In() templ.Attributes { return views.Foreign(t.Lang) }

// A Link leads to the contents of a course.
type Link struct {
	Path  string // such as /courses/redis-lock
	Name  string // under which the browser keeps the progress
	Title Text
	Only  lang.Language // the one language that it has; empty: both
}

// Contents is the page with the contents of a course.
type Contents struct {
	views.Site
	Link
	About     Text
	Lessons   []LessonLink
	Incidents []LessonLink
	Readings  []ReadingLink
	Claims    int          // of the sources
	Asks      string       // the names of the lessons that supply a question to later ones, separated by blanks
	Length    string       // how many lessons there are, and how long they take; empty: their authors do not say
	Express   []LessonLink // the lessons for a reader short of time
	Hurry     string       // says how long those take
	Test      int          // questions in a form of its test; 0: it has none
	Others    []Link
	Mistakes  []string // faults in its files
}

// readAll says how many claims there are to read.
func (c Contents) readAll() string {
	if c.Claims == 1 {
		return views.Say(c.Lang, "course.sources.all-one")
	}
	return views.Say(c.Lang, "course.sources.all", c.Claims)
}

// A LessonLink leads to a lesson.
type LessonLink struct {
	Path       string
	Name       string
	Number     int
	Incident   bool
	Title      Text
	Goal       Text
	Minutes    int             // that it takes; 0: its author does not say
	Express    bool            // it is on the path for a reader short of time
	Challenges string          // their names, separated by blanks
	Links      []ChallengeLink // to its challenges, in the contents of a course; else none
}

// A ReadingLink leads to a page of words.
type ReadingLink struct {
	Path  string
	Title Text
	Goal  Text
}

// A Reading is a page of words.
type Reading struct {
	views.Site
	ReadingLink
	Course   Link
	Lead     Text // HTML
	Sections []Section
}

// A Section is a part of a reading.
type Section struct {
	Name    string // links lead to it
	Heading Text   // HTML of a line
	Text    Text   // HTML
	Folded  []Section
}

// A ChallengeLink leads to a challenge of a lesson.
type ChallengeLink struct {
	Path    string
	Name    string
	Heading Text // HTML of a line
	Fix     bool // the program is edited on a page of its own
}

// Sources is the page with the claims of the sources.
type Sources struct {
	views.Site
	Course  Link
	Sources []Source
	Count   int    // of all claims
	Sum     string // how many of them hold
}

// A Source is a text that the course examines, with its claims.
type Source struct {
	Name   string
	Title  Text
	Link   string // may be missing
	Claims []Claim
}

// A Claim is a statement of a source, with the result of running it.
type Claim struct {
	Number  int
	Quote   Text
	Means   Text
	Verdict string // holds, partly or fails
	Shown   Text
	Lesson  LessonLink
	Moment  string // the moment of the lesson that shows it; empty: the whole lesson
}

// LanguageOf returns the language of a quotation: the sources use these two.
func LanguageOf(quote string) lang.Language {
	for _, letter := range quote {
		if letter >= 0x4e00 && letter <= 0x9fff {
			return lang.Chinese
		}
	}
	return lang.English
}

// first returns the first of some names, which blanks separate.
func first(names string) string {
	name, _, _ := strings.Cut(names, " ")
	return name
}
