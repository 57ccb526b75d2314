package explore

import (
	"errors"
	"sync"
	"sync/atomic"
)

// A Budget bounds everything that a question sets off: the trial of the program, the effects that the engine computes, the
// states and what is known of them, random schedules, the path to a violation and its replay. One that runs out ends the
// search with the verdict Spent, at most one action of the engine later (engine.MaxQuestionWork).
type Budget struct {
	States int64 // distinct ones; 0: as many as there are
	Memory int64 // bytes; 0: 1 GiB
	Work   int64 // units of the engine, of about 10 ns each; 0: no bound. Half of it is kept for the paths to the findings
}

// The units that everything costs beside the engine's own work.
const (
	stateWork   = 10  // to take a state apart
	moveWork    = 14  // to find the successor, and to see whether it is new
	newWork     = 15  // to keep a state that is new
	orderWork   = 10  // to try one order of the clients
	lookWork    = 30  // to look something up in a table of large keys
	effectWork  = 150 // to compose a world, and to take it apart
	keyWork     = 100 // for each key that is stored in that world
	letterWork  = 1   // for each letter of a component's key
	settleAfter = 1 << 16
)

// A Bound is a resource that a question has used up.
type Bound string

// The bounds of a budget, and two that every question has.
const (
	OfStates     Bound = "states"
	OfMemory     Bound = "memory"
	OfWork       Bound = "work"
	OfAction     Bound = "action"     // a program does more at once than an action may: engine.MaxQuestionWork
	OfRecording  Bound = "recording"  // a recorded program does not tell what it does next, or the effect of a script is not recorded
	OfComponents Bound = "components" // there are more different components than numbers for them
)

// errEnded says that a question has ended: it has used up its budget, or nobody waits for the answer.
var errEnded = errors.New("explore: the question has come to its end")

// A panic with ending unwinds the work of a question that has ended. One with undecided unwinds the work that needs an effect
// which the engine refuses, because a program does more there than an action may. Neither leaves the package.
type (
	ending    struct{}
	undecided struct{}
)

// An account holds what everything that a question has set off has used of its budget.
type account struct {
	budget  Budget
	runtime Runtime
	limit   int64 // the work after which it ends at present

	work, states, tried, memory atomic.Int64

	depth  int         // of the latest states
	depths []int64     // new states of each level that is whole
	full   atomic.Bool // there are more components than numbers for them

	ended  atomic.Pointer[ended] // why; nil: it has not
	asking sync.Mutex            // Progress is called by one worker at a time
}

// ended says how a question ended.
type ended struct {
	verdict Verdict
	bound   Bound
}

func newAccount(b Budget, h Runtime) *account {
	if b.Memory == 0 {
		b.Memory = 1 << 30
	}
	if h.Workers < 1 || h.Go == nil {
		h.Workers, h.Go = 1, func(n int, work func(i int)) {
			for i := range n {
				work(i)
			}
		}
	}
	return &account{budget: b, runtime: h, limit: b.Work, depths: []int64{}}
}

// restart forgets the states, but not what they cost. The components stay.
func (a *account) restart(components int64) {
	a.states.Store(0)
	a.tried.Store(0)
	a.memory.Store(components)
	a.depth, a.depths = 0, []int64{} // Progress may have kept the last ones
}

func (a *account) figures() Figures {
	return Figures{States: a.states.Load(), Transitions: a.tried.Load(), Depth: a.depth, Memory: a.memory.Load(), Work: a.work.Load(), Depths: a.depths}
}

// verdict returns why the question has ended, or nothing.
func (a *account) verdict() Verdict {
	if e := a.ended.Load(); e != nil {
		return e.verdict
	}
	return ""
}

// bound returns the bound that ended the question, or nothing.
func (a *account) bound() Bound {
	if e := a.ended.Load(); e != nil {
		return e.bound
	}
	return ""
}

// stop and exhaust end the question for every worker: nobody waits for the answer, or it came to a bound.
func (a *account) stop()           { a.ended.CompareAndSwap(nil, &ended{verdict: Stopped}) }
func (a *account) exhaust(b Bound) { a.ended.CompareAndSwap(nil, &ended{Spent, b}) }

// within calls what, and reports whether it returned: the question may end before.
func (a *account) within(what func()) (done bool) {
	defer func() {
		if done {
			return
		}
		if mistake := recover(); mistake != (ending{}) {
			panic(mistake)
		}
	}()
	what()
	return true
}

// decided calls what, and reports whether the engine gave every effect that it needs.
func decided(what func()) (done bool) {
	defer func() {
		if done {
			return
		}
		if mistake := recover(); mistake != (undecided{}) {
			panic(mistake)
		}
	}()
	what()
	return true
}

// A meter counts what one worker uses. It settles now and then: it checks the budget and calls Progress.
type meter struct {
	*account
	units int64 // of work, since it settled last
	tries int64 // transitions
}

// spend counts work. It does not return when the question has come to its end.
func (m *meter) spend(units int64) {
	if m.units += units; m.units >= settleAfter && m.settle() != nil {
		panic(ending{})
	}
}

// pace counts the work of actions that the engine does for this package.
func (m *meter) pace(units int64) error {
	if m.units += units; m.units < settleAfter {
		return nil
	}
	return m.settle()
}

// hold counts memory before it is set aside. It does not return when there is no more.
func (m *meter) hold(bytes int64) {
	if m.memory.Add(bytes) > m.budget.Memory {
		m.exhaust(OfMemory)
		panic(ending{})
	}
}

// release counts memory that is garbage from now on.
func (m *meter) release(bytes int64) { m.memory.Add(-bytes) }

// publish adds what the worker has done to the account.
func (m *meter) publish() {
	m.work.Add(m.units)
	m.account.tried.Add(m.tries)
	m.units, m.tries = 0, 0
}

// settle adds what the worker has done to the account. It returns errEnded when the question has ended.
func (m *meter) settle() error {
	a := m.account
	m.publish()
	if a.ended.Load() != nil {
		return errEnded
	}
	switch f := a.figures(); {
	case a.full.Load():
		a.exhaust(OfComponents)
	case a.budget.States > 0 && f.States > a.budget.States:
		a.exhaust(OfStates)
	case f.Memory > a.budget.Memory:
		a.exhaust(OfMemory)
	case a.limit > 0 && f.Work > a.limit:
		a.exhaust(OfWork)
	}
	if a.runtime.Progress != nil && a.asking.TryLock() {
		if a.ended.Load() == nil && !a.runtime.Progress(a.figures()) {
			a.stop()
		}
		a.asking.Unlock()
	}
	if a.ended.Load() != nil {
		return errEnded
	}
	return nil
}
