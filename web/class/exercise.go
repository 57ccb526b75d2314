package class

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// changed hears of every change of a run in memory. The people in the run's room hear of it soon. It takes no room's lock.
func (g *Rooms) changed(of live.Place, s live.Standing) {
	h := g.Of(of.Room)
	if h == nil {
		return
	}
	if of.Seat > 0 {
		h.notes.put(of.Seat, s)
	}
	h.soon()
}

// Start returns the log with which each sandbox of a room's exercise begins.
func (g *Rooms) Start(ctx context.Context, h *Room) (present.Log, error) {
	exercise := Ask(h, (*room.Room).Exercise)
	if exercise == nil {
		return present.Log{}, room.ErrNoExercise
	}
	world, err := g.begins(ctx, exercise)
	if err != nil {
		return present.Log{}, err
	}
	defer world.World().Close()
	if err := limit.Spend(ctx, live.Drawing(min(world.World().Meter().Bytes(), present.AnswerSize))); err != nil {
		return present.Log{}, err
	}
	return present.Run{Epoch: fmt.Sprint("start-", exercise.Number), Engine: world}.Log(), nil
}

// begins returns a new run where an exercise begins: at the start of its challenge, or with a copy of a run.
func (g *Rooms) begins(ctx context.Context, exercise *room.Exercise) (*engine.Run, error) {
	if t := g.Task(exercise.Task); t.Challenge != nil {
		return t.Begin(0), nil
	}
	from, done, err := g.Runs.Use(ctx, exercise.Run)
	if err != nil {
		return nil, err
	}
	defer done()
	at := exercise.At
	if at == room.End {
		at = from.Length()
	}
	return from.Prefix(ctx, at)
}

// MayHint refuses to tell what leads to a solution, in a sandbox whose exercise goes on.
func (g *Rooms) MayHint(run *live.Run) error {
	place := run.Place()
	h := g.Of(place.Room)
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
func (g *Rooms) ClaimedWrongly(ctx context.Context, key string, run *live.Run) error {
	place := run.Place()
	if place.Seat == 0 {
		return nil
	}
	h, done, err := g.Use(ctx, place.Room)
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
	if err := h.Do(ctx, key, room.Entry{Verb: room.VerbClaim, Seat: place.Seat}); errors.Is(err, store.ErrUnavailable) {
		return err
	}
	return nil // the claim is judged, whether or not the room counts one more
}

// notes holds the notes that no room's log has yet, by seat.
type notes struct {
	mu sync.Mutex // a lock under which no other is taken
	of map[int]live.Standing
}

// put notes how the sandbox of a seat stands.
func (k *notes) put(seat int, n live.Standing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[int]live.Standing{}
	}
	k.of[seat] = n
}

// putBack notes again what the log did not take, unless there is a newer note.
func (k *notes) putBack(seat int, n live.Standing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, newer := k.of[seat]; newer {
		return
	}
	if k.of == nil {
		k.of = map[int]live.Standing{}
	}
	k.of[seat] = n
}

// take returns all notes and forgets them.
func (k *notes) take() map[int]live.Standing {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.of
	k.of = nil
	return all
}

// mark appends the notes on sandboxes to the room's log.
func (h *Room) mark(ctx context.Context) {
	for seat, n := range h.notes.take() {
		h.mu.Lock()
		own := h.room.Sandbox(seat) == n.Run
		if own {
			h.progress[seat] = n.Actions
		}
		h.mu.Unlock()
		if own {
			e := room.Entry{Verb: room.VerbMark, Seat: seat, State: stateOf(n), Actions: n.Actions, Solved: n.Solved}
			if err := h.As(ctx, room.Who{Seat: seat}, e); err != nil {
				h.home.Debug("mark", err)
				if errors.Is(err, store.ErrUnavailable) {
					h.notes.putBack(seat, n)
				}
			}
		}
	}
}

// stateOf returns the state that the wall shows.
func stateOf(s live.Standing) room.State {
	switch {
	case s.Broken:
		return room.Broken
	case s.Stuck:
		return room.Stuck
	}
	return room.Safe
}
