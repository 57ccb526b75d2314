package engine

import (
	"errors"
	"slices"
	"strings"
)

// Work is what an action sets off, counted in units, so that a bound on it is the same on every machine and at
// every load. A unit is one statement or expression that a program evaluates, which takes about 10 ns; everything
// else counts as many units as it takes about as long as.
//
// The work of a run is that of its actions: the programs that run, the commands that Redis executes, the instants
// at which a tick stops, the events, and the properties that are judged, with all the continuations that a property
// tries on copies of the world. A question that somebody asks between two actions (Fork, Replies) is no part of
// the run and has a bound of its own.
const (
	MaxWork         = 200_000_000 // of a run
	MaxActionWork   = 20_000_000  // of one action
	MaxQuestionWork = 5_000_000   // of all copies of a world that one action makes, or of one that somebody else makes; where that does not suffice, the question stays undecided
)

// What costs something beside the evaluation of a program, in units.
const (
	actionWork   = 150
	commandWork  = 100
	scriptWork   = 10_000
	instantWork  = 50
	eventWork    = 100
	copyWork     = 20
	propertyWork = 10
	messageWork  = 5       // for each message of a life that has ended
	keptWork     = 3       // for each key of a node that changes, because the action may yet be given up
	dueWork      = 20      // for each key that expires
	unitBytes    = 16      // bytes of an event that are counted in the time of a unit; a command's take half of that
	usualSize    = 4 << 10 // bytes of an event: only those beyond are counted apart
)

// Work is how much the run has done so far, in units.
func (w *World) Work() int64 { return w.work }

// Effort is how much has been done altogether, in units: also for actions that were refused at a bound.
func (w *World) Effort() int64 { return w.effort }

// Bytes is about how much the events take on the wire, in both languages.
func (w *World) Bytes() int64 { return w.bytes }

// Count counts work that a property does on a world beyond a look at its clients, or somebody else on a copy.
func (w *World) Count(units int) { w.spend(int64(units)) }

// exceeded unwinds an action of a world that has come to a bound. It never leaves that world's Apply.
type exceeded struct {
	world *World
	why   error
}

// spend counts work, of this world and of the one whose action has made it. It does not return when the action
// has come to its bound.
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

// ErrLonger says that an action takes longer than was asked for, and nothing has been done.
var ErrLonger = errors.New("engine: the action takes longer")

// tooMuch says which bound an action has come to: that of the run, the asker's, or its own.
func (w *World) tooMuch() error {
	switch {
	case w.until == w.most:
		return &FullError{Refusal: refuse("this action takes more work than the run may still do, which is at most %d units in all", "这个动作所需的计算量超过了这次运行剩余的额度：一次运行总共至多 %d 个单位", w.most), Work: w.most}
	case w.limit < MaxActionWork:
		return ErrLonger
	}
	return ErrTooLong
}

// ErrTooLong refuses an action that takes more work than one may.
var ErrTooLong = refuse("this action takes more than %d units of work, the most that one action may: do less at once", "这个动作的计算量超过 %d 个单位，而一个动作至多这么多：请一次少做一些", MaxActionWork)

// A memory is what a world was before an action. What its events, grants and stored values point to is never written
// through, and so is shared.
type memory struct {
	World
	nodes   []node
	clients []Client
}

// remember keeps the world as it is. A copy that keeps no log is given up when an action fails, and needs none.
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
		m.clients[i].flight, m.clients[i].orphans = c.flight.fork(), forkAll(c.orphans) // what a client has seen is only ever added to
	}
	return m
}

// remembered is the work of that: there may be much in flight, and many locks under which somebody has written.
func (w *World) remembered() int64 {
	if w.mute {
		return 0
	}
	units := 2*len(w.nodes) + 4*len(w.clients) + len(w.storage.last)
	for _, c := range w.clients {
		units += messageWork * len(c.orphans)
	}
	return int64(units)
}

// restore makes the world what it was. Its Redis nodes are made anew when they are asked, from what they store.
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

// bounded makes a world a copy of another one: it answers one question, and the action that asks it pays.
func (w *World) bounded(of *World) {
	w.actions, w.work, w.most, w.acting, w.asker = 0, 0, MaxQuestionWork, false, nil
	if of.acting {
		w.most, w.asker = max(0, MaxQuestionWork-of.asked), of
	}
	size, more := len(w.clients), len(w.storage.last)
	for _, c := range w.clients {
		more += len(c.seen)/2 + messageWork*len(c.orphans)
	}
	for _, n := range of.nodes {
		size += 1 + len(n.stored)
	}
	w.spend(copyWork*int64(1+size) + int64(more))
}

// work is that of a command.
func work(command []string) int64 {
	if strings.EqualFold(command[0], "EVAL") {
		return scriptWork
	}
	bytes := 0
	for _, word := range command {
		bytes += len(word)
	}
	return commandWork + int64(bytes/unitBytes/2)
}

// grow counts an event before it is on the log.
func (w *World) grow(e *Event) {
	size := e.size()
	w.spend(eventWork + max(0, size-usualSize)/unitBytes)
	if w.bytes += size; !w.acting {
		return
	}
	if len(w.events) >= MaxEvents {
		panic(exceeded{w, &FullError{Refusal: refuse("this action makes more events than the run takes, which is at most %d in all", "这个动作产生的事件超过了这次运行的容量：一次运行总共至多 %d 个事件", MaxEvents), Events: MaxEvents}})
	}
	if w.bytes > MaxBytes {
		panic(exceeded{w, &FullError{Refusal: refuse("this action makes more data than the run takes, which is at most %d MB in all", "这个动作产生的数据超过了这次运行的容量：一次运行总共至多 %d MB", MaxBytes>>20), Bytes: MaxBytes}})
	}
}
