package limit

import (
	"context"
	"errors"
	"runtime"
	"time"
)

// What requests may set off, in units of the engine's work (10 ns each).
const (
	MostWork  = 500_000_000 // of one request: about 5 s
	lightWork = 2_000_000   // of one request that is not among the few that set off much: 20 ms
	sliceWork = 500_000     // after which others may use the processor: 5 ms
)

// How many requests go on at once that set off much, each with a run in its hands, and how many wait for that.
const (
	mostHeavy    = 8
	heavyEach    = mostHeavy / 2 // of one network
	longestHeavy = 24
)

// slotLapse is how long a request may use the processor without saying so: an action takes at most 200 ms. After this it
// waits for something else, such as a disk, and another may use it.
const slotLapse = 300 * time.Millisecond

// ErrTooMuch ends a request that sets off more than one may.
var ErrTooMuch = errors.New("the request sets off too much work")

// Work paces what requests set off. Only as many use the processors at once as there are, and of one network fewer: a class
// always finds one. Whoever goes on for long lets others go on in between. A request that sets off much holds much, and so
// there are only a few of these at once.
type Work struct {
	processors, heavy *Slots

	Ended func(*Asker) // is told of each request that is done, once or more; nil: nobody is
}

// NewWork shares so many processors.
func NewWork(processors int) *Work {
	return &Work{
		processors: NewSlots(SlotsOptions{Most: processors, Each: max(1, processors-1), Lapse: slotLapse}),
		heavy:      NewSlots(SlotsOptions{Most: mostHeavy, Each: heavyEach, Longest: longestHeavy}),
	}
}

// Close ends all requests that wait to set off much. What is done in a moment is still done.
func (w *Work) Close() { w.heavy.close() }

// An Asker is one request, from Begin until Done. Its methods are for one goroutine. A nil Asker is the server itself,
// which is never made to wait.
type Asker struct {
	work            *Work
	ctx             context.Context
	network, person string
	spent           int64  // in all
	slice           int64  // since others could use the processor
	slot, heavy     *slot  // nil: none
	Waits           func() // is called before the request waits to set off much; nil: nobody
}

// Asker is a request of a person. It has nobody left to answer, and ends, when ctx does.
func (w *Work) Asker(ctx context.Context, network, person string) *Asker {
	return &Asker{work: w, ctx: ctx, network: network, person: person}
}

// Context ends when nobody is left to be answered.
func (a *Asker) Context() context.Context {
	if a == nil {
		return context.Background()
	}
	return a.ctx
}

// Network and Person are whose request it is.
func (a *Asker) Network() string {
	if a == nil {
		return ""
	}
	return a.network
}

func (a *Asker) Person() string {
	if a == nil {
		return ""
	}
	return a.person
}

// Begin waits until the request may use a processor, if it may not yet. No lock is to be held by the caller, neither here nor
// in what else waits: whoever may go on may be waiting for that lock.
func (a *Asker) Begin() (err error) {
	if a != nil && a.slot == nil {
		a.slot, err = a.work.processors.take(a.ctx, a.network, a.person)
		a.slice = 0
	}
	return err
}

// Rest lets others go on while the request waits for something else, until it begins again: whoever it waits for may be
// waiting for what it has.
func (a *Asker) Rest() {
	if a == nil {
		return
	}
	a.yield()
	if a.heavy != nil {
		a.heavy.end()
		a.heavy = nil
	}
}

// yield lets others use the processor.
func (a *Asker) yield() {
	if a.slot != nil {
		a.slot.end()
		a.slot = nil
	}
}

// Turn waits until the request is one of the few that set off much, which it then is until Rest or Done.
func (a *Asker) Turn() (err error) {
	if a == nil {
		return nil
	}
	if a.heavy == nil {
		a.Rest()
		if a.Waits != nil {
			a.Waits()
			a.Waits = nil
		}
		if a.heavy, err = a.work.heavy.take(a.ctx, a.network, a.person); err != nil {
			return err
		}
	}
	return a.Begin()
}

// Charge counts work that has been done.
func (a *Asker) Charge(units int64) {
	if a != nil {
		a.spent += units
		a.slice += units
	}
}

// Advance is Charge for work that goes on within bounds of its own: others use the processor in between.
func (a *Asker) Advance(units int64) error {
	if a == nil {
		return nil
	}
	a.Charge(units)
	if a.slice > sliceWork {
		a.slice = 0
		if a.work.processors.wanted() {
			a.yield()
		}
		runtime.Gosched()
	}
	if err := context.Cause(a.ctx); err != nil {
		return err
	}
	return a.Begin()
}

// Spend is Advance for what a request may do, and an engine.Pace: it waits where it has set off much, and says why the request
// has to end.
func (a *Asker) Spend(units int64) error {
	if err := a.Advance(units); a == nil || err != nil {
		return err
	}
	switch {
	case a.spent > MostWork:
		return ErrTooMuch
	case a.spent > lightWork:
		return a.Turn()
	}
	return nil
}

// Spent is how much the request has set off so far, in units.
func (a *Asker) Spent() int64 { return a.spent }

// Done ends the request.
func (a *Asker) Done() {
	if a == nil {
		return
	}
	a.Rest()
	if a.work.Ended != nil {
		a.work.Ended(a)
	}
}
