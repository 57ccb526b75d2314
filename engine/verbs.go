package engine

import (
	"lockstep/engine/program"
)

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
