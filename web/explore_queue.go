package web

import (
	"context"
	"errors"
	"time"

	"lockstep/web/limit"
	"lockstep/web/refusal"
)

// Why a search ends before it is done, or does not begin.
var (
	errQueueFull = refusal.Declare(refusal.Unavailable, refusal.Refused, "explore.queue-full")
	errReplaced  = refusal.Declare(refusal.Unavailable, refusal.Refused, "explore.replaced") // the same visitor has asked for another one
	errStopped   = errors.New("explore.stop")                                                // the visitor has
	errClosing   = refusal.Declare(refusal.Unavailable, refusal.Refused, "explore.closing")  // the server ends
	errBusy      = errors.New("the queue is too long for a page")
)

// longestWait is how long a page waits for a place to search.
const longestWait = 10 * time.Second

// busy says that a page has waited long enough, and how far it came.
func busy(place int) error {
	return refusal.New(refusal.Unavailable, refusal.Refused, "explore.busy", place)
}

// join takes a place in the queue for a visitor's search. Each has one: a new one takes the place of the old, so that
// a classroom shares the machine evenly. Those who have no name yet are many, and each has theirs.
func (e *explorer) join(ctx context.Context, v visitor) (*limit.Turn, error) {
	if v.isNamed() {
		e.turns.Of(v.network, v.person, errReplaced)
	}
	t, err := e.turns.Join(ctx, v.network, v.person)
	return t, queued(err)
}

// wait returns when a search may begin, or with the reason why it may not.
func wait(t *limit.Turn, told func(place int)) error { return queued(t.Wait(told)) }

// queued is what a visitor is told of a queue's reason.
func queued(err error) error {
	switch {
	case errors.Is(err, limit.ErrFull):
		return errQueueFull
	case errors.Is(err, limit.ErrClosed):
		return errClosing
	}
	return err
}

// soon is a visitor's turn to search, if it comes before a page has waited too long.
func (s *Server) soon(ctx context.Context, v visitor) (*limit.Turn, error) {
	askerIn(ctx).Rest() // a search has a line of its own
	turn, err := s.explorer.join(ctx, v)
	if err != nil {
		return nil, err
	}
	place := 0
	patience := time.AfterFunc(longestWait, s.survives(func() { turn.End(errBusy) }, func() {}))
	err = wait(turn, func(n int) { place = n })
	if patience.Stop() && err == nil {
		return turn, nil
	}
	defer turn.End(nil)
	if errors.Is(context.Cause(turn), errBusy) {
		return nil, busy(place)
	}
	return nil, err
}
