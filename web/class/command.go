package class

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"lockstep/engine/ask"
	"lockstep/engine/course"
	"lockstep/engine/lang"
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
	if err := c.lead(); err != nil {
		return err
	}
	if do := outside[c.entry.Verb]; do != nil {
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

// lead refuses a person who may never append such an entry. It comes before every lookup, so a refused person learns
// nothing about the world outside either.
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

// ask puts a question about the run to the room: the lesson's own, the next reply of Redis to a client, or the message
// that arrives next.
func (c *command) ask() error {
	r, done, err := c.shown()
	if err != nil {
		return err
	}
	defer done()
	if kind := room.Kind(c.form("kind")); kind != room.Own {
		return c.askOf(r, kind, c.form("client"))
	}
	c.entry.Poll, err = room.Ask(r.Length(), c.form("text"), []string{c.form("a"), c.form("b"), c.form("c"), c.form("d")})
	if err != nil {
		return err
	}
	return c.do()
}

// askOf asks a question about the run that the room shows. A message of the network that is no choice is delivered at once.
func (c *command) askOf(r *live.Run, kind room.Kind, client string) error {
	id := ""
	if c.entry.ID != "" {
		id = live.OwnID(c.key, "deliver "+c.entry.ID)
	}
	if r.HasDone(id) { // a page that comes back sends its press again
		return nil
	}
	q, err := c.question(r, kind, client)
	if err != nil {
		return err
	}
	c.entry.Poll = q
	if kind != room.Network || len(q.Choices) > 1 {
		return c.do()
	}
	if err := c.may(); err != nil {
		return err
	}
	if err := r.Press(c.ctx, live.StepPress(id, q.At, q.Choices[0].ID)); !errors.Is(err, live.ErrDone) {
		return err
	}
	return nil
}

// question makes a question about a run of the room.
func (c *command) question(r *live.Run, kind room.Kind, client string) (*room.Question, error) {
	q := &room.Question{Kind: kind, At: r.Length(), About: client}
	switch {
	case kind == room.Network:
		q.About = ""
		q.Text = present.Words("room.network-asks")
		q.Choices = live.See(r, messages)
	case kind != room.Predict:
		return nil, live.ErrMalformed
	case client == "":
		moment := live.See(r, awaits(q.At))
		if moment == nil {
			return nil, ErrNothingAsked
		}
		q.Text = present.QuestionOf(moment)
		for _, a := range moment.Answers {
			q.Choices = append(q.Choices, room.Choice{ID: a.Name, Text: present.Plain(a.Text), Why: present.ReasonOf(a)})
		}
	default:
		p, reasons, ok := c.replies(r, q.At, client)
		if !ok {
			return nil, ErrNothingAsked
		}
		q.Text = lang.Text{English: p.Question(lang.English), Chinese: p.Question(lang.Chinese)}
		for i, choice := range p.Choices {
			q.Choices = append(q.Choices, room.Choice{ID: strconv.Itoa(i), Text: lang.Both(choice.Sentence(lang.English), choice.Sentence(lang.Chinese)), Why: reasons[i]})
		}
	}
	if len(q.Choices) == 0 {
		return nil, ErrNothingAsked
	}
	if kind == room.Predict {
		q.Choices = append(q.Choices, room.Choice{ID: room.Unsure, Text: present.Words("task.not-sure")})
	}
	return q, nil
}

// ErrNothingAsked says that the run has no such question now.
var ErrNothingAsked = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.nothing-asked")

// reveal lets the engine answer the open question, or the presenter one of their own. The run goes on from the position of the question, unless it has gone
// on already, and the choice that came true is the answer.
func (c *command) reveal() error {
	poll := Ask(c.in, (*room.Room).Poll)
	if poll == nil {
		return room.ErrNoPoll
	}
	c.entry.Choice = room.None
	if err := c.may(); err != nil {
		return err
	}
	q := Ask(c.in, func(*room.Room) room.Question { return poll.Question() })
	r, done, err := c.shown()
	if err != nil {
		return err
	}
	defer done()
	switch {
	case q.Kind == room.Network:
		c.entry.Choice, err = c.in.elected(c.ctx, r, q, poll)
	case q.Kind == room.Own:
		if c.form("choice") != "" {
			c.entry.Choice = c.form.Number("choice")
		}
	case q.About == "":
		if moment := live.See(r, awaits(q.At)); moment != nil {
			err = r.GoOn(c.ctx, q.At)
			right := moment.Answers[slices.IndexFunc(moment.Answers, func(a *course.Answer) bool { return a.Right })].Name
			c.entry.Choice = slices.IndexFunc(q.Choices, func(asked room.Choice) bool { return asked.ID == right })
		}
	default:
		if p, _, ok := c.replies(r, q.At, q.About); ok {
			err = r.Press(c.ctx, live.StepPress("", q.At, q.About))
			c.entry.Choice = live.See(r, func(shown present.Run) int { return p.Answer(shown.Engine.World().Events()) })
		}
	}
	if err != nil && !refusal.Is(err, refusal.Stale) { // the run has gone on: its actions are the answer
		return err
	}
	return c.do()
}

// awaits asks for the moment whose prediction the run's lesson awaits at a position; nil: the lesson awaits none.
func awaits(position int) func(present.Run) *course.Moment {
	return func(p present.Run) *course.Moment {
		if log := p.Engine.Actions(); position <= len(log) {
			m, _ := p.Task.Asked(log[:position])
			return m
		}
		return nil
	}
}

// replies returns the replies that a client could get at a position of a run, and the reasons for them.
func (c *command) replies(r *live.Run, position int, client string) (ask.Prediction, []lang.Text, bool) {
	past, err := r.Prefix(c.ctx, position)
	if err != nil {
		return ask.Prediction{}, nil, false
	}
	defer past.World().Close()
	p, ok := ask.Replies(past.World(), client)
	return p, ask.Reasons(past.World(), p), ok
}

// own gives a seat a sandbox in the exercise.
func (c *command) own() error {
	c.entry.Seat = c.who.Seat
	c.entry.Run = live.NewID() // asks whether the seat may have one before the sandbox exists
	if err := c.may(); errors.Is(err, room.ErrOwned) {
		return nil
	} else if err != nil {
		return err
	}
	exercise := Ask(c.in, (*room.Room).Exercise)
	if exercise == nil { // it has ended meanwhile
		return room.ErrNoExercise
	}
	how := live.Beginning{Place: live.Place{Room: c.in.code, Seat: c.who.Seat}, Task: exercise.Task}
	world, err := c.rooms.begins(c.ctx, exercise)
	if err != nil {
		return err
	}
	how.Given = len(world.Actions())
	r, err := c.rooms.Runs.Add(c.ctx, world, how)
	if err != nil {
		return err
	}
	c.entry.Run = r.ID()
	if err = c.do(); err != nil {
		c.rooms.Runs.Discard(r.ID(), err)
	}
	if errors.Is(err, room.ErrOwned) {
		return nil // another request has made one meanwhile
	}
	return err
}

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
