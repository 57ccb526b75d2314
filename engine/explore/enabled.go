package explore

import (
	"lockstep/engine"
)

// enabled lists the transitions that are enabled in a state, in a fixed order of actions.
func (t *transitions) enabled(s *state) []transition {
	t.buffer = t.buffer[:0]
	busy, spawned := false, false
	for i := range t.names {
		id := s.clients[i]
		if id == 0 {
			if !spawned {
				spawned = true
				t.buffer = append(t.buffer, transition{kind: kindSpawn, client: uint8(i), id: t.spawn(i, s.ticks)})
			}
			continue
		}
		p := t.info(id)
		if p.can&canStep != 0 {
			t.step(s, i, id, p)
		}
		if p.can&canDeliver != 0 {
			t.request(s, i, id, true, transition{kind: kindDeliver, client: uint8(i), node: p.orphanNode})
		}
		if p.can&canResume != 0 {
			after, _ := t.act(effectResume, i, id, s.ticks, engine.Action{Verb: engine.VerbResume})
			t.buffer = append(t.buffer, transition{kind: kindResume, client: uint8(i), id: after})
		}
		if p.can&canDrop != 0 && int(s.losses) < t.Losses {
			after, isViolation := t.act(effectDrop, i, id, s.ticks, engine.Action{Verb: engine.VerbDrop})
			t.buffer = append(t.buffer, transition{kind: kindDrop, client: uint8(i), id: after, violates: isViolation})
		}
		busy = busy || p.busy
		if p.can&canCrash != 0 && int(s.crashes) < t.Crashes {
			if p.crashed == 0 {
				after, _ := t.act(effectCrash, i, id, 0, engine.Action{Verb: engine.VerbCrash})
				t.infos[id].crashed = after
				p = t.info(id)
			}
			t.buffer = append(t.buffer, transition{kind: kindCrash, client: uint8(i), id: p.crashed})
		}
	}
	t.faults(s)
	if t.mayTick(s) && (!busy || t.Delays == Any || int(s.delays) < t.Delays) {
		for i := range t.lengths {
			if t.InTime && t.overruns(s, i) {
				continue
			}
			t.pass(s, busy, i)
			t.buffer = append(t.buffer, transition{kind: kindTick, length: uint8(i), violates: t.midTick && t.violatedDuringTick(s, i)})
		}
	}
	t.spend(stateWork + moveWork*int64(len(t.buffer)))
	return t.buffer
}

// step appends the transition of a client that has a command in flight, leaves the critical section, or receives.
func (t *transitions) step(s *state, i int, id uint32, p *clientInfo) {
	if p.sends != 0 {
		if t.Replies && p.orphan != 0 {
			return // the request of a life that has ended is delivered first
		}
		t.request(s, i, id, false, transition{kind: kindStep, client: uint8(i), node: p.node})
		return
	}
	how := transition{kind: kindStep, client: uint8(i)}
	verb := engine.VerbStep
	if t.Replies && p.can&canReceive != 0 {
		how.kind, verb = kindReceive, engine.VerbReceive
	}
	how.id, how.violates = t.act(effectStep, i, id, s.ticks, engine.Action{Verb: verb})
	t.buffer = append(t.buffer, how)
}

// request appends the transition in which a request of client i arrives.
func (t *transitions) request(s *state, i int, id uint32, orphan bool, m transition) {
	store := s.stores[m.node]
	key := uint64(id)<<38 | uint64(store)<<18 | uint64(s.ticks)<<4 | uint64(i)
	if orphan {
		key |= 1 << 62
	}
	value, ok := t.requests.get(key)
	if !ok {
		value = t.arrive(s, i, id, orphan, store)
		t.requests.put(&t.meter, key, value)
	}
	m.stores, m.store, m.id, m.violates = true, uint32(value)&(1<<lowBits-1), uint32(value>>lowBits)&(1<<24-1), value&violates != 0
	if j := int(value>>(lowBits+24)&31) - 1; j >= 0 && s.clients[j] != 0 && (t.property.Momentary || t.info(s.clients[j]).unconfirmed) {
		t.removed(s, i, id, orphan, j, store, &m)
	}
	if m.kind == kindStep && t.Replies {
		m.kind = kindDeliver
	}
	t.buffer = append(t.buffer, m)
}

// arrive combines the effects on the node and on client i. The two halves of a step meet only in the reply.
func (t *transitions) arrive(s *state, i int, id uint32, orphan bool, store uint32) uint64 {
	out := t.serve(i, id, orphan, store, s.ticks)
	after, isViolation := uint32(0), false
	switch {
	case orphan:
		after = t.forget(i, id)
	case t.Replies && !out.lost:
		after = t.replied(i, id, out.answer)
	default:
		after, isViolation = t.receive(i, id, out.answer, s.ticks)
	}
	value := uint64(out.store) | uint64(after)<<lowBits | uint64(out.removes)<<(lowBits+24)
	if out.violates || isViolation {
		value |= violates
	}
	return value
}

// removed adds to a transition the effect on client j, whose stored value it removes.
func (t *transitions) removed(s *state, i int, id uint32, orphan bool, j int, store uint32, m *transition) {
	key := pairKey{uint8(i), uint8(j), orphan, id, s.clients[j], store, s.ticks}
	t.spend(lookWork)
	known := t.pairs.get(key)
	if known == nil {
		value := t.compute(func() uint64 { return part(t.components.interact(i, id, orphan, j, s.clients[j], store, s.ticks)) })
		known = t.pairs.put(&t.meter, key, pairEffect{uint32(value), value&violates != 0})
	}
	if m.violates = m.violates || known.violates; known.id != s.clients[j] {
		m.other, m.otherID = uint8(j+1), known.id
	}
}

// faults appends the transitions of the Redis nodes.
func (t *transitions) faults(s *state) {
	if t.NodeCrashes == 0 && t.Failovers == 0 && !t.Restarts {
		return
	}
	for n := range t.redis() {
		p := t.store(s.stores[n])
		if int(s.takes) < t.Failovers {
			after := t.onStore(effectFailover, s.stores[n], s.ticks, engine.Action{Verb: engine.VerbFailover})
			t.buffer = append(t.buffer, transition{kind: kindFailover, node: uint8(n), stores: true, store: after})
		}
		switch {
		case !p.down && int(s.faults) < t.NodeCrashes:
			after := t.onStore(effectStoreCrash, s.stores[n], s.ticks, engine.Action{Verb: engine.VerbRedisCrash, Lose: t.Lose})
			t.buffer = append(t.buffer, transition{kind: kindNodeCrash, node: uint8(n), stores: true, store: after})
		case p.down && (t.RestartDelay == 0 || t.components.time(s.ticks) >= p.part.Since+engine.Time(t.RestartDelay)*t.Tick):
			after := t.onStore(effectStoreRestart, s.stores[n], s.ticks, engine.Action{Verb: engine.VerbRedisRestart})
			t.buffer = append(t.buffer, transition{kind: kindNodeRestart, node: uint8(n), stores: true, store: after})
		}
	}
}

// pass computes the state after a tick of a length.
func (t *transitions) pass(s *state, busy bool, length int) {
	next, units := &t.ticked[length], t.lengths[length]
	*next = *s
	next.ticks += units
	if len(t.lengths) > 1 {
		next.moves++
	}
	if busy && t.Delays != Any {
		next.delays++
	}
	for i := range t.names {
		if id := s.clients[i]; id != 0 {
			next.clients[i] = t.tickClient(i, id, s.ticks, units)
		}
	}
	for n := range t.nodes {
		next.stores[n] = t.tickStore(s.stores[n], s.ticks, units)
	}
}
