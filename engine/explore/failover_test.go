package explore_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
)

// A lock that was there when the clock last moved survives a failover; one second earlier it does not.
func TestAFailoverLosesOnlyWhatIsNew(t *testing.T) {
	for text, want := range map[string]explore.Verdict{
		"program set-px timeout=9s\nspawn C1\nstep C1\ntick 1s\nspawn C2\n": explore.Holds,
		"program set-px timeout=9s\nspawn C1\nstep C1\nspawn C2\n":          explore.Violated,
	} {
		scenario, err := engine.Parse("lock", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := scenario.Play("lock", check.All()...)
		if err != nil {
			t.Fatal(err)
		}
		q := explore.Question{From: trace.Run, Property: "mutual-exclusion", Clients: 2, Failovers: 1, Delays: explore.Any, Replies: true}
		if a := search(t, q); a.Verdict != want {
			t.Errorf("%s%s, not %s", text, a.Verdict, want)
		}
	}
}
