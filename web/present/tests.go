package present

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"

	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	roomview "lockstep/views/room"
	"lockstep/web/room"
)

// TestPath returns the path of a course's test.
func TestPath(c *course.Course) string { return CoursePath(c) + "/test" }

// An Answered is what an address says of a test: the form that the reader takes, and the answers to both.
type Answered struct {
	Form   course.Form // empty: the reader has chosen none
	Before course.Given
	After  course.Given
	Room   string // the code of the room that the answers are for; empty: the reader alone wants to know
	Handed string // the code of the room that has them
}

// ReadAnswered reads the query of a test's address. It knows the names of the test's questions, and no others: the answer to
// winner before the course is before.winner=zero, or q=winner&guess=zero where a button has given it.
func ReadAnswered(t *course.Test, query url.Values) Answered {
	var a Answered
	for _, f := range course.Forms() {
		if query.Get("form") == string(f) {
			a.Form = f
		}
	}
	a.Room, _ = room.ParseCode(query.Get("room"))
	a.Handed, _ = room.ParseCode(query.Get("handed"))
	read := func(f course.Form) course.Given {
		return t.Read(f, func(question string) string {
			if guess := query.Get("guess"); guess != "" && f == a.Form && query.Get("q") == question {
				return guess
			}
			return query.Get(TestField(f, question))
		})
	}
	a.Before, a.After = read(course.Before), read(course.After)
	return a
}

// TestField returns the name of the field with the answer to a question.
func TestField(f course.Form, question string) string { return string(f) + "." + question }

// in returns the answers to a form.
func (a Answered) in(f course.Form) course.Given {
	if f == course.After {
		return a.After
	}
	return a.Before
}

// Test makes the view model of the page of a test: its beginning, the first question without an answer, or the result.
func Test(c *course.Course, a Answered, site views.Site) courseview.Test {
	in, t := teacher{site.Lang}, c.Test
	page := courseview.Test{
		Site: site, Course: in.course(c), Path: TestPath(c), Title: in.text(t.Title), Lead: in.text(t.Lead), Form: string(a.Form), Data: in.testData(),
	}
	for _, p := range t.Pairs {
		page.Names = append(page.Names, p.Name)
	}
	if a.Room != "" {
		page.Room, page.RoomPath = a.Room, RoomPath(a.Room)
	}
	if a.Handed != "" {
		page.Handed, page.HandedTo = a.Handed, RoomPath(a.Handed)
	}
	for _, f := range course.Forms() {
		for _, p := range t.Pairs {
			if name := a.in(f)[p.Name]; name != "" {
				page.Given = append(page.Given, courseview.Given{Field: TestField(f, p.Name), Question: p.Name, Answer: name, Form: string(f)})
			}
		}
	}
	page.Window, page.Site.About, page.Picture = page.Title.Say, views.Say(in.lang, "test.about", len(t.Pairs)), pictureOf(CoursePath(c))
	if a.Form == "" {
		return page
	}
	page.Window += " · " + views.Say(in.lang, "test.form."+string(a.Form))
	for i, p := range t.Pairs {
		if a.in(a.Form)[p.Name] == "" {
			page.Question = in.asked(p, a.Form, i, false)
			page.Data.Pictures = append(page.Data.Pictures, page.Question.Picture)
			page.Window = views.Say(in.lang, "task.place", i+1, len(t.Pairs)) + " · " + page.Window
			return page
		}
	}
	if page.Window += " · " + views.Say(in.lang, "test.result"); a.Room != "" {
		return page // the room hears the answers first
	}
	page.Result = in.result(c, a)
	return page
}

// TestHandout makes the view model of a form of a test on paper, with or without the answers.
func TestHandout(c *course.Course, f course.Form, answers bool, site views.Site) courseview.TestHandout {
	in, t := teacher{site.Lang}, c.Test
	page := courseview.TestHandout{
		Site: site, Course: in.course(c), Path: TestPath(c), Title: in.text(t.Title), Lead: in.text(t.Lead), Form: string(f), Answers: answers, Data: in.testData(),
	}
	for i, p := range t.Pairs {
		q := in.asked(p, f, i, answers)
		page.Questions = append(page.Questions, *q)
		page.Data.Pictures = append(page.Data.Pictures, q.Picture)
	}
	page.Window = page.Title.Say + " · " + views.Say(in.lang, "test.form."+string(f)) + " · " + views.Say(in.lang, "face.handout")
	if answers {
		page.Window += " · " + views.Say(in.lang, "face.answers")
	}
	page.Site.About, page.Picture = views.Say(in.lang, "test.about", len(t.Pairs)), pictureOf(CoursePath(c))
	return page
}

