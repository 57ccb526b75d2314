package explore_test

import (
	"maps"
	"slices"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// The course's closing sentence: "A lock that frees itself by time-out can have two clients inside." A lock frees itself if no
// crash of a client leaves the others stuck; the searches are those of two clients, one crash and 6 ticks of 1 s with leases of
// 2 s. The other locks stand here with their verdicts: the first four never have two inside and never recover, as the sentence's
// second half says, and the last two have both faults.
func TestALockThatFreesItselfCanHaveTwoInside(t *testing.T) {
	others := map[string]struct{ stuck, overlap explore.Verdict }{
		"naive":                {violated, holds},
		"naive-nonblocking":    {violated, holds},
		"naive-timeout":        {violated, holds},
		"timestamp":            {violated, holds},
		"setnx-expire":         {violated, violated},
		"getset-literal-equal": {violated, violated},
	}
	some := append(slices.Sorted(maps.Keys(others)), "getset", "set-px")
	for _, name := range testtools.InCircle(some, program.Names(), program.Names()) {
		q := explore.Question{Program: builtin(t, name), Property: "stuck", Clients: 2, Ticks: 6, Timeout: 2000, Crashes: 1, Delays: explore.Any}
		if name == "redlock" {
			q.Nodes, q.Ticks = 3, 3
		}
		stuck := search(t, q).Verdict
		q.Property = "overlap"
		overlap := search(t, q).Verdict
		want, ok := others[name]
		if !ok {
			want.stuck, want.overlap = holds, violated
		}
		if stuck != want.stuck || overlap != want.overlap {
			t.Errorf("%s: stuck %s, overlap %s; not %s, %s", name, stuck, overlap, want.stuck, want.overlap)
		}
	}
}
