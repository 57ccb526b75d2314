package explore

import (
	"errors"

	"lockstep/engine"
	"lockstep/engine/check"
)

// A projection is what a property looks at: the clients that matter to it, and the stores.
type projection struct {
	clients [maxClients]uint32
	stores  [maxNodes]uint32
}

// violated judges a lasting property on a state. It asks the engine once for every projection.
func (t *transitions) violated(s *state) bool {
	if !t.lasting {
		return false
	}
	switch t.property.Name {
	case check.Stuck.Name:
		return t.stuck(s)
	case check.Unattended.Name:
		come, absent := t.counts(s, func(c *clientInfo) bool { return c.absent })
		return check.Deserted(come, absent)
	case check.BoundedWait.Name:
		_, late := t.counts(s, func(c *clientInfo) bool { return c.late })
		return late > 0
	}
	view, matters := t.project(s)
	if !matters {
		return false
	}
	t.spend(lookWork)
	verdict := t.judged.get(view)
	if verdict == nil {
		is := false
		t.inWorld(&view, s.ticks, func(w *engine.World) { is = len(t.property.Judge(w, nil, nil)) > 0 })
		verdict = t.judged.put(&t.meter, view, is)
	}
	return *verdict
}

// counts returns how many clients have come, and how many of them are so.
func (t *transitions) counts(s *state, so func(*clientInfo) bool) (come, are int) {
	for i := range t.names {
		if id := s.clients[i]; id != 0 {
			come++
			if so(t.info(id)) {
				are++
			}
		}
	}
	return come, are
}

// project returns the projection of a state. matters is false where the property cannot be violated.
func (t *transitions) project(s *state) (view projection, matters bool) {
	inside, count := t.inside(s)
	if count < t.property.Inside {
		return view, false
	}
	if t.property.Stores {
		view.stores = s.stores
		writers := uint32(0)
		for n := range t.nodes {
			writers |= t.store(s.stores[n]).writers
		}
		if writers&^inside == 0 && count == 1 {
			return view, false // it holds what it wrote
		}
		inside |= writers
	}
	for i := range t.names {
		if inside>>i&1 == 1 {
			view.clients[i] = s.clients[i]
		}
	}
	return view, true
}

// A tickProjection is what a property looks at while a tick passes.
type tickProjection struct {
	projection
	ticks, units uint32
}

// violatedDuringTick reports whether a violation comes and goes while a tick of a length passes. Neither the state before the
// tick nor the one after it, ticked, shows it.
func (t *transitions) violatedDuringTick(s *state, length int) bool {
	view, matters := t.project(s)
	if !matters {
		return false
	}
	t.spend(lookWork)
	units := t.lengths[length]
	key := tickProjection{view, s.ticks, units}
	verdict := t.duringTick.get(key)
	if verdict == nil {
		is, given := false, false
		t.inWorld(&view, s.ticks, func(w *engine.World) {
			given = decided(func() { must(w, t.tick(units)) })
			is = given && violated(w)
		}, t.property)
		if !given {
			panic(undecided{})
		}
		is = is && !t.violated(s) && !t.violated(&t.ticked[length])
		verdict = t.duringTick.put(&t.meter, key, is)
	}
	return *verdict
}

// overruns reports whether a tick of a length lets a lease lapse under a client that is inside.
func (t *transitions) overruns(s *state, length int) bool {
	inside, count := t.inside(s)
	if count == 0 {
		return false
	}
	t.spend(lookWork)
	key := tickProjection{projection{stores: s.stores}, s.ticks, t.lengths[length]}
	for i := range t.names {
		if inside>>i&1 == 1 {
			key.clients[i] = s.clients[i]
		}
	}
	verdict := t.lapses.get(key)
	if verdict == nil {
		is := false
		t.inWorld(&key.projection, s.ticks, func(w *engine.World) { is = lapses(w, engine.Time(t.lengths[length])*t.Tick) })
		verdict = t.lapses.put(&t.meter, key, is)
	}
	return *verdict
}

// inside returns the clients in the critical section, a bit each, and how many they are.
func (t *transitions) inside(s *state) (who uint32, count int) {
	for i := range t.names {
		if id := s.clients[i]; id != 0 && t.info(id).inside {
			who |= 1 << i
			count++
		}
	}
	return who, count
}

