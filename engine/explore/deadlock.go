package explore

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

// mostContinued bounds how many states a search for one deadlock visits.
// mostConfirmed bounds how many deadlocks of one level the engine confirms.
const (
	mostContinued = 200_000
	mostConfirmed = 4
)

// final keeps those stuck states that the engine confirms. The engine lets
// clients that gave up ask again, which no action of the search does.
func (s *search[K]) final(findings []finding[K]) []finding[K] {
	if s.property.Name != check.Stuck.Name {
		return findings
	}
	var confirmed []finding[K]
	s.within(func() {
		for _, f := range findings {
			if f.failed || len(confirmed) < mostConfirmed && s.deadlocked(f) {
				confirmed = append(confirmed, f)
			}
		}
	})
	return confirmed
}

func (s *search[K]) deadlocked(f finding[K]) (verdict bool) {
	var at state
	unpack(&s.layout, s.setup, &f.state, &at)
	w := s.workers[0]
	var ended error
	w.inWorld(&projection{at.clients, at.stores}, at.ticks, func(world *engine.World) { verdict, ended = check.DeadlockedAt(w.pace, world) })
	w.unless(ended)
	return verdict
}

// escapes reports whether a client gets in from a state if only the present
// clients go on, nobody crashes any more, no message is lost, no replica takes over, and time passes until nothing known
// can change. It tries every continuation; where clients of a real program read their clocks, time passes in few steps.
func (t *transitions) escapes(from *state) bool {
	var left engine.Time
	t.inWorld(&projection{from.clients, from.stores}, from.ticks, func(w *engine.World) { left = check.Horizon(w) - w.Now() })
	bounds, enabled, ticked := t.setup, t.buffer, t.ticked // the caller's
	defer func() { t.setup, t.buffer, t.ticked = bounds, enabled, ticked }()
	relaxed := *bounds
	instants, length := min(int(from.ticks)+int(left/t.Tick)+1, mostInstants-1), 1
	if t.timed(from) {
		length = (instants-int(from.ticks))/check.Naps + 1
	}
	relaxed.Ticks, relaxed.Crashes, relaxed.Losses, relaxed.Failovers, relaxed.Delays = (instants+length-1)/length, 0, 0, 0, Any
	relaxed.lengths = []uint32{uint32(length)}
	relaxed.NodeCrashes = min(bounds.NodeCrashes, int(from.faults)) // no further crashes, but a crashed node comes back
	t.setup, t.buffer = &relaxed, nil
	start := *from
	start.moves, start.crashes, start.losses, start.takes, start.delays = 0, 0, 0, 0, 0
	t.reached.reset(&t.meter)
	t.reached.put(&t.meter, start, struct{}{})
	for i := 0; i < t.reached.length && t.reached.length < mostContinued; i++ {
		s := &t.reached.at(i).key
		t.spend(lookWork)
		if t.dead.get(*s) != nil {
			continue
		}
		if _, inside := t.inside(s); inside > 0 {
			return true
		}
		enabled := t.enabled(s)
		t.spend(lookWork * int64(len(enabled)))
		for i := range enabled {
			if enabled[i].kind == kindSpawn {
				continue
			}
			var to state
			if t.successor(&to, s, &enabled[i]); t.reached.get(to) == nil {
				t.reached.put(&t.meter, to, struct{}{})
			}
		}
	}
	for i := range t.reached.length {
		if s := &t.reached.at(i).key; t.dead.get(*s) == nil {
			t.dead.put(&t.meter, *s, struct{}{})
		}
	}
	return false
}

// timed reports whether a client reads its clock, as a real program does.
func (t *transitions) timed(s *state) bool {
	for i := range t.names {
		if id := s.clients[i]; id != 0 {
			if p := t.client(id).part.Program; p != nil && p.Timed() {
				return true
			}
		}
	}
	return false
}
