package views

import (
	"strconv"

	"lockstep/engine/lang"
)

// A Task is the purpose of a run: a lesson or a challenge.
type Task struct {
	Lang   lang.Language
	Course CourseLink
	Lesson LessonLink

	Heading Text // HTML of a line
	Text    Text // HTML

	Guide     *Guide     // of a lesson
	Challenge *Challenge // of a challenge
}

// A Guide is a run's place in its lesson.
type Guide struct {
	Moment     string   // its name; empty: before the first
	Place      string   // 2 / 6
	Until      int      // the position of the next moment
	Answers    []Answer // to the open prediction
	To         string   // the moment of the previous prediction
	Came       []Answer // to that one, with their outcomes
	Given      string   // the name of the reader's answer, if the page knows it
	Own        bool     // the run has left the lesson's path
	Over       bool     // the lesson is at its end
	On         Text     // HTML, the next steps
	Challenges []ChallengeLink
	Next       *LessonLink // nil: there is none
}

// An Answer is one choice of a prediction.
type Answer struct {
	Name  string
	Text  Text // HTML of a line
	After Text // HTML for a reader who gave it
	Right bool
}

// A Challenge is a run's progress in a challenge.
type Challenge struct {
	Name    string
	Bounds  string
	Says    string // the standing in words
	Foul    string // the reason why the run does not count; empty: it does
	IsOver  bool   // it is solved
	Solved  Text   // HTML for a reader who solved it
	Actions int    // of the run that broke it; 0: not broken
	Claim   string // the search's verdict on the claim that nothing breaks it; empty: no claim yet
	Attack  string // a scenario that refutes the claim; empty: none
}

// A Mend is the page of a challenge to fix a program.
type Mend struct {
	Site
	Task    Task
	Source  string
	Refusal string // the reason why no search is possible; empty: it is possible
	Line    int    // of the fault in the source; 0: none
	Column  int
	Outcome Outcome
	Data    ExploreData
}

// numbered returns the title of a lesson with its number; incidents have none.
func (l LessonLink) numbered() string {
	if l.Incident {
		return l.Title.Say
	}
	return strconv.Itoa(l.Number) + ". " + l.Title.Say
}

func (g *Guide) gave(a Answer) bool { return g.Given == a.Name }

// follows reports whether a lesson leads the run.
func (p Page) follows() bool { return p.Task != nil && p.Task.Guide != nil && !p.Task.Guide.Own }
