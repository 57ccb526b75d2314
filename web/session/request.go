package session

import (
	"context"
	"errors"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// read does the viewer's requests until the socket ends, or a message is too large to skip.
func (m *Manager) read(v *Viewer, r *Run) {
	for {
		data, err := v.receive()
		if refusal.Is(err, refusal.TooFast) {
			v.Send(Encode(NewErrorMessage(err, v.language)))
			err = nil
		}
		var q request
		switch {
		case err == nil:
			q, err = parseRequest(data)
		case !errors.Is(err, ErrBinary) && !IsUnread(err):
			return
		}
		unread := IsUnread(err)
		var answer any
		if err == nil {
			answer, err = m.answer(q, v, r)
		}
		if err != nil {
			f := NewErrorMessage(err, v.language)
			f.ID = q.ID
			answer = f
		}
		if answer != nil && !v.reply(Encode(answer)) {
			busy := NewErrorMessage(ErrAnswers, v.language)
			busy.ID = q.ID
			v.Send(Encode(busy))
		}
		if unread {
			return
		}
		v.waitForReader()
	}
}

// IsUnread reports whether the rest of a message is not read. The socket then has to end.
func IsUnread(err error) bool { return errors.Is(err, ErrLarge) || errors.Is(err, ErrReading) }

// answer does a request in its own turn. While the request waits for a turn or has one, answer listens to the socket: when
// the socket ends, the request ends.
func (m *Manager) answer(q request, v *Viewer, r *Run) (answer any, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := m.Work.Asker(ctx, v.network, v.person)
	defer a.Done()
	a.Waits = func() { v.listen(cancel) }
	if err := a.Begin(); err != nil {
		return nil, err
	}
	return m.do(a, q, v, r)
}

// do does a request. All viewers of the run hear of its changes. The answer, where there is one, goes to the viewer who
// asked.
func (m *Manager) do(a *limit.Asker, q request, v *Viewer, r *Run) (answer any, err error) {
	id := ownID(v.key, q.ID)
	p, err := q.press(id)
	if err == nil && (q.Type == "act" || q.Type == "schedule") {
		return acted(q.ID, m.Press(a, v.key, r, p))
	}
	if r.hasDone(id) {
		return done{Type: "done", ID: q.ID}, nil
	}
	if made := r.family.madeBy(id); made != "" && err == nil && (q.Type == "branch" || q.Type == "rerun") {
		return m.openAgain(a, q, v, r, p, made)
	}
	if err == nil {
		err = m.allows(a, q, v, r)
	}
	if err == nil && q.makes(r) {
		err = m.MayMake(v.network, v.person)
	}
	if err != nil {
		return nil, err
	}
	switch q.Type {
	case "room":
		return done{Type: "done", ID: q.ID}, m.Command(a, v.live, v.key, q.ID, q.field)
	case "away":
		v.live.goAway(a, v, q.Away)
	case "look":
		panels, err := r.Look(a, *q.At, v.audience())
		return view{Type: "view", ID: q.ID, At: *q.At, Panels: panels}, err
	case "branch":
		var other *Run
		var position int
		if other, position, err = m.Branch(a, r, p); err == nil {
			return opened(q.ID, other, position, 0), m.ShowBranch(a, v.key, q.ID, r, other)
		}
	case "rerun":
		var other *Run
		var omitted int
		if other, omitted, err = m.Rerun(a, r, *q.At, id, q.From, q.Program, q.Source); err == nil {
			return opened(q.ID, other, Anywhere, omitted), m.ShowBranch(a, v.key, q.ID, r, other)
		}
	case "restore":
		if err = restore(a, r, id, q.Scenario, m.Task(q.Task)); err == nil {
			err = errDone
		}
	}
	return acted(q.ID, err)
}

// press reads the press or branch that the request asks for, under the id of the run's log.
func (q request) press(id string) (Press, error) {
	switch q.Type {
	case "schedule":
		return ScheduledPress(id, *q.At, engine.Scheduler{Random: q.Random, Seed: q.Seed}), nil
	case "act", "branch":
		line, err := present.Line(q.Action, q.field)
		return ReadPress(id, *q.At, line), err
	}
	return Press{}, nil
}

// acted returns the answer to a press. The viewers hear of its actions, so only a press that comes again has an answer.
func acted(id string, err error) (answer any, _ error) {
	if errors.Is(err, errDone) {
		return done{Type: "done", ID: id}, nil
	}
	return nil, err
}

// openAgain answers a request that has opened a branch before, here or at another server.
func (m *Manager) openAgain(a *limit.Asker, q request, v *Viewer, r *Run, p Press, made string) (answer any, err error) {
	other, err := m.Runs.Read(a, made)
	if err == nil {
		err = m.ShowBranch(a, v.key, q.ID, r, other)
	}
	if err != nil {
		return nil, err
	}
	if q.Type == "rerun" {
		return opened(q.ID, other, Anywhere, See(other, omissions)), nil
	}
	return opened(q.ID, other, *q.At+len(p.actions), 0), nil // the branch begins with them
}

// allows returns the room's refusal of a request, or nil.
func (m *Manager) allows(a *limit.Asker, q request, v *Viewer, r *Run) error {
	switch q.Type {
	case "branch", "rerun", "restore":
		return m.MayAct(a, v.key, r)
	case "look":
		return m.MayLook(a, v.key, r)
	case "room", "away":
		if v.live == nil {
			return ErrNoRoom
		}
	}
	return nil
}

// Watch lets a viewer watch until the socket ends, and then calls done. It draws the greeting before it returns: drawing
// takes a deep stack, which the goroutine that stays would keep.
func (m *Manager) Watch(a *limit.Asker, v *Viewer, has present.Extent, done func()) {
	m.Survives(func() { v.begin(a, m.MaxViewers, has) }, v.drop)()
	go m.Survives(func() { m.attend(v, done) }, v.drop)()
}

// begin tells a viewer the whole state and, from then on, every change. The viewer has the beginning of the log already.
func (v *Viewer) begin(a *limit.Asker, most int, has present.Extent) {
	if v.live != nil {
		v.live.dress(v)
	}
	if !v.run.viewers.join(a, v, most, has) {
		v.drop()
		return
	}
	if v.live != nil {
		v.live.Join(a, v)
	}
}

// attend stays with a viewer until the socket ends, and then calls done.
func (m *Manager) attend(v *Viewer, done func()) {
	defer m.Sockets.Remove(v)
	defer m.CountSlow(v)
	defer done() // before Close goes on
	defer v.End()
	defer v.run.viewers.leave(v)
	if v.live != nil {
		defer v.live.Leave(v)
	}
	m.read(v, v.run)
}

// Crowded reports whether the run has as many viewers as it may have.
func (r *Run) Crowded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.viewers.all) >= r.home.manager.MaxViewers
}

// Encode encodes a message of the protocol.
func Encode(message any) Frame { return NewFrame(present.Encode(message)) }

// ErrAnswers says that too many answers are on their way.
var ErrAnswers = refusal.Declare(refusal.Unavailable, refusal.Limit, "error.bytes")

// ErrReading says that too many incomplete messages are on their way.
var ErrReading = refusal.Declare(refusal.Unavailable, refusal.Limit, "error.reading")

// makes reports whether a request other than a press would make a run. An untouched run exists nowhere.
func (q request) makes(r *Run) bool {
	switch q.Type {
	case "branch", "rerun":
		return true
	case "restore":
		return r.Untouched()
	}
	return false
}

// A Socket returns them for a message that it does not read.
var (
	ErrBinary = refusal.Declare(refusal.Unprocessable, refusal.Binary, "error.binary")
	ErrLarge  = refusal.Declare(refusal.Unprocessable, refusal.TooLarge, "error.large", MaxMessage>>10)
)

// Anywhere stands for the end of a run, and for the position of a person who names none.
const Anywhere = -1

// MaxMessage is how many bytes a socket receives in one message at most.
const MaxMessage = 512 << 10
