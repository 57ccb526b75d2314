package session

import (
	"errors"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/web/limit"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A note is how somebody's own run stands, to be marked in the room.
type note struct {
	run     string
	state   room.State
	actions int
	solved  bool
}

// changed is told of every change of a run in memory, with the run's lock held.
// Who is in its room hears of it soon.
func (m *Manager) changed(r *Run) {
	place := r.Place()
	if place.Room == "" {
		return
	}
	h := m.Rooms.Of(place.Room)
	if h == nil {
		return
	}
	if place.Seat > 0 {
		h.noted.Lock()
		if h.notes == nil {
			h.notes = map[int]note{}
		}
		h.notes[place.Seat] = r.note()
		h.noted.Unlock()
	}
	h.soon()
}

// note is how the run stands, as everybody can see it from afar. What was wrong when
// they were given it they have not broken.
func (r *Run) note() note {
	n := note{run: r.id, state: room.Safe, actions: len(r.engine.Actions()) - r.given}
	for _, e := range r.engine.World().Events() {
		if e.Kind != engine.Violated || e.Action <= r.given {
			continue
		}
		if e.Violation.Property != check.Stuck.Name {
			n.state = room.Broken
			break
		}
		n.state = room.Stuck
	}
	if c := r.Task().Challenge; c != nil && c.Fix == nil {
		standing := c.Judge(r.engine)
		if standing.Broken {
			n.solved, n.actions = true, standing.Actions
		}
		if c.Par == 0 && r.claimed != nil && r.claimed.Verdict == explore.Holds {
			n.solved, n.actions = true, 0
		}
	}
	return n
}

// markLater notes again what could not be kept, unless there is something newer.
func (h *LiveRoom) markLater(seat int, n note) {
	h.noted.Lock()
	defer h.noted.Unlock()
	if _, newer := h.notes[seat]; newer {
		return
	}
	if h.notes == nil {
		h.notes = map[int]note{}
	}
	h.notes[seat] = n
}

// mark keeps in the room's log what has been noted of people's own runs.
func (h *LiveRoom) mark(a *limit.Asker) {
	h.noted.Lock()
	notes := h.notes
	h.notes = nil
	h.noted.Unlock()
	for seat, n := range notes {
		h.mu.Lock()
		own := h.room.Sandbox(seat) == n.run
		if own {
			h.progress[seat] = n.actions
		}
		h.mu.Unlock()
		if own {
			e := room.Entry{Verb: room.VerbMark, Seat: seat, State: n.state, Actions: n.actions, Solved: n.solved}
			if err := h.As(a, room.Who{Seat: seat}, e); err != nil {
				h.manager.Debug("mark", err)
				if errors.Is(err, store.ErrUnavailable) {
					h.markLater(seat, n)
				}
			}
		}
	}
}
