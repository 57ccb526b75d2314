package engine

import (
	"slices"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Status tells a client's present activity.
type Status string

const (
	Waits     Status = "waits"     // it acquires: a command is in flight
	Asleep    Status = "asleep"    // it waits between two attempts
	Inside    Status = "inside"    // it is in the critical section
	Releasing Status = "releasing" // it has left and releases the lock
	Finished  Status = "done"
	Crashed   Status = "crashed"
	Failed    Status = "failed" // its program stopped with an error
)

// Sentence returns the status as it stands in a sentence.
func (s Status) Sentence(in lang.Language) string {
	return lang.Both(string(s), map[Status]string{
		Waits: "等待中", Asleep: "休眠中", Inside: "临界区内", Releasing: "释放中", Finished: "已结束", Crashed: "已崩溃", Failed: "已出错",
	}[s]).In(in)
}

// A Client is one lane: a pure function of the replies and times that it has
// observed. Callers read its fields; only the World changes them.
type Client struct {
	Name     string
	Program  *program.Program // nil: a person types its commands
	Options  Options
	Status   Status
	Paused   bool
	Skew     Time        // own clock minus true time
	Attempt  int         // calls of acquire so far, over all its lives
	Grant    *Grant      // the value under which it got in; nil: it got in without storing one
	Removed  *Removal    // who removed its stored value in this attempt, before it was in; nil: nobody
	Lease    *Lease      // its latest lease; nil before the first
	Believes bool        // in the critical section and, by its own clock, inside its lease
	Until    Time        // when asleep: true time of its waking
	CutOff   bool        // it has failed because the network lost a message or its script's effect is not recorded, not by a mistake in its program
	Line     int         // the line its program is at
	Replied  redis.Reply // the last reply it received; empty before
	Asked    bool        // of a recorded program: it has named the lock's key since its attempt began
	Missing  bool        // nobody knows what it does next: its program is a recording, which ends here
	Came     Time        // with Missing: what its own clock said when it came here
	Nap      Time        // it sleeps at least as long, whatever its recording says
	Entered  bool        // it has been in the critical section, in some life
	Since    Time        // true time of its first request since it began or was last inside; of a recorded program: of the first that names the lock's key; 0: none
	Overdue  bool        // it has not got in within the header's Within, from Since, and slept then or was told no later

	phase   program.Phase
	wrote   *Grant          // the last value it stored since its attempt began
	began   Time            // true time of the beginning of acquire
	granted program.Value   // the lease as its program returned it
	lease   program.Value   // the same, with its renewals
	seen    []program.Value // observations since the phase began
	idle    int             // attempts since it last sent a command
	holding bool            // its operation outstanding is the critical section itself
	flight  *message        // its request or reply in flight
	orphans []*message      // requests of lives that have ended, oldest first
}

// A Grant is a value that a client stored, and where.
type Grant struct {
	Node   int // counted from 0
	Key    string
	Stored *Stored

	Generation int // how many grants the node had given then, including this one
}

// A Removal tells who removed a value that a client was about to get in by.
type Removal struct {
	By   string // a client
	Time Time   // true time
}

// A message is a command on its way to Redis or a request on its way to the
// storage, or the reply on the way back.
type message struct {
	call      *Call
	node      int    // or toStorage
	grant     *Grant // for a write or a commit: under which its client sent it
	past      bool   // its client has begun a new life since: its session at the storage is over
	try       bool
	execution *Execution // nil: Redis has not executed it
	failure   string     // what the client sees instead of a reply, once the message is lost
}

// answered reports whether the message has something for its client to receive.
func (m *message) answered() bool { return m.execution != nil || m.failure != "" }

// Live reports whether the client has neither finished nor crashed nor failed.
func (c *Client) Live() bool {
	return c.Status != Finished && c.Status != Crashed && c.Status != Failed
}

// History returns what a client of a recorded program has observed in its present life, as the recording has it.
func (c *Client) History() []string {
	if c.Program == nil {
		return nil
	}
	return c.Program.History(&program.Env{Client: c.Name, Attempt: c.Attempt}, c.seen)
}

// Other returns whom a symbol in the client's history means: a client's life, as C2-1, with the number of the value that it
// made, or a client's name and 0.
func (c *Client) Other(symbol string) (owner string, n int) {
	return c.Program.Other(&program.Env{Client: c.Name, Attempt: c.Attempt}, c.seen, symbol)
}

// InFlight returns the client's command in flight, or nil. replied reports
// whether its reply is on its way.
func (c *Client) InFlight() (call *Call, replied bool) {
	if c.flight == nil || c.flight.failure != "" {
		return nil, false
	}
	return c.flight.call, c.flight.execution != nil
}

// Tries reports whether the client's program goes on where its command in flight is lost.
func (c *Client) Tries() bool { return c.flight != nil && c.flight.try }

// Orphan returns the oldest request in flight from a life that has ended, or
// nil.
func (c *Client) Orphan() *Call {
	if len(c.orphans) == 0 {
		return nil
	}
	return c.orphans[0].call
}

// Unconfirmed returns the value that the client has stored in an attempt that
// is not over, or nil. The client may yet get in by it.
func (c *Client) Unconfirmed() *Grant {
	goesOn := c.Status == Releasing || c.Status == Asleep // with what it does, and may enter again
	if c.Status == Waits || goesOn && c.Program != nil && c.Program.Recorded() {
		return c.wrote
	}
	return nil
}

// clock returns the time on the client's own clock, ms.
func (w *World) clock(c *Client) Time { return w.now + c.Skew }

func (w *World) env(c *Client) program.Env {
	return program.Env{Client: c.Name, Timeout: int64(c.Options.Timeout), Attempt: c.Attempt, Nodes: len(w.nodes), Lease: c.lease}
}

// start begins the acquire phase of a client that appears or starts afresh.
func (w *World) start(c *Client) {
	c.began, c.Since, c.Overdue = w.now, 0, false
	w.attempt(c)
}

func (w *World) attempt(c *Client) {
	c.Attempt++
	w.want(c)
	w.begin(c, program.Acquire)
}

// want makes a client want the lock, with nothing stored for it yet.
func (w *World) want(c *Client) {
	c.Status, c.Until, c.wrote, c.Removed, c.Asked = Waits, 0, nil, nil, false
}

func (w *World) begin(c *Client, phase program.Phase) {
	c.phase, c.seen = phase, nil
	w.proceed(c)
}

// observe hands the client the result of its outstanding operation and lets it
// run on.
func (w *World) observe(c *Client, v program.Value) {
	// A fork copies the slice and never shares it.
	c.seen = append(c.seen, v)
	w.proceed(c)
}

// proceed runs the client's program, in an instant, until it has an operation
// outstanding: a command in flight, the critical section, a sleep, or nothing.
func (w *World) proceed(c *Client) {
	for c.Missing = false; ; {
		env := w.env(c)
		if c.phase == program.Work {
			env.Lease = c.granted // it renews the lease itself, and is a function of what it was given
		}
		w.facts.lived(c)
		out := c.Program.Next(c.phase, &env, c.seen)
		w.meter.Spend(int64(out.Work))
		if out.Line > 0 {
			c.Line = out.Line
		}
		switch {
		case out.Err != nil:
			w.fail(c, out.Err.Line, out.Err.Text)
			return
		case out.Returned:
			w.finish(c, out.Result)
			return
		case out.Op.Kind == program.Clock:
			c.seen = append(c.seen, program.Int(int64(w.clock(c))))
		case out.Op.Kind == program.Renew:
			if w.renew(c, Time(out.Op.Until)); !c.Live() { // holds() may have stopped it
				return
			}
			c.seen = append(c.seen, program.None)
		case out.Op.Kind == program.Hold:
			c.holding = true
			return
		case out.Op.Kind == program.Storage:
			w.sendToStorage(c, out.Op)
			return
		case out.Op.Kind == program.Again && c.Status == Inside: // it stays there, and asks on
			c.seen = slices.Clip(c.seen[:max(0, len(c.seen)-out.Op.Back)]) // a memory may share the rest
		case out.Op.Kind != program.Command:
			if ended := w.recorded(c, out.Op); ended {
				return
			}
			c.seen = append(c.seen, program.None)
		default:
			w.send(c, out.Op)
			return
		}
	}
}

// recorded does an operation that only a recording has, and reports whether the client does nothing more for now.
func (w *World) recorded(c *Client, op program.Op) (ended bool) {
	switch op.Kind {
	case program.Enter:
		w.enter(c, program.Bool(true))
		return !c.Live()
	case program.Leave:
		c.wrote, c.Removed = nil, nil // it gets in again only by what it stores from now on
		w.leave(c)
	case program.Want:
		c.Lease, c.Grant = nil, nil
		w.want(c)
	case program.Sleep:
		w.nap(c, Time(op.For))
		return true
	case program.Again:
		w.sleep(c)
		return true
	case program.End:
		if c.Status == Inside { // a real program may end there
			c.Believes = false
			w.emit(Event{Lane: c.Name, Kind: Leave, Text: endsInside})
		}
		why := ending(op)
		c.Status = Finished
		w.emit(Event{Lane: c.Name, Kind: Done, Text: why.English, chinese: why.Chinese})
		return true
	case program.Missing:
		c.Missing, c.Came = true, w.clock(c)
		return true
	}
	return false
}

// endsInside is the Text of a Leave whose client gives nothing back.
const endsInside = "ends"

// ending returns what a real program has to say about its end; nothing: it was content.
func ending(op program.Op) lang.Text {
	switch {
	case op.Code == 0:
		return lang.Text{}
	case op.Text == "":
		return lang.Format("exit code %d", "退出码 %d", op.Code)
	}
	return lang.Format("exit code %d: %s", "退出码 %d：%s", op.Code, op.Text)
}

// finish ends a phase with the result of its function, and begins the next one.
func (w *World) finish(c *Client, result program.Value) {
	switch c.phase {
	case program.Acquire:
		if result.IsNone() {
			w.backOff(c)
			return
		}
		w.enter(c, result)
		if c.Live() { // holds() may have stopped it
			w.begin(c, program.Work)
		}
	case program.Work:
		w.leave(c)
		w.begin(c, program.Release)
	case program.Release:
		c.Status = Finished
		w.emit(Event{Lane: c.Name, Kind: Done})
	}
}

func (w *World) leave(c *Client) {
	c.Status, c.Believes = Releasing, false
	w.emit(Event{Lane: c.Name, Kind: Leave})
}

// enter takes the client into the critical section with the lease it was granted.
func (w *World) enter(c *Client, lease program.Value) {
	c.Status, c.granted, c.lease, c.Grant = Inside, lease, lease, c.wrote
	c.Entered, c.Since, c.Overdue = true, 0, false
	until, ends, token := lease.Lease()
	c.Lease = &Lease{Token: token}
	if ends {
		c.Lease.Until = max(Time(until), 1) // 0 would be a lease without end
	}
	believes, ok := w.believes(c)
	if !ok {
		return
	}
	c.Believes = believes
	w.emit(Event{Lane: c.Name, Kind: Enter, Lease: c.Lease, Believes: &believes})
}

// renew lets a client believe in its lease until another time. It does not look
// at the key.
func (w *World) renew(c *Client, until Time) {
	until = max(until, 1) // 0 would be a lease without end
	_, _, token := c.lease.Lease()
	c.lease = program.Lease(int64(until), true, token)
	c.Lease = &Lease{Until: until, Token: token}
	event := Event{Lane: c.Name, Kind: Renew, Lease: c.Lease}
	if w.review(c) {
		event.Believes = new(c.Believes)
	}
	if c.Live() {
		w.emit(event)
	}
}

// believes asks the program whether the lease runs by the client's own clock.
func (w *World) believes(c *Client) (believes, ok bool) {
	env := w.env(c)
	believes, work, err := c.Program.Holds(&env, int64(w.clock(c)))
	w.meter.Spend(int64(work))
	if err != nil {
		w.fail(c, err.Line, err.Text)
		return false, false
	}
	return believes, true
}

// review judges the belief of a client in the critical section again, after its clock has moved.
func (w *World) review(c *Client) (changed bool) {
	if c.Status != Inside {
		return false
	}
	believes, ok := w.believes(c)
	if !ok || believes == c.Believes {
		return false
	}
	c.Believes = believes
	return true
}

// backOff ends a failed attempt: the client sleeps, or gives up when it does not
// block or when the next attempt would begin after its acquire timeout.
func (w *World) backOff(c *Client) {
	o := c.Options
	late := o.AcquireTimeout > 0 && w.now+o.Retry-c.began > o.AcquireTimeout
	gaveUp := !*o.Blocking || late
	w.emit(Event{Lane: c.Name, Kind: AcquireFailed, GaveUp: gaveUp})
	if gaveUp {
		c.Status = Finished
		w.emit(Event{Lane: c.Name, Kind: Done, GaveUp: true})
		return
	}
	w.sleep(c)
}

// sleep lets the client wait until its next attempt.
func (w *World) sleep(c *Client) {
	c.Status = Asleep
	w.nap(c, 0)
}

// nap lets the client sleep for a time, or for as long as it waits between two attempts. It stays in the critical section, if
// it is there.
func (w *World) nap(c *Client, d Time) {
	if d == 0 {
		d = c.Options.Retry
	} else {
		d = max(d, c.Nap)
	}
	if c.Status != Inside {
		c.Status = Asleep
	}
	c.Until = w.now + d
	w.overdue(c)
	w.emit(Event{Lane: c.Name, Kind: Sleep, Until: c.Until})
}

// Sleeps reports whether the client does nothing until its clock says so, in the critical section or outside.
func (c *Client) Sleeps() bool { return c.Status == Asleep || c.Status == Inside && c.Until > 0 }

// fail stops one client with a message; the others do not notice.
func (w *World) fail(c *Client, line int, why lang.Text) {
	c.Line = line
	w.stop(c, Failed, Event{Kind: Error, Text: why.English, chinese: why.Chinese})
}

// stop ends a client's life. Its request stays in flight and may still arrive;
// a reply on its way is lost.
func (w *World) stop(c *Client, status Status, e Event) {
	if m := c.flight; m != nil && !m.answered() {
		c.orphans = append(c.orphans, m)
		e.Call = m.call
	}
	c.Status, c.Paused, c.Believes, c.holding, c.flight, c.Until, c.Missing = status, false, false, false, nil, 0, false
	c.Since, c.Overdue = 0, false
	e.Lane = c.Name
	w.emit(e)
}
