package room

import (
	"strconv"

	"lockstep/views"
)

// Results is the page of what a class has answered and done, in numbers. It names nobody.
type Results struct {
	views.Site
	Path      string // of the page, without an ending
	Room      string // the path of the room
	Over      bool   // the class is over
	Lead      string
	Questions []QuestionOutcome
	Exercises []ExerciseOutcome
	Left      string // what is not listed; empty: all is
	Test      *TestResults
}

// A QuestionOutcome is how a class has answered a question.
type QuestionOutcome struct {
	Number    int
	Text      string
	Choices   []ChoiceOutcome
	Rounds    []string // which votes there were
	Right     []string // of each round, how many were right; none: nobody has revealed the answer
	Gain      string   // the normalised gain as a number, or that there is none
	GainSays  string
	Idea      string // the commonest wrong choice; empty: there is none
	IdeaVotes string
	Why       string // the lesson's reason; empty: it gives none
}

// A ChoiceOutcome has the votes for a choice.
type ChoiceOutcome struct {
	Text   string
	Right  bool
	Idea   bool // it is the commonest wrong one
	Unsure bool // for those who are not sure
	Votes  []VoteOutcome
}

// A VoteOutcome counts the votes for a choice in a round.
type VoteOutcome struct {
	Votes int
	Share int // of all votes in the round, in percent
}

// An ExerciseOutcome is what became of an exercise.
type ExerciseOutcome struct {
	Number    int
	Title     string
	Open      bool // it goes on
	Says      string
	Claims    string // wrong claims; empty: an exercise that nobody can claim about
	Solutions []SolutionOutcome
}

// A SolutionOutcome counts the people who needed that many actions.
type SolutionOutcome struct{ Place, Actions, People int }

// wide returns the width of a bar for a share.
func (v VoteOutcome) wide() string { return strconv.Itoa(v.Share) }

// The most that the projector tells of a class, from the last row of a room.
const (
	mostToldQuestions = 4
	mostToldExercises = 2
)

// classTold reports whether the projector has something to tell of the class.
func (r Room) classTold() bool {
	return r.Class != nil && len(r.Class.Questions)+len(r.Class.Exercises) > 0
}

// lastOf returns the last of some things.
func lastOf[T any](all []T, most int) []T { return all[max(0, len(all)-most):] }
