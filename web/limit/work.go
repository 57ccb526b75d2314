package limit

import (
	"context"
	"errors"
	"runtime"
)

// What requests may set off, in units of the engine's work (10 ns each).
const (
	MostWork  = 500_000_000 // of one request: about 5 s
	lightWork = 2_000_000   // of one request that needs no turn: 20 ms
	sliceWork = 5_000_000   // of a turn, after which others go on: 50 ms
	yieldWork = 500_000     // after which others may have the processor: 5 ms

	personWork, personBurst   = 20_000_000, 100_000_000 // a second; at once
	networkWork, networkBurst = 50_000_000, 500_000_000
	allWork, allBurst         = 100_000_000, 500_000_000
)

// ErrTooMuch ends a request that sets off more than one may.
var ErrTooMuch = errors.New("the request sets off too much work")

// Work paces what requests set off. A request does a little at once, so that whoever presses a button never waits. It
// goes on beyond that when it has a turn, and so does from its beginning the request of somebody who has lately set off
// more than their share, or who is in such a network.
type Work struct {
	turns                     *Turns
	persons, networks, anyone *Rates
}

// NewWork lets so many requests that set off much go on at once, and so many wait.
func NewWork(most, longest int) *Work {
	return &Work{
		turns:   NewTurns(most, longest),
		persons: NewRates(personWork, personBurst), networks: NewRates(networkWork, networkBurst), anyone: NewRates(allWork, allBurst),
	}
}

// Close ends all requests that have a turn or wait for one.
func (w *Work) Close() { w.turns.Close() }

// An Asker is one request, from Begin until Done. Its methods are for one goroutine. A nil Asker is the server itself,
// which is never made to wait.
type Asker struct {
	work            *Work
	ctx             context.Context
	network, person string
	spent           int64 // in all
	slice           int64 // since the turn began, or went on
	yielded         int64 // since others had the processor
	turn            *Turn
	Waits           func() // is called before the request waits for the first time; nil: nobody
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

// Begin waits for a turn if the one who asks owes work. No lock is to be held by the caller, neither here nor in
// Spend and Turn: whoever has a turn may be waiting for that lock.
func (a *Asker) Begin() error {
	w := a.work
	if w.persons.Owes(a.network+" "+a.person) || w.networks.Owes(a.network) || w.anyone.Owes("") {
		return a.Turn()
	}
	return nil
}

// Turn waits until the request has a turn, which it then has until Done.
func (a *Asker) Turn() error {
	if a == nil || a.turn != nil {
		return nil
	}
	if a.Waits != nil {
		a.Waits()
		a.Waits = nil
	}
	t, err := a.work.turns.Join(a.ctx, a.network, a.person)
	if err != nil {
		return err
	}
	if err := t.Wait(nil); err != nil {
		t.End(err)
		return err
	}
	a.turn, a.slice = t, 0
	return nil
}

// Charge counts work that has been done.
func (a *Asker) Charge(units int64) {
	if a == nil {
		return
	}
	a.spent += units
	a.slice += units
	n := int(units)
	a.work.persons.Charge(a.network+" "+a.person, n)
	a.work.networks.Charge(a.network, n)
	a.work.anyone.Charge("", n)
}

// Spend is Charge for work that goes on, and an engine.Pace: it waits for a turn where one is needed, and says why the
// request has to end.
func (a *Asker) Spend(units int64) error {
	if a == nil {
		return nil
	}
	a.Charge(units)
	if err := context.Cause(a.ctx); err != nil {
		return err
	}
	if a.spent > MostWork {
		return ErrTooMuch
	}
	if a.yielded += units; a.yielded > yieldWork {
		a.yielded = 0
		runtime.Gosched()
	}
	switch {
	case a.turn == nil && a.spent > lightWork:
		return a.Turn()
	case a.turn != nil && a.slice > sliceWork:
		a.slice = 0
		return a.turn.Yield()
	}
	return nil
}

// Spent is how much the request has set off so far, in units.
func (a *Asker) Spent() int64 { return a.spent }

// Done ends the request, and gives its turn to the next.
func (a *Asker) Done() {
	if a != nil && a.turn != nil {
		a.turn.End(nil)
		a.turn = nil
	}
}