// world returns the world of a projection.
func (c *components) world(view *projection, ticks uint32, properties ...engine.Property) *engine.World {
	stores := c.empty()
	for n := range stores {
		if id := view.stores[n]; id != 0 {
			stores[n] = c.stores[id].part
		}
	}
	var clients []*engine.Client
	for i := range c.names {
		if id := view.clients[i]; id != 0 {
			clients = append(clients, c.as(i, id))
		}
	}
	return engine.Compose(c.header, c.time(ticks), stores, clients, properties...)
}

// stuck reports whether no waiting client ever gets in from a state, however much time passes. The bound on ticks does not
// apply.
func (t *transitions) stuck(s *state) bool {
	waiting := false
	for i := range t.names {
		if id := s.clients[i]; id != 0 {
			p := t.info(id)
			if p.occupies {
				return false
			}
			waiting = waiting || p.waits
		}
	}
	if !waiting {
		return false
	}
	for i := range t.names {
		if id := s.clients[i]; id != 0 && t.info(id).waits && t.obtainable(i, s) {
			return false
		}
	}
	return !t.escapes(s)
}

// A soloKey is everything that decides whether a client gets the lock if it goes on alone.
type soloKey struct {
	client  uint8
	id      uint32
	instant uint32
	stores  [maxNodes]uint32
}

// maxSolo is how many actions of one client obtainable looks up before it asks the engine instead.
const maxSolo = 100

// obtainable reports whether client i gets the lock if it goes on alone. It follows the effects that are known. Where they do
// not let the client in, the engine decides.
func (t *transitions) obtainable(i int, s *state) bool {
	var seen []soloKey
	verdict, decided := false, false
	next := *s
	for len(seen) < maxSolo && !decided {
		t.spend(lookWork)
		id := next.clients[i]
		p := t.client(id)
		key := soloKey{uint8(i), id, next.ticks, next.stores}
		if known := t.solo.get(key); known != nil {
			verdict, decided = *known, true
			break
		}
		seen = append(seen, key)
		switch {
		case p.inside:
			verdict, decided = true, true
		case p.can&canResume != 0:
			next.clients[i], _ = t.act(effectResume, i, id, next.ticks, engine.Action{Verb: engine.VerbResume})
		case p.sends != 0:
			out := t.serve(i, id, false, next.stores[p.node], next.ticks)
			next.stores[p.node] = out.store
			next.clients[i], _ = t.receive(i, id, out.answer, next.ticks)
		case p.can&canStep != 0:
			next.clients[i], _ = t.act(effectStep, i, id, next.ticks, engine.Action{Verb: engine.VerbStep})
		case p.part.Sleeps() && !p.part.Program.Timed() && next.ticks < mostInstants-1:
			next.clients[i] = t.tickClient(i, id, next.ticks, 1)
			for n := range t.nodes {
				next.stores[n] = t.tickStore(next.stores[n], next.ticks, 1)
			}
			next.ticks++
		default:
			seen = seen[:1] // the client has stopped, or sleeps; the engine knows whether it would ask again, and when
			verdict, decided = t.obtainableInEngine(i, s), true
		}
	}
	if !decided {
		seen = seen[:1]
		verdict = t.obtainableInEngine(i, s)
	}
	for _, key := range seen {
		if t.solo.get(key) == nil { // a client that changes nothing passes the same place again
			t.solo.put(&t.meter, key, verdict)
		}
	}
	return verdict
}

// obtainableInEngine lets the engine decide whether client i gets the lock if it goes on alone.
func (t *transitions) obtainableInEngine(i int, s *state) (verdict bool) {
	view := projection{stores: s.stores}
	view.clients[i] = s.clients[i]
	var ended error
	t.inWorld(&view, s.ticks, func(w *engine.World) { verdict, ended = check.ObtainableAt(t.pace, w, w.Clients()[0]) })
	t.unless(ended)
	return verdict
}

// unless unwinds the work of a question that has ended. It keeps a gap: then the verdict of this level counts nothing.
func (t *transitions) unless(ended error) {
	if gap := (*check.GapError)(nil); errors.As(ended, &gap) {
		t.components.Lock()
		t.components.gap(gap.Client)
		t.components.Unlock()
	} else if ended != nil {
		panic(ending{})
	}
}

// lapses reports whether the lease of a client that is inside runs out within a length of time: the value by which it got in.
func lapses(w *engine.World, length engine.Time) bool {
	for _, c := range w.Clients() {
		if c.Status != engine.Inside || c.Grant == nil {
			continue
		}
		now := w.Stored(c.Grant.Node, c.Grant.Key)
		if now != nil && now.Writer == c.Name && now.Expires > 0 && now.Expires <= w.Now()+length {
			return true
		}
	}
	return false
}
