package web

import (
	"encoding/json"
	"html"
	"net/http"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/web/present"
	"lockstep/web/room"
)

// A class takes both forms of a test at its own pace. The presenter sees numbers: the scores, what was chosen, and the
// gain of those who did both.
func TestAClassTakesATest(t *testing.T) {
	s := newSite(t, Options{Courses: []*course.Course{asking(t)}})
	presenter := s.person()
	path, run := presenter.opens("spawn C1 naive")
	presenter.send("GET", path+"/test", nil).wants(t, http.StatusUnprocessableEntity)
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
	hand(presenter, "before", "waits", "waits").wants(t, http.StatusUnprocessableEntity)
	seats[0].does(path, "test", "form", "after", "course", "questions").wants(t, http.StatusUnprocessableEntity)
	presenter.does(path, "test", "form", "after", "course", "nothing").wants(t, http.StatusUnprocessableEntity)

	presenter.does(path, "test", "form", "after", "course", "questions").wants(t, http.StatusSeeOther)
	hand(seats[0], "after", "waits", "gets-in").wants(t, http.StatusSeeOther) // one
	hand(seats[1], "after", "waits", "waits").wants(t, http.StatusSeeOther)   // both
	hand(seats[2], "after", "gets-in", "gets-in").wants(t, http.StatusSeeOther)
	presenter.does(path, "test").wants(t, http.StatusSeeOther)
	refused := seats[2].does(path, "hand", "form", "after", "after.winner", "waits", "after.waiter", "waits", "back", "/courses/questions/test?form=after", "then", "/courses/questions/test?form=after&handed="+code)
	if refused.wants(t, http.StatusUnprocessableEntity); strings.Contains(refused.body, "handed=") {
		t.Error("a refused hand-in leads to the page that says that the room has the answers")
	}

	// Of the two who did both: (1.5 − 0.5) / (2 − 0.5).
	results := presenter.send("GET", path+"/test?lang=en", nil)
	results.wants(t, http.StatusOK)
	for _, says := range []string{"The class learned 67 % of what was missing (n = 2, mean 0.5 before and 1.5 after, of 2).", "2 handed in, 0.5 right on average", "3 handed in, 1.0 right on average", "1 chose:"} {
		if !strings.Contains(html.UnescapeString(results.body), says) {
			t.Errorf("the results do not say %q", says)
		}
	}
	presenter.send("GET", path+"/test?lang=zh", nil).wants(t, http.StatusOK, "课前不会的，全班学会了 67%")
	var class present.Class
	data := presenter.send("GET", path+"/test.json", nil)
	data.wants(t, http.StatusOK)
	if err := json.Unmarshal([]byte(data.body), &class); err != nil || class.Both.Seats != 2 || class.After.Scores[0] != 1 || class.Before.Asked[0].Answers["gets-in"] != 1 {
		t.Errorf("the file holds %s: %v", data.body, err)
	}
	table := presenter.send("GET", path+"/test.csv", nil)
	for name, file := range map[string]answer{".json": data, ".csv": table} {
		if got := file.Header.Get("Content-Disposition"); file.Header.Get("Cache-Control") != "no-store" || got != `attachment; filename="lockstep-test-`+code+name+`"` {
			t.Errorf("a cache keeps the class's answers, or they have no name: %q", got)
		}
	}
	table.wants(t, http.StatusOK, "form,question,lesson,answer,right,misconception,seats,of\n", "after,winner,first,gets-in,false,,1,3\n", "before,waiter,second,not-sure,false,,1,2\n")
	for _, file := range []string{"/test", "/test.json", "/test.csv"} {
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
