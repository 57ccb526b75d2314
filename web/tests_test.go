package web

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// A test's page asks one question after the other, by its address alone, and tells at the end how many answers are right.
func TestATestIsTakenByItsAddress(t *testing.T) {
	s := newSite(t, Options{Courses: []*course.Course{asking(t)}})
	const path = "/courses/questions/test"
	s.get("/courses/questions?lang=en").wants(t, http.StatusOK, `href="/courses/questions/test"`, "2 questions before the course")
	s.get(path+"?lang=en").wants(t, http.StatusOK, "What do you know?", "Nobody counts your mistakes.", "Begin: before the course", "Begin: after the course")
	s.get(path+"?lang=zh").wants(t, http.StatusOK, "你知道多少？", "错了也没人记。", "开始课前测验")
	for _, step := range []struct{ query, says string }{
		{"form=before", "C1 asks: winner, before"},
		{"form=before&q=winner&guess=gets-in", "C1 asks: waiter, before"},
		{"form=before&q=winner&guess=not-sure", "C1 asks: waiter, before"},
		{"form=before&before.waiter=waits", "C1 asks: winner, before"},
		{"form=before&q=winner&guess=nonsense", "C1 asks: winner, before"},
		{"form=before&q=nobody&guess=waits&before.nobody=waits", "C1 asks: winner, before"},
		{"form=before&after.winner=waits", "C1 asks: winner, before"},
		{"form=before&before.winner=gets-in&q=waiter&guess=gets-in", "2 of 2 right"},
		{"form=before&before.winner=gets-in&q=waiter&guess=not-sure", "1 of 2 right"},
		{"form=after&before.winner=gets-in&before.waiter=waits", "C1 asks: winner, after"},
		{"form=after&before.winner=gets-in&before.waiter=waits&after.winner=waits&after.waiter=waits", "Before the course it was 1: you learned 100 % of what was missing."},
		{"form=after&before.winner=waits&before.waiter=waits&after.winner=waits&after.waiter=gets-in", "Before the course it was 0: you learned 50 % of what was missing."},
		{"form=after&before.winner=gets-in&before.waiter=gets-in&after.winner=waits&after.waiter=waits", "nothing was missing"},
		{"form=after&before.winner=gets-in&before.waiter=waits&after.winner=gets-in&after.waiter=not-sure", "Questions that you missed come back"},
		{"form=after&before.winner=gets-in&before.waiter=waits&after.winner=gets-in&after.waiter=waits", "Before the course it was the same."},
		{"form=after&before.winner=gets-in&after.winner=waits&after.waiter=waits", "cannot tell your gain"},
		{"form=after&before.winner=gets-in&before.waiter=gets-in&after.winner=gets-in&after.waiter=waits", "Before the course it was 2. Questions"},
	} {
		a := s.get(path + "?lang=en&" + step.query)
		a.wants(t, http.StatusOK)
		if !strings.Contains(html.UnescapeString(a.body), step.says) {
			t.Errorf("%s does not say %q", step.query, step.says)
		}
	}
	if n := s.places(); n != 0 {
		t.Errorf("the test has made %d runs", n)
	}
	s.get("/courses/redis-lock/test").wants(t, http.StatusOK)
	s.get("/courses/nothing/test").wants(t, http.StatusNotFound)
}

// No page of a test tells what is right before the form after the course is done, in either language.
func TestATestKeepsItsAnswers(t *testing.T) {
	s := newSite(t, Options{})
	c := course.Builtin()
	for _, language := range lang.All {
		for _, f := range course.Forms() {
			query := "?lang=" + string(language) + "&form=" + string(f)
			for i, p := range c.Test.Pairs {
				q := p.In(f)
				a := s.get("/courses/redis-lock/test" + query)
				a.wants(t, http.StatusOK, q.Asks().Heading.In(language), fmt.Sprintf("%d / %d", i+1, len(c.Test.Pairs)))
				for _, one := range q.Asks().Answers {
					if !strings.Contains(a.body, one.Text.In(language)) || strings.Contains(a.body, strings.TrimSpace(one.After.In(language))) {
						t.Errorf("%s: the page lacks the answer %s, or tells what to say about it", query, one.Name)
					}
				}
				if strings.Contains(a.body, "data-known") || strings.Contains(a.body, "is-right") {
					t.Errorf("%s tells what is right", query)
				}
				if strings.Contains(a.body, `"kind":"violation"`) || strings.Contains(a.body, `class="violation"`) {
					t.Errorf("%s: the picture tells of a violation", query)
				}
				// The events of the run end where it asks.
				if later := fmt.Sprintf(`"action":%d`, q.Asks().At+1); strings.Contains(a.body, later) {
					t.Errorf("%s: the picture goes on after the question", query)
				}
				query += fmt.Sprintf("&%s.%s=%s", f, p.Name, q.Right().Name)
			}
			done := s.get("/courses/redis-lock/test" + query)
			done.wants(t, http.StatusOK)
			if told := strings.Contains(done.body, `class="test-rows"`); told != (f == course.After) {
				t.Errorf("after the form %s the page tells each answer: %t", f, told)
			}
		}
	}
}

// A form of a test is printed without its answers, or with them and what decides them.
func TestATestOnPaper(t *testing.T) {
	s := newSite(t, Options{Courses: []*course.Course{asking(t)}})
	const path = "/courses/questions/test/handout?lang=en"
	without := s.get(path)
	without.wants(t, http.StatusOK, "1. ", "C1 asks: winner, before", "C1 asks: waiter, before", "spawn C1", "What happens?")
	if strings.Contains(without.body, "ticked") || strings.Contains(without.body, "Somebody has the key") || strings.Contains(without.body, "critical section and believes") {
		t.Error("the handout without answers tells them")
	}
	s.get(path+"&form=after&answers=1").wants(t, http.StatusOK, "C1 asks: winner, after", `class="ticked"`, "Somebody has the key", "The answer is", "C1 sleeps until")
}

// The longest address of a test is read in full, and nothing of a longer one is kept: known names alone count.
func TestATestKnowsItsNames(t *testing.T) {
	s := newSite(t, Options{})
	query := "form=before"
	for i := range 300 {
		query += fmt.Sprintf("&before.question%d=answer", i)
	}
	a := s.get("/courses/redis-lock/test?" + query)
	a.wants(t, http.StatusOK, "1 / 8")
	if strings.Contains(a.body, `name="before.question299"`) {
		t.Error("the page hands on an answer to no question")
	}
}
