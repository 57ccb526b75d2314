package engine

import (
	"slices"

	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// maxIdle bounds how often a client may try without sending a command. Only a
// program that never asks Redis does that.
const maxIdle = 1_000

// tick lets true time pass. It stops at every instant at which something is
// due, and tick 12s equals tick 5s and then tick 7s: keys at their expiry
// vanish, then leases end, then sleepers wake in client order and send.
func (w *World) tick(d Time) {
	end := w.now + d
	for w.now < end {
		w.meter.Spend(w.instant())
		w.now = w.next(end)
		w.expire()
		for _, c := range w.clients {
			if c.Program == nil && w.reviewByHand(c) || c.Program != nil && w.review(c) {
				w.emit(Event{Lane: c.Name, Kind: Expire, Believes: new(c.Believes)})
			}
		}
		for _, c := range w.clients {
			if w.overdue(c) {
				w.logTime() // the properties judge what is on the log
			}
		}
		for _, c := range w.clients {
			if c.Sleeps() && c.Until <= w.now && !c.Paused {
				w.wake(c)
			}
		}
		w.judge.update(w)
	}
	for _, n := range w.nodes {
		n.replicate()
	}
	w.logTime()
}

// logTime puts the time that has passed since the last event on the log.
func (w *World) logTime() {
	if from := w.told; from != w.now {
		w.told = w.now
		w.emit(Event{Kind: Tick, From: from})
	}
}

// next returns the first instant after now, and no later than end, at which
// something is due.
func (w *World) next(end Time) Time {
	next := end
	at := func(t Time) {
		if t > w.now && t < next {
			next = t
		}
	}
	for _, n := range w.nodes {
		at(n.first)
	}
	for _, c := range w.clients {
		if c.Sleeps() && !c.Paused {
			at(c.Until)
		}
		at(w.deadline(c))
		if c.Status == Inside {
			at(c.Lease.Until - c.Skew)
			if c.Program != nil && c.Program.DefinesHolds() { // it may change its mind at any second of its clock
				own := w.clock(c)
				at(own - own%1000 + 1000 - c.Skew)
			}
		}
	}
	return next
}

// deadline returns the true time at which a client that sleeps has waited for the lock longer than the header says; 0: none. A
// request under way may yet let it in: its client is late when it is told no.
func (w *World) deadline(c *Client) Time {
	if w.header.Within == 0 || c.Since == 0 || c.Status != Asleep || c.Overdue {
		return 0
	}
	return c.Since + w.header.Within + 1
}

// overdue notes that a client has waited too long, and reports whether that is new.
func (w *World) overdue(c *Client) bool {
	if at := w.deadline(c); at == 0 || at > w.now {
		return false
	}
	c.Overdue = true
	return true
}

// Due returns the next instant at which something happens without a step, or 0.
func (w *World) Due() Time {
	const never = 1 << 62
	if next := w.next(never); next < never {
		return next
	}
	return 0
}

// instant returns the work for one instant at which a tick stops: tick looks through all clients and nodes for what is
// due.
func (w *World) instant() int64 { return instantWork + 2*int64(len(w.clients)+len(w.nodes)) }

// expire logs the expired keys. Redis moves its own clock at its next command, and finds the same: a key dies at its
// expiry.
func (w *World) expire() {
	for _, n := range w.nodes {
		if n.first == 0 || n.first > w.now {
			continue
		}
		w.own(n)
		w.meter.Spend(2 * int64(len(n.stored)))
		var due []string
		for key, s := range n.stored {
			if s.Expires > 0 && s.Expires <= w.now {
				due = append(due, key)
			}
		}
		w.meter.Spend(dueWork * int64(len(due)))
		slices.Sort(due)
		for _, key := range due {
			s := n.stored[key]
			delete(n.stored, key)
			w.emit(Event{Lane: n.name, Kind: Expire, Changes: []Change{{Key: key, Old: s}}})
		}
		n.first = firstExpiry(n.stored)
	}
}

func (w *World) wake(c *Client) {
	w.emit(Event{Lane: c.Name, Kind: Wake})
	if c.idle++; c.idle > maxIdle {
		w.fail(c, c.Line, lang.Format("it tried 1000 times without sending a command", "它尝试了 1000 次，一条命令也没有发出"))
		return
	}
	if c.Program.Recorded() {
		w.goOn(c)
		return
	}
	w.attempt(c)
}

// goOn lets the client of a recorded program go on after its sleep, or do once more what came to nothing.
func (w *World) goOn(c *Client) {
	env := w.env(c)
	op := c.Program.Next(c.phase, &env, c.seen).Op
	c.Until = 0
	switch {
	case c.Status == Inside:
	case c.Lease != nil: // it tries to give the lock back
		c.Status = Releasing
	case op.Kind == program.Sleep:
		c.Status = Waits
	default:
		w.want(c)
	}
	if op.Kind == program.Sleep {
		w.observe(c, program.None)
		return
	}
	c.seen = slices.Clip(c.seen[:max(0, len(c.seen)-op.Back)]) // a memory may share the rest
	w.proceed(c)
}
