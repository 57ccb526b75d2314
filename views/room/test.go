package room

import courseview "lockstep/views/course"

// A Test is the test that a room takes.
type Test struct {
	Title  string
	Form   string
	Path   string // of the form, for a seat
	Handed int
	Asked  int
}

// TestResults are the answers of a room to a test.
type TestResults struct {
	Title courseview.Text
	Gain  string
	Forms []FormResults
}

// FormResults tell how a class answered a form.
type FormResults struct {
	Form      string
	Says      string
	Scores    []ScoreCount
	Questions []QuestionResults
}

// A ScoreCount is how many seats have a score.
type ScoreCount struct{ Score, Seats int }

// QuestionResults tell how a class answered a question.
type QuestionResults struct {
	Heading courseview.Text // HTML of a line
	About   courseview.LessonLink
	Right   int
	Of      int
	Wrong   []WrongCount // most first
}

// A WrongCount is how many seats have chosen a wrong answer, and what it comes from.
type WrongCount struct {
	Seats         int
	Text          courseview.Text // HTML of a line
	Misconception courseview.Text // may be missing
}
