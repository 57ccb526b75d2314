package web

import (
	"errors"
	"net/http"
	"strings"

	"lockstep/engine"
	"lockstep/web/limit"
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
	place := run.placed()
	return s.judge(a, place.Room, func(in *room.Room) error {
		who, _ := in.Who(key)
		for _, action := range what {
			if err := in.MayAct(who, run.id, place.Seat, string(action.Verb), action.Client); err != nil {
				return err
			}
		}
		return nil
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

// mayDo is mayAct for a line of scenario text. What is no line is told so by
// whoever does it, to those who may do something here.
func (s *Server) mayDo(a *limit.Asker, key string, run *run, line string) error {
	actions, err := parseLine(line)
	if err != nil || len(actions) == 0 {
		actions = []engine.Action{{}}
	}
	return s.mayAct(a, key, run, actions...)
}

// other is what is no action of a scenario: to let a scheduler choose, to begin a
// branch, to run a schedule again.
var other = engine.Action{Verb: "other"}

// mayGoOn counts an action of somebody in a run, or refuses it where they act too fast: as a person and as one of their
// network; whoever has a client of a room's run, but does not lead there, as slowly as in the room.
func (s *Server) mayGoOn(v visitor, key string, run *run) error {
	place := run.placed()
	if place.Room != "" && place.Seat == 0 {
		if h := s.rooms.of(place.Room); h != nil && !h.leading(key) {
			return s.mayEnter(v, h, key)
		}
	}
	if !v.may(s.guard.actions, s.guard.ownActions) {
		s.refused("actions")
		return errTooFast
	}
	return nil
}

// mayEnter counts an entry of somebody in a room, or refuses it where they enter too many.
func (s *Server) mayEnter(v visitor, h *hub, key string) error {
	own := s.guard.ownEntries
	if h.leading(key) {
		own = s.guard.presenting
		h.leader.Store(v.network)
	}
	if !ask(h, func(r *room.Room) bool { return r.Knows(key) }) { // anybody can make one up
		key = v.network + " " + v.person
	}
	if !own.Allow(key) || !s.guard.entries.Allow(v.network) {
		s.refused("entries")
		return errTooFast
	}
	return nil
}

// leading reports the presenter and the driver.
func (h *hub) leading(key string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	return who.Presenter || who.Seat != 0 && who.Seat == h.room.Driver()
}

// errTooFast refuses what somebody does more often than a hand does it.
var errTooFast = refusal.Declare(refusal.TooMany, refusal.Limit, "error.fast")

// placed says whose the run is.
func (r *run) placed() roomSeat {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.place
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
