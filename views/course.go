package views

import (
	"github.com/a-h/templ"

	"lockstep/engine/lang"
)

// A Text is what a course says. A course may lack the reader's language: then it
// says it in the one that it has.
type Text struct {
	Say  string        // plain text, or HTML where its field says so
	Lang lang.Language // empty: that of the page
}

// in is the attribute that tells a browser which language it is.
func (t Text) in() templ.Attributes {
	if t.Lang == "" {
		return nil
	}
	return templ.Attributes{"lang": tag(t.Lang)}
}

// A CourseLink leads to the contents of a course.
type CourseLink struct {
	Path  string // such as /courses/redis-lock
	Name  string // by which the browser keeps what was done in it
	Title Text
	Only  lang.Language // the one language that it has; empty: both
}

// CourseContents is the page with the contents of a course.
type CourseContents struct {
	Site
	CourseLink
	About     Text
	Lessons   []LessonLink
	Incidents []LessonLink
	Claims    int // of the sources
	Others    []CourseLink
	Mistakes  []string // what is wrong with its files
}

// A LessonLink leads to the front page of a lesson.
type LessonLink struct {
	Path       string
	Name       string
	Number     int
	Incident   bool
	Title      Text
	Goal       Text
	Challenges string // their names, with blanks between
}

// A LessonFront is the front page of a lesson.
type LessonFront struct {
	Site
	LessonLink
	Course         CourseLink
	Lead, On       Text // HTML
	Report         string
	Runs           bool // it has a scenario
	Challenges     []ChallengeLink
	Previous, Next *LessonLink // nil: there is none
}

// A ChallengeLink leads to a challenge of a lesson.
type ChallengeLink struct {
	Path    string
	Name    string
	Heading Text // HTML of a line
	Fix     bool // the program is edited on a page of its own
}

// CourseSources is the page of what the sources say.
type CourseSources struct {
	Site
	Course  CourseLink
	Sources []CourseSource
	Count   int    // of all claims
	Sum     string // how many of them hold
}

// A CourseSource is a text that the course is about, with its claims.
type CourseSource struct {
	Name   string
	Title  Text
	Link   string // may be missing
	Claims []Claim
}

// A Claim is what a source says, and what running it shows.
type Claim struct {
	Number  int
	Quote   Text
	Means   Text
	Verdict string // holds, partly or fails
	Shown   Text
	Lesson  LessonLink
	Moment  string // of the lesson, where it is seen; empty: all of it
}

// A Handout is a lesson on paper.
type Handout struct {
	Site
	Lesson     LessonLink
	Course     CourseLink
	Answers    bool // what comes true stands beside what may
	Lead       Text // HTML
	Programs   []Program
	Begins     string // the scenario's first line
	Parts      []HandoutPart
	Challenges []HandoutChallenge
	Data       HandoutData
}

// HandoutData is what the picture of a handout is drawn from.
type HandoutData struct {
	Lang     lang.Language    `json:"lang"`
	Timeline map[string]any   `json:"timeline"`
	Moments  []int            `json:"moments"` // actions before each
	Events   []map[string]any `json:"events"`
}

// A HandoutPart are the actions that lead to a moment, and what is said there.
type HandoutPart struct {
	Actions []HandoutAction
	Heading Text // HTML of a line; empty: nothing is said any more
	Text    Text // HTML
	Answers []Answer
}

// A HandoutAction is an action with what came of it.
type HandoutAction struct {
	Number    int
	Action    string
	Sentences []Event
}

// A HandoutChallenge is a challenge on paper.
type HandoutChallenge struct {
	Heading Text     // HTML of a line
	Text    Text     // HTML
	Program *Program // what its clients run; nil: it is printed above
	Start   string
	Bounds  string
	Solved  Text // HTML
	Par     int  // actions of the shortest way; 0: there is none
	Fix     *Program
}

// LanguageOf is the language of a quotation: the sources are in these two.
func LanguageOf(quote string) lang.Language {
	for _, letter := range quote {
		if letter >= 0x4e00 && letter <= 0x9fff {
			return lang.Chinese
		}
	}
	return lang.English
}
