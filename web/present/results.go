package present

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	roomview "lockstep/views/room"
	"lockstep/web/room"
)

// ClassResults are what a class has answered and done, in numbers. Nobody in it has a name, and no question that is open tells anything.
type ClassResults struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Room      string           `json:"room"` // its code
	Name      lang.Text        `json:"name"`
	Over      bool             `json:"over"`
	People    int              `json:"people"`
	Questions []QuestionResult `json:"questions"`
	Exercises []ExerciseResult `json:"exercises"`
	Left      int              `json:"left"` // questions, exercises and runs that the room has not kept
	Test      *Class           `json:"test,omitempty"`

	course *course.Course // of the test
}

// A QuestionResult is how a class has answered a question. A round is a list of votes, one count for each choice.
type QuestionResult struct {
	Text     lang.Text      `json:"text"`
	Choices  []ChoiceResult `json:"choices"`
	Rounds   [][]int        `json:"rounds"`
	Revealed bool           `json:"revealed"`
	Answer   int            `json:"answer"`        // the number of the right choice from 0; -1: none of them, or nobody has revealed it
	Gain     *float64       `json:"gain"`          // the normalised gain, (after - before) / (1 - before); null: it is undefined
	Idea     int            `json:"misconception"` // the number of the wrong choice that most have chosen; -1: none
}

// A ChoiceResult is one of the choices.
type ChoiceResult struct {
	ID   string     `json:"id"`
	Text lang.Text  `json:"text"`
	Why  *lang.Text `json:"why,omitempty"`
}

// An ExerciseResult is what became of an exercise.
type ExerciseResult struct {
	Title     lang.Text       `json:"title"`
	Task      string          `json:"task,omitempty"` // empty: a copy of the room's run
	Open      bool            `json:"open"`
	Begun     int             `json:"begun"`
	Solved    int             `json:"solved"`
	Claims    int             `json:"wrongClaims"`
	Claimants int             `json:"claimants"`
	Solutions []room.Solution `json:"solutions"`
}

// ResultsOf returns the results of a room. c is the course whose test it has taken, or nil.
func ResultsOf(r *room.Room, courses []*course.Course, c *course.Course) ClassResults {
	record := r.Record()
	all := ClassResults{
		Format: "lockstep.results", Version: 1, Room: r.Code(), Name: r.Name(), Over: r.Over(), People: r.Seats(), Left: record.Left,
		Questions: []QuestionResult{}, Exercises: []ExerciseResult{}, course: c,
	}
	for _, p := range record.Polls {
		all.Questions = append(all.Questions, questionResult(p))
	}
	going := r.Exercise()
	for _, e := range record.Exercises {
		if e.Begun == 0 {
			continue
		}
		result := ExerciseResult{
			Title: Words("room.copy"), Task: e.Task, Open: going != nil && going.Number == e.Number,
			Begun: e.Begun, Solved: e.Solved, Claims: e.Claims, Claimants: e.Claimants, Solutions: e.Solutions,
		}
		if t := course.Find(courses, e.Task); t.Challenge != nil {
			result.Title = taskTitle(t)
		} else if e.Task != "" {
			result.Title = lang.Both(e.Task, e.Task) // a course that this server no longer has
		}
		if result.Solutions == nil {
			result.Solutions = []room.Solution{}
		}
		all.Exercises = append(all.Exercises, result)
	}
	if c != nil && c.Test != nil {
		class := ClassOf(c, r.Handed(string(course.Before)), r.Handed(string(course.After)))
		all.Test = &class
	}
	return all
}

// taskTitle returns the title of a lesson, with that of its challenge.
func taskTitle(t course.Task) lang.Text {
	title := func(l lang.Language) string {
		said := t.Lesson.Title.In(l)
		if t.Challenge != nil {
			said += views.Say(l, "room.task-of") + plain(t.Challenge.Heading.In(l))
		}
		return said
	}
	return lang.Both(title(lang.English), title(lang.Chinese))
}

func questionResult(p room.PastPoll) QuestionResult {
	q := QuestionResult{Text: p.Question.Text, Rounds: p.Counts, Revealed: p.Revealed, Answer: room.None, Idea: room.None}
	for _, c := range p.Question.Choices {
		choice := ChoiceResult{ID: c.ID, Text: c.Text}
		if c.Why != (lang.Text{}) {
			choice.Why = &c.Why
		}
		q.Choices = append(q.Choices, choice)
	}
	if !p.Revealed {
		return q
	}
	if q.Answer = p.Answer; q.Answer == room.None {
		return q
	}
	q.Idea = q.commonest()
	if len(q.Rounds) == 2 {
		before, after := q.share(0), q.share(1)
		if gain, ok := course.Gain(before, after, 1); ok && sum(q.Rounds[0]) > 0 && sum(q.Rounds[1]) > 0 {
			q.Gain = &gain
		}
	}
	return q
}

