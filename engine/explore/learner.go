package explore

import (
	"unsafe"

	"lockstep/engine"
)

// A deed is the kind of an action of the search.
type deed uint8

const (
	spawns deed = iota
	steps
	delivers
	receives
	crashes
	resumes
	crashesNode
	restartsNode
	ticks
)

// A move is one action that is possible in a state, and what it changes. A tick
// changes everything: its state is the worker's ticked.
type move struct {
	deed     deed
	client   uint8
	node     uint8
	other    uint8 // 1 + another client that it changes; 0: none
	violates bool  // it is a momentary violation
	stores   bool  // it changes the node
	id       uint32
	otherID  uint32
	store    uint32
}

// A learner answers what the parts of a state do, from its memo or from the catalog.
type learner struct {
	*setup
	meter
	catalog  *catalog
	memo     memo                       // of lessons
	requests memo                       // of what becomes of a node and a client when a request arrives
	pairs    table[meeting, remembered] // what is asked seldom
	judged   table[looked, bool]
	during   table[meanwhile, bool]
	solo     table[alone, bool]
	dead     table[state, struct{}] // states from which nobody gets in
	met      table[state, struct{}] // while one deadlock is looked for
	clients  []clientPart           // those of the catalog that are known here
	conduct  []conduct              // of each
	stores   []storePart
	moves    []move
	ticked   state
}

type meeting struct {
	i, j           uint8
	orphan         bool
	idI, idJ       uint32
	store, instant uint32
}

type remembered struct {
	id       uint32
	violates bool
}

func newLearner(c *catalog) *learner {
	return &learner{setup: c.setup, meter: meter{account: c.account}, catalog: c}
}

// The kinds of lesson, in the first bits of a memo's key.
const (
	lessonSpawn uint64 = (iota + 1) << 60
	lessonServe
	lessonHear
	lessonAnswered
	lessonStep
	lessonCrash
	lessonResume
	lessonForget
	lessonTick
	lessonStoreTick
	lessonStoreCrash
	lessonStoreRestart
	lessonRename
	lessonRenameStore
)

// Where the numbers of a lesson stand in a memo's key.
const (
	instantBits = 14
	clientBits  = 24
	lowBits     = 20 // of stores, commands and answers
	violates    = 1 << 63
	lost        = 1 << 62
)

func (l *learner) client(id uint32) *clientPart {
	if int(id) >= len(l.clients) {
		l.catchUp()
	}
	return &l.clients[id]
}

// does is how a client behaves.
func (l *learner) does(id uint32) *conduct {
	if int(id) >= len(l.conduct) {
		l.catchUp()
	}
	return &l.conduct[id]
}

func (l *learner) catchUp() {
	l.catalog.Lock()
	l.clients = l.catalog.clients // it is only ever appended to
	l.catalog.Unlock()
	if size := len(l.clients); size > cap(l.conduct) {
		was := cap(l.conduct)
		size += size / 4
		l.hold(int64(size) * int64(unsafe.Sizeof(conduct{})))
		l.conduct = append(make([]conduct, 0, size), l.conduct...)
		l.release(int64(was) * int64(unsafe.Sizeof(conduct{})))
	}
	for _, p := range l.clients[len(l.conduct):] {
		l.conduct = append(l.conduct, p.conduct)
	}
}

func (l *learner) store(id uint32) *storePart {
	if int(id) >= len(l.stores) {
		l.catalog.Lock()
		l.stores = l.catalog.stores
		l.catalog.Unlock()
	}
	return &l.stores[id]
}

// learn takes a lesson that is not in the memo yet.
func (l *learner) learn(key uint64, lesson func() uint64) uint64 {
	value := l.lesson(lesson)
	l.memo.put(&l.meter, key, value)
	return value
}

// lesson takes a lesson. It does not return where the engine does not give it.
func (l *learner) lesson(lesson func() uint64) uint64 {
	value, units, given := l.catalog.teach(lesson)
	l.spend(units)
	if !given {
		panic(undecided{})
	}
	return value
}

