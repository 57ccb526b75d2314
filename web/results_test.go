package web

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"html"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/web/present"
	"lockstep/web/room"
)

// A class takes both forms of a test at its own pace. The presenter sees numbers: the scores, what was chosen, and the
// gain of those who did both.
func TestAClassTakesATest(t *testing.T) {
	s := newSite(t, Options{Courses: []*course.Course{asking(t)}})
	presenter := s.person()
	path, run := presenter.opens("spawn C1 naive")
	presenter.send("GET", path+"/results?lang=en", nil).wants(t, http.StatusOK, "Nothing to count yet")
	presenter.send("GET", run+"?lang=en", nil).wants(t, http.StatusOK, "What do you know?", "Everybody answers at their own pace")
	var seats []*person
	for range 3 {
		seats = append(seats, s.joins(path))
	}
	hand := func(p *person, form, winner, waiter string) answer {
		return p.does(path, "hand", "form", form, form+".winner", winner, form+".waiter", waiter)
	}
	hand(seats[0], "before", "waits", "waits").wants(t, http.StatusUnprocessableEntity)

	presenter.does(path, "test", "form", "before", "course", "questions").wants(t, http.StatusSeeOther)
	code := strings.TrimPrefix(path, "/r/")
	seats[0].send("GET", path+"?lang=en", nil).wants(t, http.StatusOK, "The room takes a test:", "/courses/questions/test?form=before&amp;room="+code)
	seats[0].send("GET", run+"?lang=en", nil).wants(t, http.StatusOK, "The room takes a test:")
	asked := seats[0].send("GET", "/courses/questions/test?lang=en&form=before&room="+code+"&before.winner=waits", nil)
	asked.wants(t, http.StatusOK, "C1 asks: waiter, before", `<input type="hidden" name="room" value="`+code+`">`)
	last := seats[0].send("GET", "/courses/questions/test?lang=en&form=before&room="+code+"&before.winner=waits&before.waiter=waits", nil)
	last.wants(t, http.StatusOK, "Hand in", `action="`+path+`/do"`, "handed="+code)
	if strings.Contains(last.body, "of 2 right") {
		t.Error("the page tells the score before the answers are handed in")
	}
	if strings.Contains(last.body, `id="test-open" hidden`) || !strings.Contains(last.body, `id="test-closed" role="status" hidden`) {
		t.Error("the page says that the open test is over")
	}
	hand(seats[0], "before", "waits", "waits").wants(t, http.StatusSeeOther)      // none right
	hand(seats[1], "before", "gets-in", "not-sure").wants(t, http.StatusSeeOther) // one
	for i, offered := range []bool{false, false, true} {
		page := seats[i].send("GET", path, nil)
		if page.wants(t, http.StatusOK); strings.Contains(page.body, `aria-labelledby="room-test-title" hidden`) == offered {
			t.Errorf("two of three have handed in, and the phone of seat %d offers the test: %v", i+1, !offered)
		}
	}
	hand(seats[2], "before", "gets-in", "nonsense").wants(t, http.StatusUnprocessableEntity)
	hand(seats[2], "after", "waits", "waits").wants(t, http.StatusUnprocessableEntity)
	again := hand(seats[1], "before", "gets-in", "gets-in")
	again.wants(t, http.StatusUnprocessableEntity)
	presenter.send("GET", run+"?lang=en", nil).wants(t, http.StatusOK, "2 of 3 handed in")
	if page := seats[0].send("GET", "/courses/questions/test?lang=en&form=before&handed="+code+"&before.winner=waits&before.waiter=waits", nil); !strings.Contains(page.body, "The room has your answers") || strings.Contains(page.body, "knows no answers from before") {
		t.Error("the page misses the answers that it has just handed in")
	}
	hand(presenter, "before", "waits", "waits").wants(t, http.StatusUnprocessableEntity)
	seats[0].does(path, "test", "form", "after", "course", "questions").wants(t, http.StatusUnprocessableEntity)
	presenter.does(path, "test", "form", "after", "course", "nothing").wants(t, http.StatusUnprocessableEntity)

	presenter.does(path, "test", "form", "after", "course", "questions").wants(t, http.StatusSeeOther)
	hand(seats[0], "after", "waits", "gets-in").wants(t, http.StatusSeeOther) // one
	hand(seats[1], "after", "waits", "waits").wants(t, http.StatusSeeOther)   // both
	hand(seats[2], "after", "gets-in", "gets-in").wants(t, http.StatusSeeOther)
	presenter.does(path, "test").wants(t, http.StatusSeeOther)
	// The page of a seat that has not handed in says so, and holds its answers. It leads to the room, or on alone. Nobody else learns of it.
	for _, of := range []struct{ query, on string }{{"after.winner=waits", "Go on alone"}, {"after.winner=waits&after.waiter=waits", "See your result"}} {
		late := "/courses/questions/test?lang=en&form=after&room=" + code + "&" + of.query
		page := seats[2].send("GET", late, nil)
		page.wants(t, http.StatusOK, `id="test-open" hidden`, "The presenter has ended this test", `id="test-room" href="`+path+`"`, `href="/courses/questions/test?form=after&amp;`+strings.ReplaceAll(of.query, "&", "&amp;")+`"`, of.on)
		if strings.Contains(page.body, `id="test-closed" role="status" hidden`) {
			t.Errorf("%s hides that the test is over", of.query)
		}
		if page := s.person().send("GET", late, nil); !strings.Contains(page.body, `id="test-closed" role="status" hidden`) || strings.Contains(page.body, `id="room-data"`) {
			t.Errorf("%s tells a stranger about the room", of.query)
		}
	}
	refused := seats[2].does(path, "hand", "form", "after", "after.winner", "waits", "after.waiter", "waits", "back", "/courses/questions/test?form=after", "then", "/courses/questions/test?form=after&handed="+code)
	if refused.wants(t, http.StatusUnprocessableEntity); strings.Contains(refused.body, "handed=") {
		t.Error("a refused hand-in leads to the page that says that the room has the answers")
	}

	// Of the two who did both: (1.5 − 0.5) / (2 − 0.5).
	told := presenter.send("GET", path+"/results?lang=en", nil)
	told.wants(t, http.StatusOK)
	for _, says := range []string{"The class learned 67 % of what was missing (n = 2, mean 0.5 before and 1.5 after, of 2).", "2 handed in, 0.5 right on average", "3 handed in, 1.0 right on average", "1 chose:"} {
		if !strings.Contains(html.UnescapeString(told.body), says) {
			t.Errorf("the results do not say %q", says)
		}
	}
	presenter.send("GET", path+"/results?lang=zh", nil).wants(t, http.StatusOK, "课前不会的，全班学会了 67%")
	var results present.ClassResults
	data := presenter.send("GET", path+"/results.json", nil)
	data.wants(t, http.StatusOK)
	err := json.Unmarshal([]byte(data.body), &results)
	if class := results.Test; err != nil || class == nil || class.Both.Seats != 2 || class.After.Scores[0] != 1 || class.Before.Asked[0].Answers["gets-in"] != 1 {
		t.Errorf("the file holds %s: %v", data.body, err)
	}
	table := presenter.send("GET", path+"/results.csv?lang=en", nil)
	for name, file := range map[string]answer{".json": data, ".csv": table} {
		if got := file.Header.Get("Content-Disposition"); file.Header.Get("Cache-Control") != "no-store" || got != `attachment; filename="lockstep-results-`+code+name+`"` {
			t.Errorf("a cache keeps the class's answers, or they have no name: %q", got)
		}
	}
	table.wants(t, http.StatusOK, "part,number,title,round,item,right,count,of,note\r\n", `test,1,"C1 asks: winner, after",After the course,It gets in,no,1,3,`, `test,2,"C1 asks: waiter, before",Before the course,not sure,no,1,2,`)
	for _, file := range []string{"/results", "/results.json", "/results.csv"} {
		for _, p := range []*person{seats[0], s.person()} {
			if a := p.send("GET", path+file, nil); a.StatusCode == http.StatusOK {
				t.Errorf("%s is shown to somebody who does not present", file)
			}
		}
	}
}

