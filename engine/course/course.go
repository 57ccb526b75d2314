package course

import (
	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

// A Course is lessons in order, and incidents: challenges from the wild.
type Course struct {
	Name      string // of its directory; it stands in addresses
	Languages []engine.Language
	Title     Words
	About     Words // a sentence; may be missing
	Lessons   []*Lesson
	Incidents []*Lesson
	Sources   []Source
	Claims    []Claim
	Mistakes  []Mistake // what is wrong with the directory; what they are about is left out
}

// Words are a text by language.
type Words map[engine.Language]string

// In is the text in a language, or in the one that there is.
func (w Words) In(l engine.Language) string {
	for _, l := range []engine.Language{l, engine.English, engine.Chinese} {
		if text, ok := w[l]; ok {
			return text
		}
	}
	return ""
}

// A Lesson is a scenario with moments and challenges.
type Lesson struct {
	Name       string // of its files; it stands in addresses
	Number     int    // in the course, counted from 1; incidents are counted by themselves
	Title      Words
	Goal       Words            // a sentence
	Lead       Words            // HTML, read before the lesson begins
	On         Words            // HTML, the way on; may be missing
	Link       string           // the public report of an incident; empty: none
	Scenario   *engine.Scenario // nil: an incident may have only challenges
	Moments    []*Moment        // in the order of the scenario
	Challenges []*Challenge
}

// A Moment is a place in the scenario where the lesson says something.
type Moment struct {
	Name    string
	At      int // actions before it
	Heading Words
	Text    Words // HTML

	// Answers are what may happen until the next moment; none: nothing is asked.
	Answers []*Answer

	line int // of its comment, in the file
}

// An Answer to a prediction.
type Answer struct {
	Name  string
	Text  Words // HTML of a line
	After Words // HTML: what is said to whoever has given it
	Right bool  // the engine says so

	expect []string // lines of scenario text
	line   int
}

// A Challenge asks whether a lock can be broken.
type Challenge struct {
	Name       string
	Heading    Words
	Text       Words // HTML
	Solved     Words // HTML: what is said to whoever has solved it
	Properties []string
	Start      *engine.Scenario // from where it begins
	Par        int              // actions of the shortest way; 0: there is none

	// Fix is a program that mends the lock, where the challenge is to do that; else nil.
	Fix *program.Program

	bounds explore.Question
	line   int
}

// A Source is a text that the course is about.
type Source struct {
	Name  string // by which claims name it
	Title Words
	Link  string // may be missing
}

// A Claim is what a source says, and the moment of a lesson that shows it.
type Claim struct {
	Source  string
	Quote   string // the source's own words
	Say     Words  // ours: what it means
	Verdict string // true, partly or wrong: what running it shows
	Shown   Words  // how
	Lesson  string
	Moment  string // of the lesson; empty: all of it
}
