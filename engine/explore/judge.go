package explore

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

// What a property looks at: the clients that matter to it, and the stores.
type looked struct {
	clients [maxClients]uint32
	stores  [maxNodes]uint32
}

// violated judges a lasting property on a state. The engine's own judgement is
// asked, once for everything that looks the same to the property.
func (l *learner) violated(s *state) bool {
	if !l.lasting {
		return false
	}
	if l.property.Name == check.Stuck.Name {
		return l.stuck(s)
	}
	look, matters := l.look(s)
	if !matters {
		return false
	}
	l.spend(lookWork)
	verdict := l.judged.get(look)
	if verdict == nil {
		is := false
		l.ask(&look, s.ticks, func(w *engine.World) { is = len(l.property.Judge(w, nil, nil)) > 0 })
		verdict = l.judged.put(&l.meter, look, is)
	}
	return *verdict
}

// look is what a lasting property looks at in a state; nothing where it cannot be violated.
func (l *learner) look(s *state) (look looked, matters bool) {
	inside, count := l.inside(s)
	if count < l.property.Inside {
		return look, false
	}
	if l.property.Stores {
		look.stores = s.stores
		writers := uint32(0)
		for n := range l.nodes {
			writers |= l.store(s.stores[n]).writers
		}
		if writers&^inside == 0 && count == 1 {
			return look, false // it holds what it wrote
		}
		inside |= writers
	}
	for i := range l.names {
		if inside>>i&1 == 1 {
			look.clients[i] = s.clients[i]
		}
	}
	return look, true
}

// meanwhile is what is looked at while a tick passes.
type meanwhile struct {
	looked
	ticks uint32
}

// violatedMeanwhile reports a violation that comes and goes while a tick passes,
// so that neither the state before nor the one after it, the ticked, shows it.
func (l *learner) violatedMeanwhile(s *state) bool {
	look, matters := l.look(s)
	if !matters {
		return false
	}
	l.spend(lookWork)
	key := meanwhile{look, s.ticks}
	verdict := l.during.get(key)
	if verdict == nil {
		is, given := false, false
		l.ask(&look, s.ticks, func(w *engine.World) {
			given = learned(func() { must(w, l.tick()) })
			is = given && violated(w)
		}, l.property)
		if !given {
			panic(undecided{})
		}
		is = is && !l.violated(s) && !l.violated(&l.ticked)
		verdict = l.during.put(&l.meter, key, is)
	}
	return *verdict
}

// inside is who is in the critical section, a bit each, and how many they are.
func (l *learner) inside(s *state) (who uint32, count int) {
	for i := range l.names {
		if id := s.clients[i]; id != 0 && l.does(id).inside {
			who |= 1 << i
			count++
		}
	}
	return who, count
}

// world is the world of some clients and stores.
func (c *catalog) world(look *looked, ticks uint32, properties ...engine.Property) *engine.World {
	stores := c.empty()
	for n := range stores {
		if id := look.stores[n]; id != 0 {
			stores[n] = c.stores[id].part
		}
	}
	var clients []*engine.Client
	for i := range c.names {
		if id := look.clients[i]; id != 0 {
			clients = append(clients, c.as(i, id))
		}
	}
	return engine.Compose(c.header, c.time(ticks), stores, clients, properties...)
}

// stuck reports a state from which no waiting client ever gets in, however much
// time passes: the bound on ticks does not matter to it.
func (l *learner) stuck(s *state) bool {
	waiting := false
	for i := range l.names {
		if id := s.clients[i]; id != 0 {
			p := l.does(id)
			if p.gives {
				return false
			}
			waiting = waiting || p.wants
		}
	}
	if !waiting {
		return false
	}
	for i := range l.names {
		if id := s.clients[i]; id != 0 && l.does(id).wants && l.obtainable(i, s) {
			return false
		}
	}
	return !l.escapes(s)
}

// alone is what it depends on whether a client gets the lock if it goes on alone.
type alone struct {
	client  uint8
	id      uint32
	instant uint32
	stores  [maxNodes]uint32
}

// patience is how many actions of one client are looked up before the engine is
// asked instead.
const patience = 100

// obtainable reports whether client i gets the lock if it goes on alone. It goes on
// by what has been learned; where that does not get it in, the engine decides.
func (l *learner) obtainable(i int, s *state) bool {
	var path []alone
	verdict, decided := false, false
	t := *s
	for len(path) < patience && !decided {
		l.spend(lookWork)
		id := t.clients[i]
		p := l.client(id)
		key := alone{uint8(i), id, t.ticks, t.stores}
		if known := l.solo.get(key); known != nil {
			verdict, decided = *known, true
			break
		}
		path = append(path, key)
		switch {
		case p.inside:
			verdict, decided = true, true
		case p.moves&canResume != 0:
			t.clients[i], _ = l.act(lessonResume, i, id, t.ticks, engine.Action{Verb: engine.VerbResume})
		case p.sends != 0:
			out := l.serve(i, id, false, t.stores[p.node], t.ticks)
			t.stores[p.node] = out.store
			t.clients[i], _ = l.hear(i, id, out.answer, t.ticks)
		case p.moves&canStep != 0:
			t.clients[i], _ = l.act(lessonStep, i, id, t.ticks, engine.Action{Verb: engine.VerbStep})
		case p.part.Status == engine.Asleep && t.ticks < 1<<instantBits-1:
			t.clients[i], _ = l.act(lessonTick, i, id, t.ticks, l.tick())
			for n := range l.nodes {
				t.stores[n] = l.onStore(lessonStoreTick, t.stores[n], t.ticks, l.tick())
			}
			t.ticks++
		default:
			path = path[:1] // it has ended; the engine knows whether it would ask again
			verdict, decided = l.askEngine(i, s), true
		}
	}
	if !decided {
		path = path[:1]
		verdict = l.askEngine(i, s)
	}
	for _, key := range path {
		if l.solo.get(key) == nil { // a client that changes nothing comes by the same place again
			l.solo.put(&l.meter, key, verdict)
		}
	}
	return verdict
}

func (l *learner) askEngine(i int, s *state) (verdict bool) {
	look := looked{stores: s.stores}
	look.clients[i] = s.clients[i]
	var ended error
	l.ask(&look, s.ticks, func(w *engine.World) { verdict, ended = check.ObtainableAt(l.pace, w, w.Clients()[0]) })
	if ended != nil {
		panic(ending{})
	}
	return verdict
}