// ask makes a world of parts and asks it something that is no lesson.
func (l *learner) ask(look *looked, ticks uint32, what func(w *engine.World), properties ...engine.Property) {
	l.catalog.Lock()
	w := l.catalog.world(look, ticks, properties...)
	l.catalog.Unlock()
	what(w)
	units := lessonWork + w.Effort()
	w.Close()
	l.spend(units)
}

// about is the key of a lesson about one part at an instant.
func about(lesson uint64, id, instant uint32) uint64 {
	return lesson | uint64(id)<<instantBits | uint64(instant)
}

func (l *learner) spawn(i int, instant uint32) uint32 {
	key := about(lessonSpawn, uint32(i), instant)
	value, ok := l.memo.get(key)
	if !ok {
		value = l.learn(key, func() uint64 { return uint64(l.catalog.spawn(i, instant)) })
	}
	return uint32(value)
}

// serve executes what client i has in flight.
func (l *learner) serve(i int, id uint32, orphan bool, store, instant uint32) outcome {
	p := l.does(id)
	command := p.sends
	if orphan {
		command = p.orphan
	}
	key := about(lessonServe, (command<<4|uint32(i)), instant) | uint64(store)<<(instantBits+lowBits+4)
	if value, ok := l.memo.get(key); ok {
		return outcomeOf(value)
	}
	return outcomeOf(l.learn(key, func() uint64 {
		out := l.catalog.serve(i, id, orphan, store, instant)
		value := uint64(out.answer) | uint64(out.store)<<lowBits | uint64(out.robs)<<(2*lowBits)
		if out.violates {
			value |= violates
		}
		if out.lost {
			value |= lost
		}
		return value
	}))
}

func outcomeOf(value uint64) outcome {
	return outcome{
		answer: uint32(value) & (1<<lowBits - 1), store: uint32(value>>lowBits) & (1<<lowBits - 1),
		robs: uint8(value >> (2 * lowBits)), lost: value&lost != 0, violates: value&violates != 0,
	}
}

// part makes a lesson's value of what a client becomes.
func part(id uint32, isViolation bool) uint64 {
	if isViolation {
		return uint64(id) | violates
	}
	return uint64(id)
}

func (l *learner) hear(i int, id, answer, instant uint32) (uint32, bool) {
	key := about(lessonHear, id, instant) | uint64(answer)<<(instantBits+24)
	value, ok := l.memo.get(key)
	if !ok {
		value = l.learn(key, func() uint64 { return part(l.catalog.hear(i, id, answer, instant)) })
	}
	return uint32(value), value&violates != 0
}

func (l *learner) answered(i int, id, answer uint32) uint32 {
	key := about(lessonAnswered, id, 0) | uint64(answer)<<(instantBits+24)
	value, ok := l.memo.get(key)
	if !ok {
		value = l.learn(key, func() uint64 { return uint64(l.catalog.answered(i, id, answer)) })
	}
	return uint32(value)
}

func (l *learner) forget(i int, id uint32) uint32 {
	key := about(lessonForget, id, 0)
	value, ok := l.memo.get(key)
	if !ok {
		value = l.learn(key, func() uint64 { return uint64(l.catalog.forget(i, id, 0)) })
	}
	return uint32(value)
}

func (l *learner) act(lesson uint64, i int, id, instant uint32, a engine.Action) (uint32, bool) {
	key := about(lesson, id, instant)
	value, ok := l.memo.get(key)
	if !ok {
		value = l.learn(key, func() uint64 { return part(l.catalog.act(i, id, instant, a)) })
	}
	return uint32(value), value&violates != 0
}

func (l *learner) onStore(lesson uint64, store, instant uint32, a engine.Action) uint32 {
	key := about(lesson, store, instant)
	value, ok := l.memo.get(key)
	if !ok {
		value = l.learn(key, func() uint64 { return uint64(l.catalog.onStore(store, instant, a)) })
	}
	return uint32(value)
}