func (in teacher) testData() courseview.TestData {
	return courseview.TestData{Lang: in.lang, Timeline: views.TimelineWords(in.lang, check.Flags(in.lang))}
}

// asked returns a question of a test up to the place where it asks. With the outcome, its run goes on to its end.
func (in teacher) asked(p course.Pair, f course.Form, place int, outcome bool) *courseview.TestQuestion {
	q := p.In(f)
	m := q.Asks()
	until, run := m.At, q.Unjudged()
	if outcome {
		run.World().Close()
		until = len(q.Scenario.Actions())
		run = q.Run(until)
	}
	defer run.World().Close()
	asked := &courseview.TestQuestion{
		Name: p.Name, Number: place + 1, Heading: in.text(m.Heading), More: in.text(m.More), Answers: in.answers(m),
		Actions: in.actions(run, 0, m.At), Outcome: in.actions(run, m.At, until), Picture: courseview.TestPicture{Moments: []int{m.At}, Events: drawn(run, in.lang)},
	}
	asked.Text, asked.Asks = asks(in.text(m.Text))
	if !outcome {
		for i := range asked.Answers { // the page holds nothing that tells which answer is right
			asked.Answers[i].Right, asked.Answers[i].After, asked.Answers[i].More = false, courseview.Text{}, courseview.Text{}
		}
	}
	return asked
}

