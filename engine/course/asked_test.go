package course_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/course"
)

// Each prediction of each lesson is open once: while the run stands at its
// moment, and until the lesson has done the actions that decide it.
func TestAsked(t *testing.T) {
	c := course.Builtin()
	for _, l := range c.All() {
		if l.Scenario == nil {
			if m, _ := l.Asked(nil); m != nil {
				t.Errorf("%s has no scenario, but a question at %s", l.Name, m.Name)
			}
			continue
		}
		actions, asked := l.Scenario.Actions(), map[string]bool{}
		for at := range len(actions) + 1 {
			m, until := l.Asked(actions[:at])
			if m == nil {
				continue
			}
			asked[m.Name] = true
			if m.At != at || until <= at || until > len(actions) {
				t.Errorf("%s after %d actions: the question at %s, which is at %d, is open until %d of %d", l.Name, at, m.Name, m.At, until, len(actions))
			}
			for _, other := range l.Moments {
				if other.At > at && other.At < until {
					t.Errorf("%s: the question at %s is open until %d, and %s comes at %d", l.Name, m.Name, until, other.Name, other.At)
				}
			}
			strayed := append(actions[:at:at], engine.Action{Verb: engine.VerbTick, Time: 7})
			if m, _ := l.Asked(strayed); m != nil {
				t.Errorf("%s: the question at %s is open in a run that has left the lesson", l.Name, m.Name)
			}
		}
		for _, m := range l.Moments {
			if asked[m.Name] != (len(m.Answers) > 0) {
				t.Errorf("%s: %s has %d answers, and a question: %t", l.Name, m.Name, len(m.Answers), asked[m.Name])
			}
		}
	}
}
