package limit

import (
	"cmp"
	"context"

	"lockstep/engine/lang"
)

// Slots and Turns return these errors. A caller of Of or End gives another reason.
var (
	ErrFull   = lang.NewFault("the line is full", lang.Fault{Code: "limit", Next: lang.AskLater, Key: "error.busy"})
	ErrClosed = lang.NewFault("there are no more turns", lang.Fault{Code: "limit", Next: lang.AskLater, Key: "error.busy"})
)

// Turns are Slots for long work: who waits learns their place in the line, and somebody else may end a turn.
type Turns struct {
	slots *Slots
	all   map[*slot]*Turn // that have not ended; the lock of the slots guards it
}

// A Turn is one use, from Join until End. Its context ends when the use has to end. The cause says why.
type Turn struct {
	context.Context
	*slot
	turns  *Turns
	place  int      // that the turn was told last; 0: none
	places chan int // the latest unread place
}

// NewTurns lets most requests run at once, and longest requests wait. One network leaves a turn for others.
func NewTurns(most, longest int) *Turns {
	return &Turns{NewSlots(SlotsOptions{Most: most, Each: max(1, most-1), Longest: longest}), map[*slot]*Turn{}}
}

// Join takes a place in the line, or returns ErrFull.
func (q *Turns) Join(ctx context.Context, network, person string) (*Turn, error) {
	t := &Turn{turns: q, places: make(chan int, 1)}
	var cancel context.CancelCauseFunc
	t.Context, cancel = context.WithCancelCause(ctx)
	t.slot = &slot{slots: q.slots, network: network, person: person, given: make(chan error, 1), cancel: cancel}
	q.slots.mu.Lock()
	defer q.slots.mu.Unlock()
	q.all[t.slot] = t
	q.slots.join(t.slot)
	q.tell()
	if t.at == nil && !t.running {
		delete(q.all, t.slot)
		return nil, <-t.given
	}
	return t, nil
}

// Of ends the turns of a person for a reason, also a turn that has begun. That turn counts until its End.
func (q *Turns) Of(network, person string, reason error) {
	q.slots.mu.Lock()
	defer q.slots.mu.Unlock()
	for u := range q.all {
		if u.network == network && u.person == person {
			u.cancel(reason)
			if u.at != nil {
				q.slots.leave(u)
			}
		}
	}
	q.tell()
}

// Wait returns nil when the turn begins, or the reason why it does not. Meanwhile it tells each place in the line,
// from 1.
func (t *Turn) Wait(told func(place int)) error {
	for {
		select {
		case <-t.Done():
			return context.Cause(t)
		case err := <-t.given:
			return cmp.Or(err, context.Cause(t))
		case place := <-t.places:
			if told != nil {
				told(place)
			}
		}
	}
}

// End makes room for the next turn. If the turn has no reason yet, its context gets this one.
func (t *Turn) End(reason error) {
	q := t.turns
	q.slots.mu.Lock()
	defer q.slots.mu.Unlock()
	t.cancel(reason)
	delete(q.all, t.slot)
	t.stop()
	q.tell()
}

// Close ends all turns, and begins no more.
func (q *Turns) Close() {
	q.slots.close()
	q.slots.mu.Lock()
	defer q.slots.mu.Unlock()
	for u := range q.all {
		u.cancel(ErrClosed)
	}
}

// tell tells the waiting turns their places, where these have changed. A turn that waits no more hears of none.
func (q *Turns) tell() {
	for _, t := range q.all {
		if t.at == nil {
			t.unread()
		}
	}
	for i, u := range q.slots.inOrder() {
		if t, place := q.all[u], i+1; place != t.place {
			t.place = place
			t.unread()
			t.places <- place
		}
	}
}

// unread takes back the place that nobody has read.
func (t *Turn) unread() {
	select {
	case <-t.places:
	default:
	}
}
