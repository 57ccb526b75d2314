package check

import (
	"cmp"
	"slices"
	"strconv"

	"lockstep/engine"
)

// ended finds the event that took a granted value away: an overwrite, a
// deletion, or an expiry. It returns nil while the value is still there.
func ended(w *engine.World, g *engine.Grant) (*engine.Event, *engine.Change) {
	events := w.Events()
	lane := w.Nodes()[g.Node]
	for i := executed(w, g.Stored.Order); i < len(events); i++ {
		e := &events[i]
		if e.Lane != lane {
			continue
		}
		for j := range e.Changes {
			change := &e.Changes[j]
			if change.Key == g.Key && change.Old != nil && change.Old.Order == g.Stored.Order && (change.New == nil || change.New.Order != g.Stored.Order) {
				return e, change
			}
		}
	}
	return nil, nil
}

// entered returns the cause of two clients being inside: the event that made it
// inevitable.
//
// Where a change removed the first client's key, the cause is the last change
// that cut the key's life short before the change that let the second client in:
// the guilty DEL, an expiry, a losing GETSET with an earlier time. The change that
// let the second in is itself the cause where it wrote over a held lock. Where no
// key was removed, a client got in without one, and the cause is the reply that
// let it in.
func entered(w *engine.World, first, second string) int {
	if lastEnter(w, first) > lastEnter(w, second) {
		first, second = second, first
	}
	held, taken := w.Client(first).Grant, w.Client(second).Grant
	switch {
	case held == nil:
		return reply(w, first)
	case taken == nil:
		return reply(w, second)
	case held.Node != taken.Node && held.Key == taken.Key:
		// The first client's votes, or those by which the second gets in although it has lost them.
		if lost := cmp.Or(voteLost(w, held, first), voteLost(w, taken, second)); lost > 0 {
			return lost
		}
		return lastEnter(w, second)
	case held.Node != taken.Node || held.Key != taken.Key || taken.Stored.Order < held.Stored.Order:
		return lastEnter(w, second)
	}
	from, cause := executed(w, held.Stored.Order), executed(w, taken.Stored.Order)
	lane := w.Nodes()[held.Node]
	for _, e := range w.Events()[from : cause-1] {
		for _, change := range e.Changes {
			if e.Lane == lane && change.Key == held.Key && shortens(change) {
				cause = e.Seq
			}
		}
	}
	return cause
}

// voteLost returns the last event by which a node lost a client's value, where
// the client stored one on several nodes and each counts: a crash without its
// data, an expiry, or a failover.
func voteLost(w *engine.World, g *engine.Grant, client string) int {
	return last(w, func(e *engine.Event) bool {
		return slices.ContainsFunc(e.Changes, func(c engine.Change) bool {
			return c.Key == g.Key && c.Old != nil && c.Old.Writer == client && c.Old.Value == g.Stored.Value && shortens(c)
		})
	})
}

// broughtBack returns the failover that last brought a stored value back; 0: none has.
func broughtBack(w *engine.World, s *engine.Stored) int {
	return last(w, func(e *engine.Event) bool {
		return e.Kind == engine.Failover && slices.ContainsFunc(e.Changes, func(c engine.Change) bool { return c.New != nil && c.New.Order == s.Order })
	})
}

// shortens reports whether a change weakens a key's lock: the key is gone, or
// the time that is its value is an earlier one.
func shortens(c engine.Change) bool {
	if c.New == nil {
		return true
	}
	if c.Old == nil || c.Old.Value == c.New.Value {
		return false // a shortened TTL counts when it runs out
	}
	before, errBefore := strconv.ParseInt(c.Old.Value, 10, 64)
	after, errAfter := strconv.ParseInt(c.New.Value, 10, 64)
	return errBefore != nil || errAfter != nil || after < before
}

// believed returns the event by which a client that was inside already came to
// believe in its lease again, such as a skew of its clock; 0 where the belief
// is as old as the stay inside.
func believed(w *engine.World, a, b string) int {
	began := last(w, func(e *engine.Event) bool { return (e.Lane == a || e.Lane == b) && e.Believes != nil && *e.Believes })
	if began == 0 || w.Events()[began-1].Kind == engine.Enter {
		return 0
	}
	return began
}

func lastEnter(w *engine.World, client string) int {
	return last(w, func(e *engine.Event) bool { return e.Lane == client && e.Kind == engine.Enter })
}

// reply returns the execution of the last command whose reply a client received before it entered.
func reply(w *engine.World, client string) int {
	in := lastEnter(w, client)
	return last(w, func(e *engine.Event) bool {
		return e.Seq < in && e.Kind == engine.Deliver && e.Call.Client == client
	})
}

// executed returns the event of Redis' nth command.
func executed(w *engine.World, order int) int {
	return last(w, func(e *engine.Event) bool { return e.Kind == engine.Deliver && e.Execution.Order == order })
}

// last returns the sequence number of the last matching event, or 0.
func last(w *engine.World, meant func(*engine.Event) bool) int {
	events := w.Events()
	for i := len(events) - 1; i >= 0; i-- {
		if meant(&events[i]) {
			return events[i].Seq
		}
	}
	return 0
}