// commonest returns the wrong choice that most have chosen in the first round, where everybody voted alone; the second decides between
// equals. An unsure seat has none. None: nobody has chosen a wrong one.
func (q QuestionResult) commonest() int {
	best, most := room.None, [2]int{}
	for i, c := range q.Choices {
		votes := [2]int{}
		for round, counts := range q.Rounds {
			votes[round] = counts[i]
		}
		if i != q.Answer && c.ID != room.Unsure && (votes[0] > most[0] || votes[0] == most[0] && votes[1] > most[1]) {
			best, most = i, votes
		}
	}
	return best
}

// share returns the share of right votes in a round, from 0 to 1.
func (q QuestionResult) share(round int) float64 {
	if all := sum(q.Rounds[round]); all > 0 {
		return float64(q.Rounds[round][q.Answer]) / float64(all)
	}
	return 0
}

func sum(counts []int) int {
	all := 0
	for _, n := range counts {
		all += n
	}
	return all
}

// hundred returns a part of a whole in percent.
func hundred(n, of int) int {
	if of == 0 {
		return 0
	}
	return int(math.Round(100 * float64(n) / float64(of)))
}

// Page makes the view model of the page of a class's results.
func (all ClassResults) Page(site views.Site) roomview.Results {
	in := teacher{site.Lang}
	page := roomview.Results{
		Site: site, Path: RoomPath(all.Room) + "/results", Room: RoomPath(all.Room), Over: all.Over,
		Lead: views.Say(in.lang, "outcome.lead", all.Name.In(in.lang), room.FormatCode(all.Room), all.People, len(all.Questions), len(all.Exercises)),
	}
	page.Window = views.Say(in.lang, "outcome.title") + " · " + room.FormatCode(all.Room)
	for i, q := range all.Questions {
		page.Questions = append(page.Questions, in.questionOutcome(i+1, q))
	}
	for i, e := range all.Exercises {
		page.Exercises = append(page.Exercises, in.exerciseOutcome(i+1, e))
	}
	if all.Left > 0 {
		page.Left = views.Say(in.lang, "outcome.left", all.Left)
	}
	if all.Test != nil {
		page.Test = in.outcome(all.course, *all.Test)
	}
	return page
}

func (in teacher) questionOutcome(number int, q QuestionResult) roomview.QuestionOutcome {
	page := roomview.QuestionOutcome{Number: number, Text: q.Text.In(in.lang), Gain: views.Say(in.lang, "outcome.none")}
	for round, counts := range q.Rounds {
		all := sum(counts)
		page.Rounds = append(page.Rounds, views.Say(in.lang, []string{"outcome.alone", "outcome.discussed"}[round], all))
		if q.Answer != room.None {
			page.Right = append(page.Right, views.Say(in.lang, "outcome.share", counts[q.Answer], all))
		}
	}
	for i, c := range q.Choices {
		choice := roomview.ChoiceOutcome{Text: c.Text.In(in.lang), Right: i == q.Answer, Idea: i == q.Idea, Unsure: c.ID == room.Unsure}
		for _, counts := range q.Rounds {
			choice.Votes = append(choice.Votes, roomview.VoteOutcome{Votes: counts[i], Share: hundred(counts[i], sum(counts))})
		}
		page.Choices = append(page.Choices, choice)
	}
	page.GainSays = in.gainSays(q)
	switch {
	case q.Gain != nil:
		page.Gain = decimal(*q.Gain)
	case len(q.Rounds) == 2 && q.Answer != room.None:
		page.Gain = views.Say(in.lang, "outcome.undefined")
	}
	if q.Idea != room.None {
		idea := q.Choices[q.Idea]
		page.Idea = idea.Text.In(in.lang)
		if page.IdeaVotes = views.Say(in.lang, "outcome.idea.votes", q.Rounds[0][q.Idea], sum(q.Rounds[0])); q.Rounds[0][q.Idea] == 0 {
			page.IdeaVotes = views.Say(in.lang, "outcome.idea.after", q.Rounds[1][q.Idea], sum(q.Rounds[1]))
		}
		if idea.Why != nil {
			page.Why = idea.Why.In(in.lang)
		}
	}
	return page
}

// gainSays tells the normalised gain of a question, or why there is none.
func (in teacher) gainSays(q QuestionResult) string {
	say := func(key string, arguments ...any) string {
		return views.Say(in.lang, "outcome.gain."+key, arguments...)
	}
	switch {
	case !q.Revealed:
		return say("hidden")
	case q.Answer == room.None:
		return say("answered")
	case len(q.Rounds) == 1:
		return say("once")
	case q.Gain != nil && *q.Gain < 0:
		return say("less", decimal(*q.Gain))
	case q.Gain != nil:
		return say("is", decimal(*q.Gain), int(math.Round(100**q.Gain)))
	case sum(q.Rounds[0]) == 0 || sum(q.Rounds[1]) == 0:
		return say("nobody")
	}
	return say("full")
}

