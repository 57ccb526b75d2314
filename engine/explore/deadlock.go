package explore

import (
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
	for _, f := range finds {
		if f.failed || len(confirmed) < mostConfirmed && s.deadlocked(f) {
			confirmed = append(confirmed, f)
		}
	}
	return confirmed
}

func (s *search[K]) deadlocked(f find[K]) bool {
	var at state
	unpack(&s.layout, s.setup, &f.state, &at)
	w := s.catalog.world(&looked{at.clients, at.stores}, at.ticks)
	defer w.Close()
	return check.Deadlocked(w)
}

// escapes reports a state from which a client gets in, if only those who are there
// go on, nobody crashes any more, and time passes until nothing that is known can
// change. It tries every continuation.
func (l *learner) escapes(from *state) bool {
	l.catalog.Lock()
	w := l.catalog.world(&looked{from.clients, from.stores}, from.ticks)
	l.catalog.Unlock()
	left := check.Horizon(w) - w.Now()
	w.Close()
	bounds := l.setup
	defer func() { l.setup = bounds }()
	relaxed := *bounds
	relaxed.Ticks, relaxed.Crashes, relaxed.Delays = min(int(from.ticks)+int(left/l.Tick)+1, 1<<instantBits-1), 0, Any
	relaxed.NodeCrashes = min(bounds.NodeCrashes, int(from.faults)) // none more, but what is down comes back
	l.setup = &relaxed
	start := *from
	start.crashes, start.delays = 0, 0
	met := map[state]bool{start: true}
	for queue := []state{start}; len(queue) > 0 && len(met) < mostContinued; queue = queue[1:] {
		s := queue[0]
		if l.dead[s] {
			continue
		}
		if _, inside := l.inside(&s); inside > 0 {
			return true
		}
		moves := l.possible(&s)
		for i := range moves {
			if moves[i].deed == spawns {
				continue
			}
			var to state
			if l.after(&to, &s, &moves[i]); !met[to] {
				met[to] = true
				queue = append(queue, to)
			}
		}
	}
	for s := range met {
		l.dead[s] = true
	}
	return false
}
