package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// command does what one form of a room's pages asks for, for whoever has the key.
// Most of it is one entry of the room's log. What an entry says of the world
// outside the room (which answer is right, which run is somebody's own) is found out
// here and never taken from the form.
func (m *Manager) Command(a *limit.Asker, h *LiveRoom, key, id string, field func(string) string) error {
	if h.hasDone(key, id) {
		return nil
	}
	if err := m.mayEnter(a, h, key); err != nil {
		return err
	}
	number := func(name string) int {
		n, err := strconv.Atoi(field(name))
		if err != nil {
			return -2 // which is nobody's seat, choice or position
		}
		return n
	}
	on := func(name string) bool { return field(name) != "" }
	who := h.Who(key)
	e := room.Entry{ID: id, Verb: room.Verb(field("verb"))}
	if err := h.leads(key, e.Verb, room.Kind(field("kind")), number("seat")); err != nil {
		return err
	}
	switch e.Verb {
	case room.VerbVote:
		e.Seat, e.Choice = who.Seat, number("choice")
	case room.VerbName:
		e.Seat, e.Text, e.Roster = who.Seat, field("text"), field("roster")
		if who.Presenter {
			e.Seat = number("seat")
		}
	case room.VerbRemove:
		e.Seats = seatsOf(field("seat"))
	case room.VerbLock:
		e.On = on("on")
	case room.VerbRevoke:
		e.Key = key
	case room.VerbDrive:
		e.Seat = number("seat")
	case room.VerbCursor:
		e.At = number("at")
	case room.VerbPlace:
		e.Seat, e.Lane = number("seat"), field("lane")
	case room.VerbSwitch:
		e.Free, e.Rosters = on("free"), on("roster")
	case room.VerbBlack:
		e.On = on("on")
	case room.VerbGather, room.VerbRound, room.VerbDrop, room.VerbHome:
	case room.VerbLanes:
		return m.dealLanes(a, h, key, e, number("size"))
	case room.VerbAsk:
		return m.ask(a, h, key, e, room.Kind(field("kind")), field("client"))
	case room.VerbReveal:
		return m.reveal(a, h, key, e)
	case room.VerbFork:
		return m.fork(a, h, key, e)
	case room.VerbChallenge:
		if m.Task(field("task")).Challenge == nil {
			return ErrNoTask
		}
		e.Task = field("task")
	case room.VerbOwn:
		return m.beginOwn(a, h, key, e, who.Seat)
	case room.VerbShow:
		e.Run = Ask(h, func(r *room.Room) string { return r.Sandbox(number("seat")) })
		if field("seat") == "0" {
			e.Run = Ask(h, (*room.Room).Base)
		}
		if e.Run == "" {
			return room.ErrNoSandbox
		}
	case room.VerbEnd:
		return m.endRoom(a, h, key, e)
	default:
		return ErrMalformed
	}
	return h.Do(a, key, e)
}

// seatsOf reads the numbers of seats, with spaces between them. A word that is no number names no seat.
func seatsOf(text string) (seats []int) {
	for word := range strings.FieldsSeq(text) {
		number, err := strconv.Atoi(word)
		if err != nil {
			number = -1
		}
		seats = append(seats, number)
	}
	return seats
}

// leads refuses whoever is not the one to do that, before anything is looked up for it:
// what there is, is not theirs to learn either.
func (h *LiveRoom) leads(key string, verb room.Verb, kind room.Kind, seat int) error {
	err := h.may(key, room.Entry{Verb: verb, Seat: seat, Poll: &room.Question{Kind: kind}})
	if errors.Is(err, room.ErrPresenterOnly) || errors.Is(err, room.ErrDriverOnly) || errors.Is(err, room.ErrOver) {
		return err
	}
	return nil
}

var ErrNoTask = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.no-task")

