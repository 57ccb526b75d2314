package course

import (
	"lockstep/engine/lang"
	"lockstep/views"
)

// A Test is the page of a course's test: its beginning, a question, or the result.
type Test struct {
	views.Site
	Course   Link
	Path     string
	Title    Text
	Lead     Text     // HTML; may be missing
	Form     string   // before, after; empty: the reader has chosen none
	Names    []string // of its questions
	Given    []Given
	Question *TestQuestion   // nil: none is open
	Result   *TestResult     // nil: there is none yet
	Room     string          // the code of the room that the answers are for; empty: none
	RoomPath string          // its path
	Live     *views.RoomData // of that room, so that the page hears how its test goes; nil: the page hears nothing
	Closed   bool            // that room takes no answers to this form
	Handed   string          // the code of the room that has the answers; empty: none
	HandedTo string          // its path
	Data     TestData
}

// A Given is an answer that the reader has given, as the page hands it on.
type Given struct {
	Field    string // its name in the form: before.winner
	Form     string
	Question string
	Answer   string
}

// A TestQuestion is a question of a test, with the run up to where it asks.
type TestQuestion struct {
	Name    string
	Number  int
	Heading Text // HTML of a line
	Text    Text // HTML
	Asks    Text // HTML of a line; may be missing
	More    Text // HTML; may be missing
	Answers []Answer
	Actions []HandoutAction
	Outcome []HandoutAction // what decides the answer; only on paper with answers
	Picture TestPicture
}

// A TestResult is what came of a form.
type TestResult struct {
	Says string
	Gain string    // empty: nothing is known of the form before
	Rows []TestRow // none: the answers wait for the form after
}

// A TestRow tells how a question was answered.
type TestRow struct {
	Question Text // HTML of a line
	About    LessonLink
	Known    bool
	Given    *Answer // nil: the reader was not sure
	Right    Answer
}

// A TestHandout is a form of a test on paper.
type TestHandout struct {
	views.Site
	Course    Link
	Path      string
	Title     Text
	Lead      Text // HTML; may be missing
	Form      string
	Answers   bool
	Questions []TestQuestion
	Data      TestData
}

// TestData is what the pictures of questions are drawn from.
type TestData struct {
	Lang     lang.Language  `json:"lang"`
	Timeline map[string]any `json:"timeline"`
	Pictures []TestPicture  `json:"pictures"`
}

// A TestPicture is the run of a question.
type TestPicture struct {
	Moments []int            `json:"moments"` // actions before the question
	Events  []map[string]any `json:"events"`
}

// here returns the path of the page, for the link to another language.
func (c Test) here() string {
	path := c.Path
	if c.Form != "" {
		path += "?form=" + c.Form
		for _, g := range c.Given {
			path += "&" + g.Field + "=" + g.Answer
		}
		if c.Room != "" {
			path += "&room=" + c.Room
		}
		if c.Handed != "" {
			path += "&handed=" + c.Handed
		}
	}
	return path
}

// InRoom returns the path at which the room's people begin the form.
func (c Test) InRoom() string { return TestInRoom(c.Path, c.Form, c.Room) }

// TestInRoom returns the path at which the people of a room begin a form of a test.
func TestInRoom(path, form, code string) string { return path + "?form=" + form + "&room=" + code }

// FormOf names a form of a test with the given title.
func FormOf(l lang.Language, title, form string) string {
	return views.Say(l, "test.of-form", title, views.Say(l, "test.form."+form))
}

// testPaper returns the path of a test on paper.
func testPaper(path, form string, answers bool) string {
	path += "/handout?form=" + form
	if answers {
		path += "&answers=1"
	}
	return path
}

// alone returns the path of the page without the room, for a reader whose answers the room has refused.
func (c Test) alone() string {
	c.Room = ""
	return c.here()
}

// then returns the path to which a room leads after it has the answers.
func (c Test) then() string { return views.WithQuery(c.alone(), "handed="+c.Room) }

// other returns the other form.
func other(form string) string {
	if form == "before" {
		return "after"
	}
	return "before"
}
