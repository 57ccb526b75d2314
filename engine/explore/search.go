package explore

import (
	"errors"
	"sync/atomic"

	"lockstep/engine"
)

// Search looks at everything that can happen, breadth first, so that what it
// finds is found by a shortest way. With more than one cause wanted it goes on
// after the first counterexample. A question that makes no sense is answered by a
// *engine.Refusal, a program that fails on its way by a *FailureError.
func (q Question) Search(b Budget, h Hands, causes int) (*Answer, error) {
	s, err := q.setup()
	if err != nil {
		return nil, err
	}
	if s.From == nil {
		if err := s.try(); err != nil {
			return nil, err
		}
	}
	if b.Memory == 0 {
		b.Memory = 1 << 30
	}
	if h.Workers < 1 || h.Go == nil {
		h.Workers, h.Go = 1, func(n int, work func(i int)) {
			for i := range n {
				work(i)
			}
		}
	}
	c := newCatalog(s)
	// A search whose parts outgrow its layout begins again with a wider one. What
	// was learned is kept, so that this costs little.
	for parts, stores := 15, 15; ; parts, stores = 2*len(c.clients), 2*len(c.stores) {
		l, ok := arrange(s, parts, stores)
		if !ok {
			return nil, engine.Refuse("a state of %d clients and %d Redis nodes has too many parts", "%d 个客户端和 %d 个 Redis 节点的状态太大", len(s.names), s.nodes)
		}
		var answer *Answer
		switch l.words {
		case 1:
			answer, err = walk[[1]uint64](c, l, b, h, causes)
		case 2:
			answer, err = walk[[2]uint64](c, l, b, h, causes)
		default:
			answer, err = walk[[4]uint64](c, l, b, h, causes)
		}
		if err != errOutgrown {
			return answer, err
		}
		if c.full.Load() { // no layout is wide enough
			return &Answer{Verdict: Spent, Figures: Figures{Memory: c.size()}}, nil
		}
	}
}

var (
	// errOutgrown: a part has a number that does not fit into a packed state.
	errOutgrown = errors.New("explore: the layout is too narrow")

	// errStopped: nobody waits any more for the way to what was found.
	errStopped = errors.New("explore: stopped")
)

// search is one walk over all states.
type search[K packed] struct {
	*setup
	catalog *catalog
	layout  layout
	budget  Budget
	hands   Hands
	visited visited[K]
	workers []*worker[K]
	looking int // depth of the states that are being looked at
	depth   int // of the latest states

	pieces   []piece // of the level that is being looked at
	next     atomic.Int64
	states   atomic.Int64
	moves    atomic.Int64
	memory   atomic.Int64
	outgrown atomic.Bool
	ended    atomic.Pointer[Verdict] // set as soon as the search is not to go on
}

// A piece is a part of a level: small, so that no worker waits long for another at its end.
type piece struct{ worker, from, to int }

const pieceSize = 1024 // states

func walk[K packed](c *catalog, l layout, b Budget, h Hands, causes int) (*Answer, error) {
	s := &search[K]{setup: c.setup, catalog: c, layout: l, budget: b, hands: h, visited: newVisited[K](&l), looking: -1}
	for range h.Workers {
		s.workers = append(s.workers, newWorker(s))
	}
	var finds []find[K]
	s.workers[0].begin()
	for {
		if s.outgrown.Load() {
			return nil, errOutgrown
		}
		if s.catalog.full.Load() { // what has two meanings proves nothing
			return s.answer(Spent, nil, causes)
		}
		found := s.level()
		finds = append(finds, found...)
		switch ended := s.ended.Load(); {
		case ended != nil && *ended == Stopped && causes <= 1: // nobody is waiting
			return s.answer(Stopped, nil, causes)
		case len(found) > 0 && (causes <= 1 || found[0].failed):
			return s.answer(Violated, finds, causes)
		case ended != nil:
			return s.answer(*ended, finds, causes)
		case s.descend() || s.ended.Load() != nil || s.outgrown.Load(): // nothing is new, but was everything looked at?
		case len(finds) > 0:
			return s.answer(Violated, finds, causes)
		default:
			return s.answer(Holds, nil, causes)
		}
	}
}

// answer tells what was found, with a way to each.
func (s *search[K]) answer(v Verdict, finds []find[K], causes int) (*Answer, error) {
	a := &Answer{Verdict: v, Figures: s.figures()}
	if len(finds) == 0 {
		return a, nil
	}
	runs, err := s.trace(finds)
	if err == errStopped {
		a.Verdict = Stopped
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	a.Counterexamples = byCause(runs, max(1, causes))
	return a, nil
}

// level takes what was found on the way to the latest states: the find of least
// hash, or several where several are kept. Failures count where nothing else was found.
func (s *search[K]) level() []find[K] {
	var found []find[K]
	for _, w := range s.workers {
		found = append(found, w.finds...)
		w.finds = w.finds[:0]
	}
	return s.final(least(found))
}

// descend looks at the latest states and finds those that come after them. It
// reports whether there are any.
func (s *search[K]) descend() bool {
	s.pieces = s.pieces[:0]
	total := 0
	for i, w := range s.workers {
		from, to := w.ends[len(w.ends)-1], w.met.length
		for ; from < to; from += pieceSize {
			s.pieces = append(s.pieces, piece{i, from, min(to, from+pieceSize)})
		}
		total += to - w.ends[len(w.ends)-1]
		w.before, w.ends = w.met, append(w.ends, to)
	}
	if total == 0 {
		return false
	}
	s.looking++
	s.next.Store(0)
	if total < 2*pieceSize { // not worth waking anybody
		s.workers[0].work()
	} else {
		s.hands.Go(len(s.workers), func(i int) { s.workers[i].work() })
	}
	more := false
	for _, w := range s.workers {
		if w.met.length > w.ends[len(w.ends)-1] {
			s.depth, more = s.looking+1, true
		}
		more = more || len(w.finds) > 0
	}
	return more
}

func (s *search[K]) figures() Figures {
	return Figures{States: s.states.Load(), Transitions: s.moves.Load(), Depth: s.depth, Memory: s.memory.Load() + s.catalog.size()}
}

// check ends the search where its budget has run out, or nobody wants it any more.
func (s *search[K]) check(first bool) {
	end := func(v Verdict) { s.ended.CompareAndSwap(nil, &v) }
	figures := s.figures()
	if s.budget.States > 0 && figures.States > s.budget.States || figures.Memory > s.budget.Memory || s.catalog.full.Load() {
		end(Spent)
	}
	if first && s.hands.Progress != nil && !s.hands.Progress(figures) {
		end(Stopped)
	}
}