// dealLanes makes phones clients of the run that the room shows, or lets it be.
func (m *Manager) dealLanes(a *limit.Asker, h *LiveRoom, key string, e room.Entry, size int) error {
	if size < 0 {
		return room.ErrLanes
	}
	if size > 0 {
		r, done, err := m.Runs.Use(a, Ask(h, (*room.Room).Run))
		if err != nil {
			return err
		}
		defer done()
		e.Lanes, e.Size = r.clients(), size
		if len(e.Lanes) == 0 {
			return errNoClients
		}
	}
	return h.Do(a, key, e)
}

var errNoClients = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.no-clients")

// fork gives everybody a copy of the run as it is now: whoever begins theirs later is not
// to see what has been done since, which may have been done alone.
func (m *Manager) fork(a *limit.Asker, h *LiveRoom, key string, e room.Entry) error {
	e.Run, e.At = Ask(h, (*room.Room).Run), Ask(h, (*room.Room).Cursor)
	r, done, err := m.Runs.Use(a, e.Run)
	if err != nil {
		return err
	}
	defer done()
	if e.At == room.End {
		e.At = r.Length()
	}
	return h.Do(a, key, e)
}

// ask puts a question about the run to the room: the lesson's own, what Redis will
// answer to a client, or which message arrives next.
func (m *Manager) ask(a *limit.Asker, h *LiveRoom, key string, e room.Entry, kind room.Kind, client string) error {
	r, done, err := m.Runs.Use(a, Ask(h, (*room.Room).Run))
	if err != nil {
		return err
	}
	defer done()
	q := &room.Question{Kind: kind, At: r.Length(), About: client}
	switch {
	case kind == room.Network:
		q.About = ""
		q.Text = present.Words("room.network-asks")
		q.Choices = r.messages()
	case kind != room.Predict:
		return ErrMalformed
	case client == "":
		moment := r.awaits(q.At)
		if moment == nil {
			return ErrNothingAsked
		}
		q.Text = present.Plain(present.QuestionOf(moment))
		for _, a := range moment.Answers {
			q.Choices = append(q.Choices, room.Choice{ID: a.Name, Text: present.Plain(a.Text)})
		}
	default:
		p, ok := r.replies(a, q.At, client)
		if !ok {
			return ErrNothingAsked
		}
		q.Text = lang.Text{English: p.Question(lang.English), Chinese: p.Question(lang.Chinese)}
		for i, c := range p.Choices {
			q.Choices = append(q.Choices, room.Choice{ID: strconv.Itoa(i), Text: lang.Both(c.Sentence(lang.English), c.Sentence(lang.Chinese))})
		}
	}
	if len(q.Choices) == 0 {
		return ErrNothingAsked
	}
	e.Poll = q
	return h.Do(a, key, e)
}

var ErrNothingAsked = refusal.Declare(refusal.Unprocessable, refusal.Refused, "room.nothing-asked")

// reveal lets the engine answer what was asked: it goes on from there, unless it
// has done so already, and what has come true is the answer.
func (m *Manager) reveal(a *limit.Asker, h *LiveRoom, key string, e room.Entry) error {
	var poll *room.Poll
	if poll = Ask(h, (*room.Room).Poll); poll == nil {
		return room.ErrNoPoll
	}
	e.Choice = room.None
	if err := h.may(key, e); err != nil {
		return err
	}
	q := Ask(h, func(*room.Room) room.Question { return poll.Question() })
	r, done, err := m.Runs.Use(a, Ask(h, (*room.Room).Run))
	if err != nil {
		return err
	}
	defer done()
	switch {
	case q.Kind == room.Network:
		if Ask(h, func(*room.Room) room.Phase { return poll.Phase() }) != room.Closed {
			if err := h.Do(a, key, room.Entry{Verb: room.VerbRound}); err != nil {
				return err
			}
		}
		if e.Choice = Ask(h, func(*room.Room) int { return poll.Leading() }); e.Choice != room.None {
			err = r.stepAt(a, q.At, q.Choices[e.Choice].ID)
		}
	case q.About == "":
		if moment := r.awaits(q.At); moment != nil {
			err = r.GoOn(a, q.At)
			e.Choice = slices.IndexFunc(moment.Answers, func(a *course.Answer) bool { return a.Right })
		}
	default:
		if p, ok := r.replies(a, q.At, q.About); ok {
			err = r.stepAt(a, q.At, q.About)
			e.Choice = r.answers(p)
		}
	}
	if err != nil && !refusal.Is(err, refusal.Stale) { // somebody has gone on: then that is the answer
		return err
	}
	return h.Do(a, key, e)
}

