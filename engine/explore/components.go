package explore

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/engine/check"
)

// components numbers every component that the search has met: clients, stores, commands and replies. It computes the effect
// of an action on a component by letting the engine do it, once. Each worker keeps the effects in a memo.
//
// It holds no rule of a lock. Each effect below composes a world of one component, or of the two that meet, and does one
// action in it.
type components struct {
	sync.Mutex
	*setup
	*account

	clientIDs  map[string]uint32
	clients    []clientComponent // by id; 0 is nobody
	storeIDs   map[string]uint32
	stores     []storeComponent // by id; 0 is none
	commandIDs map[string]uint32
	commands   []command // by id; 0 is none
	answerIDs  map[string]uint32
	answers    []engine.Answer // by id; 0 is none
	classes    map[string]uint32
	gaps       []Gap         // what recorded programs do not tell
	unable     []UnableError // commands that are not executed as Redis would
	bytes      int64         // memory of all components, about
	units      int64         // the work of the effect under way
}

// A clientComponent is the search's view of a client.
type clientComponent struct {
	clientInfo
	part *engine.Client
	hash uint64 // of its key: the same in every search
}

// A clientInfo holds the properties of a client that every state needs. It is small, so that all of them stay in the
// processor's cache.
type clientInfo struct {
	sends       uint32 // the command that a step delivers; 0: a step leaves the critical section, or only receives
	orphan      uint32 // the command that a deliver delivers
	class       uint32 // clients that differ only in names have the same
	named       uint32 // bit i: it knows the name of client i, another client
	crashed     uint32 // the client after a crash; 0: not computed yet
	node        uint8  // the node that sends goes to
	orphanNode  uint8  // the node that orphan goes to
	can         capability
	inside      bool
	busy        bool // a message of it is in flight, or see Question.leaves
	waits       bool // it waits for the lock or gave up
	occupies    bool // it is in the critical section or releases the lock
	failed      bool
	absent      bool // see check.Absent
	late        bool // see check.Late
	unconfirmed bool // it has stored a value and is not in yet: removing the value changes the client
}

// place returns the node to which a request goes.
func (c *clientInfo) place(orphan bool) uint8 {
	if orphan {
		return c.orphanNode
	}
	return c.node
}

type capability uint8

const (
	canStep capability = 1 << iota
	canDeliver
	canCrash
	canResume
	canReceive
	canDrop
)

type storeComponent struct {
	part    engine.Store
	hash    uint64
	writers uint32 // bit i: client i wrote something that is stored
	named   uint32 // bit i: renaming client i changes it
	down    bool
}

type command struct {
	client int
	words  []string
	node   uint8 // where it goes, which its answer remembers
	orphan bool
}

// A setup is a question with every choice made.
type setup struct {
	Question
	header   engine.Header
	property engine.Property             // none: without a name
	looks    func(*engine.Client) string // see check.Property
	lasting  bool                        // states can violate it, not transitions
	midTick  bool                        // it may be violated in the midst of a tick: what a program's holds says may come and go
	names    []string                    // of the clients, in order
	nodes    int                         // of Redis and, where there is one, the storage, which is the last
	storage  bool                        // there is a storage
	start    engine.Time
	lengths  []uint32         // of ticks, in units of Tick
	program  string           // of those who are spawned; empty: the header's
	options  []engine.Options // of each client's spawn
	variant  []int            // clients of the same kind differ only in their names
	simple   bool             // no component has names in it, all clients are alike, and there is one store
	byName   bool             // a client shares no components: the program asks for names, or clients differ
}

func newComponents(s *setup, a *account) *components {
	return &components{
		setup: s, account: a,
		clientIDs: map[string]uint32{}, clients: make([]clientComponent, 1),
		storeIDs: map[string]uint32{}, stores: make([]storeComponent, 1),
		commandIDs: map[string]uint32{}, commands: make([]command, 1),
		answerIDs: map[string]uint32{}, answers: make([]engine.Answer, 1),
		classes: map[string]uint32{},
	}
}

