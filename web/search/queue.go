package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/web/limit"
)

// A search that does not begin, or ends early, returns one of these errors.
var (
	ErrFull     = lang.NewFault("the queue for searches is full", lang.Fault{Next: lang.AskLater, Key: "explore.queue-full"})
	ErrReplaced = lang.NewFault("the visitor has asked for another search", lang.Fault{Next: lang.AskLater, Key: "explore.replaced"})
	ErrStopped  = errors.New("the visitor has stopped the search")
	ErrClosing  = lang.NewFault("the server ends", lang.Fault{Next: lang.AskLater, Key: "explore.closing"})

	errBusy  = errors.New("the queue is too long for a page")
	errKnown = errors.New("another search has found the answer")
)

// A BusyError says that a page has waited long enough.
type BusyError struct {
	Place int // in the queue, at the end
}

// Fault says how many come first.
func (e *BusyError) Fault() lang.Fault {
	return lang.Fault{Next: lang.AskLater, Key: "explore.busy", Args: []any{e.Place}}
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("the explorer is busy: place %d in the queue", e.Place)
}

// longestWait is the time that a page waits for its turn.
const longestWait = 10 * time.Second

// A Turn is one request to the explorer: its place in the queue, and then its searches. Its context ends when the
// searches have to end. End makes room for the next request.
type Turn struct {
	*limit.Turn
	explorer *Explorer
	work     int64 // units left for its searches
}

// Join takes a place in the queue. A visitor has one place: a new request replaces the visitor's last one, so a class
// shares the machine evenly. Visitors without a name cannot be told apart, so each of their requests has a place.
func (e *Explorer) Join(ctx context.Context, network, person string) (*Turn, error) {
	if person != network {
		e.turns.Of(network, person, ErrReplaced)
	}
	t, err := e.turns.Join(ctx, network, person)
	if err != nil {
		return nil, reason(err)
	}
	return &Turn{t, e, e.Work}, nil
}

// Soon returns the turn of a page's request. If the page would wait too long, it returns a *BusyError.
func (e *Explorer) Soon(ctx context.Context) (*Turn, error) {
	limit.Rest(ctx) // the queue replaces its place among the requests
	t, err := e.Join(ctx, limit.NetworkOf(ctx), limit.PersonOf(ctx))
	if err != nil {
		return nil, err
	}
	place := 0
	patience := time.AfterFunc(longestWait, func() { t.End(errBusy) })
	err = t.Wait(func(n int) { place = n })
	if patience.Stop() && err == nil {
		return t, nil
	}
	defer t.End(nil)
	if errors.Is(context.Cause(t), errBusy) {
		return nil, &BusyError{place}
	}
	return nil, err
}

// About says that the turn is for one question. The turn waits no longer when a search of somebody else has the answer.
func (t *Turn) About(q explore.Question, causes bool) {
	e, k := t.explorer, keyOf(q, causes)
	e.mu.Lock()
	e.waiting[t] = k
	e.mu.Unlock()
	if known := e.answers.get(k); known != nil && known.decided {
		t.Turn.End(errKnown)
	}
}

// End makes room for the next turn, as limit.Turn does.
func (t *Turn) End(reason error) {
	t.explorer.mu.Lock()
	delete(t.explorer.waiting, t)
	t.explorer.mu.Unlock()
	t.Turn.End(reason)
}

// Wait returns nil when the searches may begin, or the reason why they may not. Meanwhile it tells each place in the
// queue, from 1.
func (t *Turn) Wait(told func(place int)) error { return reason(t.Turn.Wait(told)) }

// Ended returns why the searches have to end; nil: they may continue.
func (t *Turn) Ended() error { return reason(context.Cause(t)) }

// reason turns an error of package limit into an error of this package.
func reason(err error) error {
	switch {
	case errors.Is(err, limit.ErrFull):
		return ErrFull
	case errors.Is(err, limit.ErrClosed):
		return ErrClosing
	case errors.Is(err, errKnown): // there is nothing left to search for
		return nil
	}
	return err
}
