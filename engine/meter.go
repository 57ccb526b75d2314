package engine

import (
	"errors"
	"strings"

	"lockstep/engine/redis"
)

// Work measures an action in units, and a bound on it is the same on every machine and at every load. A unit is one
// statement or expression that a program evaluates, about 10 ns; everything else counts in proportion to its time.
//
// The work of a run is the work of its actions: the programs, the commands that Redis executes, the instants at which a
// tick stops, the events, and the properties, with all the continuations that a property tries on copies of the world.
// A question between two actions (Fork, package ask) is no part of the run and has a bound of its own.
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

// A Meter counts what a world costs: work in units, and bytes of events. It ends an action that meets a bound.
type Meter struct {
	bytes  int64  // size of the events, about
	work   int64  // done so far
	effort int64  // work, with that of actions refused at a bound
	most   int64  // bound on work
	acting bool   // an action is under way
	until  int64  // total work where it ends
	limit  int64  // the work that it may take
	asked  int64  // work done by the copies that it has made
	asker  *Meter // of the world whose action has made this copy, and pays for its work; nil: none
}

// Meter returns what counts the costs of the world.
func (w *World) Meter() *Meter { return &w.meter }

// Work returns how much the run has done, in units.
func (m *Meter) Work() int64 { return m.work }

// Effort returns all work done, in units, including that of actions refused at a bound.
func (m *Meter) Effort() int64 { return m.effort }

// Bytes returns about how many bytes the events take on the wire, in both
// languages.
func (m *Meter) Bytes() int64 { return m.bytes }

// exceeded unwinds an action that meets a bound. It never leaves Apply of the meter's world.
type exceeded struct {
	meter *Meter
	why   error
}

// begin starts to count an action that may take that much work.
func (m *Meter) begin(limit int64) {
	m.acting, m.asked, m.limit, m.until = true, 0, limit, min(m.most, m.work+limit)
}

// Spend adds work: the engine's own, what a property does beyond a look at the clients, or what a caller does on a copy. It
// counts for the world whose action has made this one, too. It does not return when the action meets its bound.
func (m *Meter) Spend(units int64) {
	m.work += units
	m.effort += units
	if m.acting && m.work > m.until {
		panic(exceeded{m, m.tooMuch()})
	}
	if m.asker != nil {
		m.asker.asked += units
		m.asker.Spend(units)
	}
}

// ErrLonger says that an action takes longer than its caller allows. The action has changed nothing.
var ErrLonger = errors.New("engine: the action takes longer")

// ErrTooLong refuses an action that takes more work than one may.
var ErrTooLong = refuse("this action takes more than %d units of work, the limit for one action: do less at once", "这个动作的计算量超过了单个动作的上限（%d 个单位）：请一次少做一些", MaxActionWork)

// tooMuch returns the error for the bound that an action has met: the run's, the caller's, or its own.
func (m *Meter) tooMuch() error {
	switch {
	case m.until == m.most:
		return &FullError{Refusal: refuse("this action takes more work than the run has left: a run does at most %d units in all", "这个动作所需的计算量超过了这次运行剩余的额度：一次运行总共至多 %d 个单位", m.most), Work: m.most}
	case m.limit < MaxActionWork:
		return ErrLonger
	}
	return ErrTooLong
}

// event counts an event before it goes on a log that has that many.
func (m *Meter) event(e *Event, events int) {
	size := e.size()
	m.Spend(eventWork + max(0, size-usualSize)/unitBytes)
	if m.bytes += size; !m.acting {
		return
	}
	if events >= MaxEvents {
		panic(exceeded{m, &FullError{Refusal: refuse("this action makes more events than fits: a run has at most %d in all", "这个动作产生的事件超过了这次运行的容量：一次运行总共至多 %d 个事件", MaxEvents), Events: MaxEvents}})
	}
	if m.bytes > MaxBytes {
		panic(exceeded{m, &FullError{Refusal: refuse("this action makes more data than fits: a run has at most %d MB in all", "这个动作产生的数据超过了这次运行的容量：一次运行总共至多 %d MB", MaxBytes>>20), Bytes: MaxBytes}})
	}
}

// copied returns the meter of a copy: it answers one question, and the action that asks pays for it.
func (m *Meter) copied() Meter {
	c := *m
	c.work, c.most, c.acting, c.asker = 0, MaxQuestionWork, false, nil
	if m.acting {
		c.most, c.asker = max(0, MaxQuestionWork-m.asked), m
	}
	return c
}

// commandUnits returns the work of a command.
func commandUnits(command []string) int64 {
	if queued := redis.Queued(command); queued != nil {
		units := int64(commandWork)
		for _, q := range queued {
			units += commandUnits(q)
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
