package course

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// A Course is lessons in order, and incidents: challenges from the wild.
type Course struct {
	Name      string // of its directory; it stands in addresses
	Languages []lang.Language
	Title     lang.Text
	About     lang.Text // a sentence; may be missing
	Lessons   []*Lesson
	Incidents []*Lesson
	Sources   []Source
	Claims    []Claim
	Mistakes  []Mistake // what is wrong with the directory; what they are about is left out
}

// A Lesson is a scenario with moments and challenges.
type Lesson struct {
	Name       string // of its files; it stands in addresses
	Number     int    // in the course, counted from 1; incidents are counted by themselves
	Title      lang.Text
	Goal       lang.Text        // a sentence
	Lead       lang.Text        // HTML, read before the lesson begins
	On         lang.Text        // HTML, the way on; may be missing
	Link       string           // the public report of an incident; empty: none
	Scenario   *engine.Scenario // nil: an incident may have only challenges
	Moments    []*Moment        // in the order of the scenario
	Challenges []*Challenge
}

// A Moment is a place in the scenario where the lesson says something.
type Moment struct {
	Name    string
	At      int // actions before it
	Heading lang.Text
	Text    lang.Text // HTML

	// Answers are what may happen until the next moment; none: nothing is asked.
	Answers []*Answer
}

// An Answer to a prediction.
type Answer struct {
	Name  string
	Text  lang.Text // HTML of a line
	After lang.Text // HTML: what is said to whoever has given it
	Right bool      // the engine says so
}

// A Challenge asks whether a lock can be broken.
type Challenge struct {
	Name       string
	Heading    lang.Text
	Text       lang.Text // HTML
	Solved     lang.Text // HTML: what is said to whoever has solved it
	Properties []string
	Start      *engine.Scenario // from where it begins
	Bounds     lang.Text        // within which it is to be taken
	Par        int              // actions of the shortest way; 0: there is none

	// Fix is a program that mends the lock, where the challenge is to do that; else nil.
	Fix *program.Program

	bounds explore.Question
	file   string
	line   int
}

// A Source is a text that the course is about.
type Source struct {
	Name  string // by which claims name it
	Title lang.Text
	Link  string // may be missing
}

// A Claim is what a source says, and the moment of a lesson that shows it.
type Claim struct {
	Source  string
	Quote   string    // the source's own words
	Say     lang.Text // ours: what it means
	Verdict string    // holds, partly or fails: what running it shows
	Shown   lang.Text // how
	Lesson  string
	Moment  string // of the lesson; empty: all of it
}

// All are the lessons and the incidents.
func (c *Course) All() []*Lesson { return append(slices.Clone(c.Lessons), c.Incidents...) }

// Lesson is the one of that name, or the incident, or nil.
func (c *Course) Lesson(name string) *Lesson {
	return named(c.All(), func(l *Lesson) string { return l.Name }, name)
}

// After is the lesson that follows another, or nil.
func (c *Course) After(l *Lesson) *Lesson {
	for _, part := range [][]*Lesson{c.Lessons, c.Incidents} {
		if i := slices.Index(part, l); i >= 0 && i+1 < len(part) {
			return part[i+1]
		}
	}
	return nil
}

// Moment is the one of that name, or nil.
func (l *Lesson) Moment(name string) *Moment {
	return named(l.Moments, func(m *Moment) string { return m.Name }, name)
}

// Challenge is the one of that name, or nil.
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

// Run is the lesson's scenario up to a number of actions.
func (l *Lesson) Run(actions int) *engine.Run {
	return played(l.Scenario, actions, check.All()...)
}

// Here is the moment that a run is at or has last come by, and whether the run
// has done nothing but what the lesson does. Before the first moment it is nil.
func (l *Lesson) Here(actions []engine.Action) (moment *Moment, follows bool) {
	own, done := l.Scenario.Actions(), 0
	for done < min(len(own), len(actions)) && actions[done].String() == own[done].String() {
		done++
	}
	for _, m := range l.Moments {
		if m.At <= done {
			moment = m
		}
	}
	return moment, done == len(actions)
}

// Next is what the lesson does after these actions, if they are its own.
func (l *Lesson) Next(actions []engine.Action) (engine.Action, bool) {
	all := l.Scenario.Actions()
	if _, follows := l.Here(actions); !follows || len(actions) >= len(all) {
		return engine.Action{}, false
	}
	return all[len(actions)], true
}

// Following is how many actions the lesson has done at the moment that comes after these actions.
func (l *Lesson) Following(actions []engine.Action) int {
	for _, m := range l.Moments {
		if m.At > len(actions) {
			return m.At
		}
	}
	return len(l.Scenario.Actions())
}
