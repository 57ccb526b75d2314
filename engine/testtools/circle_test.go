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

// A word without its Chinese stops nobody but a submission.
func TestUntranslatedFailsASubmission(t *testing.T) {
	for ci, fails := range map[string]bool{"": false, "true": true} {
		t.Setenv("CI", ci)
		r := &recorder{TB: t}
		Untranslated(r, "%s has no Chinese", "a word")
		if r.failed != fails || r.said != 1 {
			t.Errorf("CI=%q: failed %v, said %d times", ci, r.failed, r.said)
		}
	}
}

// A recorder notes what a helper reports to its test.
type recorder struct {
	testing.TB
	failed bool
	said   int
}

func (r *recorder) Errorf(string, ...any) { r.failed, r.said = true, r.said+1 }
func (r *recorder) Logf(string, ...any)   { r.said++ }
