package views

import (
	"github.com/a-h/templ"

	"lockstep/engine/lang"
)

// A Text is a sentence of a course. A course that lacks the reader's language
// speaks the one that it has.
type Text struct {
	Say  string        // plain text, or HTML where the field notes it
	Lang lang.Language // empty: that of the page
}

// in returns the attribute that tells a browser the language.
func (t Text) in() templ.Attributes {
	if t.Lang == "" {
		return nil
	}
	return templ.Attributes{"lang": tag(t.Lang)}
}

// A CourseLink leads to the contents of a course.
type CourseLink struct {
	Path  string // such as /courses/redis-lock
	Name  string // under which the browser keeps the progress
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
	Readings  []ReadingLink
	Claims    int          // of the sources
	Asks      string       // the names of the lessons that supply a question to later ones, separated by blanks
	Length    string       // how many lessons there are, and how long they take; empty: their authors do not say
	Express   []LessonLink // the lessons for a reader short of time
	Hurry     string       // says how long those take
	Test      int          // questions in a form of its test; 0: it has none
	Others    []CourseLink
	Mistakes  []string // faults in its files
}

// readAll says how many claims there are to read.
func (c CourseContents) readAll() string {
	if c.Claims == 1 {
		return Say(c.Lang, "course.sources.all-one")
	}
	return Say(c.Lang, "course.sources.all", c.Claims)
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
	Site
	ReadingLink
	Course   CourseLink
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

// CourseSources is the page with the claims of the sources.
type CourseSources struct {
	Site
	Course  CourseLink
	Sources []CourseSource
	Count   int    // of all claims
	Sum     string // how many of them hold
}

// A CourseSource is a text that the course examines, with its claims.
type CourseSource struct {
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

// A Handout is a lesson on paper.
type Handout struct {
	Site
	Lesson     LessonLink
	Course     CourseLink
	Answers    bool // shows the outcome beside each prediction
	Lead       Text // HTML
	LeadMore   Text // HTML; may be missing
	Programs   []Program
	Begins     string // the scenario's first line
	Parts      []HandoutPart
	Challenges []HandoutChallenge
	Data       HandoutData
}

// file returns the path of the handout as one file.
func (h Handout) file() string {
	path := h.Lesson.Path + "/handout.html?lang=" + string(h.Lang)
	if h.Answers {
		path += "&answers=1"
	}
	return path
}

// A HandoutFile is the handout of lessons as one file, which needs no server.
type HandoutFile struct {
	Lang    lang.Language
	Title   string
	Style   string // a style sheet
	Script  string // a module, which draws the pictures
	Policy  string // the content security policy: this style and this script, and nothing else
	Lessons []Handout
	Data    []HandoutData // of the lessons with a picture
}

// HandoutData is the input for the picture of a handout.
type HandoutData struct {
	Lang     lang.Language    `json:"lang"`
	Timeline map[string]any   `json:"timeline"`
	Moments  []int            `json:"moments"` // actions before each
	Events   []map[string]any `json:"events"`
}

// A HandoutPart holds the actions that lead to a moment, and the words of the moment.
type HandoutPart struct {
	Actions []HandoutAction
	Heading Text // HTML of a line; empty: no moment follows
	Text    Text // HTML
	More    Text // HTML; may be missing
	Answers []Answer
}

// A HandoutAction is an action with its events.
type HandoutAction struct {
	Number    int
	Action    string
	Sentences []Event
}

// A HandoutChallenge is a challenge on paper.
type HandoutChallenge struct {
	Heading    Text     // HTML of a line
	Text       Text     // HTML
	More       Text     // HTML; may be missing
	Program    *Program // the program of its clients; nil: it is printed above
	Start      string
	Bounds     string
	Solved     Text // HTML
	SolvedMore Text // HTML; may be missing
	Par        int  // actions of the shortest solution; 0: there is none
	Fix        *Program
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
