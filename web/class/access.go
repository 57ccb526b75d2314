package class

import (
	"context"
	"errors"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// MayLook returns nil if the person with a key of the run's room may see the run, or the refusal.
func (g *Rooms) MayLook(ctx context.Context, key string, run *live.Run) error {
	place := run.Place()
	return g.askRoom(ctx, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return in.MayLook(who, run.ID(), place.Seat)
	})
}

// MayAct returns nil if the person with a key of the run's room may act in the run in ways that are no single action,
// such as letting a scheduler choose.
func (g *Rooms) MayAct(ctx context.Context, key string, run *live.Run) error {
	return g.askRoom(ctx, run.Place().Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return mayDo(in, who, run, []engine.Action{live.Other})
	})
}

// askRoom asks a room for a refusal. It reads the room again before it believes one, because another server may know more.
func (g *Rooms) askRoom(ctx context.Context, code string, refuse func(*room.Room) error) error {
	if code == "" {
		return nil
	}
	if h := g.Of(code); h != nil && Ask(h, refuse) == nil {
		return nil
	}
	h, done, err := g.Use(ctx, code)
	if err != nil {
		return err
	}
	defer done()
	return Ask(h, refuse)
}

// Press does what a person with a key of the run's room asks for. It asks the room before the run takes its lock. The room's
// answer, the limits and any other refusal come into force under the lock, unless the run has done the request before.
func (g *Rooms) Press(ctx context.Context, key string, run *live.Run, p live.Press) error {
	if err := run.AwaitPrograms(ctx, p.Actions...); err != nil {
		return err
	}
	place, what := run.Place(), p.What()
	var r rank
	refused := g.askRoom(ctx, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		r = rankOf(in, key)
		if p.Lane = ""; !r.leads && run.ID() == in.Run() {
			p.Lane = laneOf(in, who, what)
		}
		return mayDo(in, who, run, what)
	})
	p.Count = func() error {
		if refused != nil {
			return refused
		}
		if err := g.countAction(ctx, key, place, r); err != nil {
			return err
		}
		if run.Untouched() {
			if err := g.MayMake(limit.NetworkOf(ctx), limit.PersonOf(ctx)); err != nil {
				return err
			}
		}
		return p.Unread
	}
	return run.Press(ctx, p)
}

// laneOf returns the client of a person's lane if all actions are that client's; empty: they are not.
func laneOf(in *room.Room, who room.Who, what []engine.Action) string {
	you := in.You(who.Seat)
	if you == nil || you.Lane == "" || len(what) == 0 {
		return ""
	}
	for _, action := range what {
		if action.Client != you.Lane {
			return ""
		}
	}
	return you.Lane
}

// mayDo asks a room whether a person may do all of the actions in a run.
func mayDo(in *room.Room, who room.Who, run *live.Run, what []engine.Action) error {
	for _, action := range what {
		if err := in.MayAct(who, run.ID(), run.Place().Seat, string(action.Verb), action.Client); err != nil {
			return err
		}
	}
	return nil
}

// countAction counts an action of a person in a run, or refuses a person who acts too fast. The limits count the person and
// their network. A person who has a client of a room's run, but does not lead the room, acts as slowly as in the room.
func (g *Rooms) countAction(ctx context.Context, key string, place live.Place, r rank) error {
	if place.IsRoom() && !r.leads {
		return g.countEntry(ctx, key, r)
	}
	if !g.Limits.Acts(ctx) {
		g.Refused("actions")
		return errTooFast
	}
	return nil
}

// CountAction is countAction for an action that is no press.
func (g *Rooms) CountAction(ctx context.Context, key string, run *live.Run) error {
	place, r := run.Place(), rank{leads: true}
	if h := g.Of(place.Room); h != nil {
		r = Ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	}
	return g.countAction(ctx, key, place, r)
}

// mayEnter counts an entry of a person in a room, or refuses a person who enters too many.
func (g *Rooms) mayEnter(ctx context.Context, h *Room, key string) error {
	r := Ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	if r.leads {
		h.leader.Store(limit.NetworkOf(ctx))
	}
	return g.countEntry(ctx, key, r)
}

func (g *Rooms) countEntry(ctx context.Context, key string, r rank) error {
	own := g.Limits.OwnEntries
	if r.leads {
		own = g.Limits.Presenting
	}
	if !r.known { // anybody can make up a key
		key = limit.NetworkOf(ctx) + " " + limit.PersonOf(ctx)
	}
	if !own.Allow(key) || !g.Limits.Entries.Allow(limit.NetworkOf(ctx)) {
		g.Refused("entries")
		return errTooFast
	}
	return nil
}

// A rank tells how a room counts a person. The presenter and the driver lead the room.
type rank struct{ leads, known bool }

func rankOf(in *room.Room, key string) rank {
	who, _ := in.Who(key)
	return rank{who.Presenter || who.Seat != 0 && who.Seat == in.Driver(), in.Knows(key)}
}

// errTooFast refuses actions that come faster than a hand acts.
var errTooFast = refusal.Declare(refusal.TooMany, refusal.Limit, "error.fast")

// ShowBranch shows a branch to the room if its driver has opened it, and on the wall if it is a branch of a sandbox.
func (g *Rooms) ShowBranch(ctx context.Context, key, id string, from, branch *live.Run) error {
	place := from.Place()
	if place.Room == "" || branch == nil || branch == from {
		return nil
	}
	h, done, err := g.Use(ctx, place.Room)
	if err != nil {
		return err
	}
	defer done()
	// The branch takes the place of the sandbox on the wall and in the ranking.
	if place.Seat > 0 && Ask(h, func(r *room.Room) string { return r.Sandbox(place.Seat) }) == from.ID() {
		if err := h.Do(ctx, key, room.Entry{Verb: room.VerbOwn, Seat: place.Seat, Run: branch.ID(), From: from.ID()}); err == nil {
			branch.Report()
		}
	}
	if Ask(h, (*room.Room).Run) != from.ID() {
		return nil
	}
	err = h.Do(ctx, key, room.Entry{ID: id, Verb: room.VerbShow, Run: branch.ID(), Task: branch.Task().Name(), From: from.ID()})
	if errors.Is(err, room.ErrDriverOnly) {
		return nil // the room looks at the sandbox of this person
	}
	return err
}
