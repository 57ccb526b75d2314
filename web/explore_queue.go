package web

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Why a search ends before it is done, or does not begin.
var (
	errQueueFull = errors.New("explore.queue-full")
	errReplaced  = errors.New("explore.replaced") // the same visitor has asked for another one
	errStopped   = errors.New("explore.stop")     // the visitor has
	errClosing   = errors.New("explore.closing")  // the server ends
)

// A searchQueue lets a few searches go on at once; others wait for their turn in
// the order in which they came. Of each visitor it has one: a new one takes the
// place of the old, so that a classroom shares the machine evenly.
type searchQueue struct {
	most    int // at once
	longest int // waiting

	mu      sync.Mutex
	running int
	waiting []*turn
	of      map[string]*turn // by visitor
	closed  bool
}

// A turn is one search of a visitor, from when it is asked for until done is called.
type turn struct {
	queue   *searchQueue
	visitor string
	running bool
	places  chan int // the latest place in the queue; 0: it has begun

	context.Context // ends when the search has to; its cause says why
	cancel          context.CancelCauseFunc
}

// join takes a place in the queue, or the first there is.
func (q *searchQueue) join(ctx context.Context, visitor string) (*turn, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, errClosing
	}
	if old := q.of[visitor]; old != nil {
		old.cancel(errReplaced)
		q.leave(old)
	}
	if q.running >= q.most && len(q.waiting) >= q.longest {
		return nil, errQueueFull
	}
	t := &turn{queue: q, visitor: visitor, places: make(chan int, 1)}
	t.Context, t.cancel = context.WithCancelCause(ctx)
	if q.of == nil {
		q.of = map[string]*turn{}
	}
	q.of[visitor] = t
	q.waiting = append(q.waiting, t)
	q.move()
	return t, nil
}

// wait returns when the search may begin, or with the reason why it may not. It
// tells each place on the way, from 1.
func (t *turn) wait(told func(place int)) error {
	for {
		select {
		case <-t.Done():
			return context.Cause(t)
		case place := <-t.places:
			if place == 0 {
				return context.Cause(t)
			}
			told(place)
		}
	}
}

// done makes room for the next.
func (t *turn) done() {
	t.queue.mu.Lock()
	defer t.queue.mu.Unlock()
	t.cancel(nil)
	if t.running {
		t.running = false
		t.queue.running--
	}
	t.queue.leave(t)
	t.queue.move()
}

// leave takes a turn out of the queue. One that runs goes on counting until it is done.
func (q *searchQueue) leave(t *turn) {
	if q.of[t.visitor] == t {
		delete(q.of, t.visitor)
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(other *turn) bool { return other == t })
}

// move lets those begin for whom there is room, and tells the others where they stand.
func (q *searchQueue) move() {
	for q.running < q.most && len(q.waiting) > 0 {
		first := q.waiting[0]
		q.waiting = q.waiting[1:]
		first.running = true
		q.running++
		first.tell(0)
	}
	for i, t := range q.waiting {
		t.tell(i + 1)
	}
}

// tell leaves a place to be read, instead of one that has not been.
func (t *turn) tell(place int) {
	select {
	case <-t.places:
	default:
	}
	t.places <- place
}

// close ends all searches.
func (q *searchQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, t := range q.of {
		t.cancel(errClosing)
	}
}