// decimal returns a gain with two places.
func decimal(gain float64) string {
	return strings.Replace(strconv.FormatFloat(gain, 'f', 2, 64), "-", "−", 1)
}

func (in teacher) exerciseOutcome(number int, e ExerciseResult) roomview.ExerciseOutcome {
	page := roomview.ExerciseOutcome{Number: number, Title: e.Title.In(in.lang), Open: e.Open, Says: views.Say(in.lang, "outcome.begun", e.Begun, e.Solved)}
	switch {
	case e.Task == "": // a copy of a run is nothing to break
	case e.Claims == 0:
		page.Claims = views.Say(in.lang, "outcome.claims.none")
	case e.Claims == 1:
		page.Claims = views.Say(in.lang, "outcome.claims.one")
	default:
		page.Claims = views.Say(in.lang, "outcome.claims", e.Claims, e.Claimants)
	}
	place := 1
	for _, s := range e.Solutions {
		page.Solutions = append(page.Solutions, roomview.SolutionOutcome{Place: place, Actions: s.Actions, People: s.Seats})
		place += s.Seats
	}
	return page
}

// Table returns the results as one table for a spreadsheet, with a row for each number, in the reader's language.
func (all ClassResults) Table(l lang.Language) [][]string {
	say := func(key string, arguments ...any) string { return views.Say(l, "outcome.csv."+key, arguments...) }
	var rows [][]string
	row := func(part string, number int, title, round, item, right, count, of, note string) {
		cells := []string{part, strconv.Itoa(number), title, round, item, right, count, of, note}
		for i, cell := range cells {
			cells[i] = inert(cell)
		}
		rows = append(rows, cells)
	}
	rows = append(rows, []string{say("part"), say("number"), say("title"), say("round"), say("item"), say("right"), say("count"), say("of"), say("note")})
	yes := map[bool]string{true: say("yes"), false: say("no")}
	for i, q := range all.Questions {
		title, in := q.Text.In(l), teacher{l}
		for round, counts := range q.Rounds {
			for k, c := range q.Choices {
				right, note := "", ""
				if q.Answer != room.None {
					right = yes[k == q.Answer]
				}
				if c.Why != nil && q.Revealed {
					note = c.Why.In(l)
				}
				row(say("question"), i+1, title, strconv.Itoa(round+1), c.Text.In(l), right, strconv.Itoa(counts[k]), strconv.Itoa(sum(counts)), note)
			}
		}
		gain := ""
		if q.Gain != nil {
			gain = strconv.FormatFloat(*q.Gain, 'f', 4, 64)
		}
		row(say("question"), i+1, title, "", views.Say(l, "outcome.gain"), "", gain, "", in.gainSays(q))
	}
	for i, e := range all.Exercises {
		add := func(item string, count int, of string) {
			row(say("exercise"), i+1, e.Title.In(l), "", item, "", strconv.Itoa(count), of, "")
		}
		begun := strconv.Itoa(e.Begun)
		add(say("begun"), e.Begun, strconv.Itoa(all.People))
		add(say("solved"), e.Solved, begun)
		if e.Task != "" {
			add(say("claims"), e.Claims, "")
		}
		for _, s := range e.Solutions {
			add(say("solution", s.Actions), s.Seats, begun)
		}
	}
	if all.Test != nil {
		for _, f := range course.Forms() {
			tally := all.Test.in(f)
			for i, asked := range tally.Asked {
				q := all.course.Test.Pairs[i].In(f)
				title := plain(q.Asks().Heading.In(l))
				add := func(item string, right bool, votes int, note string) {
					row(say("test"), i+1, title, views.Say(l, "test.form."+string(f)), item, yes[right], strconv.Itoa(votes), strconv.Itoa(tally.Seats), note)
				}
				for _, a := range q.Asks().Answers {
					note := ""
					if a.Misconception != nil {
						note = plain(a.Misconception.Says.In(l))
					}
					add(plain(a.Text.In(l)), a.Right, asked.Answers[a.Name], note)
				}
				add(say("unsure"), false, asked.Answers["not-sure"], "")
			}
		}
	}
	return rows
}

// inert returns a cell of one line that no spreadsheet takes for a formula, neither as a whole nor where one of another country separates
// cells. A number keeps its sign.
func inert(cell string) string {
	cell = strings.Join(strings.Fields(cell), " ")
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return begins.ReplaceAllString(cell, "$1'$2")
}

// begins finds the signs that begin a formula, wide ones as well, after which some spreadsheets of East Asia take the rest for one. A spreadsheet in
// a country with a decimal comma separates cells by semicolons.
var begins = regexp.MustCompile(`(^|; *)([=+\-@＝＋－＠])`)
