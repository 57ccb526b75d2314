package explore_test

import (
	"slices"
	"sync"
	"testing"

	"lockstep/engine/explore"
)

// The shape of a search counts every state once. It is the same for any number of workers. A search that ends early knows
// the beginning of it.
func TestDepthsAreTheShapeOfASearch(t *testing.T) {
	for _, c := range []claim{
		{program: "takeover-cas", property: "mutual-exclusion", bounds: "ticks=4"},      // holds
		{program: "del-setnx", property: "mutual-exclusion", bounds: "delays=0"},        // is violated
		{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3 crashes=1"},  // outgrows its first layout
		{program: "naive", property: "", bounds: "clients=1 ticks=0"},                   // counts only
		{program: "set-px-watchdog", property: "overlap", bounds: "clients=2 delays=0"}, // is violated by what a tick shows
	} {
		q := c.question(t)
		for _, q.Symmetry = range []bool{false, true} {
			whole := search(t, q)
			sum := int64(0)
			for _, n := range whole.Depths {
				sum += n
			}
			if whole.Depths[0] != 1 || sum != whole.States || len(whole.Depths) != whole.Depth+1 {
				t.Errorf("%s: %d states, %d actions deep: %v", c, whole.States, whole.Depth, whole.Depths)
			}
			two, err := q.Search(explore.Budget{}, explore.Runtime{Workers: 2, Go: func(n int, work func(i int)) {
				var all sync.WaitGroup
				for i := range n {
					all.Go(func() { work(i) })
				}
				all.Wait()
			}}, 1)
			if err != nil || !slices.Equal(two.Depths, whole.Depths) {
				t.Errorf("%s: two workers find %v, not %v (%v)", c, two.Depths, whole.Depths, err)
			}
			for n := int64(1); n < whole.States; n += 1 + whole.States/7 {
				if a := afford(t, q, explore.Budget{States: n}); a.Verdict == explore.Spent && (len(a.Depths) > a.Depth+1 || !slices.Equal(a.Depths, whole.Depths[:len(a.Depths)])) {
					t.Errorf("%s: of %d states: %v, and of all: %v", c, n, a.Depths, whole.Depths)
				}
			}
		}
	}
}

// Progress gets the shape as it grows. What it has got does not change.
func TestDepthsGrow(t *testing.T) {
	var told [][]int64
	q := claim{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3 crashes=1"}.question(t)
	whole, err := q.Search(explore.Budget{}, explore.Runtime{Progress: func(f explore.Figures) bool { told = append(told, f.Depths); return true }}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, some := range told {
		if !slices.Equal(some, whole.Depths[:len(some)]) {
			t.Errorf("Progress gets %v, of %v", some, whole.Depths)
		}
	}
	if len(told[len(told)-1]) < len(whole.Depths)/2 {
		t.Errorf("Progress gets no more than %v, of %v", told[len(told)-1], whole.Depths)
	}
}

// A deep search tells the first levels.
func TestDepthsAreBounded(t *testing.T) {
	a := search(t, claim{program: "naive", property: "stuck", bounds: "clients=1 ticks=1000"}.question(t))
	if a.Depth <= explore.MaxDepths || len(a.Depths) != explore.MaxDepths {
		t.Errorf("%d actions deep: %d levels", a.Depth, len(a.Depths))
	}
}
