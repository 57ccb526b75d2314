package session

import (
	"errors"
	"strings"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// MayLook is mayLook for whoever has a key of the run's room.
func (m *Manager) MayLook(a *limit.Asker, key string, run *Run) error {
	place := run.Place()
	return m.judge(a, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return in.MayLook(who, run.id, place.Seat)
	})
}

// mayAct refuses whoever may not do that with a run, of whose room they have a key.
// Those who do something else than one action, as to let a scheduler choose, name
// that and no client.
func (m *Manager) MayAct(a *limit.Asker, key string, run *Run) error {
	return m.judge(a, run.Place().Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return mayDo(in, who, run, []engine.Action{other})
	})
}

// judge asks a room whether something may be. What it refuses is asked again when
// it has been read anew, as another server may know more.
func (m *Manager) judge(a *limit.Asker, code string, refuse func(*room.Room) error) error {
	if code == "" {
		return nil
	}
	if h := m.Rooms.Of(code); h != nil && Ask(h, refuse) == nil {
		return nil
	}
	h, done, err := m.Rooms.Use(a, code)
	if err != nil {
		return err
	}
	defer done()
	return Ask(h, refuse)
}

// A Line is scenario text that somebody acts with, read once.
type Line struct {
	line    string
	actions []engine.Action
	wrong   error // why it is no line of actions; the actions are one that nobody but a driver may do
}

func ReadLine(line string) Line {
	actions, err := parseLine(line)
	if err != nil {
		actions = []engine.Action{{}}
	}
	return Line{line, actions, err}
}

// Act does what a line says, for somebody who has seen the run at a position. The id is of their request, as ownID gives it;
// empty: it has none.
func (m *Manager) Act(a *limit.Asker, key string, run *Run, at int, id string, line Line) error {
	return run.act(a, m.presses(a, key, run, at, id, line.wrong, line.actions...), line.actions...)
}

// Schedule lets the run's lesson go on or, where it has none, a scheduler choose.
func (m *Manager) Schedule(a *limit.Asker, key string, run *Run, at int, id string, s engine.Scheduler) error {
	return run.schedule(a, m.presses(a, key, run, at, id, nil, other), s)
}

// presses returns what somebody does at the end of a run. The room is asked before the run's lock is taken. Its answer, the
// limits, and what else is wrong come into force under the lock, unless the request has been answered before.
func (m *Manager) presses(a *limit.Asker, key string, run *Run, at int, id string, wrong error, what ...engine.Action) press {
	place := run.Place()
	var r rank
	refused := m.judge(a, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		r = rankOf(in, key)
		return mayDo(in, who, run, what)
	})
	return press{id: id, at: at, admit: func() error {
		if refused != nil {
			return refused
		}
		if err := m.mayGoOn(a, key, place, r); err != nil {
			return err
		}
		if run.Untouched() {
			if err := m.MayMake(a.Network(), a.Person()); err != nil {
				return err
			}
		}
		return wrong
	}}
}

// mayDo asks a room whether somebody may do all of that with a run.
func mayDo(in *room.Room, who room.Who, run *Run, what []engine.Action) error {
	for _, action := range what {
		if err := in.MayAct(who, run.id, run.Place().Seat, string(action.Verb), action.Client); err != nil {
			return err
		}
	}
	return nil
}

// other is what is no action of a scenario: to let a scheduler choose, to begin a
// branch, to run a schedule again.
var other = engine.Action{Verb: present.AnyAct}

// mayGoOn counts an action of somebody in a run, or refuses it where they act too fast: as a person and as one of their
// network; whoever has a client of a room's run, but does not lead there, as slowly as in the room.
func (m *Manager) mayGoOn(a *limit.Asker, key string, place Place, r rank) error {
	if place.isRoom() && !r.leads {
		return m.countEntry(a, key, r)
	}
	if !m.Limits.mayAct(a) {
		m.Refused("actions")
		return errTooFast
	}
	return nil
}

// MayGoOn is mayGoOn for what is no press.
func (m *Manager) MayGoOn(a *limit.Asker, key string, run *Run) error {
	place, r := run.Place(), rank{leads: true}
	if h := m.Rooms.Of(place.Room); h != nil {
		r = Ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	}
	return m.mayGoOn(a, key, place, r)
}

// mayEnter counts an entry of somebody in a room, or refuses it where they enter too many.
func (m *Manager) mayEnter(a *limit.Asker, h *LiveRoom, key string) error {
	r := Ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	if r.leads {
		h.leader.Store(a.Network())
	}
	return m.countEntry(a, key, r)
}

func (m *Manager) countEntry(a *limit.Asker, key string, r rank) error {
	own := m.Limits.OwnEntries
	if r.leads {
		own = m.Limits.Presenting
	}
	if !r.known { // anybody can make one up
		key = a.Network() + " " + a.Person()
	}
	if !own.Allow(key) || !m.Limits.Entries.Allow(a.Network()) {
		m.Refused("entries")
		return errTooFast
	}
	return nil
}

// A rank is how a room counts what somebody does: the presenter and the driver lead it.
type rank struct{ leads, known bool }

func rankOf(in *room.Room, key string) rank {
	who, _ := in.Who(key)
	return rank{who.Presenter || who.Seat != 0 && who.Seat == in.Driver(), in.Knows(key)}
}

// errTooFast refuses what somebody does more often than a hand does it.
var errTooFast = refusal.Declare(refusal.TooMany, refusal.Limit, "error.fast")

// Place returns whose the run is. It takes no lock.
func (r *Run) Place() Place {
	if place := r.place.Load(); place != nil {
		return *place
	}
	return Place{}
}

// ownID is a request's id as that of one person: nobody in a room is to use up those
// that another will send.
func ownID(key, id string) string {
	if id == "" {
		return ""
	}
	return key[:min(len(key), 16)] + "/" + id // the key is a hash
}

// asked reports whoever has sent the request of an id, whatever else they look at.
func (v *Viewer) asked(id string) bool { return id != "" && id == ownID(v.key, sentID(id)) }

// sentID is the id as it was sent.
func sentID(id string) string {
	if _, sent, own := strings.Cut(id, "/"); own {
		return sent
	}
	return id
}

// showBranch lets the room show a branch that its driver has opened, and the wall one of an own run.
func (m *Manager) ShowBranch(a *limit.Asker, key, id string, from, branch *Run) error {
	place := from.Place()
	if place.Room == "" || branch == nil || branch == from {
		return nil
	}
	h, done, err := m.Rooms.Use(a, place.Room)
	if err != nil {
		return err
	}
	defer done()
	// The branch of an own run takes its place on the wall and in the ranking.
	if place.Seat > 0 && Ask(h, func(r *room.Room) string { return r.Sandbox(place.Seat) }) == from.id {
		if err := h.Do(a, key, room.Entry{Verb: room.VerbOwn, Seat: place.Seat, Run: branch.id, From: from.id}); err == nil {
			branch.mu.Lock()
			m.changed(branch)
			branch.mu.Unlock()
		}
	}
	if Ask(h, (*room.Room).Run) != from.id {
		return nil
	}
	err = h.Do(a, key, room.Entry{ID: id, Verb: room.VerbShow, Run: branch.id})
	if errors.Is(err, room.ErrDriverOnly) {
		return nil // it is their own sandbox that the room looks at
	}
	return err
}
