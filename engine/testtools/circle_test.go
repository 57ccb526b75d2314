package testtools

import "testing"

// Each circle has the tests of those inside it.
func TestEachCircleHasTheOnesInside(t *testing.T) {
	for _, c := range []struct{ ci, tests, want string }{
		{"", "", "quick"},
		{"true", "", "quick long"},
		{"", "all", "quick long exhaustive"},
		{"true", "all", "quick long exhaustive"},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv("LOCKSTEP_TESTS", c.tests)
		ran := "quick"
		t.Run("long", func(t *testing.T) {
			Long(t, "it is here to be left out")
			ran += " long"
		})
		t.Run("exhaustive", func(t *testing.T) {
			Exhaustive(t, "it is here to be left out")
			ran += " exhaustive"
		})
		if ran != c.want || InCircle("quick", "quick long", "quick long exhaustive") != c.want {
			t.Errorf("CI=%q LOCKSTEP_TESTS=%q runs %s, not %s", c.ci, c.tests, ran, c.want)
		}
	}
}
