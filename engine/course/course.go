package course

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// A Course holds lessons in order, and incidents: challenges from the wild.
type Course struct {
	Name      string // its directory's name; addresses contain it
	Languages []lang.Language
	Title     lang.Text
	About     lang.Text // a sentence; optional
	Lessons   []*Lesson
	Incidents []*Lesson
	Express   []*Lesson // the lessons for a reader short of time, in the course's order
	Playlist  []Part    // what a class does in a session; none: the course has no playlist
	Readings  []*Reading
	Sources   []Source
	Claims    []Claim
	Test      *Test // before and after the course; nil: it has none

	Misconceptions []*Misconception // in the order of course.yaml

	Mistakes []Mistake // the mistakes in the directory; the course leaves out their subjects
	Warnings []Mistake // faults in teaching, and missing translations; the course keeps their subjects

	// Files are those that the course was read from or looked for. As long as none of them changes, neither does the course.
	Files map[string]Content
}

// A Lesson is a scenario with moments and challenges.
type Lesson struct {
	Name       string // its files' name; addresses contain it
	Number     int    // in the course, counted from 1; incidents have numbers of their own
	Title      lang.Text
	Goal       lang.Text        // a sentence
	Minutes    int              // how long it takes, with its challenges; 0: its author does not say
	Lead       lang.Text        // HTML, before the lesson begins
	LeadMore   lang.Text        // HTML, what opens below the lead; optional
	On         lang.Text        // HTML, the next steps; optional
	Link       string           // the public report on an incident; empty: none
	Scenario   *engine.Scenario // nil: an incident may have only challenges
	Moments    []*Moment        // in the order of the scenario
	Challenges []*Challenge
	Again      *Question // comes back at the end of later lessons; nil: the lesson supplies none
	Question   *Question // whose run this is; nil: a lesson of the course
}

// A Moment is a place in the scenario where the lesson speaks.
type Moment struct {
	Name    string
	At      int // actions before it
	Heading lang.Text
	Text    lang.Text // HTML
	More    lang.Text // HTML, what opens below the text; optional
	Asks    lang.Text // the last question of the text; empty: there is none

	// Answers are the possible events until the next moment, in the order in which
	// every reader sees them: A, B, C. None: there is no question.
	Answers []*Answer
}

// An Answer to a prediction, or a reason for a claim.
type Answer struct {
	Name  string
	Text  lang.Text // HTML on one line
	After lang.Text // HTML: the reply to a learner who has given it
	More  lang.Text // HTML, what opens below the reply; optional
	Right bool      // the engine says so

	Misconception *Misconception   // which one leads to a wrong answer; nil: the author names none
	Refuted       *engine.Scenario // a run that shows why a reason is wrong; nil: there is none
}

// A Misconception is a wrong idea that several answers of a course may come from.
type Misconception struct {
	Name string // the headings of answers refer to it by this name
	Says lang.Text
}

// A Challenge asks whether a learner can break a lock.
type Challenge struct {
	Name       string
	Heading    lang.Text
	Text       lang.Text // HTML
	More       lang.Text // HTML, what opens below the text; optional
	Solved     lang.Text // HTML: the reply to a learner who has solved it
	SolvedMore lang.Text // HTML, what opens below that reply; optional
	Properties []string
	Start      *engine.Scenario // where it begins
	Bounds     lang.Text        // the limits of a solution
	Par        int              // actions of a shortest counterexample; 0: there is none

	// Reasons are the answers to "why can it not be broken?", of which one is right
	// where nobody can. None: the claim is not asked for one.
	Reasons []*Answer

	// Fix is a program that solves the challenge, where its task is to fix the lock; else nil.
	Fix *program.Program

	bounds explore.Question
	begins start
	file   string
	line   int
}

// A start tells what a challenge begins with.
type start struct {
	clients  int
	paused   bool // a client is
	orphaned bool // a request of an ended life is under way
}

// A Source is a text that the course discusses.
type Source struct {
	Name  string // claims refer to it by this name
	Title lang.Text
	Link  string // optional
}

// A Claim is a sentence from a source, and the moment of a lesson that tests
// it.
type Claim struct {
	Source  string
	Quote   string    // the source's own words
	Say     lang.Text // our words: its meaning
	Verdict string    // holds, partly or fails: the result of running it
	Shown   lang.Text // the demonstration
	Lesson  string
	Moment  string // in the lesson; empty: all of it
}

// All returns the lessons and the incidents.
func (c *Course) All() []*Lesson { return append(slices.Clone(c.Lessons), c.Incidents...) }

// Lesson returns the lesson or the incident with that name, or nil.
func (c *Course) Lesson(name string) *Lesson {
	return named(c.All(), func(l *Lesson) string { return l.Name }, name)
}

// After returns the lesson that follows another, or nil.
func (c *Course) After(l *Lesson) *Lesson { return c.beside(l, 1) }

// Before returns the lesson before another, or nil.
func (c *Course) Before(l *Lesson) *Lesson { return c.beside(l, -1) }

// ExpressAfter returns the lesson that follows another on the express path, or nil.
func (c *Course) ExpressAfter(l *Lesson) *Lesson {
	if i := slices.Index(c.Express, l); i >= 0 && i+1 < len(c.Express) {
		return c.Express[i+1]
	}
	return nil
}

func (c *Course) beside(l *Lesson, by int) *Lesson {
	for _, part := range [][]*Lesson{c.Lessons, c.Incidents} {
		if i := slices.Index(part, l); i >= 0 && i+by >= 0 && i+by < len(part) {
			return part[i+by]
		}
	}
	return nil
}

// Misconception returns the misconception with that name, or nil.
func (c *Course) Misconception(name string) *Misconception {
	return named(c.Misconceptions, func(m *Misconception) string { return m.Name }, name)
}

// Moment returns the moment with that name, or nil.
func (l *Lesson) Moment(name string) *Moment {
	return named(l.Moments, func(m *Moment) string { return m.Name }, name)
}

// moments returns the names of the moments.
func (l *Lesson) moments() []string {
	var names []string
	for _, m := range l.Moments {
		names = append(names, m.Name)
	}
	return names
}

// Challenge returns the challenge with that name, or nil.
func (l *Lesson) Challenge(name string) *Challenge {
	return named(l.Challenges, func(c *Challenge) string { return c.Name }, name)
}

func named[T any](all []*T, name func(*T) string, wanted string) *T {
	for _, one := range all {
		if name(one) == wanted {
			return one
		}
	}
	return nil
}
