package export

import (
	"maps"

	"lockstep/engine"
)

// world is the host of events without a lane. No lane can have this name, as a client's name begins with a capital
// letter.
const world = "world"

// A clock is a vector clock: the number of known events, by host.
type clock map[string]int

// know merges another clock into this one.
func (c clock) know(other clock) {
	for host, n := range other {
		c[host] = max(c[host], n)
	}
}

func host(e *engine.Event) string {
	if e.Lane == "" {
		return world
	}
	return e.Lane
}

// clocks returns the vector clock of each event.
func clocks(events []engine.Event) []clock {
	stamps := make([]clock, len(events))
	latest := map[string]clock{} // by host
	type message struct {
		call  int
		reply bool
	}
	sent := map[message]clock{}
	for i := range events {
		e := &events[i]
		own := maps.Clone(latest[host(e)])
		if own == nil {
			own = clock{}
		}
		own[host(e)]++
		if e.Kind.Arrives() {
			own.know(sent[message{e.Call.ID, false}])
		}
		switch e.Kind {
		case engine.Send:
			sent[message{e.Call.ID, false}] = own
		case engine.Reply:
			sent[message{e.Call.ID, true}] = own
		case engine.Receive:
			own.know(sent[message{e.Call.ID, true}])
		case engine.Violated, engine.Cleared:
			for _, client := range e.Violation.Clients {
				own.know(latest[client])
			}
			if cause := e.Violation.Cause; cause > 0 {
				own.know(stamps[cause-1])
			}
		}
		latest[host(e)], stamps[i] = own, own
	}
	return stamps
}
