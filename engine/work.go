package engine

import (
	"errors"
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// Work measures an action in units, and a bound on it is the same on every machine and at every load. A unit is one
// statement or expression that a program evaluates, about 10 ns; everything else counts in proportion to its time.
//
// The work of a run is the work of its actions: the programs, the commands that Redis executes, the instants at which a
// tick stops, the events, and the properties, with all the continuations that a property tries on copies of the world.
// A question between two actions (Fork, Replies) is no part of the run and has a bound of its own.
const (
	MaxWork         = 200_000_000 // for a run
	MaxActionWork   = 20_000_000  // for one action
	MaxQuestionWork = 5_000_000   // for all copies of a world that one action makes, or for a copy that a caller makes; a question that needs more stays undecided
)

// The units that everything costs beside the evaluation of a program.
const (
	actionWork   = 150
	commandWork  = 100
	scriptWork   = 10_000
	instantWork  = 50
	eventWork    = 100
	copyWork     = 20
	propertyWork = 10
	messageWork  = 5       // for each message from a life that has ended
	keptWork     = 3       // for each key of a node that changes, because the action may yet be rolled back
	dueWork      = 20      // for each key that expires
	unitBytes    = 16      // bytes of an event that count as one unit; for a command's bytes, half of that
	usualSize    = 4 << 10 // bytes of an event: only those beyond count apart
)

// Work returns how much the run has done, in units.
func (w *World) Work() int64 { return w.work }

// Effort returns all work done, in units, including that of actions refused at a bound.
func (w *World) Effort() int64 { return w.effort }

// Bytes returns about how many bytes the events take on the wire, in both
// languages.
func (w *World) Bytes() int64 { return w.bytes }

// Count adds work that a property does on a world beyond a look at its clients, or that a caller does on a copy.
func (w *World) Count(units int) { w.spend(int64(units)) }

// exceeded unwinds an action that meets a bound. It never leaves that world's Apply.
type exceeded struct {
	world *World
	why   error
}

// spend adds work, to this world and to the one whose action has made it. It does not return when the action meets its
// bound.
func (w *World) spend(units int64) {
	w.work += units
	w.effort += units
	if w.acting && w.work > w.until {
		panic(exceeded{w, w.tooMuch()})
	}
	if w.asker != nil {
		w.asker.asked += units
		w.asker.spend(units)
	}
}

// ErrLonger says that an action takes longer than its caller allows. The action has changed nothing.
var ErrLonger = errors.New("engine: the action takes longer")

// tooMuch returns the error for the bound that an action has met: the run's, the caller's, or its own.
func (w *World) tooMuch() error {
	switch {
	case w.until == w.most:
		return &FullError{Refusal: refuse("this action takes more work than the run has left: a run does at most %d units in all", "这个动作所需的计算量超过了这次运行剩余的额度：一次运行总共至多 %d 个单位", w.most), Work: w.most}
	case w.limit < MaxActionWork:
		return ErrLonger
	}
	return ErrTooLong
}

// ErrTooLong refuses an action that takes more work than one may.
var ErrTooLong = refuse("this action takes more than %d units of work, the limit for one action: do less at once", "这个动作的计算量超过了单个动作的上限（%d 个单位）：请一次少做一些", MaxActionWork)

// A memory holds a world as it was before an action. Nobody writes through the pointers in its events, grants and
// stored values, and so the memory shares them.
type memory struct {
	World
	nodes   []node
	clients []Client
}

// remember keeps the world as it is. A copy without a log is discarded when an action fails, and needs no memory.
func (w *World) remember() *memory {
	if w.mute {
		return nil
	}
	m := &memory{World: *w, nodes: make([]node, len(w.nodes)), clients: make([]Client, len(w.clients))}
	m.storage, m.open = w.storage.fork(), slices.Clone(w.open)
	for i, n := range w.nodes {
		n.shared = true
		m.nodes[i] = *n
		m.nodes[i].server = nil
	}
	for i, c := range w.clients {
		m.clients[i] = *c
		m.clients[i].flight, m.clients[i].orphans = c.flight.fork(), forkAll(c.orphans) // a client's observations only ever grow
	}
	return m
}

// remembered returns the work of remember: there may be much in flight, and many locks under which somebody has
// written.
func (w *World) remembered() int64 {
	if w.mute {
		return 0
	}
	units := 2*len(w.nodes) + 4*len(w.clients) + len(w.storage.last) + len(w.storage.sessions)
	for _, c := range w.clients {
		units += messageWork * len(c.orphans)
	}
	return int64(units)
}

// restore resets the world to a memory. Its Redis nodes start anew at their next command, from their stored values.
func (w *World) restore(m *memory) {
	if m == nil {
		w.acting = false
		return
	}
	for i := range m.nodes {
		w.nodes[i].rest()
		*w.nodes[i] = m.nodes[i]
	}
	m.effort = w.effort
	*w = m.World
	for i := range m.clients {
		*w.clients[i] = m.clients[i]
	}
}

// bounded makes a world a copy of another one: it answers one question, and the action that asks pays for it.
func (w *World) bounded(of *World) {
	w.actions, w.work, w.most, w.acting, w.asker = 0, 0, MaxQuestionWork, false, nil
	w.unrecorded, w.unable = false, nil
	if of.acting {
		w.most, w.asker = max(0, MaxQuestionWork-of.asked), of
	} else {
		w.facts = nil // a caller may use the copy while the run goes on
	}
	size, more := len(w.clients), len(w.storage.last)+len(w.storage.sessions)
	for _, c := range w.clients {
		more += len(c.seen)/2 + messageWork*len(c.orphans)
	}
	for _, n := range of.nodes {
		size += 1 + len(n.stored)
	}
	w.spend(copyWork*int64(1+size) + int64(more))
}

// work returns the work of a command.
func work(command []string) int64 {
	if queued := redis.Queued(command); queued != nil {
		units := int64(commandWork)
		for _, q := range queued {
			units += work(q)
		}
		return units
	}
	if strings.EqualFold(command[0], "EVAL") || redis.Textless(command) { // a look at the effects takes less
		return scriptWork
	}
	bytes := 0
	for _, word := range command {
		bytes += len(word)
	}
	return commandWork + int64(bytes/unitBytes/2)
}

// grow counts an event before it goes on the log.
func (w *World) grow(e *Event) {
	size := e.size()
	w.spend(eventWork + max(0, size-usualSize)/unitBytes)
	if w.bytes += size; !w.acting {
		return
	}
	if len(w.events) >= MaxEvents {
		panic(exceeded{w, &FullError{Refusal: refuse("this action makes more events than fits: a run has at most %d in all", "这个动作产生的事件超过了这次运行的容量：一次运行总共至多 %d 个事件", MaxEvents), Events: MaxEvents}})
	}
	if w.bytes > MaxBytes {
		panic(exceeded{w, &FullError{Refusal: refuse("this action makes more data than fits: a run has at most %d MB in all", "这个动作产生的数据超过了这次运行的容量：一次运行总共至多 %d MB", MaxBytes>>20), Bytes: MaxBytes}})
	}
}
