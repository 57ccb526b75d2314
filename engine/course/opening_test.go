package course

import (
	"testing"

	"lockstep/engine"
)

// A lesson opens with clients on their lanes: behind its first row of spawns, before anybody acts, and not behind a moment. One
// that begins at a console opens behind the first command.
func TestALessonOpensWithItsFirstClients(t *testing.T) {
	for _, c := range []struct {
		scenario string
		moment   int // actions before the first one; 0: there is none
		want     int
	}{
		{"spawn C1\nstep C1\nspawn C2\n", 0, 1},
		{"spawn C1 C2\nstep C1\n", 0, 2},
		{"spawn C1\nspawn C2 getset\nspawn C3\ntick 1s\n", 0, 3},
		{"tick 900ms\nspawn C1\nstep C1\n", 0, 2},
		{"redis crash\nredis restart\nspawn C1\nspawn C2\n", 0, 4},
		{"spawn C1\ntick 10s\nspawn C2\n", 0, 1},
		{"do CLI GET a\ndo CLI SET a b\nspawn C1\n", 2, 1},
		{"do CLI SET a b\nspawn C1\n", 1, 0},
		{"tick 1s\n", 0, 0},
		{"spawn C1\nspawn C2\nstep C1\n", 1, 1},
		{"tick 1s\nspawn C1\n", 1, 0},
	} {
		scenario, err := engine.Parse("scenario", "program naive\n"+c.scenario, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := &Lesson{Scenario: scenario}
		if c.moment > 0 {
			l.Moments = []*Moment{{At: c.moment}}
		}
		if got := l.Opening(); got != c.want {
			t.Errorf("%q opens after %d actions, want %d", c.scenario, got, c.want)
		}
	}
	// Each lesson of the course has somebody on a lane.
	for _, l := range Builtin().All() {
		if l.Scenario != nil && l.Opening() == 0 {
			t.Errorf("%s opens with an empty stage", l.Name)
		}
	}
}
