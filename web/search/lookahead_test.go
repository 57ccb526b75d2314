package search

import (
	"context"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/testtools"
	"lockstep/web/limit"
)

// A played run keeps no answer.
type played struct{ *engine.Run }

func (p played) Length() int                                    { return len(p.Actions()) }
func (p played) Task() course.Task                              { return course.Task{} }
func (p played) Foreseen(Lookahead) (Foresight, bool)           { return Foresight{}, false }
func (p played) Foresee(Lookahead, Foresight)                   {}
func (p played) Further(*engine.Run, []explore.Gap) *engine.Run { return nil }

// A lookahead is small, because every page asks for one after every action.
func TestALookaheadHasABudget(t *testing.T) {
	if want := (explore.Budget{States: 300_000, Memory: 32 << 20, Work: 50_000_000}); NewLookouts(0).Budget != want || NewLookouts(0).Time != 2*time.Second {
		t.Errorf("a lookahead may take %+v, %s", NewLookouts(0).Budget, NewLookouts(0).Time)
	}
}

// A left run's reader leaves while the run is played up to the position.
type left struct {
	played
	leave func()
}

func (l left) PrefixAt(pace engine.Pace, position int) (*engine.Run, error) {
	l.leave()
	return l.played.PrefixAt(pace, position)
}

// A lookahead ends with its reader, and that is no error.
func TestALookaheadIsGivenUpWithItsReader(t *testing.T) {
	scenario, err := engine.Parse("race", "spawn C1 C2 naive\nstep C1\nstep C2\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.PlayAt(nil, "race")
	if err != nil {
		t.Fatal(err)
	}
	o := NewLookouts(0)
	defer o.Close()
	ctx, leave := context.WithCancel(t.Context())
	a := limit.NewWork(1).Asker(ctx, "n", "p")
	defer a.Done()
	f, err := o.Look(a.Context(), left{played{trace.Run}, leave}, Lookahead{2, "mutual-exclusion"})
	if err != nil || f.Verdict != explore.Stopped {
		t.Errorf("after its reader has left, a lookahead says %+v (%v)", f, err)
	}
}

// One budget covers a lookahead and the replay of the run up to its position. A lookahead can end in the replay, too.
func TestALookaheadCountsTheReplay(t *testing.T) {
	scenario, err := engine.Parse("race", "spawn C3 del-setnx timeout=10s\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2 del-setnx timeout=10s\nstep C1 2\nstep C2 2\nstep C1 2\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.PlayAt(nil, "race")
	if err != nil {
		t.Fatal(err)
	}
	o, run := NewLookouts(testtools.Patience), played{trace.Run}
	defer o.Close()
	o.Budget.Work = 1000
	what := Lookahead{5, "mutual-exclusion"}
	f, err := o.search(context.Background(), run, what, func() bool { return true })
	if err != nil || f.Verdict != explore.Spent {
		t.Errorf("with the work of 1,000 units: %+v (%v)", f, err)
	}
	o.Budget = lookaheadBudget
	asked := 0
	f, err = o.search(context.Background(), run, what, func() bool { asked++; return asked < 3 })
	if err != nil || f.Verdict != explore.Stopped || asked != 3 {
		t.Errorf("given up in the replay: %+v (%v) after %d questions", f, err, asked)
	}
	if f, err = o.Look(context.Background(), run, what); err != nil || f.Verdict != explore.Violated || f.Length != len(f.Actions) {
		t.Errorf("in the end: %+v (%v)", f, err)
	}
}
