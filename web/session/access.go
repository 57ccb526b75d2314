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

// MayLook returns nil if the person with a key of the run's room may see the run, or the refusal.
func (m *Manager) MayLook(a *limit.Asker, key string, run *Run) error {
	place := run.Place()
	return m.askRoom(a, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return in.MayLook(who, run.id, place.Seat)
	})
}

// MayAct returns nil if the person with a key of the run's room may act in the run in ways that are no single action,
// such as letting a scheduler choose.
func (m *Manager) MayAct(a *limit.Asker, key string, run *Run) error {
	return m.askRoom(a, run.Place().Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return mayDo(in, who, run, []engine.Action{other})
	})
}

// askRoom asks a room for a refusal. It reads the room again before it believes one, because another server may know more.
func (m *Manager) askRoom(a *limit.Asker, code string, refuse func(*room.Room) error) error {
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
func mayDo(in *room.Room, who room.Who, run *Run, what []engine.Action) error {
	for _, action := range what {
		if err := in.MayAct(who, run.id, run.Place().Seat, string(action.Verb), action.Client); err != nil {
			return err
		}
	}
	return nil
}

// other stands for everything that is no action of a scenario: letting a scheduler choose, opening a branch, doing a
// schedule again.
var other = engine.Action{Verb: present.AnyAct}

// countAction counts an action of a person in a run, or refuses a person who acts too fast. The limits count the person and
// their network. A person who has a client of a room's run, but does not lead the room, acts as slowly as in the room.
func (m *Manager) countAction(a *limit.Asker, key string, place Place, r rank) error {
	if place.isRoom() && !r.leads {
		return m.countEntry(a, key, r)
	}
	if !m.Limits.mayAct(a) {
		m.Refused("actions")
		return errTooFast
	}
	return nil
}

// CountAction is countAction for an action that is no press.
func (m *Manager) CountAction(a *limit.Asker, key string, run *Run) error {
	place, r := run.Place(), rank{leads: true}
	if h := m.Rooms.Of(place.Room); h != nil {
		r = Ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	}
	return m.countAction(a, key, place, r)
}

// mayEnter counts an entry of a person in a room, or refuses a person who enters too many.
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
	if !r.known { // anybody can make up a key
		key = a.Network() + " " + a.Person()
	}
	if !own.Allow(key) || !m.Limits.Entries.Allow(a.Network()) {
		m.Refused("entries")
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

// Place returns the place of the run in a room. It takes no lock.
func (r *Run) Place() Place {
	if place := r.place.Load(); place != nil {
		return *place
	}
	return Place{}
}

// ownID marks the id of a request with the person who has sent it: nobody in a room uses up the ids of another.
func ownID(key, id string) string {
	if id == "" {
		return ""
	}
	return key[:min(len(key), 16)] + "/" + id // the key is a hash
}

// asked reports whether the viewer's person has sent the request of an id, from this page or another.
func (v *Viewer) asked(id string) bool { return id != "" && id == ownID(v.key, sentID(id)) }

// sentID returns the id as the page sent it.
func sentID(id string) string {
	if _, sent, own := strings.Cut(id, "/"); own {
		return sent
	}
	return id
}

// ShowBranch shows a branch to the room if its driver has opened it, and on the wall if it is a branch of a sandbox.
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
	// The branch takes the place of the sandbox on the wall and in the ranking.
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
	err = h.Do(a, key, room.Entry{ID: id, Verb: room.VerbShow, Run: branch.id, Task: branch.Task().Name(), From: from.id})
	if errors.Is(err, room.ErrDriverOnly) {
		return nil // the room looks at the sandbox of this person
	}
	return err
}
