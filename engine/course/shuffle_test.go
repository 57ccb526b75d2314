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

// A learner who always gives the same letter is wrong in at least half of the built-in course.
func TestNoLetterIsNearlyAlwaysRight(t *testing.T) {
	right, questions := map[int]int{}, 0
	for _, l := range course.Builtin().All() {
		for _, m := range l.Moments {
			if len(m.Answers) == 0 {
				continue
			}
			questions++
			right[slices.IndexFunc(m.Answers, func(a *course.Answer) bool { return a.Right })]++
		}
	}
	t.Logf("of %d questions, the right answer is at %v", questions, right)
	for place, n := range right {
		if 2*n > questions {
			t.Errorf("of %d questions, %d have the right answer at %c", questions, n, 'A'+place)
		}
	}
}
