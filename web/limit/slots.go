package limit

import (
	"cmp"
	"container/list"
	"context"
	"iter"
	"slices"
	"sync"
	"time"
)

// Slots let a few requests run at once, and fewer of one network. If thousands could run at any time, each would get its
// slice of a processor before the request that a class waits for. The other requests wait. The network that was served
// least recently comes first, within it the person who was served least recently, and for one person the oldest request.
type Slots struct {
	SlotsOptions

	mu      sync.Mutex
	running map[string]int // taken slots, by network
	taken   int            // taken slots of all networks
	waiting map[string]*crowd
	waits   int    // waiting requests
	joined  uint64 // requests that have waited
	served  served
	closed  bool
}

// SlotsOptions bound slots.
type SlotsOptions struct {
	Most        int           // slots
	Each        int           // slots of one network
	Longest     int           // bound on waits; 0: the callers bound them
	LongestEach int           // bound on waits of one network; 0: the same
	Lapse       time.Duration // a slot is free again after it, because its user waits for something else; 0: never
}

// A crowd has the waits of a network.
type crowd struct {
	waits   int
	persons map[string]*list.List // of *slot
	since   uint64                // the number of its first wait
}

// A slot is one use, from the request for it until its end.
type slot struct {
	slots           *Slots
	network, person string
	given           chan error              // nil: the slot is taken
	cancel          context.CancelCauseFunc // called if the slot is refused; nil: not called
	running         bool
	timer           *time.Timer
	at              *list.Element // in the line; nil: in none
	since           uint64        // its number among those that have waited
}

// NewSlots returns slots within bounds.
func NewSlots(o SlotsOptions) *Slots {
	return &Slots{SlotsOptions: o, running: map[string]int{}, waiting: map[string]*crowd{}, served: newServed()}
}

// take waits for a slot, or for the end of ctx.
func (s *Slots) take(ctx context.Context, network, person string) (*slot, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	u := &slot{slots: s, network: network, person: person, given: make(chan error, 1)}
	s.mu.Lock()
	s.join(u)
	s.mu.Unlock()
	select {
	case err := <-u.given:
		return u.or(err)
	case <-ctx.Done():
	}
	u.end() // move may have given the slot at the same moment
	return nil, context.Cause(ctx)
}

// join lets a request wait, unless a slot is free. In a full line, the network with the most waits gives up its last place
// to a network with fewer; if there is no such network, the request is refused with ErrFull. If too many of one network
// wait, the longest wait gives way: waiting keeps nobody out. The caller holds the lock.
func (s *Slots) join(u *slot) {
	if s.closed {
		u.refuse(ErrClosed)
		return
	}
	s.enqueue(u)
	s.move()
	if u.at != nil && s.LongestEach > 0 && s.waiting[u.network].waits > s.LongestEach {
		s.dismiss(s.greediestOf(u.network, u.person).Front())
	}
	if u.at != nil && s.Longest > 0 && s.waits > s.Longest {
		s.dismiss(s.greediestOf(s.greediest(u.network), u.person).Back())
	}
}

// Enter takes a slot for a request until the caller calls leave. Meanwhile other requests use its processor.
func (s *Slots) Enter(ctx context.Context) (leave func(), err error) {
	a := of(ctx)
	a.Rest()
	u, err := s.take(ctx, a.Network(), a.Person())
	if err != nil {
		return nil, err
	}
	return u.end, nil
}

// or returns the slot, or the error that refused it.
func (u *slot) or(err error) (*slot, error) {
	if err != nil {
		return nil, err
	}
	return u, nil
}

// wanted reports whether a request waits.
func (s *Slots) wanted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waits > 0
}

// end gives the slot to the next, or ends the wait for it.
func (u *slot) end() {
	u.slots.mu.Lock()
	defer u.slots.mu.Unlock()
	u.stop()
}

// stop ends the use or the wait. The caller holds the lock. A second stop does nothing.
func (u *slot) stop() {
	s := u.slots
	if u.at != nil {
		s.leave(u)
	}
	if !u.running {
		return
	}
	if u.timer != nil {
		u.timer.Stop()
	}
	u.running = false
	s.taken--
	if s.running[u.network]--; s.running[u.network] == 0 {
		delete(s.running, u.network)
	}
	s.move()
}

// enqueue puts a slot at the end of its person's line.
func (s *Slots) enqueue(u *slot) {
	s.joined++
	u.since = s.joined
	c := s.waiting[u.network]
	if c == nil {
		c = &crowd{persons: map[string]*list.List{}, since: u.since}
		s.waiting[u.network] = c
	}
	if c.persons[u.person] == nil {
		c.persons[u.person] = list.New()
	}
	u.at = c.persons[u.person].PushBack(u)
	c.waits++
	s.waits++
}