// compute computes an effect and returns its work in units. given is false where the engine refuses the action at a bound.
func (c *components) compute(effect func() uint64) (value uint64, units int64, given bool) {
	c.Lock()
	defer c.Unlock()
	c.units = 0
	given = decided(func() { value = effect() })
	return value, c.units, given
}

// close closes the world of an effect and counts the work done in it.
func (c *components) close(w *engine.World) {
	c.units += effectWork + w.Meter().Effort()
	w.Close()
}

// keep counts the memory of a new component and its key.
func (c *components) keep(bytes int64, key string) {
	bytes += keptSize + int64(len(key)+len(key)/16)
	c.bytes += bytes
	c.memory.Add(bytes)
}

// keptSize is what a component takes in the tables, in bytes.
const keptSize = 200

// time returns the time after some units of Tick.
func (c *components) time(ticks uint32) engine.Time { return c.start + engine.Time(ticks)*c.Tick }

// hash returns a number that depends on the text alone (FNV-1a, mixed).
func hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return mix(h)
}

// mix spreads a number over 64 bits (the finalizer of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// client returns the number of a client.
func (c *components) client(p *engine.Client) uint32 {
	i := slices.Index(c.names, p.Name)
	key := c.key(p)
	if c.byName {
		key = strconv.Itoa(i) + " " + key
	} else {
		key = strconv.Itoa(c.variant[i]) + " " + key
	}
	c.units += letterWork * int64(len(key))
	if id, ok := c.clientIDs[key]; ok {
		return id
	}
	id := c.number(len(c.clients), clientBits)
	c.clientIDs[key] = id
	p = p.Copy()
	part := clientComponent{part: p, hash: hash(key), clientInfo: clientInfo{inside: p.Status == engine.Inside, failed: p.Status == engine.Failed && !p.CutOff}}
	part.absent, part.late = check.Absent(p), check.Late(p)
	part.unconfirmed = p.Unconfirmed() != nil
	part.occupies = part.inside || p.Status == engine.Releasing
	part.waits = len(check.Waiting([]*engine.Client{p})) > 0
	w := c.compose(c.start, nil, p)
	for _, m := range []struct {
		bit  capability
		verb engine.Verb
	}{{canStep, engine.VerbStep}, {canCrash, engine.VerbCrash}, {canResume, engine.VerbResume}, {canReceive, engine.VerbReceive}, {canDrop, engine.VerbDrop}} {
		if w.Can(engine.Action{Verb: m.verb, Client: p.Name}) == nil {
			part.can |= m.bit
		}
	}
	c.close(w)
	if words, node := p.Request(false); words != nil {
		part.node, part.busy = c.place(node), true
		part.sends = c.command(command{i, words, part.node, false})
	}
	part.busy = part.busy || part.can&canReceive != 0 || part.inside && part.can&canStep != 0 && c.leaves() && p.Program.Recorded()
	if words, node := p.Request(true); words != nil {
		part.orphanNode, part.busy = c.place(node), true
		part.orphan = c.command(command{i, words, part.orphanNode, true})
		part.can |= canDeliver
		part.can &^= canDrop // drop would lose this one, as if it were never delivered
	}
	if p.Missing {
		c.gap(p)
	}
	part.class = id
	if c.byName {
		bare, others := c.without(p)
		bare = strconv.Itoa(c.variant[i]) + " " + bare
		if c.classes[bare] == 0 {
			c.classes[bare] = uint32(len(c.classes) + 1)
		}
		part.class, part.named = c.classes[bare], others
	}
	c.clients = append(c.clients, part)
	c.keep(p.Size(), key)
	return id
}

// key returns the key of a client, with what the property looks at besides.
func (s *setup) key(p *engine.Client) string {
	if s.looks == nil {
		return p.Key()
	}
	return p.Key() + s.looks(p)
}

// gap keeps the history of a client whose recorded program ends there.
func (c *components) gap(p *engine.Client) {
	history := p.History()
	if !slices.ContainsFunc(c.gaps, func(g Gap) bool { return g.Program == p.Program && slices.Equal(g.History, history) }) {
		c.gaps = append(c.gaps, Gap{p.Program, history, p.Came})
	}
}

