package course

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Question stands alone: a run up to the place where it asks, and what may come of it. A lesson supplies one that comes
// back at the end of later lessons, and a test two on each of its subjects.
type Question struct {
	*Lesson         // the question as a lesson that begins where it asks: Moments are the question and its outcome
	About   *Lesson // the lesson whose idea it asks about
}

// A Test asks the same things before a course and after it, in other schedules.
type Test struct {
	Title lang.Text
	Lead  lang.Text // HTML, before the first question; optional
	Pairs []Pair
}

// A Pair asks about one idea twice.
type Pair struct {
	Name   string
	About  *Lesson
	Before *Question
	After  *Question
}

// A Form is one of the two versions of a test.
type Form string

// The forms of a test.
const (
	Before Form = "before"
	After  Form = "after"
)

// Forms lists the forms of a test in their order.
func Forms() []Form { return []Form{Before, After} }

// The names of a question's moments.
const (
	again   = "again"
	outcome = "outcome"
)

// Asks returns the place where the question asks, with its words and its answers.
func (q *Question) Asks() *Moment { return q.Moments[0] }

// Unjudged returns the run up to where it asks. No property is looked at: a violation in the picture could tell the answer.
func (q *Question) Unjudged() *engine.Run { return played(q.Scenario, q.Asks().At) }

// Right returns the answer that the engine calls right.
func (q *Question) Right() *Answer {
	for _, a := range q.Asks().Answers {
		if a.Right {
			return a
		}
	}
	return nil
}

// takes reports whether an answer is possible. Not sure is one, too.
func (q *Question) takes(answer string) bool { return answer == notSure || q.Answer(answer) != nil }

// Answer returns the answer with that name, or nil.
func (q *Question) Answer(name string) *Answer {
	return named(q.Asks().Answers, func(a *Answer) string { return a.Name }, name)
}

// In returns the question of a form.
func (p Pair) In(f Form) *Question {
	if f == After {
		return p.After
	}
	return p.Before
}

// spacing lists how far back a lesson looks for the question that comes back at its end, the best distance first: what has
// faded a little is worth recalling.
var spacing = []int{2, 3, 1}

// Recall returns the questions that may come back at the end of a lesson, in the order in which they do: those about the
// lessons two, three and one before it, then the older ones. A reader who missed one of them meets that one first. After
// the second lesson none comes back: the third one has its question.
func (c *Course) Recall(l *Lesson) []*Question {
	here := slices.Index(c.Lessons, l)
	if here < spacing[0] {
		return nil
	}
	var all []*Question
	add := func(i int) {
		if i >= 0 && i < here && c.Lessons[i].Again != nil && !slices.Contains(all, c.Lessons[i].Again) {
			all = append(all, c.Lessons[i].Again)
		}
	}
	for _, by := range spacing {
		add(here - by)
	}
	for i := here - 1; i >= 0; i-- {
		add(i)
	}
	return all
}

// Given are a person's answers to a form of a test: the names of answers by the names of questions. A question without
// an answer is missing.
type Given map[string]string

// Read returns those of the answers that are possible.
func (t *Test) Read(f Form, answer func(question string) string) Given {
	given := Given{}
	for _, p := range t.Pairs {
		if a := answer(p.Name); p.In(f).takes(a) {
			given[p.Name] = a
		}
	}
	return given
}

// Score returns how many of the answers to a form are right.
func (t *Test) Score(f Form, given Given) (right int) {
	for _, p := range t.Pairs {
		if given[p.Name] == p.In(f).Right().Name {
			right++
		}
	}
	return right
}

// Gain returns the normalised gain between two scores, or mean scores: the share learned of what was missing before. It is
// not ok where nothing was missing.
func Gain(before, after, of float64) (gain float64, ok bool) {
	if before >= of {
		return 0, false
	}
	return (after - before) / (of - before), true
}

// Listed returns the answers by the names of their questions, from a list in the order of the questions. A list of
// another length is about another test: nothing is known.
func (t *Test) Listed(f Form, answers []string) Given {
	if len(answers) != len(t.Pairs) {
		return Given{}
	}
	given := Given{}
	for i, p := range t.Pairs {
		if a := answers[i]; p.In(f).takes(a) {
			given[p.Name] = a
		}
	}
	return given
}

// List returns the answers in the order of the questions, and reports whether none is missing.
func (t *Test) List(given Given) (answers []string, whole bool) {
	for _, p := range t.Pairs {
		answers = append(answers, given[p.Name])
	}
	return answers, len(given) == len(t.Pairs)
}

// A Tally tells how a class answered a form.
type Tally struct {
	Seats  int           `json:"seats"`
	Scores []int         `json:"scores"` // how many seats have 0, 1, … right answers
	Asked  []AnswerCount `json:"questions"`
}

// An AnswerCount tells how a class answered a question.
type AnswerCount struct {
	Name    string         `json:"name"`
	Lesson  string         `json:"lesson"`
	Right   int            `json:"right"`
	Answers map[string]int `json:"answers"` // by name; not-sure is one of them
}

// Tally counts the answers of a class to a form.
func (t *Test) Tally(f Form, class []Given) Tally {
	tally := Tally{Scores: make([]int, len(t.Pairs)+1)}
	for _, p := range t.Pairs {
		tally.Asked = append(tally.Asked, AnswerCount{Name: p.Name, Lesson: p.About.Name, Answers: map[string]int{}})
	}
	for _, given := range class {
		tally.Seats++
		tally.Scores[t.Score(f, given)]++
		for i, p := range t.Pairs {
			one := &tally.Asked[i]
			if a := given[p.Name]; a != "" {
				one.Answers[a]++
			}
			if given[p.Name] == p.In(f).Right().Name {
				one.Right++
			}
		}
	}
	return tally
}

// Mean returns the mean score; 0: nobody has answered.
func (t Tally) Mean() float64 {
	sum := 0
	for score, seats := range t.Scores {
		sum += score * seats
	}
	if t.Seats == 0 {
		return 0
	}
	return float64(sum) / float64(t.Seats)
}