// leave takes a slot out of its line.
func (s *Slots) leave(u *slot) {
	c := s.waiting[u.network]
	line := c.persons[u.person]
	line.Remove(u.at)
	u.at = nil
	if line.Len() == 0 {
		delete(c.persons, u.person)
	}
	if c.waits--; c.waits == 0 {
		delete(s.waiting, u.network)
	}
	s.waits--
}

// dismiss ends a wait with ErrFull.
func (s *Slots) dismiss(at *list.Element) {
	u := at.Value.(*slot)
	s.leave(u)
	u.refuse(ErrFull)
}

// refuse tells that there is no slot.
func (u *slot) refuse(err error) {
	u.given <- err
	if u.cancel != nil {
		u.cancel(err)
	}
}

// greediest returns the network with the most waits. In a tie, it returns the network of the new request.
func (s *Slots) greediest(come string) string {
	greediest := come
	for network, c := range s.waiting {
		if c.waits > s.waiting[greediest].waits {
			greediest = network
		}
	}
	return greediest
}

// greediestOf returns the line of the person in a network with the most waits. In a tie, it returns the line of the person
// who was served most recently, then the line of the new request, and then the line whose last wait is the newest.
func (s *Slots) greediestOf(network, come string) (longest *list.List) {
	persons := s.waiting[network].persons
	greediest := come
	longest = persons[come]
	for person, line := range persons {
		if longest == nil || cmp.Or(line.Len()-longest.Len(), cmp.Compare(s.served.at[self(network, person)], s.served.at[self(network, greediest)]), cmp.Compare(last(line).since, last(longest).since)) > 0 {
			greediest, longest = person, line
		}
	}
	return longest
}

// move gives out the free slots.
func (s *Slots) move() {
	for s.taken < s.Most {
		u := s.next()
		if u == nil {
			return
		}
		s.running[u.network]++
		s.taken++
		u.running = true
		if s.Lapse > 0 {
			u.timer = time.AfterFunc(s.Lapse, u.end)
		}
		u.given <- nil
	}
}

// next takes the wait out of its line that is served next; nil: there is none.
func (s *Slots) next() *slot {
	network, ok := least(s.waiting, func(network string) (at, since uint64, may bool) {
		return s.served.at[network], s.waiting[network].since, s.running[network] < s.Each
	})
	if !ok {
		return nil
	}
	persons := s.waiting[network].persons
	person, _ := least(persons, func(person string) (at, since uint64, may bool) {
		return s.served.at[self(network, person)], first(persons[person]).since, true
	})
	u := first(persons[person])
	s.leave(u)
	s.served.serve(network, person)
	return u
}

func first(line *list.List) *slot { return line.Front().Value.(*slot) }
func last(line *list.List) *slot  { return line.Back().Value.(*slot) }

// inOrder returns the waits in the order in which they are served if nobody else comes: a twin of the slots serves them.
func (s *Slots) inOrder() (line []*slot) {
	twin, of := NewSlots(SlotsOptions{Each: 1}), map[*slot]*slot{}
	twin.served.clock = s.served.clock
	for _, u := range slices.SortedFunc(s.line(), func(a, b *slot) int { return cmp.Compare(a.since, b.since) }) {
		wait := &slot{network: u.network, person: u.person}
		of[wait] = u
		for _, name := range []string{u.network, self(u.network, u.person)} {
			twin.served.at[name] = s.served.at[name]
		}
		twin.enqueue(wait)
		twin.waiting[u.network].since = s.waiting[u.network].since
	}
	for wait := twin.next(); wait != nil; wait = twin.next() {
		line = append(line, of[wait])
	}
	return line
}

// least returns the name that was served least recently, among those that may be served: of two that were never served, the
// one that has waited longer.
func least[T any](waiting map[string]T, served func(who string) (at, since uint64, may bool)) (who string, ok bool) {
	var earliest, first uint64
	for name := range waiting {
		if at, since, may := served(name); may && (!ok || at < earliest || at == earliest && since < first) {
			who, ok, earliest, first = name, true, at, since
		}
	}
	return who, ok
}

// close ends all waits, and gives out no more slots.
func (s *Slots) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for u := range s.line() {
		s.leave(u)
		u.refuse(ErrClosed)
	}
}

// line yields the waits, in no order.
func (s *Slots) line() iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for _, c := range s.waiting {
			for _, line := range c.persons {
				for at := line.Front(); at != nil; {
					next := at.Next() // the wait may leave the line
					if !yield(at.Value.(*slot)) {
						return
					}
					at = next
				}
			}
		}
	}
}
