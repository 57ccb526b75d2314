package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// asking returns a course whose lessons supply questions, and that has a test.
func asking(t *testing.T) *course.Course {
	t.Helper()
	c, err := course.Open("../engine/course/testdata/questions")
	if err != nil || len(c.Mistakes) > 0 {
		t.Fatal(err, c.Mistakes)
	}
	return c
}

// A question that comes back has a page of its own, which makes nothing before the reader answers. Without scripts, too,
// the answer leads to the outcome.
func TestAQuestionThatComesBack(t *testing.T) {
	s := newSite(t, Options{Courses: []*course.Course{asking(t)}})
	const path = "/courses/questions/second/again"
	for l, says := range map[lang.Language][]string{
		lang.English: {"C2 is inside", "What happens to C1?", "It gets in", "A question comes back", "<title>A question about: Second – Lockstep</title>", "Not sure"},
		lang.Chinese: {"C2 在临界区里", "C1 会怎样？", "它进入临界区", "回顾题", "<title>回顾题：第二课 – Lockstep</title>"},
	} {
		a := s.get(path + "?lang=" + string(l))
		a.wants(t, http.StatusOK, says...)
		for _, told := range []string{"outcome-right", "Redis replies 0", "Redis 回复 0", "handout"} {
			if strings.Contains(a.body, told) {
				t.Errorf("before the answer the page in %s says %q", l, told)
			}
		}
	}
	until(t, "the looks have given up their places", func() bool { return s.places() == 0 })
	s.get(path+"/card.png").wants(t, http.StatusOK)

	run := s.send("POST", path, url.Values{}).Header.Get("Location")
	if !strings.HasPrefix(run, "/t/") {
		t.Fatalf("the question begins at %q", run)
	}
	s.get(run).wants(t, http.StatusOK, "What happens to C1?")
	on := s.send("POST", run+"/lesson", url.Values{"guess": {"gets-in"}})
	on.wants(t, http.StatusSeeOther)
	s.get(on.Header.Get("Location")).wants(t, http.StatusOK, "The outcome", "Not this time.", "The answer is", "This question is about",
		`href="/courses/questions/second"`, `id="task-return" href="/courses/questions"`, `data-lessons="first third fourth" data-missed`)
}

// At its end a lesson offers a question from two lessons before, or from another one that the browser knows to be missed.
func TestALessonEndsWithAQuestionFromEarlier(t *testing.T) {
	s := newSite(t, Options{Courses: []*course.Course{asking(t)}})
	for lesson, want := range map[string]string{
		"first":  "",
		"second": "",
		"third":  `href="/courses/questions/first/again" data-lessons="first second"`,
		"fourth": `href="/courses/questions/second/again" data-lessons="second first third"`,
	} {
		a := s.get("/courses/questions/" + lesson + "?done=99")
		a.wants(t, http.StatusOK, want)
		if has := strings.Contains(a.body, `id="recall"`); has != (want != "") {
			t.Errorf("%s offers a question: %t", lesson, has)
		}
		if strings.Contains(s.get("/courses/questions/"+lesson).body, `id="recall"`) {
			t.Errorf("%s offers a question before its end", lesson)
		}
	}
	s.get("/courses/questions").wants(t, http.StatusOK, `id="waiting" data-lessons="first second third fourth" hidden`)
	s.get("/courses/redis-lock/nothing/again").wants(t, http.StatusNotFound)
	own := s.get("/courses/evening/wins/again")
	own.wants(t, http.StatusNotFound)
}