// command returns the number of a command. It depends on the sender only where components do.
func (c *components) command(x command) uint32 {
	key := strconv.Itoa(int(x.node)) + strings.Join(x.words, "\x00") + strconv.FormatBool(x.orphan)
	if c.byName {
		key = strconv.Itoa(x.client) + " " + key
	}
	if id, ok := c.commandIDs[key]; ok {
		return id
	}
	id := c.number(len(c.commands), lowBits)
	c.commandIDs[key] = id
	c.commands = append(c.commands, x)
	c.keep(0, key) // its words are those of the client's request
	return id
}

// store returns the number of a node's content.
func (c *components) store(s engine.Store) uint32 {
	if c.RestartDelay == 0 {
		s.Since = 0
	}
	if !c.storage {
		s.Grants = 0
	}
	if c.Failovers == 0 {
		s.Replica = nil
	}
	key := s.Key()
	c.units += letterWork * int64(len(key))
	if id, ok := c.storeIDs[key]; ok {
		return id
	}
	id := c.number(len(c.stores), lowBits)
	c.storeIDs[key] = id
	part := storeComponent{part: s, hash: hash(key), down: s.Down}
	for i, name := range c.names {
		if strings.Contains(key, name) {
			part.named |= 1 << i
		}
		for _, stored := range s.Stored {
			if stored.Writer == name {
				part.writers |= 1 << i
			}
		}
	}
	c.stores = append(c.stores, part)
	c.keep(s.Size(), key)
	return id
}

// number returns the next number, within that many bits.
func (c *components) number(n, bits int) uint32 {
	if n == 1<<bits-1 {
		c.full.Store(true)
	}
	return uint32(n)
}

func (c *components) answer(a engine.Answer) uint32 {
	key := a.Key()
	if id, ok := c.answerIDs[key]; ok {
		return id
	}
	id := c.number(len(c.answers), lowBits)
	c.answerIDs[key] = id
	c.answers = append(c.answers, a)
	c.keep(a.Size(), key)
	return id
}

// compose returns a world of some clients. The stores are empty where none are given.
func (c *components) compose(now engine.Time, stores []engine.Store, clients ...*engine.Client) *engine.World {
	if stores == nil {
		stores = c.empty()
	}
	for _, s := range stores {
		c.units += keyWork * int64(len(s.Stored))
	}
	if c.property.Momentary {
		return engine.Compose(c.header, now, stores, clients, c.property)
	}
	return engine.Compose(c.header, now, stores, clients)
}

// empty returns stores that hold nothing.
func (s *setup) empty() []engine.Store {
	stores := make([]engine.Store, s.nodes)
	if s.storage {
		stores[s.nodes-1].Storage = true
	}
	return stores
}

// place returns the index of a node among the stores. The storage has no number of its own.
func (s *setup) place(node int) uint8 {
	if node < 0 {
		node = s.nodes - 1
	}
	return uint8(node)
}

// redis returns how many of the stores are Redis nodes.
func (s *setup) redis() int {
	if s.storage {
		return s.nodes - 1
	}
	return s.nodes
}

func (c *components) on(node int, store uint32) []engine.Store {
	stores := c.empty()
	stores[node] = c.stores[store].part
	return stores
}

// as returns a component under the name of client i. Clients share components where names make no difference.
func (c *components) as(i int, id uint32) *engine.Client {
	part := c.clients[id].part
	if part.Name == c.names[i] {
		return part
	}
	return part.Renamed(c.names[i], nil)
}

// begin returns the state from which the search begins.
func (c *components) begin() state {
	var s state
	if c.From == nil {
		for n := range c.nodes {
			s.stores[n] = c.store(c.empty()[n])
		}
		return s
	}
	w := c.From.World()
	for i, client := range w.Clients() {
		s.clients[i] = c.client(client)
	}
	for n := range c.nodes {
		s.stores[n] = c.store(w.Store(n))
	}
	return s
}

// violated reports whether a momentary violation has just happened.
func violated(w *engine.World) bool {
	return slices.ContainsFunc(w.Events(), func(e engine.Event) bool { return e.Kind == engine.Violated })
}

// The effects. Each is a pure function of its arguments.
