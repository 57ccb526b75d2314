package explore

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

// mostContinued bounds how many states are looked at for one deadlock, and
// mostConfirmed how many deadlocks of one level the engine is asked about.
const (
	mostContinued = 200_000
	mostConfirmed = 4
)

// final keeps, of states that are stuck here, those that the engine calls stuck:
// it lets clients that gave up ask again, which no action of the search does.
func (s *search[K]) final(finds []find[K]) []find[K] {
	if s.property.Name != check.Stuck.Name {
		return finds
	}
	var confirmed []find[K]
	s.within(func() {
		for _, f := range finds {
			if f.failed || len(confirmed) < mostConfirmed && s.deadlocked(f) {
				confirmed = append(confirmed, f)
			}
		}
	})
	return confirmed
}

func (s *search[K]) deadlocked(f find[K]) (verdict bool) {
	var at state
	unpack(&s.layout, s.setup, &f.state, &at)
	w := s.workers[0]
	var ended error
	w.ask(&looked{at.clients, at.stores}, at.ticks, func(world *engine.World) { verdict, ended = check.DeadlockedAt(w.pace, world) })
	if ended != nil {
		panic(ending{})
	}
	return verdict
}

// escapes reports whether a client gets in from a state, if only those who are there
// go on, nobody crashes any more, and time passes until nothing that is known can
// change. It tries every continuation.
func (l *learner) escapes(from *state) bool {
	var left engine.Time
	l.ask(&looked{from.clients, from.stores}, from.ticks, func(w *engine.World) { left = check.Horizon(w) - w.Now() })
	bounds, moves, ticked := l.setup, l.moves, l.ticked // of whoever asks
	defer func() { l.setup, l.moves, l.ticked = bounds, moves, ticked }()
	relaxed := *bounds
	relaxed.Ticks, relaxed.Crashes, relaxed.Delays = min(int(from.ticks)+int(left/l.Tick)+1, 1<<instantBits-1), 0, Any
	relaxed.NodeCrashes = min(bounds.NodeCrashes, int(from.faults)) // none more, but what is down comes back
	l.setup, l.moves = &relaxed, nil
	start := *from
	start.crashes, start.delays = 0, 0
	l.met.reset(&l.meter)
	l.met.put(&l.meter, start, struct{}{})
	for i := 0; i < l.met.length && l.met.length < mostContinued; i++ {
		s := &l.met.at(i).key
		l.spend(lookWork)
		if l.dead.get(*s) != nil {
			continue
		}
		if _, inside := l.inside(s); inside > 0 {
			return true
		}
		moves := l.possible(s)
		l.spend(lookWork * int64(len(moves)))
		for i := range moves {
			if moves[i].deed == spawns {
				continue
			}
			var to state
			if l.after(&to, s, &moves[i]); l.met.get(to) == nil {
				l.met.put(&l.meter, to, struct{}{})
			}
		}
	}
	for i := range l.met.length {
		if s := &l.met.at(i).key; l.dead.get(*s) == nil {
			l.dead.put(&l.meter, *s, struct{}{})
		}
	}
	return false
}