// The room accepts as many answers as a test may have questions.
func TestARoomTakesAWholeTest(t *testing.T) {
	if n := len(course.Builtin().Test.Pairs); n > room.MaxGiven {
		t.Errorf("the test has %d questions, and a room takes %d answers", n, room.MaxGiven)
	}
}

// The gain of a class compares means over those who did both forms, and is none where nothing was missing.
func TestTheGainOfAClass(t *testing.T) {
	c := asking(t)
	none, all := []string{"waits", "waits"}, []string{"gets-in", "gets-in"} // right before, and the other way round after
	for name, row := range map[string]struct {
		before, after map[int][]string
		seats         int
		gain          float64
		none          bool
	}{
		"nobody":              {nil, nil, 0, 0, true},
		"nobody did both":     {map[int][]string{1: none}, map[int][]string{2: none}, 0, 0, true},
		"all learned":         {map[int][]string{1: none, 2: none}, map[int][]string{1: none}, 1, 1, false},
		"all was known":       {map[int][]string{1: all}, map[int][]string{1: none}, 1, 0, true},
		"forgot":              {map[int][]string{1: all, 2: none}, map[int][]string{1: all, 2: all}, 2, -1, false},
		"of another test":     {map[int][]string{1: {"waits"}}, map[int][]string{1: none}, 0, 0, true},
		"one who knew it all": {map[int][]string{1: all, 2: none}, map[int][]string{1: none, 2: none}, 2, 1, false},
	} {
		class := present.ClassOf(c, row.before, row.after)
		if class.Both.Seats != row.seats || (class.Both.Gain == nil) != row.none || class.Both.Gain != nil && *class.Both.Gain != row.gain {
			t.Errorf("%s: %+v", name, class.Both)
		}
	}
}

