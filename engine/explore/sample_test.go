package explore_test

import (
	"testing"

	"lockstep/engine/explore"
)

const schedules = 10_000

// Random schedules seldom hit a violation that a search finds at once. The
// numbers belong to one seed: the same seed gives the same schedules.
func TestSample(t *testing.T) {
	for _, test := range []struct {
		program, property, bounds string
		violating                 int64
	}{
		{"getset", "mutual-exclusion", "", 22},    // the late DEL
		{"del-setnx", "mutual-exclusion", "", 41}, // the race of the sources
		{"getset-plain", "mutual-exclusion", "", 64},
		{"set-px-get-del", "mutual-exclusion", "", 78},
		{"naive", "stuck", "crashes=1", 6_050},
	} {
		c := claim{program: test.program, property: test.property, bounds: test.bounds}
		luck := draw(t, c, schedules, 1, explore.Runtime{})
		if luck.Violating != test.violating || luck.Schedules != schedules {
			t.Errorf("%s: %+v, not %d", c, luck, test.violating)
		}
		if again := draw(t, c, schedules, 1, explore.Runtime{}); again != luck {
			t.Errorf("%s: %+v, and again %+v", c, luck, again)
		}
		// Another seed is another sample, and not the same one shifted by one schedule.
		first, all := draw(t, c, 1, 1, explore.Runtime{}), draw(t, c, 101, 1, explore.Runtime{})
		if other := draw(t, c, 100, 2, explore.Runtime{}); other.Actions == all.Actions-first.Actions {
			t.Errorf("%s: seed 2 draws what seed 1 draws: %+v", c, other)
		}
	}
}

// No schedule violates a property that holds, and every schedule ends.
func TestSampleFindsNothingWhereThePropertyHolds(t *testing.T) {
	for _, c := range course {
		if c.verdict != holds {
			continue
		}
		if luck := draw(t, c, 300, 1, explore.Runtime{}); luck.Violating != 0 || luck.Schedules != 300 || luck.Actions < 300 {
			t.Errorf("%s: %+v", c, luck)
		}
	}
}

// A caller that stops a sample gets the schedules that ran.
func TestSampleStopped(t *testing.T) {
	c := claim{program: "naive", property: "stuck", bounds: "crashes=1"}
	told := int64(0)
	luck := draw(t, c, schedules, 1, explore.Runtime{Progress: func(f explore.Figures) bool {
		told = f.States
		return told < 1000
	}})
	if luck.Schedules != told || told < 1000 || told >= schedules || luck.Violating == 0 {
		t.Errorf("Progress gets %d: %+v", told, luck)
	}
}

func draw(t *testing.T, c claim, schedules int64, seed uint64, h explore.Runtime) explore.Sample {
	t.Helper()
	luck, err := c.question(t).Sample(schedules, seed, explore.Budget{}, h)
	if err != nil {
		t.Fatal(err)
	}
	return luck
}
