package explore

import (
	"unsafe"

	"lockstep/engine"
)

// An actionKind is the kind of an action of the search.
type actionKind uint8

const (
	kindSpawn actionKind = iota
	kindStep
	kindDeliver
	kindReceive
	kindDrop
	kindCrash
	kindResume
	kindNodeCrash
	kindNodeRestart
	kindFailover
	kindTick
)

// A transition is an action that is enabled in a state, with its effects. A tick changes every component, and its successor
// is in transitions.ticked.
type transition struct {
	kind     actionKind
	client   uint8
	node     uint8
	length   uint8 // of a tick: an index of the setup's lengths
	other    uint8 // 1 + another client that it changes; 0: none
	violates bool  // it is a momentary violation
	stores   bool  // it changes the node
	id       uint32
	otherID  uint32
	store    uint32
}

// transitions computes the enabled transitions of a state. It takes their effects from its memo, or from the components,
// which let the engine do them once.
type transitions struct {
	*setup
	meter
	components *components
	memo       memo                       // of effects
	requests   memo                       // the effects of a request's arrival on a node and a client
	pairs      table[pairKey, pairEffect] // of two clients that meet
	judged     table[projection, bool]
	duringTick table[tickProjection, bool]
	lapses     table[tickProjection, bool] // see overruns
	solo       table[soloKey, bool]
	dead       table[state, struct{}] // states from which nobody gets in
	reached    table[state, struct{}] // while one search for a deadlock runs
	clients    []clientComponent      // those of components that this worker knows
	infos      []clientInfo           // of each
	stores     []storeComponent
	buffer     []transition
	ticked     [MaxLengths]state // the successors by a tick of each length
}

type pairKey struct {
	i, j           uint8
	orphan         bool
	idI, idJ       uint32
	store, instant uint32
}

type pairEffect struct {
	id       uint32
	violates bool
}

func newTransitions(c *components) *transitions {
	return &transitions{setup: c.setup, meter: meter{account: c.account}, components: c}
}

// The kinds of effect, in the first bits of a memo's key.
const (
	effectSpawn uint64 = (iota + 1) << 60
	effectServe
	effectReceive
	effectReply
	effectStep
	effectCrash
	effectResume
	effectForget
	effectTick
	effectStoreTick
	effectStoreCrash
	effectStoreRestart
	effectRename
	effectRenameStore
	effectDrop
)

// effectFailover shares the first bits of a crash, and has another bit above the number of a store.
const effectFailover = effectStoreCrash | 1<<lengthShift

// The bits of a memo's key that hold each number.
const (
	instantBits = 14
	clientBits  = 24
	lowBits     = 20                       // of stores, commands and answers
	lengthShift = instantBits + clientBits // of a tick's length
	violates    = 1 << 63
	lost        = 1 << 62

	mostInstants = 1 << instantBits
)

func (t *transitions) client(id uint32) *clientComponent {
	if int(id) >= len(t.clients) {
		t.catchUp()
	}
	return &t.clients[id]
}

// info returns the properties of a client that every state needs.
func (t *transitions) info(id uint32) *clientInfo {
	if int(id) >= len(t.infos) {
		t.catchUp()
	}
	return &t.infos[id]
}

func (t *transitions) catchUp() {
	t.components.Lock()
	t.clients = t.components.clients // the list only grows
	t.components.Unlock()
	if size := len(t.clients); size > cap(t.infos) {
		was := cap(t.infos)
		size += size / 4
		t.hold(int64(size) * int64(unsafe.Sizeof(clientInfo{})))
		t.infos = append(make([]clientInfo, 0, size), t.infos...)
		t.release(int64(was) * int64(unsafe.Sizeof(clientInfo{})))
	}
	for _, p := range t.clients[len(t.infos):] {
		t.infos = append(t.infos, p.clientInfo)
	}
}

func (t *transitions) store(id uint32) *storeComponent {
	if int(id) >= len(t.stores) {
		t.components.Lock()
		t.stores = t.components.stores
		t.components.Unlock()
	}
	return &t.stores[id]
}

// remember computes an effect that is not in the memo yet, and keeps it.
func (t *transitions) remember(key uint64, effect func() uint64) uint64 {
	value := t.compute(effect)
	t.memo.put(&t.meter, key, value)
	return value
}

// compute computes an effect. It does not return where the engine refuses the action.
func (t *transitions) compute(effect func() uint64) uint64 {
	value, units, given := t.components.compute(effect)
	t.spend(units)
	if !given {
		panic(undecided{})
	}
	return value
}

// inWorld composes a world of components and calls what with it. Use compute for effects.
func (t *transitions) inWorld(look *projection, ticks uint32, what func(w *engine.World), properties ...engine.Property) {
	t.components.Lock()
	w := t.components.world(look, ticks, properties...)
	t.components.Unlock()
	what(w)
	units := effectWork + w.Meter().Effort()
	w.Close()
	t.spend(units)
}

// about returns the key of an effect on one component at an instant.
func about(effect uint64, id, instant uint32) uint64 {
	return effect | uint64(id)<<instantBits | uint64(instant)
}

