package session

import (
	"errors"
	"fmt"
	"sync"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// A note tells how a sandbox stands, for a mark in the room.
type note struct {
	run     string
	state   room.State
	actions int
	solved  bool
}

// changed hears of every change of a run in memory. The people in the run's room hear of it soon. The caller holds the
// run's lock.
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
		h.notes.put(place.Seat, r.note())
	}
	h.soon()
}

// note returns how the run stands, as everybody can see it from afar. It leaves out violations that the run was given
// with.
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

// Start returns the log with which each sandbox of a room's exercise begins.
func (m *Manager) Start(a *limit.Asker, h *LiveRoom) (present.Log, error) {
	exercise := Ask(h, (*room.Room).Exercise)
	if exercise == nil {
		return present.Log{}, room.ErrNoExercise
	}
	world, err := m.begins(a, exercise)
	if err != nil {
		return present.Log{}, err
	}
	defer world.World().Close()
	if err := a.Spend(Drawing(min(world.World().Bytes(), present.AnswerSize))); err != nil {
		return present.Log{}, err
	}
	return present.Run{Epoch: fmt.Sprint("start-", exercise.Number), Engine: world}.Log(), nil
}

// begins returns a new run where an exercise begins: at the start of its challenge, or with a copy of a run.
func (m *Manager) begins(a *limit.Asker, exercise *room.Exercise) (*engine.Run, error) {
	if t := m.Task(exercise.Task); t.Challenge != nil {
		return t.Begin(0), nil
	}
	from, done, err := m.Runs.Use(a, exercise.Run)
	if err != nil {
		return nil, err
	}
	defer done()
	at := exercise.At
	if at == room.End {
		at = from.Length()
	}
	return from.Prefix(a, at)
}

// MayHint refuses to tell what leads to a solution, in a sandbox whose exercise goes on.
func (m *Manager) MayHint(run *Run) error {
	place := run.Place()
	h := m.Rooms.Of(place.Room)
	if place.Seat == 0 || h == nil || run.Task().Challenge == nil {
		return nil
	}
	if e := Ask(h, (*room.Room).Exercise); e != nil && e.Task == run.Task().Name() {
		return errNoHint
	}
	return nil
}

var errNoHint = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.no-hint")

// ClaimedWrongly counts in its room a wrong claim that the challenge of a sandbox cannot be broken. It counts for the sandbox's owner,
// who has made it themselves, and as often as the room counts one.
func (m *Manager) ClaimedWrongly(a *limit.Asker, key string, run *Run) error {
	place := run.Place()
	if place.Seat == 0 {
		return nil
	}
	h, done, err := m.Rooms.Use(a, place.Room)
	if err != nil {
		return err
	}
	defer done()
	task := run.Task().Name()
	own := Ask(h, func(in *room.Room) bool {
		who, _ := in.Who(key)
		e := in.Exercise()
		return who.Seat == place.Seat && e != nil && e.Task == task
	})
	if !own {
		return nil // the presenter shows something there, or the exercise is over
	}
	if err := h.Do(a, key, room.Entry{Verb: room.VerbClaim, Seat: place.Seat}); errors.Is(err, store.ErrUnavailable) {
		return err
	}
	return nil // the claim is judged, whether or not the room counts one more
}

// notes holds the notes that no room's log has yet, by seat.
type notes struct {
	mu sync.Mutex // a lock under which no other is taken
	of map[int]note
}

// put notes how the sandbox of a seat stands.
func (k *notes) put(seat int, n note) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[int]note{}
	}
	k.of[seat] = n
}

// putBack notes again what the log did not take, unless there is a newer note.
func (k *notes) putBack(seat int, n note) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, newer := k.of[seat]; newer {
		return
	}
	if k.of == nil {
		k.of = map[int]note{}
	}
	k.of[seat] = n
}

// take returns all notes and forgets them.
func (k *notes) take() map[int]note {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.of
	k.of = nil
	return all
}

// mark appends the notes on sandboxes to the room's log.
func (h *LiveRoom) mark(a *limit.Asker) {
	for seat, n := range h.notes.take() {
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
					h.notes.putBack(seat, n)
				}
			}
		}
	}
}
