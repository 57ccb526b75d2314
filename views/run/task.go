package run

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	exploreview "lockstep/views/explore"
)

// A Task is the purpose of a run: a lesson or a challenge.
type Task struct {
	Lang   lang.Language
	Course courseview.Link
	Lesson courseview.LessonLink

	Heading courseview.Text // HTML of a line
	Text    courseview.Text // HTML
	More    courseview.Text // HTML, what opens below; may be missing

	Report   string    // the public report on an incident; empty: none
	Incident *Incident // of a challenge whose lesson has no scenario; nil: it has one
	On       string    // the path that follows a solved challenge

	About *courseview.LessonLink // the lesson that a question asks about; nil: the task is no question

	Guide     *Guide     // of a lesson
	Challenge *Challenge // of a challenge
}

// An Incident is a lesson that has challenges and no scenario.
type Incident struct {
	Lead, More courseview.Text // HTML
	On         courseview.Text // HTML
	Challenges []courseview.ChallengeLink
}

// A Guide is a run's place in its lesson.
type Guide struct {
	Moment     string              // its name; empty: before the first
	Place      string              // 2 / 6
	Reached    int                 // how many of its moments the run has come to
	Moments    int                 // of the lesson
	Key        []Hit               // the right answers, once the lesson is over
	Until      int                 // the position of the next moment
	Action     string              // the lesson's next action as a line; empty: a question waits, or the lesson leads no further
	Question   courseview.Text     // HTML of a line, the open prediction's; may be missing
	Answers    []courseview.Answer // to it
	To         string              // the moment of the previous prediction
	Came       []courseview.Answer // to that one, with their outcomes
	Given      string              // the name of the reader's answer, if the page knows it
	Own        bool                // the run has left the lesson's path
	Over       bool                // the lesson is at its end
	On         courseview.Text     // HTML, the next steps
	Challenges []courseview.ChallengeLink
	Previous   *courseview.LessonLink   // nil: there is none
	Next       *courseview.LessonLink   // as Previous
	Recall     *Recall                  // at the end; nil: nothing comes back
	Readings   []courseview.ReadingLink // at the end of the course and of its express path
	Express    *courseview.LessonLink   // the next lesson of the express path, where another one follows; nil: there is none
}

// A Challenge is a run's progress in a challenge.
type Challenge struct {
	Name       string
	Bounds     string
	Goal       string          // what to bring about, and how far the run is from it; empty: no run takes it
	Says       string          // the standing in words
	Foul       string          // the reason why the run does not count; empty: it does
	IsOver     bool            // it is solved
	Solved     courseview.Text // HTML for a reader who solved it
	SolvedMore courseview.Text // HTML, what opens below that; may be missing
	Actions    int             // of the run that broke it; 0: not broken
	Holds      bool            // it is solved because nobody can break it
	Stamp      string          // the outcome in a word or two
	Feat       string          // what is to be said of it
	States     string          // that the search has seen, as Feat writes their number; empty: it is not solved by a search
	Undo       Button
	Par        int                 // actions of the shortest solution, once it is solved by one; 0: nothing is to be told
	Begins     int                 // actions of the run before the challenge
	Reasons    []courseview.Answer // why nobody might be able to break it; none: the claim asks for none
	Given      *courseview.Answer  // the reason that the reader gave; nil: none
	Right      *courseview.Answer  // the reason that decides the claim; nil: there is none, or it is not decided
	Then       *courseview.ChallengeLink
	Next       *courseview.LessonLink // nil: there is none
	Express    *courseview.LessonLink // the next lesson of the express path, where another one follows; nil: there is none
	Recall     *Recall                // a question that comes back with the last challenge; nil: none
	Claim      string                 // the search's verdict on the claim that nothing breaks it; empty: no claim yet
	InRoom     bool                   // it is an exercise of a room: nothing helps to solve it
	Refuted    bool                   // the search has found a way to break the lock
	Attack     string                 // a scenario that does; empty: in a room's exercise everybody looks for one
}

// outcome returns the verdict of the stamp, as the explorer names it.
func (c *Challenge) outcome() string {
	if c.Holds {
		return "holds"
	}
	return "violated"
}

// A Mend is the page of a challenge to fix a program.
type Mend struct {
	views.Site
	Task    Task
	Source  string
	Refusal string // the reason why no search is possible; empty: it is possible
	Line    int    // of the fault in the source; 0: none
	Column  int
	Outcome exploreview.Outcome
	Data    exploreview.Data

	Answered bool // it answers the reader's own search
}

// A Hit is the right answer to the prediction at a moment.
type Hit struct{ Moment, Answer string }

// key returns the attribute with the right answers, which the script of a framed page compares with the reader's.
func (g *Guide) key() templ.Attributes {
	if !g.Over {
		return nil
	}
	pairs := make([]string, len(g.Key))
	for i, hit := range g.Key {
		pairs[i] = hit.Moment + "=" + hit.Answer
	}
	return templ.Attributes{"data-key": strings.Join(pairs, " ")}
}

// par returns the attribute with the length of the shortest solution.
func (c *Challenge) par() templ.Attributes {
	if c.Par == 0 {
		return nil
	}
	return templ.Attributes{"data-par": strconv.Itoa(c.Par)}
}

// Opens reports whether the lesson begins here, with a request that the reader presses on the stage. Its token leads then, and
// not the card's foot.
func (g *Guide) Opens() bool {
	return g.Moment == "" && !g.Own && travels(g.Action)
}

// travels reports whether an action moves what is in flight, for which a token stands on the stage.
func travels(action string) bool {
	verb, _, _ := strings.Cut(action, " ")
	return slices.Contains([]string{"step", "deliver", "receive"}, verb)
}

// goesOn ranks the control that goes on with the lesson: one thing leads.
func goesOn(g *Guide) string {
	if g.Opens() {
		return "quiet-button"
	}
	return "primary"
}

func (g *Guide) gave(a courseview.Answer) bool { return g.Given == a.Name }

// challenged reports whether the run takes a challenge, with the challenge's program and options.
func (p Page) challenged() bool { return p.Task != nil && p.Task.Challenge != nil }

// Follows reports whether a lesson leads the run.
func (p Page) Follows() bool { return p.Task != nil && p.Task.Guide != nil && !p.Task.Guide.Own }

// offered marks the button of what the lesson does next: it is seen, while those beside it wait for the pointer.
func (p Page) offered(b Button) string {
	if !p.Follows() || b.Action != p.Task.Guide.Action || travels(b.Action) { // a token stands for what travels
		return ""
	}
	return "offered"
}

// at returns the path of the task's lesson at a moment; empty: at its opening.
func (t *Task) at(moment string) string {
	if moment == "" {
		return t.Lesson.Path
	}
	return t.Lesson.Path + "?moment=" + moment
}

// A Recall offers a question from an earlier lesson. The browser knows which ones the reader has missed, and prefers those.
type Recall struct {
	Course  string   // the path of the course
	Lessons []string // the names of the lessons that supply the questions, in the order in which they come back
	Missed  bool     // only a question that the reader has missed comes back, so it takes the browser to offer one
}

// path returns the path of the question that comes back first.
func (r *Recall) path() string { return r.Course + "/" + r.Lessons[0] + "/again" }

func (r *Recall) names() string { return strings.Join(r.Lessons, " ") }
