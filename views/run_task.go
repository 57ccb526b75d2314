package views

import (
	"strconv"

	"lockstep/engine/lang"
)

// A Task is what a run is for: a lesson that it follows, or a challenge.
type Task struct {
	Lang   lang.Language
	Course CourseLink
	Lesson LessonLink

	Heading Text // HTML of a line
	Text    Text // HTML

	Guide     *Guide     // of a lesson
	Challenge *Challenge // of a challenge
}

// A Guide is where a run is in its lesson.
type Guide struct {
	Moment     string   // its name; empty: before the first
	Place      string   // 2 / 6
	Until      int      // the position of the next moment
	Answers    []Answer // to the prediction that is awaited
	To         string   // the moment of the prediction before
	Came       []Answer // to that one, which has come true or not
	Given      string   // the name of the one that was given, if the page was told
	Own        bool     // the run has left the lesson's path
	Over       bool     // the lesson is at its end
	On         Text     // HTML, the way on
	Challenges []ChallengeLink
	Next       *LessonLink // nil: there is none
}

// An Answer to a prediction.
type Answer struct {
	Name  string
	Text  Text // HTML of a line
	After Text // HTML, what is said to whoever has given it
	Right bool
}

// A Challenge is how far a run has come in it.
type Challenge struct {
	Name    string
	Bounds  string
	Says    string // what the standing is
	Foul    string // why the run does not count; empty: it does
	IsOver  bool   // it is solved
	Solved  Text   // HTML, what is said to whoever has solved it
	Actions int    // in which it was broken; 0: it was not
	Claim   string // what the search said to the claim that it cannot be broken; empty: nobody has made it
	Attack  string // a scenario that shows that the claim is wrong; empty: it is not
}

// A Mend is the page of a challenge to mend a program.
type Mend struct {
	Site
	Task    Task
	Source  string
	Refusal string // why it cannot be searched; empty: it can
	Line    int    // of the source, where it is wrong; 0: it is not
	Column  int
	Outcome Outcome
	Data    ExploreData
}

// numbered is the title of a lesson with its number; incidents have none.
func (l LessonLink) numbered() string {
	if l.Incident {
		return l.Title.Say
	}
	return strconv.Itoa(l.Number) + ". " + l.Title.Say
}

func (g *Guide) gave(a Answer) bool { return g.Given == a.Name }

// follows reports a run that a lesson leads.
func (p Page) follows() bool { return p.Task != nil && p.Task.Guide != nil && !p.Task.Guide.Own }
