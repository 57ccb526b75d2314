package limit

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"lockstep/engine/lang"
)

// Join and Wait return these errors. A caller of Of or End gives another reason.
var (
	ErrFull   = lang.NewFault("the line is full", lang.Fault{Code: "limit", Next: lang.AskLater, Key: "error.busy"})
	ErrClosed = lang.NewFault("there are no more turns", lang.Fault{Code: "limit", Next: lang.AskLater, Key: "error.busy"})
)

// Turns let a few requests run at once; the others wait. The network that was served least recently comes first, within
// it the person who was served least recently, and for one person the oldest request. A person who makes many requests,
// or uses many names, waits for others as often as others wait for that person.
type Turns struct {
	most    int // running at once
	each    int // running at once of one network: one fewer than most, but at least 1
	longest int // bound on waits

	mu      sync.Mutex
	served  served
	running map[string]int // by network
	taken   int            // running, of all networks
	waiting []*Turn
	all     map[*Turn]struct{}
	closed  bool
}

// A Turn is one use, from Join until End. Its context ends when the use has to end. The cause says why.
type Turn struct {
	context.Context
	turns           *Turns
	network, person string
	end             context.CancelCauseFunc
	running         bool
	place           int      // the last place in the line that the turn was told; 0: none
	places          chan int // the latest unread place; 0: the turn has begun
}

// NewTurns lets most requests run at once, and longest requests wait.
func NewTurns(most, longest int) *Turns {
	return &Turns{most: most, each: max(1, most-1), longest: longest, running: map[string]int{}, served: newServed(), all: map[*Turn]struct{}{}}
}

// Join takes a place in the line. In a full line, the network with the most waits gives up its last place to a network
// with fewer; within one network, a person does. If nobody has more waits, Join returns ErrFull.
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

// greediest returns the last wait of the person with the most waits, in the network with the most waits.
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

// Of ends the turns of a person for a reason, also a turn that has begun. That turn counts until its End.
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

// Wait returns nil when the turn begins, or the reason why it does not. Meanwhile it tells each place in the line,
// from 1.
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

// End makes room for the next turn. If the turn has no reason yet, its context gets this one.
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

// move begins turns while there is room, and tells the others their places.
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

// inOrder returns the waiting turns in the order in which they would begin if nobody else came.
func (q *Turns) inOrder() []*Turn {
	line := slices.Clone(q.waiting)
	q.inRounds(line, (*Turn).self)
	q.inRounds(line, func(t *Turn) string { return t.network })
	return line
}

// inRounds sorts a line into rounds. A name comes once in each round, and within a round the name that was served least
// recently comes first.
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

// self returns the key of the turn's person within their network.
func (t *Turn) self() string { return self(t.network, t.person) }

// tell leaves a place for Wait to read, and replaces an unread one.
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

// Close ends all turns, and begins no more.
func (q *Turns) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for t := range q.all {
		t.end(ErrClosed)
	}
}