// taught plays a class of 13 through the server: the lesson's own question in two rounds, one of the engine in one round, one that is
// dropped, a challenge with wrong claims and solutions, and a copy that nobody takes.
func taught(t *testing.T, s *site) (presenter *person, path string, seats []*person) {
	t.Helper()
	presenter = s.person()
	lesson := presenter.send("POST", "/courses/redis-lock/race", url.Values{}).Header.Get("Location")
	made := presenter.send("POST", "/rooms", url.Values{"run": {strings.Split(strings.TrimPrefix(lesson, "/t/"), "?")[0]}})
	made.wants(t, http.StatusSeeOther)
	path = regexp.MustCompile(`/r/[0-9]{6}`).FindString(made.Header.Get("Location"))
	for range 13 {
		seats = append(seats, s.joins(path))
	}
	does := func(p *person, verb string, fields ...string) {
		t.Helper()
		p.does(path, verb, fields...).wants(t, http.StatusSeeOther)
	}
	vote := func(choices ...int) {
		t.Helper()
		for i, choice := range choices {
			does(seats[i], "vote", "choice", strconv.Itoa(choice))
		}
	}
	run := presenter.send("GET", path+"/present", nil).Header.Get("Location")
	length := func() int {
		r, err := s.server.Rooms.Runs.Read(context.Background(), strings.TrimPrefix(run, "/t/"))
		if err != nil {
			t.Fatal(err)
		}
		return r.Length()
	}
	for presenter.does(path, "ask", "kind", "predict", "client", "").StatusCode != http.StatusSeeOther {
		presenter.send("POST", run+"/lesson", url.Values{"at": {strconv.Itoa(length())}}).wants(t, http.StatusSeeOther)
	}
	right, wrong := -1, -1
	for i, c := range open(s, path).Choices {
		for _, m := range course.Builtin().Lesson("race").Moments {
			for _, a := range m.Answers {
				if a.Name == c.ID && a.Right {
					right = i
				} else if a.Name == c.ID {
					wrong = i
				}
			}
		}
	}
	vote(wrong, wrong, wrong, wrong, wrong, wrong, wrong, wrong, right, right, right, right) // seat 13 waits
	does(presenter, "round")
	does(presenter, "round")
	vote(wrong, wrong, right, right, right, right, right, right, right, right, right, right)
	does(presenter, "reveal")
	does(presenter, "drop")

	ask := func() { // the engine's question about whichever client has a command in flight
		t.Helper()
		for range 3 {
			for _, client := range []string{"C1", "C2", "C3"} {
				if presenter.does(path, "ask", "kind", "predict", "client", client).StatusCode == http.StatusSeeOther {
					return
				}
			}
			for _, client := range []string{"C1", "C2", "C3"} {
				presenter.send("POST", run+"/actions", url.Values{"action": {"step " + client}})
			}
		}
		t.Fatal("nothing is in flight")
	}
	ask()
	vote(0, 0, 0, 1, 1)
	does(presenter, "reveal")
	ask()
	vote(1, 1)
	does(presenter, "drop")

	does(presenter, "challenge", "task", "redis-lock/race/break")
	for i, p := range seats[:12] {
		does(p, "own")
		own := askRoom(s, path, func(r *room.Room) string { return present.RunPath(r.Sandbox(i + 1)) })
		if i < 3 {
			p.send("POST", own+"/claims", url.Values{"reason": {[]string{"", "", "nothing"}[i]}}).wants(t, http.StatusSeeOther)
		}
	}
	marks := func(seat, actions int) {
		h := s.roomOf(path)
		if err := h.As(context.Background(), room.Who{Seat: seat}, room.Entry{Verb: room.VerbMark, Seat: seat, State: room.Broken, Actions: actions, Solved: true}); err != nil {
			t.Fatal(err)
		}
	}
	for seat, actions := range map[int]int{4: 11, 5: 11, 6: 12, 7: 14, 8: 11, 9: 12} {
		marks(seat, actions)
	}
	does(presenter, "fork")
	return presenter, path, seats
}

