package limit

import (
	"context"
	"runtime"
	"time"

	"lockstep/engine/lang"
)

// These bound the work that requests cause, in units of the engine's work (10 ns each).
const (
	MostWork  = 500_000_000 // of one request: about 5 s
	lightWork = 2_000_000   // of one request; after 20 ms it has to become one of the few heavy requests
	sliceWork = 500_000     // of one slice: after 5 ms others may use the processor
)

// These bound the number of heavy requests, each of which holds a run, and the number that wait.
const (
	maxHeavy     = 8
	heavyEach    = maxHeavy / 2 // of one network
	longestHeavy = 24
)

// slotLapse is the longest time between two calls of Advance: an action takes at most 200 ms. A request that takes longer
// waits for something else, such as a disk, so another may use the processor.
const slotLapse = 300 * time.Millisecond

// ErrTooMuch ends a request that causes more than MostWork.
var ErrTooMuch = lang.NewFault("the request sets off too much work", lang.Fault{Code: "limit", Key: "error.too-much"})

// Work paces the work of requests. At most one request uses each processor, and one network never uses them all, so a
// class always finds one. A long request yields to others now and then. A heavy request holds much memory, so only a few
// of them run at once.
type Work struct {
	processors, heavy *Slots

	Ended func(*Asker) // called for each request that is done, once or more; nil: not called
}

// NewWork shares a number of processors.
func NewWork(processors int) *Work {
	return &Work{
		processors: NewSlots(SlotsOptions{Most: processors, Each: max(1, processors-1), Lapse: slotLapse}),
		heavy:      NewSlots(SlotsOptions{Most: maxHeavy, Each: heavyEach, Longest: longestHeavy}),
	}
}

// Close ends all waits of heavy requests. Light requests still run.
func (w *Work) Close() { w.heavy.close() }

// An Asker is one request, from Begin until Done. It travels in the request's context, and package functions of the same names
// find it there. Its methods are for one goroutine. A nil Asker, and a context without one, is the server itself, which never
// waits.
type Asker struct {
	work            *Work
	ctx             context.Context
	network, person string
	spent           int64  // work in all
	slice           int64  // work since others could use the processor
	slot, heavy     *slot  // nil: none
	Waits           func() // called once before the request waits as a heavy one; nil: not called
}

// Asker returns a request of a person. The request ends when ctx does, because nobody waits for its answer.
func (w *Work) Asker(ctx context.Context, network, person string) *Asker {
	a := &Asker{work: w, network: network, person: person}
	a.ctx = context.WithValue(ctx, inContext{}, a)
	return a
}

type inContext struct{}

// of returns the Asker of a context; nil: the server itself asks.
func of(ctx context.Context) *Asker {
	a, _ := ctx.Value(inContext{}).(*Asker)
	return a
}

// These do what the methods do, for the Asker of a context.
func NetworkOf(ctx context.Context) string           { return of(ctx).Network() }
func PersonOf(ctx context.Context) string            { return of(ctx).Person() }
func Begin(ctx context.Context) error                { return of(ctx).Begin() }
func Rest(ctx context.Context)                       { of(ctx).Rest() }
func TakeTurn(ctx context.Context) error             { return of(ctx).Turn() }
func Charge(ctx context.Context, units int64)        { of(ctx).Charge(units) }
func Advance(ctx context.Context, units int64) error { return of(ctx).Advance(units) }
func Spend(ctx context.Context, units int64) error   { return of(ctx).Spend(units) }
func Spent(ctx context.Context) int64                { return of(ctx).Spent() }

// PaceOf returns Spend for an engine that works at a pace.
func PaceOf(ctx context.Context) func(units int64) error { return of(ctx).Spend }

// Another returns a request of the same server for work that the Asker of asks waits for, in somebody's name, until ctx ends.
func Another(asks, ctx context.Context, network, person string) *Asker {
	a := of(asks)
	if a == nil {
		return nil
	}
	return a.work.Asker(ctx, network, person)
}

// Context returns the context that has the Asker. It ends when nobody waits for the answer.
func (a *Asker) Context() context.Context {
	if a == nil {
		return context.Background()
	}
	return a.ctx
}

// Network and Person say whose request the Asker is.
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

// Begin waits until the request may use a processor, if it may not yet. The caller holds no lock, neither here nor in any
// other method that waits: the request that may run could be waiting for that lock.
func (a *Asker) Begin() (err error) {
	if a != nil && a.slot == nil {
		a.slot, err = a.work.processors.take(a.ctx, a.network, a.person)
		a.slice = 0
	}
	return err
}

// Rest gives up the request's slots while it waits for something else, until its next Begin. The request that it waits
// for may need these slots.
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

// Turn waits until the request is one of the few heavy ones. It stays one until Rest or Done.
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

// Charge counts work that the request has done.
func (a *Asker) Charge(units int64) {
	if a != nil {
		a.spent += units
		a.slice += units
	}
}

// Advance counts work that has its own bounds. In between, others use the processor.
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

// Spend counts work like Advance, within the bounds of a request. It waits when the request becomes heavy, and returns an
// error when the request has to end. Spend is an engine.Pace.
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

// Spent returns the work of the request so far, in units.
func (a *Asker) Spent() int64 {
	if a == nil {
		return 0
	}
	return a.spent
}

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
