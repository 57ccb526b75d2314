package class

import (
	"context"
	"errors"

	"lockstep/engine/course"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// Command carries out what a form of a room's pages asks for. Most forms hold all of an entry, and the room reads it. The
// verbs of outside ask the world outside the room (which answer is right, who owns a run) and never trust the form for it.
func (g *Rooms) Command(ctx context.Context, h *Room, key, id string, field func(string) string) error {
	if h.hasDone(key, id) {
		return nil
	}
	if err := g.mayEnter(ctx, h, key); err != nil {
		return err
	}
	c := &command{g, ctx, h, key, h.Who(key), field, room.Entry{ID: id, Verb: room.Verb(field("verb"))}}
	if do := outside[c.entry.Verb]; do != nil {
		if err := c.lead(); err != nil {
			return err
		}
		return do(c)
	}
	e, ok := room.Read(c.entry.Verb, c.who, c.form)
	if !ok {
		return live.ErrMalformed
	}
	c.entry = e
	c.entry.ID = id
	return c.do()
}

// A command is a form of somebody who has the key, and the entry that it asks for.
type command struct {
	rooms *Rooms
	ctx   context.Context
	in    *Room // the room of the form
	key   string
	who   room.Who
	form  room.Form
	entry room.Entry
}

// outside has the verbs whose entries no form holds. Each finds out what its entry tells, and appends it.
var outside = map[room.Verb]func(*command) error{
	room.VerbRevoke:    (*command).revoke,
	room.VerbEnd:       (*command).end,
	room.VerbShow:      (*command).show,
	room.VerbLanes:     (*command).lanes,
	room.VerbAsk:       (*command).ask,
	room.VerbReveal:    (*command).reveal,
	room.VerbFork:      (*command).fork,
	room.VerbChallenge: (*command).challenge,
	room.VerbOwn:       (*command).own,
	room.VerbTimer:     (*command).timer,
	room.VerbTest:      (*command).test,
	room.VerbHand:      (*command).hand,
	room.VerbPlan:      (*command).plan,
	room.VerbNext:      (*command).next,
}

// do appends the entry.
func (c *command) do() error { return c.in.Do(c.ctx, c.key, c.entry) }

// may returns nil if the room would take the entry as it is, or the refusal.
func (c *command) may() error { return c.in.may(c.key, c.entry) }

// use returns a run, which stays in memory until done is called.
func (c *command) use(run string) (r *live.Run, done func(), err error) {
	return c.rooms.Runs.Use(c.ctx, run)
}

// shown is use for the run that the room shows.
func (c *command) shown() (r *live.Run, done func(), err error) {
	return c.use(Ask(c.in, (*room.Room).Run))
}

// revoke revokes all remotes but the one that asks.
func (c *command) revoke() error {
	c.entry.Key = c.key
	return c.do()
}

// show brings the room to another run. A form names the sandbox of a seat, with seat 0 the run that the room goes back to
// after it, or any other run or task, of which the room gets a run of its own.
func (c *command) show() error {
	if c.form("seat") == "" {
		return c.bring(c.named())
	}
	c.entry.Run = Ask(c.in, func(r *room.Room) string { return r.Sandbox(c.form.Number("seat")) })
	if c.form("seat") == "0" {
		c.entry.Run = Ask(c.in, (*room.Room).Base)
	}
	if c.entry.Run == "" {
		return room.ErrNoSandbox
	}
	return c.do()
}

// challenge begins an exercise in which each seat tries a challenge of the courses.
func (c *command) challenge() error {
	if c.entry.Task = c.form("task"); c.rooms.Task(c.entry.Task).Challenge == nil {
		return ErrNoTask
	}
	return c.do()
}

// test opens a form of the test of a course, or closes it.
func (c *command) test() error {
	if c.entry.Form = c.form("form"); c.entry.Form != "" {
		c.entry.Task = c.form("course")
		if t := c.rooms.Test(c.entry.Task); t == nil {
			return ErrNoTask
		}
	}
	return c.do()
}

// hand gives in a seat's answers to the open form. They have to be answers to its questions, and all of them.
func (c *command) hand() error {
	c.entry.Seat, c.entry.Form = c.who.Seat, c.form("form")
	open := Ask(c.in, (*room.Room).Test)
	if open == nil || open.Form != c.entry.Form {
		return room.ErrNoTest
	}
	t := c.rooms.Test(open.Course)
	if t == nil {
		return ErrNoTask
	}
	f := course.Form(open.Form)
	given, whole := t.List(t.Read(f, func(question string) string { return c.form(present.TestField(f, question)) }))
	if !whole {
		return live.ErrMalformed
	}
	c.entry.Given = given
	return c.do()
}

// lead refuses a person who may never append such an entry. It comes before every lookup outside the room, so a refused
// person learns nothing about that either.
func (c *command) lead() error {
	kind, seat := room.Kind(c.form("kind")), c.form.Number("seat")
	err := c.in.may(c.key, room.Entry{Verb: c.entry.Verb, Seat: seat, Poll: &room.Question{Kind: kind}})
	if errors.Is(err, room.ErrPresenterOnly) || errors.Is(err, room.ErrDriverOnly) || errors.Is(err, room.ErrOver) {
		return err
	}
	return nil
}

// ErrNoTask says that no course has that challenge.
var ErrNoTask = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.no-task")

// lanes deals the clients of the run that the room shows to the phones, or ends that.
func (c *command) lanes() error {
	size := c.form.Number("size")
	if size < 0 {
		return room.ErrLanes
	}
	if size > 0 {
		r, done, err := c.shown()
		if err != nil {
			return err
		}
		defer done()
		c.entry.Lanes, c.entry.Size = live.See(r, clients), size
		if len(c.entry.Lanes) == 0 {
			return errNoClients
		}
	}
	return c.do()
}

var errNoClients = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.no-clients")

// fork gives each seat a copy of the run as it is now. A seat that begins later does not see the actions that have
// followed: another seat may have done them alone.
func (c *command) fork() error {
	c.entry.Run, c.entry.At = Ask(c.in, (*room.Room).Run), Ask(c.in, (*room.Room).Cursor)
	r, done, err := c.use(c.entry.Run)
	if err != nil {
		return err
	}
	defer done()
	if c.entry.At == room.End {
		c.entry.At = r.Length()
	}
	return c.do()
}

// ErrNothingAsked says that the run has no such question now.
var ErrNothingAsked = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.nothing-asked")

// end ends the room. A copy of the room's run stays as the replay, which belongs to nobody and has an address of its own.
func (c *command) end() error {
	if err := c.may(); err != nil {
		return err
	}
	from, done, err := c.shown()
	if err != nil {
		return err
	}
	defer done()
	all, err := from.Prefix(c.ctx, from.Length())
	if err != nil {
		return err
	}
	replay, err := c.rooms.Runs.Add(c.ctx, all, live.Beginning{Task: from.Task().Name()})
	if err != nil {
		return err
	}
	c.entry.Run = replay.ID()
	if err = c.do(); err != nil {
		c.rooms.Runs.Discard(replay.ID(), err)
	}
	return err
}
