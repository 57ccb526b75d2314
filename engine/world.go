package engine

import (
	"iter"
	"maps"
	"slices"

	"lockstep/engine/program"
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

// carryOut changes the world by an action that Can has passed.
func (w *World) carryOut(a Action) {
	c := w.Client(a.Client)
	switch a.Verb {
	case VerbSpawn:
		w.spawn(a)
	case VerbStep:
		w.step(c, max(1, a.Count))
	case VerbDeliver:
		w.deliver(c.oldest())
		w.receiveFailure(c)
	case VerbReceive:
		w.receive(c)
	case VerbDrop:
		w.drop(c)
	case VerbCrash:
		w.stop(c, Crashed, Event{Kind: Crash})
	case VerbRestart:
		w.restart(c)
	case VerbPause:
		c.Paused = true
		w.emit(Event{Lane: c.Name, Kind: Pause})
	case VerbResume:
		w.resume(c)
	case VerbSkew:
		w.skew(c, a.Time)
	case VerbTick:
		w.tick(a.Time)
	case VerbRedisCrash:
		w.crashNode(w.nodes[max(0, a.Node-1)], a.Lose)
	case VerbRedisRestart:
		w.restartNode(w.nodes[max(0, a.Node-1)])
	case VerbFailover:
		w.failover(w.nodes[max(0, a.Node-1)])
	case VerbDo:
		w.typed(w.connect(a.Client), a)
	case VerbEnter:
		w.enterByHand(w.connect(a.Client))
	case VerbLeave:
		w.leaveByHand(c)
	case VerbNote:
		w.emit(Event{Kind: Note, Text: a.Text})
	}
}

func (w *World) spawn(a Action) {
	p, options, _ := w.choose(a)
	c := &Client{Name: a.Client, Program: p, Options: options, Skew: options.Skew}
	w.clients = append(w.clients, c)
	w.emit(Event{Lane: c.Name, Kind: Spawn, Spawned: w.spawned(c)})
	w.start(c)
}

// spawned returns how a client begins, and who else is there then.
func (w *World) spawned(c *Client) *Spawned {
	s := &Spawned{Options: c.Options, Label: w.header.Label(c.Name)}
	lanes := w.Nodes()
	if c.Program != nil {
		s.Works = c.Program.Works()
		if s.Program = c.Program.Name; c.Program.UsesStorage() {
			lanes = append(lanes, Storage)
		}
	}
	if len(lanes) > 1 {
		s.Lanes = lanes
	}
	return s
}

// choose returns the program that a spawn means, with every option decided.
func (w *World) choose(a Action) (*program.Program, Options, *Refusal) {
	name := a.Program
	if name == "" {
		name = w.header.Program
	}
	p, ok := w.header.program(name)
	switch {
	case name == "":
		return nil, Options{}, refuse("%s needs a program", "%s 需要一个程序", a.Client)
	case !ok:
		return nil, Options{}, w.header.NoProgram(name)
	}
	d := p.Defaults
	own := Options{Timeout: Time(d.Timeout), Retry: Time(d.Retry), AcquireTimeout: Time(d.AcquireTimeout), Blocking: d.Blocking}
	return p, a.Options.or(w.header.Options).or(own).or(defaults), nil
}

// step delivers up to n commands with their replies. It stops early where the
// client has none in flight: asleep, in the critical section, or done. A step
// for a client in its critical section makes it leave.
func (w *World) step(c *Client, n int) {
	for i := 0; i < n; i++ {
		if i > 0 {
			if c.flight == nil {
				return
			}
			w.judge.update(w) // in every state, also those within an action
		}
		if c.holding {
			c.holding = false
			w.observe(c, program.None)
			continue
		}
		if !c.flight.answered() {
			w.deliver(c.flight)
		}
		w.receive(c)
	}
}

// oldest takes the client's oldest message: a request from a life that has
// ended comes before a message of its present life, which stays its own.
func (c *Client) oldest() *message {
	if len(c.orphans) == 0 {
		return c.flight
	}
	m := c.orphans[0]
	c.orphans = c.orphans[1:]
	return m
}

// drop loses a message on its way, in either direction.
func (w *World) drop(c *Client) {
	m := c.oldest()
	what := "request"
	if m.execution != nil {
		what = "reply"
	}
	w.lose(m, what, "timeout")
	w.receiveFailure(c)
}

// receiveFailure tells a client that its message is lost. A paused client
// learns of it when it resumes.
func (w *World) receiveFailure(c *Client) {
	if !c.Paused && c.flight != nil && c.flight.failure != "" {
		w.receive(c)
	}
}

// restart begins a new life. Attempts go on counting: no owner token comes twice.
func (w *World) restart(c *Client) {
	c.Lease, c.Grant, c.Replied, c.Line, c.CutOff = nil, nil, "", 0, false
	w.storage.forget(c.Name)
	for _, m := range c.orphans {
		m.past = m.node == toStorage
	}
	w.emit(Event{Lane: c.Name, Kind: Restart, Spawned: w.spawned(c)})
	w.start(c)
}

func (w *World) resume(c *Client) {
	c.Paused = false
	w.emit(Event{Lane: c.Name, Kind: Resume})
	if c.Sleeps() && c.Until <= w.now {
		w.wake(c)
	}
	w.receiveFailure(c)
}

func (w *World) skew(c *Client, skew Time) {
	c.Skew = skew
	event := Event{Lane: c.Name, Kind: Skew, Skew: skew}
	if w.review(c) {
		event.Believes = new(c.Believes)
	}
	w.emit(event)
}

// typed runs a command that a person typed, or a real client sent, on a lane of its own.
func (w *World) typed(c *Client, a Action) {
	command, _ := w.check(a.Command, false)
	c.flight = w.message(c.Name, max(0, a.Node-1), true, command)
	w.emit(Event{Lane: c.Name, Kind: Send, Call: c.flight.call})
	holds, stored, expires := c.Status == Inside && c.Grant != nil, c.wrote, Time(0)
	if holds {
		expires = w.ownExpiry(c)
	}
	w.deliver(c.flight)
	if c.wrote != stored {
		c.Removed = nil // the value that somebody removed was an earlier one
	}
	w.receive(c)
	if holds {
		w.renewByHand(c, expires)
	}
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