// possible lists what can happen in a state, in the order in which actions are told.
func (l *learner) possible(s *state) []move {
	l.moves = l.moves[:0]
	busy, spawned := false, false
	for i := range l.names {
		id := s.clients[i]
		if id == 0 {
			if !spawned {
				spawned = true
				l.moves = append(l.moves, move{deed: spawns, client: uint8(i), id: l.spawn(i, s.ticks)})
			}
			continue
		}
		p := l.does(id)
		if p.moves&canStep != 0 {
			l.step(s, i, id, p)
		}
		if p.moves&canDeliver != 0 {
			l.request(s, i, id, true, move{deed: delivers, client: uint8(i), node: p.late})
		}
		if p.moves&canResume != 0 {
			after, _ := l.act(lessonResume, i, id, s.ticks, engine.Action{Verb: engine.VerbResume})
			l.moves = append(l.moves, move{deed: resumes, client: uint8(i), id: after})
		}
		busy = busy || p.busy
		if p.moves&canCrash != 0 && int(s.crashes) < l.Crashes {
			if p.crashed == 0 {
				after, _ := l.act(lessonCrash, i, id, 0, engine.Action{Verb: engine.VerbCrash})
				l.conduct[id].crashed = after
				p = l.does(id)
			}
			l.moves = append(l.moves, move{deed: crashes, client: uint8(i), id: p.crashed})
		}
	}
	l.faults(s)
	if int(s.ticks) < l.Ticks && (!busy || l.Delays == Any || int(s.delays) < l.Delays) {
		l.pass(s, busy)
		l.moves = append(l.moves, move{deed: ticks, violates: l.flickers && l.violatedMeanwhile(s)})
	}
	l.spend(stateWork + moveWork*int64(len(l.moves)))
	return l.moves
}

// step is the move of a client that has a command in flight, leaves the critical
// section, or receives.
func (l *learner) step(s *state, i int, id uint32, p *conduct) {
	if p.sends != 0 {
		if l.Replies && p.orphan != 0 {
			return // the request of a life that has ended is delivered first
		}
		l.request(s, i, id, false, move{deed: steps, client: uint8(i), node: p.node})
		return
	}
	how := move{deed: steps, client: uint8(i)}
	verb := engine.VerbStep
	if l.Replies && p.moves&canReceive != 0 {
		how.deed, verb = receives, engine.VerbReceive
	}
	how.id, how.violates = l.act(lessonStep, i, id, s.ticks, engine.Action{Verb: verb})
	l.moves = append(l.moves, how)
}

// request is the move that lets a request of client i arrive.
func (l *learner) request(s *state, i int, id uint32, orphan bool, m move) {
	store := s.stores[m.node]
	key := uint64(id)<<38 | uint64(store)<<18 | uint64(s.ticks)<<4 | uint64(i)
	if orphan {
		key |= 1 << 62
	}
	value, ok := l.requests.get(key)
	if !ok {
		value = l.arrive(s, i, id, orphan, store)
		l.requests.put(&l.meter, key, value)
	}
	m.stores, m.store, m.id, m.violates = true, uint32(value)&(1<<lowBits-1), uint32(value>>lowBits)&(1<<24-1), value&violates != 0
	if j := int(value>>(lowBits+24)&31) - 1; j >= 0 && s.clients[j] != 0 && (l.property.Momentary || l.does(s.clients[j]).unsure) {
		l.rob(s, i, id, orphan, j, store, &m)
	}
	if m.deed == steps && l.Replies {
		m.deed = delivers
	}
	l.moves = append(l.moves, m)
}

// arrive puts together what becomes of the node and of client i: the two halves of
// a step meet only in the answer.
func (l *learner) arrive(s *state, i int, id uint32, orphan bool, store uint32) uint64 {
	out := l.serve(i, id, orphan, store, s.ticks)
	after, isViolation := uint32(0), false
	switch {
	case orphan:
		after = l.forget(i, id)
	case l.Replies && !out.lost:
		after = l.answered(i, id, out.answer)
	default:
		after, isViolation = l.hear(i, id, out.answer, s.ticks)
	}
	value := uint64(out.store) | uint64(after)<<lowBits | uint64(out.robs)<<(lowBits+24)
	if out.violates || isViolation {
		value |= violates
	}
	return value
}

