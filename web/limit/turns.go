package limit

import (
	"cmp"
	"context"
	"errors"
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
	each    int // of one network: one fewer, where there are several
	longest int // waiting

	mu      sync.Mutex
	served  served
	running map[string]int // by network
	taken   int            // of all
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
	return &Turns{most: most, each: max(1, most-1), longest: longest, running: map[string]int{}, served: newServed(), all: map[*Turn]struct{}{}}
}

// Join takes a place in the line. Where the line is full, the network that has most in it gives up its last place to
// one that has fewer, and within a network the person; or else there is no place: ErrFull.
func (q *Turns) Join(ctx context.Context, network, person string) (*Turn, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, ErrClosed
	}
	t := &Turn{turns: q, network: network, person: person, places: make(chan int, 1)}
	t.Context, t.end = context.WithCancelCause(ctx)
	q.all[t] = struct{}{}
	q.waiting = append(q.waiting, t)
	q.move()
	if len(q.waiting) > q.longest {
		last := q.greediest()
		q.leave(last)
		last.end(ErrFull)
		if last == t {
			delete(q.all, t)
			return nil, ErrFull
		}
	}
	q.move()
	return t, nil
}

// greediest is the last wait of a person who has most of them, in the network that has most of them.
func (q *Turns) greediest() (greediest *Turn) {
	waits := map[string]int{}
	for _, t := range q.waiting {
		waits[t.network]++
		waits[t.self()]++
	}
	for _, t := range q.waiting {
		if greediest == nil || cmp.Or(waits[t.network]-waits[greediest.network], waits[t.self()]-waits[greediest.self()]) >= 0 {
			greediest = t
		}
	}
	return greediest
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
		q.taken--
		if q.running[t.network]--; q.running[t.network] == 0 {
			delete(q.running, t.network)
		}
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
	place := 0
	for _, t := range q.inOrder() {
		if q.taken == q.most || q.running[t.network] == q.each {
			place++
			t.tell(place)
			continue
		}
		q.leave(t)
		q.served.serve(t.network, t.person)
		t.running = true
		q.taken++
		q.running[t.network]++
		t.tell(0)
	}
}

// inOrder are those who wait, in the order in which they come to their turns if nobody else comes.
func (q *Turns) inOrder() []*Turn {
	line := slices.Clone(q.waiting)
	q.inRounds(line, (*Turn).self)
	q.inRounds(line, func(t *Turn) string { return t.network })
	return line
}

// inRounds sorts a line so that nobody of a name comes twice before everybody else came once, and first whoever was served
// least lately.
func (q *Turns) inRounds(line []*Turn, name func(*Turn) string) {
	rounds, round := map[string]int{}, map[*Turn]int{}
	for _, t := range line {
		round[t] = rounds[name(t)]
		rounds[name(t)]++
	}
	slices.SortStableFunc(line, func(a, b *Turn) int {
		return cmp.Or(cmp.Compare(round[a], round[b]), cmp.Compare(q.served.at[name(a)], q.served.at[name(b)]))
	})
}

// self is a person as one of their network.
func (t *Turn) self() string { return self(t.network, t.person) }

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
