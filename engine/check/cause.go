package check

import "lockstep/engine"

// ended finds the event that took a granted value away: its overwriting, its
// deletion, or its expiry. It is nil while the value is still there.
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

// entered is the cause of two clients being inside: the event after which it
// could no longer be helped.
//
// Where the first one's key was taken from it, the cause is what did so: the
// last change of that key before the one that let the second in (the guilty
// DEL, an expiry), or that one itself where it wrote over a lock that was held
// (a GETSET). Where no key was taken, somebody got in without one, and the cause
// is the reply that let it.
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
	case held.Node != taken.Node || held.Key != taken.Key || taken.Stored.Order < held.Stored.Order:
		return lastEnter(w, second)
	}
	from, cause := executed(w, held.Stored.Order), executed(w, taken.Stored.Order)
	lane := w.Nodes()[held.Node]
	for _, e := range w.Events()[from : cause-1] {
		for _, change := range e.Changes {
			if e.Lane == lane && change.Key == held.Key {
				cause = e.Seq
			}
		}
	}
	return cause
}

func lastEnter(w *engine.World, client string) int {
	return last(w, func(e *engine.Event) bool { return e.Lane == client && e.Kind == engine.Enter })
}

// reply is the execution of the last command whose reply a client received before it entered.
func reply(w *engine.World, client string) int {
	in := lastEnter(w, client)
	return last(w, func(e *engine.Event) bool {
		return e.Seq < in && e.Kind == engine.Deliver && e.Call.Client == client
	})
}

// executed is the event of Redis' nth command.
func executed(w *engine.World, order int) int {
	return last(w, func(e *engine.Event) bool { return e.Kind == engine.Deliver && e.Execution.Order == order })
}

// last is the sequence number of the last event that is meant, or 0.
func last(w *engine.World, meant func(*engine.Event) bool) int {
	events := w.Events()
	for i := len(events) - 1; i >= 0; i-- {
		if meant(&events[i]) {
			return events[i].Seq
		}
	}
	return 0
}
