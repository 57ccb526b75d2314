package engine

import (
	"iter"
	"maps"
	"slices"
)

// Bounds on a run: a stranger's scenario stays as small as a lesson.
const (
	MaxClients = 16
	MaxNodes   = 9
	MaxSteps   = 100        // in one step action
	MaxEvents  = 5_000      // in one run
	MaxBytes   = 8 << 20    // about how many the events of one run take on the wire
	MaxActions = 4_000      // in one run: its log is a scenario that can be read
	MaxKeys    = 64         // in one Redis node, for typed commands
	MaxFields  = 64         // in one hash, before a typed command may set more
	MaxTick    = 86_400_000 // one day, ms
	MaxSkew    = 86_400_000 // one day, ms
)

// defaults are the options of a client where nobody chose any.
var defaults = Options{Timeout: 10_000, Retry: 1_000, Blocking: new(true)}

// A World is the state of a run: true time, the Redis nodes, the clients with
// their messages in flight, and the log of events that led there. It is
// deterministic: the same actions on a new World with the same header give the
// same events.
type World struct {
	header  Header
	now     Time
	told    Time // true time of the last event
	nodes   []*node
	clients []*Client // in order of spawning
	storage storage
	events  []Event
	mute    bool // the world keeps no log
	actions int
	calls   int
	order   int // commands that Redis has executed
	meter   Meter
	judge   judge

	facts      *facts  // what its own scripts do; nil: it has none
	unrecorded bool    // see Unrecorded
	unable     *Unable // see Unable
}

// New returns the world before the first action. It judges the properties in
// every state and logs their violations as events.
func New(h Header, properties ...Property) *World {
	w := &World{header: h, now: Start, told: Start, meter: Meter{most: MaxWork}, judge: newJudge(properties)}
	if h.Scripts.Len() > 0 {
		w.facts = newFacts(h.Effects)
	}
	of := max(1, h.Nodes)
	for i := range of {
		w.nodes = append(w.nodes, &node{name: nodeName(i, of), makes: h.Redis, stored: map[string]*Stored{}})
	}
	return w
}

// Fork returns an independent world in the same state, for questions like "what
// if". It judges no properties and keeps no log.
func (w *World) Fork() *World {
	return w.fork(w.clients)
}

// fork does what Fork does, with those clients only.
func (w *World) fork(clients []*Client) *World {
	twin := *w
	twin.meter, twin.judge, twin.events, twin.mute, twin.actions = w.meter.copied(), judge{}, nil, true, 0
	twin.unrecorded, twin.unable = false, nil
	if !w.meter.acting {
		twin.facts = nil // a caller may use the copy while the run goes on
	}
	twin.clients = make([]*Client, len(clients))
	for i, c := range clients {
		twin.clients[i] = c.Copy()
	}
	twin.nodes = make([]*node, len(w.nodes))
	for i, n := range w.nodes {
		twin.nodes[i] = n.fork()
	}
	twin.storage = w.storage.fork()
	twin.meter.Spend(w.copying(clients))
	return &twin
}

// copying returns the work of a copy with those clients.
func (w *World) copying(clients []*Client) int64 {
	size, more := len(clients), len(w.storage.last)+len(w.storage.sessions)
	for _, c := range clients {
		more += len(c.seen)/2 + messageWork*len(c.orphans)
	}
	for _, n := range w.nodes {
		size += 1 + len(n.stored)
	}
	return copyWork*int64(1+size) + int64(more)
}

// Close releases the world's Redis nodes. Results read from the world stay
// valid; callers must not ask it or act on it afterwards. The garbage collector
// takes a world that nobody closes.
func (w *World) Close() {
	for _, n := range w.nodes {
		n.rest()
	}
	w.nodes = nil
}

func (m *message) fork() *message {
	if m == nil {
		return nil
	}
	copied := *m
	return &copied
}

func forkAll(messages []*message) []*message {
	copied := make([]*message, len(messages))
	for i, m := range messages {
		copied[i] = m.fork()
	}
	return copied
}

// Now returns true time.
func (w *World) Now() Time { return w.now }

// Within returns how long a client may wait for the lock before it is in or gone; 0: for ever.
func (w *World) Within() Time { return w.header.Within }

// Events returns the log. Callers do not change it.
func (w *World) Events() []Event { return w.events }

// Actions returns how many actions led here.
func (w *World) Actions() int { return w.actions }

// Clients returns the lanes in order of spawning. Callers do not change them.
func (w *World) Clients() []*Client { return w.clients }

// Client returns the client with that name, or nil.
func (w *World) Client(name string) *Client {
	for _, c := range w.clients {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Nodes returns the names of the Redis lanes.
func (w *World) Nodes() []string {
	names := make([]string, len(w.nodes))
	for i, n := range w.nodes {
		names[i] = n.name
	}
	return names
}

// Down reports whether a Redis node, counted from 0, has crashed.
func (w *World) Down(node int) bool { return w.nodes[node].down }

// Stored returns the value of a key in a Redis node, counted from 0, or nil.
func (w *World) Stored(node int, key string) *Stored { return w.nodes[node].stored[key] }

// Keys returns the keys of a Redis node, counted from 0, in order.
func (w *World) Keys(node int) []string { return w.nodes[node].keys() }

// Size returns how many keys a Redis node, counted from 0, has. All iterates over them and their values, in no order.
func (w *World) Size(node int) int                       { return len(w.nodes[node].stored) }
func (w *World) All(node int) iter.Seq2[string, *Stored] { return maps.All(w.nodes[node].stored) }

func (n *node) keys() []string { return sortedKeys(n.stored) }

func sortedKeys(stored map[string]*Stored) []string { return slices.Sorted(maps.Keys(stored)) }

// Apply does one action within a limit of work, MaxActionWork at most. It refuses an impossible action with a *Refusal, and
// one that meets a bound with a *Refusal, a *FullError, or ErrLonger for a lower limit. Each changes nothing, except in a
// copy that keeps no log: after it meets a bound, callers discard it.
func (w *World) Apply(a Action, limit int64) (done Outcome, err error) {
	if err := w.Can(a); err != nil {
		return Outcome{}, err
	}
	before := w.remember()
	defer func() {
		mistake := recover()
		if mistake == nil {
			w.meter.acting = false
			return
		}
		w.restore(before)
		over, ok := mistake.(exceeded)
		if !ok || over.meter != &w.meter {
			panic(mistake)
		}
		done, err = Outcome{}, over.why
	}()
	first := len(w.events)
	w.meter.begin(limit)
	w.actions++
	w.meter.Spend(actionWork + before.units())
	w.carryOut(a)
	w.judge.update(w)
	return Outcome{Events: w.events[first:], world: w, before: before}, nil
}

// emit appends an event to the log, after the time that has passed.
func (w *World) emit(e Event) {
	if w.mute {
		return
	}
	w.logTime()
	w.meter.event(&e, len(w.events))
	e.Seq, e.Action, e.Time, e.wall = len(w.events)+1, w.actions, w.now, w.header.Began
	if c := w.Client(e.Lane); c != nil {
		e.Line = c.Line
	}
	w.events = append(w.events, e)
}