// open returns the open question of a room.
func open(s *site, path string) *room.PollView {
	return askRoom(s, path, func(r *room.Room) *room.PollView { return r.View(room.Who{}).Poll })
}

// A class's results are numbers: both rounds of a question with the gain, the commonest misconception with the lesson's reason, and
// exercises with wrong claims and the ranking. They stay after the class, and only its presenter reads them.
func TestAClassHasResults(t *testing.T) {
	s := newSite(t, Options{})
	presenter, path, seats := taught(t, s)
	for _, end := range []bool{false, true} {
		if end {
			presenter.does(path, "end").wants(t, http.StatusSeeOther)
		}
		page := presenter.send("GET", path+"/results?lang=en", nil)
		page.wants(t, http.StatusOK, "In the room: 13. Questions: 3. Exercises: 1.", `href="`+path+`/results.csv?lang=en"`)
		said := html.UnescapeString(page.body)
		for _, says := range []string{
			"4 of 12", "10 of 12", "0.75", "the discussion won 75 % of what was missing", "Commonest misconception:", "(chosen by 8 of 12 who voted alone)",
			"One round only", "Nobody has revealed the answer.", "Begun: 12. Solved: 6.", "Wrong claims that it cannot be broken: 3 (people: 3).",
		} {
			if !strings.Contains(said, says) {
				t.Errorf("over: %t: the page does not say %q", end, says)
			}
		}
		for _, p := range presenter.namesOf(t, path) {
			if strings.Contains(said, p) {
				t.Errorf("the page names %s", p)
			}
		}
		presenter.send("GET", path+"/results?lang=zh", nil).wants(t, http.StatusOK, "提升率（归一化增益）0.75", "最常见的误解", "误判为攻不破：3 次，共 3 人。")

		var all present.ClassResults
		if err := json.Unmarshal([]byte(presenter.send("GET", path+"/results.json", nil).body), &all); err != nil {
			t.Fatal(err)
		}
		if q := all.Questions[0]; len(all.Questions) != 3 || q.Gain == nil || math.Abs(*q.Gain-0.75) > 1e-9 || q.Idea < 0 || q.Rounds[0][q.Idea] != 8 || q.Rounds[1][q.Idea] != 2 {
			t.Errorf("the file's questions are %+v", all.Questions)
		}
		if all.Questions[1].Gain != nil || all.Questions[2].Revealed || all.Questions[2].Answer != room.None || all.Over != end {
			t.Errorf("the file says %+v", all)
		}
		if e := all.Exercises[0]; len(all.Exercises) != 1 || !slices.Equal(e.Solutions, []room.Solution{{Actions: 11, Seats: 3}, {Actions: 12, Seats: 2}, {Actions: 14, Seats: 1}}) || e.Task != "redis-lock/race/break" {
			t.Errorf("the file's exercises are %+v", all.Exercises)
		}
		for _, p := range []*person{seats[0], s.person()} {
			for _, ending := range []string{"", ".json", ".csv"} {
				if a := p.send("GET", path+"/results"+ending, nil); a.StatusCode == http.StatusOK {
					t.Errorf("results%s are shown to somebody who does not present", ending)
				}
			}
		}
	}
}

// namesOf returns the names of everybody in a room.
func (p *person) namesOf(t *testing.T, path string) (names []string) {
	t.Helper()
	for _, s := range askRoom(p.site, path, func(r *room.Room) []room.Seat { return r.View(room.Who{}).Seats }) {
		names = append(names, s.Name.English, s.Name.Chinese)
	}
	if len(names) == 0 {
		t.Fatal("nobody is in the room")
	}
	return names
}

