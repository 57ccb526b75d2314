package limit

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

// Why somebody has no turn, or no more. Whoever replaces or closes gives the reason.
var (
	ErrFull   = errors.New("the line is full")
	ErrClosed = errors.New("there are no more turns")
)

// Turns let a few go on at once; the others wait. The network that was served least lately comes first, within it the
// person, and of one person whoever came first. So those who come with many, or under many names, wait for
// everybody else as often as everybody else waits for them.
type Turns struct {
	most    int // at once
	longest int // waiting

	mu      sync.Mutex
	clock   uint64            // counts turns that began
	served  map[string]uint64 // when a network or a person had its latest turn; none: it was not lately
	running int
	waiting []*Turn
	all     map[*Turn]struct{}
	closed  bool
}

// A Turn is one use, from when it is asked for until Done is called. Its context ends when the use has to end; the
// cause says why.
type Turn struct {
	context.Context
	turns           *Turns
	network, person string
	end             context.CancelCauseFunc
	running         bool
	place           int      // in the line, as it was told last; 0: none was
	places          chan int // the latest one, if it has not been read; 0: the turn has begun
}

// NewTurns lets so many go on at once, and so many wait.
func NewTurns(most, longest int) *Turns {
	return &Turns{most: most, longest: longest, served: map[string]uint64{}, all: map[*Turn]struct{}{}}
}

// Join takes a place in the line. Where the line is full, the network that has most in it gives up its last place to
// one that has fewer, or else there is no place: ErrFull.
func (q *Turns) Join(ctx context.Context, network, person string) (*Turn, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, ErrClosed
	}
	if q.running >= q.most && len(q.waiting) >= q.longest && !q.makeRoom(network) {
		return nil, ErrFull
	}
	t := &Turn{turns: q, network: network, person: person, places: make(chan int, 1)}
	t.Context, t.end = context.WithCancelCause(ctx)
	q.all[t] = struct{}{}
	q.waiting = append(q.waiting, t)
	q.move()
	return t, nil
}

// makeRoom ends the last wait of the network that has most of them, if that has more than the given one.
func (q *Turns) makeRoom(network string) bool {
	of := map[string]int{}
	for _, t := range q.waiting {
		of[t.network]++
	}
	var greediest *Turn
	for _, t := range q.waiting {
		if greediest == nil || of[t.network] >= of[greediest.network] {
			greediest = t
		}
	}
	if greediest == nil || of[greediest.network] <= of[network]+1 {
		return false
	}
	q.leave(greediest)
	greediest.end(ErrFull)
	return true
}

// Of ends the turns of a person for a reason, also one that has begun: it goes on counting until it is done.
func (q *Turns) Of(network, person string, reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for t := range q.all {
		if t.network == network && t.person == person {
			t.end(reason)
			q.leave(t)
		}
	}
	q.move()
}

// Wait returns when the turn begins, or with the reason why it does not. It tells each place in the line, from 1.
func (t *Turn) Wait(told func(place int)) error {
	for {
		select {
		case <-t.Done():
			return context.Cause(t)
		case place := <-t.places:
			if place == 0 {
				return context.Cause(t)
			}
			if told != nil {
				told(place)
			}
		}
	}
}

// End makes room for the next, for a reason that is kept if there was none before.
func (t *Turn) End(reason error) {
	q := t.turns
	q.mu.Lock()
	defer q.mu.Unlock()
	t.end(reason)
	delete(q.all, t)
	if t.running {
		t.running = false
		q.running--
	}
	q.leave(t)
	q.move()
}

// leave takes a turn out of the line.
func (q *Turns) leave(t *Turn) {
	q.waiting = slices.DeleteFunc(q.waiting, func(other *Turn) bool { return other == t })
}

// move lets those begin for whom there is room, and tells the others where they stand.
func (q *Turns) move() {
	for q.running < q.most && len(q.waiting) > 0 {
		first := q.next(q.waiting, q.served)
		q.leave(first)
		q.serve(first, q.served)
		forget(q.served, q.clock)
		first.running = true
		q.running++
		first.tell(0)
	}
	served, waiting := maps.Clone(q.served), slices.Clone(q.waiting)
	for place := 1; len(waiting) > 0; place++ { // as it will go if nobody comes
		t := q.next(waiting, served)
		waiting = slices.DeleteFunc(waiting, func(other *Turn) bool { return other == t })
		q.serve(t, served)
		t.tell(place)
	}
}

// next is the one of those who wait whose network, and then who themselves, were served least lately.
func (q *Turns) next(waiting []*Turn, served map[string]uint64) *Turn {
	return slices.MinFunc(waiting, func(a, b *Turn) int { // of equals the first
		return cmp.Or(cmp.Compare(served[a.network], served[b.network]), cmp.Compare(served[a.self()], served[b.self()]))
	})
}

func (q *Turns) serve(t *Turn, served map[string]uint64) {
	q.clock++
	served[t.network], served[t.self()] = q.clock, q.clock
}

// self is a person as one of their network.
func (t *Turn) self() string { return t.network + " " + t.person }

// mostServed is how many networks and persons are remembered.
const mostServed = 4096

// forget forgets those that had their turn before most others.
func forget(served map[string]uint64, clock uint64) {
	if len(served) > 2*mostServed {
		maps.DeleteFunc(served, func(_ string, at uint64) bool { return at+mostServed < clock })
	}
}

// tell leaves a place to be read, instead of one that has not been.
func (t *Turn) tell(place int) {
	if place == t.place && place > 0 {
		return
	}
	t.place = place
	select {
	case <-t.places:
	default:
	}
	t.places <- place
}

// Close ends all turns, and there are no more.
func (q *Turns) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for t := range q.all {
		t.end(ErrClosed)
	}
}