// stepAt lets a client go on at a position, for the room.
func (r *Run) stepAt(a *limit.Asker, position int, client string) error {
	return r.act(a, press{at: position}, engine.Action{Verb: engine.VerbStep, Client: client})
}

// awaits is the moment of the run's lesson whose prediction is awaited at a position, or nil.
func (r *Run) awaits(position int) *course.Moment {
	r.mu.Lock()
	defer r.mu.Unlock()
	if log := r.engine.Actions(); position <= len(log) {
		m, _ := r.Task().Asked(log[:position])
		return m
	}
	return nil
}

// asked is the moment whose prediction is awaited now. Whoever calls it holds the run's lock.
func (r *Run) asked() (*course.Moment, int) { return r.Task().Asked(r.engine.Actions()) }

// replies are what could be answered to a client at a position.
func (r *Run) replies(a *limit.Asker, position int, client string) (engine.Prediction, bool) {
	past, err := r.Prefix(a, position)
	if err != nil {
		return engine.Prediction{}, false
	}
	defer past.World().Close()
	return past.World().Replies(client)
}

// answers is the choice that has come true, or none.
func (r *Run) answers(p engine.Prediction) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.Answer(r.engine.World().Events())
}

// beginOwn gives a seat a run of its own in the exercise.
func (m *Manager) beginOwn(a *limit.Asker, h *LiveRoom, key string, e room.Entry, seat int) error {
	e.Seat = seat
	e.Run = NewID() // to see whether it could be, before a run is made
	if err := h.may(key, e); errors.Is(err, room.ErrOwned) {
		return nil // there is one already
	} else if err != nil {
		return err
	}
	exercise := Ask(h, (*room.Room).Exercise)
	if exercise == nil { // it has ended meanwhile
		return room.ErrNoExercise
	}
	how := Beginning{Place: Place{Room: h.code, Seat: seat}}
	var world *engine.Run
	if t := m.Task(exercise.Task); t.Challenge != nil {
		world, how.Task = t.Begin(0), t.Name()
	} else {
		from, done, err := m.Runs.Use(a, exercise.Run)
		if err != nil {
			return err
		}
		defer done()
		at := exercise.At
		if at == room.End {
			at = from.Length()
		}
		if world, err = from.Prefix(a, at); err != nil {
			return err
		}
	}
	how.Given = len(world.Actions())
	r, err := m.Runs.Add(a, world, how)
	if err != nil {
		return err
	}
	e.Run = r.id
	if err := h.Do(a, key, e); !errors.Is(err, room.ErrOwned) {
		return err
	}
	return nil // there is one by now
}

// endRoom ends the room. Its run stays as a run of nobody, under a new address.
func (m *Manager) endRoom(a *limit.Asker, h *LiveRoom, key string, e room.Entry) error {
	if err := h.may(key, e); err != nil {
		return err
	}
	from, done, err := m.Runs.Use(a, Ask(h, (*room.Room).Run))
	if err != nil {
		return err
	}
	defer done()
	all, err := from.Prefix(a, from.Length())
	if err != nil {
		return err
	}
	replay, err := m.Runs.Add(a, all, Beginning{Task: from.Task().Name()})
	if err != nil {
		return err
	}
	e.Run = replay.id
	return h.Do(a, key, e)
}