// result returns what came of a form, and of the one before it.
func (in teacher) result(c *course.Course, a Answered) *courseview.TestResult {
	t := c.Test
	score, of := t.Score(a.Form, a.in(a.Form)), len(t.Pairs)
	r := &courseview.TestResult{Says: views.Say(in.lang, "test.score", score, of)}
	if a.Form == course.Before {
		return r
	}
	if len(a.Before) == of {
		before := t.Score(course.Before, a.Before)
		r.Gain = gained(in, before, score, of)
	}
	for _, p := range t.Pairs {
		q := p.After
		row := courseview.TestRow{Question: in.text(q.Asks().Heading), About: in.lesson(c, p.About), Right: in.answer(q.Right())}
		if given := q.Answer(a.After[p.Name]); given != nil {
			answer := in.answer(given)
			row.Given, row.Known = &answer, given.Right
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// gained says what was learned between two scores.
func gained(in teacher, before, after, of int) string {
	g, ok := course.Gain(float64(before), float64(after), float64(of))
	switch {
	case after < before:
		return views.Say(in.lang, "test.gain.less", before)
	case !ok:
		return views.Say(in.lang, "test.gain.full", before)
	case after == before:
		return views.Say(in.lang, "test.gain.same")
	}
	return views.Say(in.lang, "test.gain", before, percent(g))
}

func percent(share float64) string { return fmt.Sprintf("%.0f", math.Round(100*share)) }

// testing makes the view model of the test of a room; nil: none is open.
func (r Room) testing(in teacher) *roomview.Test {
	t := r.View.Test
	if t == nil || r.Test == nil || r.Test.Test == nil {
		return nil
	}
	return &roomview.Test{
		Title: in.text(r.Test.Test.Title).Say, Form: t.Form, Handed: t.Handed, Asked: t.Asked,
		Path: courseview.TestInRoom(TestPath(r.Test), t.Form, r.View.Code),
	}
}

// tests returns the courses whose tests a presenter can open for a room.
func tests(courses []*course.Course, l lang.Language) []roomview.TaskLink {
	var all []roomview.TaskLink
	for _, c := range courses {
		if c.Test != nil {
			all = append(all, roomview.TaskLink{Name: c.Name, Title: teacher{l}.text(c.Test.Title).Say})
		}
	}
	return all
}

// A Class is what a room's seats have answered to a test, in numbers: nobody in it has a name.
type Class struct {
	Course string       `json:"course"`
	Of     int          `json:"questions"` // of a form
	Before course.Tally `json:"before"`
	After  course.Tally `json:"after"`
	Both   Both         `json:"both"`
}

// Both compares the seats that have handed in both forms.
type Both struct {
	Seats  int      `json:"seats"`
	Before float64  `json:"before"` // the mean score
	After  float64  `json:"after"`
	Gain   *float64 `json:"gain"` // the normalised gain of the means; nil: nobody did both, or nothing was missing
}

// in returns the answers to a form.
func (class Class) in(f course.Form) course.Tally {
	if f == course.After {
		return class.After
	}
	return class.Before
}

// ClassOf counts the answers of a room to the test of a course. It leaves out those to a test with other questions, which a
// course had before it changed.
func ClassOf(c *course.Course, before, after map[int][]string) Class {
	t := c.Test
	read := func(f course.Form, handed, also map[int][]string) (class []course.Given) {
		for number, answers := range handed {
			if len(answers) == len(t.Pairs) && len(also[number]) == len(t.Pairs) {
				class = append(class, t.Listed(f, answers))
			}
		}
		return class
	}
	class := Class{
		Course: c.Name, Of: len(t.Pairs),
		Before: t.Tally(course.Before, read(course.Before, before, before)), After: t.Tally(course.After, read(course.After, after, after)),
	}
	was, is := t.Tally(course.Before, read(course.Before, before, after)), t.Tally(course.After, read(course.After, after, before))
	class.Both = Both{Seats: was.Seats, Before: was.Mean(), After: is.Mean()}
	if gain, ok := course.Gain(class.Both.Before, class.Both.After, float64(class.Of)); ok && was.Seats > 0 {
		class.Both.Gain = &gain
	}
	return class
}

// outcome returns how a room has answered a test.
func (in teacher) outcome(c *course.Course, class Class) *roomview.TestResults {
	page := &roomview.TestResults{Title: in.text(c.Test.Title)}
	switch b := class.Both; {
	case b.Seats == 0:
		page.Gain = views.Say(in.lang, "results.gain.nobody")
	case b.Gain == nil:
		page.Gain = views.Say(in.lang, "results.gain.full", b.Seats)
	case *b.Gain < 0:
		page.Gain = views.Say(in.lang, "results.gain.less", b.Seats, fmt.Sprintf("%.1f", b.Before), fmt.Sprintf("%.1f", b.After), class.Of)
	default:
		page.Gain = views.Say(in.lang, "results.gain", percent(*b.Gain), b.Seats, fmt.Sprintf("%.1f", b.Before), fmt.Sprintf("%.1f", b.After), class.Of)
	}
	for _, f := range course.Forms() {
		if tally := class.in(f); tally.Seats > 0 {
			page.Forms = append(page.Forms, in.formResults(c, f, tally))
		}
	}
	return page
}

// formResults returns how a class answered a form.
func (in teacher) formResults(c *course.Course, f course.Form, tally course.Tally) roomview.FormResults {
	form := roomview.FormResults{Form: string(f), Says: views.Say(in.lang, "results.form", tally.Seats, fmt.Sprintf("%.1f", tally.Mean()), len(c.Test.Pairs))}
	for score, seats := range tally.Scores {
		form.Scores = append(form.Scores, roomview.ScoreCount{Score: score, Seats: seats})
	}
	for i, asked := range tally.Asked {
		p := c.Test.Pairs[i]
		q := p.In(f)
		row := roomview.QuestionResults{Heading: in.text(q.Asks().Heading), About: in.lesson(c, p.About), Right: asked.Right, Of: tally.Seats}
		for _, a := range q.Asks().Answers {
			if n := asked.Answers[a.Name]; n > 0 && !a.Right {
				row.Wrong = append(row.Wrong, roomview.WrongCount{Seats: n, Text: in.text(a.Text), Misconception: in.answer(a).Misconception})
			}
		}
		slices.SortStableFunc(row.Wrong, func(a, b roomview.WrongCount) int { return cmp.Compare(b.Seats, a.Seats) })
		form.Questions = append(form.Questions, row)
	}
	return form
}