// A spreadsheet opens the table as it is: in UTF-8, with as many cells in each row, and no cell that it takes for a formula.
func TestTheTableOfResultsIsForASpreadsheet(t *testing.T) {
	s := newSite(t, Options{})
	presenter, path, _ := taught(t, s)
	for language, says := range map[string][]string{"en": {"Normalised gain", "wrong claims", "solved with 11 actions"}, "zh": {"归一化增益", "误判为攻不破", "用 11 个动作解决"}} {
		text := presenter.send("GET", path+"/results.csv?lang="+language, nil).body
		bare, marked := strings.CutPrefix(text, "\ufeff")
		if !marked {
			t.Errorf("%s: the table does not begin with the mark that tells Excel of UTF-8", language)
		}
		rows, err := csv.NewReader(strings.NewReader(bare)).ReadAll()
		if err != nil || len(rows) < 12 || len(rows[0]) != 9 {
			t.Fatalf("%s: %d rows: %v", language, len(rows), err)
		}
		for _, part := range says {
			if !strings.Contains(bare, part) {
				t.Errorf("%s: the table does not say %q", language, part)
			}
		}
	}
	danger := present.ClassResults{Questions: []present.QuestionResult{{
		Text: lang.Both("=HYPERLINK(1)", "+1"), Choices: []present.ChoiceResult{{ID: "a", Text: lang.Both("@a", "-a")}}, Rounds: [][]int{{1}}, Answer: room.None, Idea: room.None,
	}}}
	for _, l := range lang.All {
		for _, cell := range slices.Concat(danger.Table(l)...) {
			if _, err := strconv.ParseFloat(cell, 64); err != nil && strings.ContainsAny(cell[:min(1, len(cell))], "=+-@") {
				t.Errorf("a spreadsheet takes %q for a formula", cell)
			}
		}
	}
}

// The normalised gain of a question is undefined where nothing was missing, where one round is empty, and where there is one round.
func TestTheGainOfAQuestion(t *testing.T) {
	for name, row := range map[string]struct {
		first, second []int // right, wrong
		gain          float64
		none          bool
	}{
		"won half":          {[]int{2, 4}, []int{4, 2}, 0.5, false},
		"won all":           {[]int{0, 3}, []int{3, 0}, 1, false},
		"lost":              {[]int{1, 1}, []int{0, 2}, -1, false},
		"nothing missing":   {[]int{3, 0}, []int{3, 0}, 0, true},
		"nobody at first":   {[]int{0, 0}, []int{3, 0}, 0, true},
		"nobody afterwards": {[]int{1, 2}, []int{0, 0}, 0, true},
		"one round":         {[]int{1, 2}, nil, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := room.New()
			apply := func(e room.Entry) {
				if err := r.Can(room.Who{Presenter: true, Seat: e.Seat}, e); err != nil {
					t.Fatalf("%s: %v", e.Verb, err)
				}
				r.Apply(e)
			}
			apply(room.Entry{Verb: room.VerbOpen, Code: "482913", Run: "k3v9m2xq7a", Key: room.HashKey("presenter")})
			for i := range 10 {
				r.Apply(room.Entry{Verb: room.VerbJoin, Key: room.HashKey(strconv.Itoa(i))})
			}
			apply(room.Entry{Verb: room.VerbAsk, Poll: &room.Question{Kind: room.Predict, Text: lang.Both("?", "？"), Choices: []room.Choice{{ID: "a", Text: lang.Both("a", "甲")}, {ID: "b", Text: lang.Both("b", "乙")}}}})
			vote := func(counts []int) {
				seat := 0
				for choice, n := range counts {
					for range n {
						seat++
						apply(room.Entry{Verb: room.VerbVote, Seat: seat, Choice: choice})
					}
				}
			}
			if vote(row.first); row.second != nil {
				apply(room.Entry{Verb: room.VerbRound})
				apply(room.Entry{Verb: room.VerbRound})
				vote(row.second)
			}
			apply(room.Entry{Verb: room.VerbReveal})
			gain := present.ResultsOf(r, nil, nil).Questions[0].Gain
			if (gain == nil) != row.none || gain != nil && math.Abs(*gain-row.gain) > 1e-9 {
				t.Errorf("the gain is %v", gain)
			}
		})
	}
}
