package class

import (
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