// rob adds to a move what becomes of client j, whose stored value it removes.
func (l *learner) rob(s *state, i int, id uint32, orphan bool, j int, store uint32, m *move) {
	key := meeting{uint8(i), uint8(j), orphan, id, s.clients[j], store, s.ticks}
	l.spend(lookWork)
	known := l.pairs.get(key)
	if known == nil {
		value := l.lesson(func() uint64 { return part(l.catalog.meet(i, id, orphan, j, s.clients[j], store, s.ticks)) })
		known = l.pairs.put(&l.meter, key, remembered{uint32(value), value&violates != 0})
	}
	if m.violates = m.violates || known.violates; known.id != s.clients[j] {
		m.other, m.otherID = uint8(j+1), known.id
	}
}

// faults are the moves of the Redis nodes.
func (l *learner) faults(s *state) {
	if l.NodeCrashes == 0 && !l.Restarts {
		return
	}
	for n := range l.redis() {
		p := l.store(s.stores[n])
		switch {
		case !p.down && int(s.faults) < l.NodeCrashes:
			after := l.onStore(lessonStoreCrash, s.stores[n], s.ticks, engine.Action{Verb: engine.VerbRedisCrash, Lose: l.Lose})
			l.moves = append(l.moves, move{deed: crashesNode, node: uint8(n), stores: true, store: after})
		case p.down && (l.RestartDelay == 0 || l.catalog.time(s.ticks) >= p.part.Since+engine.Time(l.RestartDelay)*l.Tick):
			after := l.onStore(lessonStoreRestart, s.stores[n], s.ticks, engine.Action{Verb: engine.VerbRedisRestart})
			l.moves = append(l.moves, move{deed: restartsNode, node: uint8(n), stores: true, store: after})
		}
	}
}

func (l *learner) tick() engine.Action { return engine.Action{Verb: engine.VerbTick, Time: l.Tick} }

// pass makes the state after a tick.
func (l *learner) pass(s *state, busy bool) {
	t := &l.ticked
	*t = *s
	t.ticks++
	if busy && l.Delays != Any {
		t.delays++
	}
	for i := range l.names {
		if id := s.clients[i]; id != 0 {
			t.clients[i], _ = l.act(lessonTick, i, id, s.ticks, l.tick())
		}
	}
	for n := range l.nodes {
		t.stores[n] = l.onStore(lessonStoreTick, s.stores[n], s.ticks, l.tick())
	}
}

// after makes the state that a move leads to.
func (l *learner) after(to, s *state, m *move) {
	if m.deed == ticks {
		*to = l.ticked
		return
	}
	*to = *s
	switch m.deed {
	case crashesNode:
		to.faults++
	case restartsNode:
	default:
		to.clients[m.client] = m.id
	}
	if m.deed == crashes {
		to.crashes++
	}
	if m.stores {
		to.stores[m.node] = m.store
	}
	if m.other > 0 {
		to.clients[m.other-1] = m.otherID
	}
}

// action is a move as an action of the engine.
func (l *learner) action(m *move) engine.Action {
	a := engine.Action{Client: l.names[m.client]}
	switch m.deed {
	case spawns:
		a.Verb, a.Program, a.Options = engine.VerbSpawn, l.program, l.options[m.client]
	case steps:
		a.Verb = engine.VerbStep
	case delivers:
		a.Verb = engine.VerbDeliver
	case receives:
		a.Verb = engine.VerbReceive
	case crashes:
		a.Verb = engine.VerbCrash
	case resumes:
		a.Verb = engine.VerbResume
	case ticks:
		return l.tick()
	case crashesNode, restartsNode:
		a = engine.Action{Verb: engine.VerbRedisRestart}
		if l.redis() > 1 {
			a.Node = int(m.node) + 1
		}
		if m.deed == crashesNode {
			a.Verb, a.Lose = engine.VerbRedisCrash, l.Lose
		}
	}
	return a
}
