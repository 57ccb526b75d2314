package engine

import "hash/fnv"

// A Scheduler chooses the next action of a run. The log records its choices
// like any other action: an automatic run replays exactly.
type Scheduler struct {
	Random bool   // otherwise round-robin: the client that has waited longest
	Seed   uint64 // for the random choices
}

// Next returns the scheduler's action in a world: a step for a client that can
// make one or, where none can, a tick to the next instant at which something is
// due, or as far as one tick goes. It depends only on the seed, the run's
// length and the state. ok is false when no client can ever go on by itself.
func (s Scheduler) Next(w *World) (Action, bool) {
	var ready []*Client
	for _, c := range w.clients {
		if w.Can(Action{Verb: VerbStep, Client: c.Name}) == nil {
			ready = append(ready, c)
		}
	}
	if len(ready) == 0 {
		due := w.Due()
		if due <= w.now {
			return Action{}, false
		}
		return Action{Verb: VerbTick, Time: min(due-w.now, MaxTick)}, true
	}
	chosen := ready[0]
	if s.Random {
		chosen = ready[s.draw(w.actions)%uint64(len(ready))]
	} else {
		for _, c := range ready[1:] {
			if lastMoved(w.events, c) < lastMoved(w.events, chosen) {
				chosen = c
			}
		}
	}
	return Action{Verb: VerbStep, Client: chosen.Name}, true
}

// draw returns the nth random number of the seed.
func (s Scheduler) draw(n int) uint64 {
	h := fnv.New64a()
	var b [16]byte
	for i := range 8 {
		b[i], b[8+i] = byte(s.Seed>>(8*i)), byte(n>>(8*i))
	}
	_, _ = h.Write(b[:]) // Write never fails
	return mix(h.Sum64())
}

// mix spreads a hash over all its bits. Its remainder is then as random as its
// high bits (the finalizer of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// lastMoved returns the number of the action that last moved the client; 0:
// none has.
func lastMoved(events []Event, c *Client) int {
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Lane == c.Name && (e.Kind == Receive || e.Kind == Leave || e.Kind == Spawn || e.Kind == Restart) {
			return e.Action
		}
	}
	return 0
}