func (t *transitions) spawn(i int, instant uint32) uint32 {
	key := about(effectSpawn, uint32(i), instant)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return uint64(t.components.spawn(i, instant)) })
	}
	return uint32(value)
}

// serve executes the command that client i has in flight.
func (t *transitions) serve(i int, id uint32, orphan bool, store, instant uint32) outcome {
	p := t.info(id)
	command := p.sends
	if orphan {
		command = p.orphan
	}
	key := about(effectServe, (command<<4|uint32(i)), instant) | uint64(store)<<(instantBits+lowBits+4)
	if value, ok := t.memo.get(key); ok {
		return outcomeOf(value)
	}
	return outcomeOf(t.remember(key, func() uint64 {
		out := t.components.serve(i, id, orphan, store, instant)
		value := uint64(out.answer) | uint64(out.store)<<lowBits | uint64(out.removes)<<(2*lowBits)
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
		removes: uint8(value >> (2 * lowBits)), lost: value&lost != 0, violates: value&violates != 0,
	}
}

// part packs the component that a client becomes into the value of an effect.
func part(id uint32, isViolation bool) uint64 {
	if isViolation {
		return uint64(id) | violates
	}
	return uint64(id)
}

func (t *transitions) receive(i int, id, answer, instant uint32) (uint32, bool) {
	key := about(effectReceive, id, instant) | uint64(answer)<<(instantBits+24)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return part(t.components.receive(i, id, answer, instant)) })
	}
	return uint32(value), value&violates != 0
}

func (t *transitions) replied(i int, id, answer uint32) uint32 {
	key := about(effectReply, id, 0) | uint64(answer)<<(instantBits+24)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return uint64(t.components.replied(i, id, answer)) })
	}
	return uint32(value)
}

func (t *transitions) forget(i int, id uint32) uint32 {
	key := about(effectForget, id, 0)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return uint64(t.components.forget(i, id, 0)) })
	}
	return uint32(value)
}

func (t *transitions) act(effect uint64, i int, id, instant uint32, a engine.Action) (uint32, bool) {
	key := about(effect, id, instant)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return part(t.components.act(i, id, instant, a)) })
	}
	return uint32(value), value&violates != 0
}

func (t *transitions) onStore(effect uint64, store, instant uint32, a engine.Action) uint32 {
	key := about(effect, store, instant)
	value, ok := t.memo.get(key)
	if !ok {
		value = t.remember(key, func() uint64 { return uint64(t.components.onStore(store, instant, a)) })
	}
	return uint32(value)
}

// tick returns the tick of some units.
func (t *transitions) tick(units uint32) engine.Action {
	return engine.Action{Verb: engine.VerbTick, Time: engine.Time(units) * t.Tick}
}

// tickClient and tickStore return what a tick of some units makes of a client and of a store.
func (t *transitions) tickClient(i int, id, ticks, units uint32) uint32 {
	after, _ := t.act(effectTick|uint64(units)<<lengthShift, i, id, ticks, t.tick(units))
	return after
}

func (t *transitions) tickStore(store, ticks, units uint32) uint32 {
	return t.onStore(effectStoreTick|uint64(units)<<lengthShift, store, ticks, t.tick(units))
}

// successor computes the state that a transition leads to.
func (t *transitions) successor(to, s *state, m *transition) {
	if m.kind == kindTick {
		*to = t.ticked[m.length]
		return
	}
	*to = *s
	switch m.kind {
	case kindNodeCrash:
		to.faults++
	case kindFailover:
		to.takes++
	case kindNodeRestart:
	default:
		to.clients[m.client] = m.id
	}
	switch m.kind {
	case kindCrash:
		to.crashes++
	case kindDrop:
		to.losses++
	}
	if m.stores {
		to.stores[m.node] = m.store
	}
	if m.other > 0 {
		to.clients[m.other-1] = m.otherID
	}
}

// action returns a transition as an action of the engine.
func (t *transitions) action(m *transition) engine.Action {
	a := engine.Action{Client: t.names[m.client]}
	switch m.kind {
	case kindSpawn:
		a.Verb, a.Program, a.Options = engine.VerbSpawn, t.program, t.options[m.client]
	case kindStep:
		a.Verb = engine.VerbStep
	case kindDeliver:
		a.Verb = engine.VerbDeliver
	case kindReceive:
		a.Verb = engine.VerbReceive
	case kindDrop:
		a.Verb = engine.VerbDrop
	case kindCrash:
		a.Verb = engine.VerbCrash
	case kindResume:
		a.Verb = engine.VerbResume
	case kindTick:
		return t.tick(t.lengths[m.length])
	case kindNodeCrash, kindNodeRestart, kindFailover:
		a = engine.Action{Verb: engine.VerbRedisRestart}
		if t.redis() > 1 {
			a.Node = int(m.node) + 1
		}
		switch m.kind {
		case kindNodeCrash:
			a.Verb, a.Lose = engine.VerbRedisCrash, t.Lose
		case kindFailover:
			a.Verb = engine.VerbFailover
		}
	}
	return a
}
