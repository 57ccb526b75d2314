package explore

import (
	"lockstep/engine/check"
)

// mostContinued bounds how many states are looked at to confirm one deadlock, and
// mostConfirmed how many are confirmed on one level.
const (
	mostContinued = 200_000
	mostConfirmed = 4
)

// final keeps, of states that the engine calls stuck, those that are: the engine
// tries fair continuations, and here every other one is tried as well, until
// nothing that is known can change any more.
func (s *search[K]) final(finds []find[K]) []find[K] {
	if s.property.Name != check.Stuck.Name {
		return finds
	}
	w := s.workers[0]
	var confirmed []find[K]
	for _, f := range finds {
		var from state
		unpack(&s.layout, s.setup, &f.state, &from)
		if f.failed || len(confirmed) < mostConfirmed && !w.escapes(&from, s.dead) {
			confirmed = append(confirmed, f)
		}
	}
	return confirmed
}

// escapes reports a state from which a client gets in, if only those who are there
// go on, nobody crashes any more, and time passes. dead are states from which none
// does; it grows.
func (l *learner) escapes(from *state, dead map[state]bool) bool {
	w := l.catalog.world(&looked{from.clients, from.stores}, from.ticks)
	left := check.Horizon(w) - w.Now()
	w.Close()
	bounds := l.setup
	defer func() { l.setup = bounds }()
	relaxed := *bounds
	relaxed.Ticks, relaxed.Crashes, relaxed.Delays = int(from.ticks)+int(left/l.Tick)+1, 0, Any
	relaxed.NodeCrashes = min(bounds.NodeCrashes, int(from.faults)) // none more, but what is down comes back
	l.setup = &relaxed
	start := *from
	start.crashes, start.delays = 0, 0
	met := map[state]bool{start: true}
	for queue := []state{start}; len(queue) > 0 && len(met) < mostContinued; queue = queue[1:] {
		s := queue[0]
		if dead[s] {
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
			if to := l.after(&s, &moves[i]); !met[to] {
				met[to] = true
				queue = append(queue, to)
			}
		}
	}
	for s := range met {
		dead[s] = true
	}
	return false
}
