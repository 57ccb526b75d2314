package course_test

import (
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// TestAClaimTellsOfItsRun holds the demonstrations of the claims to the runs of their lessons: the clients and the
// numbers of a demonstration occur in the lesson's events up to its moment,
// or on a client's clock.
func TestAClaimTellsOfItsRun(t *testing.T) {
	c, told := course.Builtin(), 0
	for _, claim := range c.Claims {
		l := c.Lesson(claim.Lesson)
		m := l.Moment(claim.Moment)
		if m == nil {
			continue
		}
		var said strings.Builder
		world := l.Run(m.At).World()
		for _, e := range world.Events() {
			said.WriteString(e.Time.String() + " " + e.Sentence(lang.English) + "\n")
		}
		for _, client := range world.Clients() {
			said.WriteString((world.Now() + client.Skew).String() + "\n") // what its clock shows
		}
		for _, in := range lang.All {
			for _, word := range named.FindAllString(claim.Shown.In(in), -1) {
				if told++; !regexp.MustCompile(`\b` + word + `\b`).MatchString(said.String()) {
					t.Errorf("%s/%s: the run has no %s: %s", claim.Lesson, claim.Moment, word, claim.Shown.In(in))
				}
			}
		}
	}
	if told < 150 {
		t.Errorf("the claims name only %d clients and numbers", told)
	}
}

// named matches clients and times.
var named = regexp.MustCompile(`C\d+(-\d+)?|1\d{3,6}`)
