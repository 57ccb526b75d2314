package course_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/course"
)

// These orders are printed on handouts and spoken in classes. If one of them changes, a printed "B" becomes another answer.
func TestTheOrderOfAnswersIsForEver(t *testing.T) {
	for _, question := range []struct{ names, written, shown string }{
		{"redis-lock/race/late", "1 2 3", "3 2 1"},
		{"redis-lock/race/gone", "1 2 3", "1 3 2"},
		{"redis-lock/lease/equal", "1 2 3 4", "4 1 3 2"},
		{"mine/first/taken", "1 2", "1 2"},
		{"mine/second/taken", "1 2", "2 1"},
		{"mine/first/alone", "1", "1"},
	} {
		answers := strings.Fields(question.written)
		course.Shuffle(answers, strings.Split(question.names, "/")...)
		if shown := strings.Join(answers, " "); shown != question.shown {
			t.Errorf("%q shows %s as %s, not as %s", question.names, question.written, shown, question.shown)
		}
	}
}

// 6,000 questions with three answers show each of the six orders about 1,000 times.
func TestEveryOrderIsAsLikely(t *testing.T) {
	orders := map[string]int{}
	for i := range 6000 {
		answers := []string{"1", "2", "3"}
		course.Shuffle(answers, "course", "lesson-"+strconv.Itoa(i/10), "question-"+strconv.Itoa(i%10))
		orders[strings.Join(answers, "")]++
	}
	for order, n := range orders {
		if n < 900 || n > 1100 {
			t.Errorf("%s comes %d times of 6000", order, n)
		}
	}
	if len(orders) != 6 {
		t.Errorf("the orders are %v", slices.Sorted(maps.Keys(orders)))
	}
}

// A learner who always gives the same letter is wrong in at least three of five questions of the built-in course: its
// predictions, the reasons for a claim, the questions that come back and those of its test.
func TestNoLetterIsNearlyAlwaysRight(t *testing.T) {
	right, last, questions := map[int]int{}, 0, map[string]int{}
	count := func(kind string, answers []*course.Answer) {
		if place := slices.IndexFunc(answers, func(a *course.Answer) bool { return a.Right }); place >= 0 {
			questions[kind]++
			if right[place]++; place == len(answers)-1 {
				last++
			}
		}
	}
	c := course.Builtin()
	for _, l := range c.All() {
		for _, m := range l.Moments {
			count("predictions", m.Answers)
		}
		for _, ch := range l.Challenges {
			count("claims", ch.Reasons)
		}
		if l.Again != nil {
			count("come back", l.Again.Moments[0].Answers)
		}
	}
	for _, form := range []course.Form{course.Before, course.After} {
		for _, p := range c.Test.Pairs {
			count("test", p.In(form).Asks().Answers)
		}
	}
	all := 0
	for _, n := range questions {
		all += n
	}
	t.Logf("of %v, the right answer is at %v, in %d the last one", questions, right, last)
	if 10*last > 4*all {
		t.Errorf("of %d questions, %d have the right answer as their last one", all, last)
	}
	for place, n := range right {
		if 10*n > 4*all {
			t.Errorf("of %d questions, %d have the right answer at %c", all, n, 'A'+place)
		}
	}
}
