package search

import (
	"cmp"
	"context"
	"errors"
	"time"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/web/limit"
)

// These bound a lookahead. Every page asks for one after every action, so the bounds are small. A reader who wants to
// know more asks the explorer.
const (
	lookaheadsAtOnce = 2
)

// lookaheadBudget bounds a lookahead to half a second of one processor's work: the replay of the run up to the position,
// and the search.
var lookaheadBudget = explore.Budget{States: 300_000, Memory: 32 << 20, Work: 50_000_000}

// A Lookahead asks whether a property can still be violated from a position of a run.
type Lookahead struct {
	At       int
	Property string
}

// Hidden is the verdict of a lookahead that would give the answer of a lesson's question away.
const Hidden explore.Verdict = "hidden"

// A Foresight is the answer to a Lookahead.
type Foresight struct {
	Verdict explore.Verdict
	Length  int             // of a shortest way into the violation, in actions; 0: the violation has happened
	Actions []engine.Action // the way
	Cause   explore.Cause   // of the violation there
	By      string          // whose doing the cause is; empty: it has none
	Broken  int             // how many actions the run took into its first violation; 0: there is none
	Depth   int             // without a verdict: no way of that many actions leads into a violation
	Bounds  lang.Text
	Missing bool // without a verdict: nobody knows what a recorded program does next
}

// A Run is the subject of a Lookahead. It keeps its answers: its log only grows, so they stay true.
type Run interface {
	Length() int // number of actions so far
	PrefixAt(pace engine.Pace, position int) (*engine.Run, error)
	Task() course.Task
	Foreseen(Lookahead) (Foresight, bool)
	Foresee(Lookahead, Foresight)

	// Further returns a run that knows more of real programs, in a run's place; nil: nobody can find out more.
	Further(here *engine.Run, gaps []explore.Gap) *engine.Run
}

// Lookouts look ahead for all readers of a server, for a few at once.
type Lookouts struct {
	Budget explore.Budget // of one lookahead
	Time   time.Duration  // of one, too
	Places *limit.Slots

	ctx context.Context // of the server
	end context.CancelFunc
}

// NewLookouts returns Lookouts that run until Close. A lookahead may take this long; 0: 2 s.
func NewLookouts(most time.Duration) *Lookouts {
	o := &Lookouts{Budget: lookaheadBudget, Time: cmp.Or(most, 2*time.Second), Places: limit.NewSlots(limit.SlotsOptions{Most: lookaheadsAtOnce, Each: lookaheadsAtOnce / 2})}
	o.ctx, o.end = context.WithCancel(context.Background())
	return o
}

// Close ends every lookahead.
func (o *Lookouts) Close() { o.end() }

// Look looks ahead when a slot is free. The verdict is Stopped if nobody waits for the answer, if the position is beyond
// the end of the run, or if it was the end and the run has grown.
func (o *Lookouts) Look(ctx context.Context, r Run, what Lookahead) (Foresight, error) {
	end := r.Length()
	wanted := func() bool {
		return ctx.Err() == nil && o.ctx.Err() == nil && (what.At != end || r.Length() == end)
	}
	stopped := Foresight{Verdict: explore.Stopped}
	if known, ok := r.Foreseen(what); ok {
		return known, nil
	}
	leave, err := o.Places.Enter(ctx)
	if err != nil {
		return stopped, nil // nobody waits for the answer
	}
	defer leave()
	if known, ok := r.Foreseen(what); ok {
		return known, nil // another reader has asked the same question
	}
	if !wanted() || what.At > end {
		return stopped, nil
	}
	found, err := o.search(ctx, r, what, wanted)
	if !wanted() {
		return stopped, nil
	}
	if err != nil || found.Verdict == explore.Stopped {
		return stopped, err
	}
	r.Foresee(what, found)
	return found, nil
}

var errGivenUp = errors.New("the lookahead is given up")

// search looks ahead, as far as the budget goes.
func (o *Lookouts) search(ctx context.Context, r Run, what Lookahead, wanted func() bool) (Foresight, error) {
	found := Foresight{Verdict: explore.Stopped}
	budget, late := o.Budget, time.Now().Add(o.Time)
	here, err := r.PrefixAt(func(units int64) error {
		switch budget.Work -= units; {
		case !wanted():
			return errGivenUp
		case budget.Work <= 0, time.Now().After(late):
			found.Verdict = explore.Spent
			return errGivenUp
		}
		return limit.Advance(ctx, units)
	}, what.At)
	if errors.Is(err, errGivenUp) { // the replay does not reach the position
		return found, nil
	}
	if err != nil {
		return found, err
	}
	defer func() { here.World().Close() }()
	if r.Task().Spoils(here.Actions()) {
		found.Verdict = Hidden
		return found, nil
	}
	for _, e := range here.World().Events() {
		if e.Kind == engine.Violated && e.Violation.Property == what.Property {
			found.Verdict, found.Broken = explore.Violated, e.Action
			return found, nil
		}
	}
	var question explore.Question
	var answer *explore.Answer
	for {
		question = r.Task().Lookahead(here, what.Property)
		spent, goesOn := int64(0), error(nil)
		answer, err = question.Search(budget, oneProcessor(func(f explore.Figures) bool {
			goesOn = limit.Advance(ctx, f.Work-spent)
			spent = f.Work
			return goesOn == nil && wanted() && time.Now().Before(late)
		}), 1)
		if err == nil {
			err = goesOn
		}
		if err != nil {
			return found, err
		}
		limit.Charge(ctx, answer.Work-spent)
		if answer.Bound != explore.OfRecording || !wanted() || time.Now().After(late) {
			break
		}
		limit.Rest(ctx)
		further := r.Further(here, answer.Gaps)
		if err := limit.Begin(ctx); err != nil {
			return found, err
		}
		if further == nil {
			break
		}
		here.World().Close()
		here = further
	}
	found.Verdict, found.Bounds = answer.Verdict, lang.Both(question.Bounds(lang.English), question.Bounds(lang.Chinese))
	if answer.Verdict == explore.Stopped && wanted() {
		found.Verdict = explore.Spent // of time
	}
	found.Missing = answer.Bound == explore.OfRecording
	if found.Verdict == explore.Spent {
		found.Depth = max(0, answer.Depth-1) // it has looked at the last level in part
	}
	for _, c := range answer.Counterexamples {
		found.Length, found.Actions, found.Cause, found.By = c.Length, c.Actions, c.Cause, c.CausedBy
	}
	return found, nil
}
