package explore_test

import (
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// An unfinished search says so, with its figures. It never says that the
// property holds.
func TestBudgetOfStates(t *testing.T) {
	q := claim{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3"}.question(t)
	whole := search(t, q)
	for n := int64(1); n < whole.States; n += 1 + whole.States/9 {
		a := afford(t, q, explore.Budget{States: n})
		if a.Verdict != explore.Spent || len(a.Counterexamples) > 0 {
			t.Errorf("%d of %d states: %+v", n, whole.States, a)
		}
		if a.States <= n || a.States > whole.States || a.Transitions < a.States-1 || a.Transitions > whole.Transitions || a.Depth > whole.Depth || a.Memory <= 0 {
			t.Errorf("%d states, of %+v: the answer is %+v", n, whole.Figures, a.Figures)
		}
	}
	if a := afford(t, q, explore.Budget{States: whole.States}); a.Verdict != explore.Holds {
		t.Errorf("as many states as there are: %+v", a)
	}
}

func TestBudgetOfMemory(t *testing.T) {
	q := claim{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3"}.question(t)
	whole := search(t, q)
	for n := int64(1); n < whole.Memory; n += whole.Memory / 5 {
		a := afford(t, q, explore.Budget{Memory: n})
		if a.Verdict != explore.Spent || a.Memory <= n || a.States > whole.States {
			t.Errorf("%d bytes, of %+v: %+v", n, whole.Figures, a)
		}
	}
}

// A caller can stop a search at any moment.
func TestStopped(t *testing.T) {
	q := claim{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3 crashes=1"}.question(t)
	asked := 0
	whole, err := q.Search(explore.Budget{}, explore.Runtime{Progress: func(explore.Figures) bool { asked++; return true }}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if asked < 20 {
		t.Fatalf("only %d calls of Progress", asked)
	}
	for _, patience := range []int{1, 2, asked / 4, asked / 2, asked - 1, asked} {
		times, latest := 0, explore.Figures{}
		a, err := q.Search(explore.Budget{}, explore.Runtime{Progress: func(f explore.Figures) bool {
			if f.States < latest.States || f.Transitions < latest.Transitions || f.Depth < latest.Depth {
				t.Errorf("from %+v to %+v", latest, f)
			}
			times, latest = times+1, f
			return times < patience
		}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != explore.Stopped || times != patience {
			t.Errorf("stopped at call %d of %d: %s after %d", patience, asked, a.Verdict, times)
		}
		if a.States < latest.States || a.States > whole.States {
			t.Errorf("Progress gets %+v, and the answer %+v", latest, a.Figures)
		}
	}
}

// The sentence of an undecided verdict includes the figures.
func TestUndecidedSentence(t *testing.T) {
	q := claim{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3"}.question(t)
	a := afford(t, q, explore.Budget{States: 1000})
	states := strconv.FormatInt(a.States, 10)
	states = states[:len(states)-3] + "," + states[len(states)-3:]
	for in, want := range map[lang.Language]string{lang.English: "the budget ran out", lang.Chinese: "预算已用完"} {
		if got := q.Sentence(a, "", in); !strings.Contains(got, want) || !strings.Contains(got, states) || strings.Contains(got, "%!") {
			t.Errorf("%d states: %s", a.States, got)
		}
	}
}

func afford(t *testing.T, q explore.Question, b explore.Budget) *explore.Answer {
	t.Helper()
	a, err := q.Search(b, explore.Runtime{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
