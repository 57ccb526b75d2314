package web

import (
	"errors"
	"net/http"
	"strings"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// mayLook refuses whoever may not see a run. A run of no room is for whoever has
// its address.
func (s *Server) mayLook(r *http.Request, run *run) error {
	return s.mayLookAs(askerOf(r), keyFor(r, run), run)
}

// mayLookAs is mayLook for whoever has a key of the run's room.
func (s *Server) mayLookAs(a *limit.Asker, key string, run *run) error {
	place := run.placed()
	return s.judge(a, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return in.MayLook(who, run.id, place.Seat)
	})
}

// mayAct refuses whoever may not do that with a run, of whose room they have a key.
// Those who do something else than one action, as to let a scheduler choose, name
// that and no client.
func (s *Server) mayAct(a *limit.Asker, key string, run *run, what ...engine.Action) error {
	return s.judge(a, run.placed().Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		return mayDo(in, who, run, what)
	})
}

// judge asks a room whether something may be. What it refuses is asked again when
// it has been read anew, as another server may know more.
func (s *Server) judge(a *limit.Asker, code string, refuse func(*room.Room) error) error {
	if code == "" {
		return nil
	}
	if h := s.rooms.of(code); h != nil && ask(h, refuse) == nil {
		return nil
	}
	h, done, err := s.rooms.use(a, code)
	if err != nil {
		return err
	}
	defer done()
	return ask(h, refuse)
}

// A typedLine is scenario text that somebody acts with, read once.
type typedLine struct {
	line    string
	actions []engine.Action
	wrong   error // why it is no line of actions; the actions are one that nobody but a driver may do
}

func readLine(line string) typedLine {
	actions, err := parseLine(line)
	if err != nil {
		actions = []engine.Action{{}}
	}
	return typedLine{line, actions, err}
}

// presses returns what somebody does at the end of a run. The room is asked before the run's lock is taken. Its answer, the
// limits, and what else is wrong come into force under the lock, unless the request has been answered before.
func (s *Server) presses(a *limit.Asker, v visitor, key string, run *run, at int, id string, wrong error, what ...engine.Action) press {
	place := run.placed()
	var r rank
	refused := s.judge(a, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		r = rankOf(in, key)
		return mayDo(in, who, run, what)
	})
	return press{id: id, at: at, admit: func() error {
		if refused != nil {
			return refused
		}
		if err := s.mayGoOn(v, key, place, r); err != nil {
			return err
		}
		if run.untouched() {
			if err := s.mayMake(v); err != nil {
				return err
			}
		}
		return wrong
	}}
}

// mayDo asks a room whether somebody may do all of that with a run.
func mayDo(in *room.Room, who room.Who, run *run, what []engine.Action) error {
	for _, action := range what {
		if err := in.MayAct(who, run.id, run.placed().Seat, string(action.Verb), action.Client); err != nil {
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
func (s *Server) mayGoOn(v visitor, key string, place roomSeat, r rank) error {
	if place.isRoom() && !r.leads {
		return s.countEntry(v, key, r)
	}
	if !v.may(s.guard.actions, s.guard.ownActions) {
		s.refused("actions")
		return errTooFast
	}
	return nil
}

// mayGoOnIn is mayGoOn for what is no press.
func (s *Server) mayGoOnIn(v visitor, key string, run *run) error {
	place, r := run.placed(), rank{leads: true}
	if h := s.rooms.of(place.Room); h != nil {
		r = ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	}
	return s.mayGoOn(v, key, place, r)
}

// mayEnter counts an entry of somebody in a room, or refuses it where they enter too many.
func (s *Server) mayEnter(v visitor, h *hub, key string) error {
	r := ask(h, func(in *room.Room) rank { return rankOf(in, key) })
	if r.leads {
		h.leader.Store(v.network)
	}
	return s.countEntry(v, key, r)
}

func (s *Server) countEntry(v visitor, key string, r rank) error {
	own := s.guard.ownEntries
	if r.leads {
		own = s.guard.presenting
	}
	if !r.known { // anybody can make one up
		key = v.network + " " + v.person
	}
	if !own.Allow(key) || !s.guard.entries.Allow(v.network) {
		s.refused("entries")
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

// placed returns whose the run is. It takes no lock.
func (r *run) placed() roomSeat {
	if place := r.place.Load(); place != nil {
		return *place
	}
	return roomSeat{}
}

// keyFor is the hash of the key that a request brings for the room of a run.
func keyFor(r *http.Request, run *run) string {
	if place := run.placed(); place.Room != "" {
		return keyOf(r, place.Room)
	}
	return ""
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
func (v *viewer) asked(id string) bool { return id != "" && id == ownID(v.key, sentID(id)) }

// sentID is the id as it was sent.
func sentID(id string) string {
	if _, sent, own := strings.Cut(id, "/"); own {
		return sent
	}
	return id
}

// showBranch lets the room show a branch that its driver has opened, and the wall one of an own run.
func (s *Server) showBranch(a *limit.Asker, key, id string, from, branch *run) error {
	place := from.placed()
	if place.Room == "" || branch == nil || branch == from {
		return nil
	}
	h, done, err := s.rooms.use(a, place.Room)
	if err != nil {
		return err
	}
	defer done()
	// The branch of an own run takes its place on the wall and in the ranking.
	if place.Seat > 0 && ask(h, func(r *room.Room) string { return r.Sandbox(place.Seat) }) == from.id {
		if err := h.do(a, key, room.Entry{Verb: room.VerbOwn, Seat: place.Seat, Run: branch.id, From: from.id}); err == nil {
			branch.mu.Lock()
			s.changed(branch)
			branch.mu.Unlock()
		}
	}
	if ask(h, (*room.Room).Run) != from.id {
		return nil
	}
	err = h.do(a, key, room.Entry{ID: id, Verb: room.VerbShow, Run: branch.id})
	if errors.Is(err, room.ErrDriverOnly) {
		return nil // it is their own sandbox that the room looks at
	}
	return err
}
