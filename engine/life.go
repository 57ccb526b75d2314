package engine

import (
	"slices"

	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// start begins the acquire phase of a client that appears or starts afresh.
func (w *World) start(c *Client) {
	c.began, c.Since, c.Overdue = w.now, 0, false
	w.attempt(c)
}

func (w *World) attempt(c *Client) {
	c.Attempt++
	c.tried = w.now
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

// Sleeps reports whether the client does nothing until its clock says so, in the critical section or outside.
func (c *Client) Sleeps() bool { return c.Status == Asleep || c.Status == Inside && c.Until > 0 }

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

// long is how long an attempt lasts before its sleep says when it began: what it has read from its clock may be old, ms.
const long = Time(1000)

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
	asleep := Event{Lane: c.Name, Kind: Sleep, Until: c.Until}
	if !c.Program.Recorded() && w.now-c.tried >= long { // a recording does not tell where its attempts begin
		asleep.Tried = c.tried
	}
	w.emit(asleep)
}

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
