package room

import "errors"

// A Who is a person at the room's door: the presenter, the owner of a seat or, as the zero value, a spectator.
type Who struct {
	Presenter bool
	Seat      int // from 1; 0: none
}

// A Room is the fold of its entries. The zero Room has not been opened.
//
// Each subject folds its own part. Room orders them, as some verbs change several: whoever leaves takes back a vote, and
// another run ends the poll.
type Room struct {
	extent
	door
	people
	display
	lanes
	polls
	exercises
	timer
	tests
	playlist
	record

	over   bool
	replay string
}

// VerbEnd ends the room.
const VerbEnd Verb = "end" // Run: the replay; nothing is possible afterwards

var endVerbs = []verb{{
	name: VerbEnd, who: onlyPresenter,
	possible: func(_ *Room, e Entry) error { return formed(e.Run == "" || isShort(e.Run, maxID)) },
	apply:    end,
	control:  bare,
	wide:     true,
}}

// New returns a room that waits for its first entry.
func New() *Room { return &Room{} }

// Over reports whether the room has ended.
func (r *Room) Over() bool { return r.over }

// Apply folds an entry in. An entry that is not possible changes nothing, and neither does a verb that only a newer
// server knows: every log can be folded to its end.
func (r *Room) Apply(e Entry) {
	ok := r.possible(e) == nil
	r.entries++
	if !ok {
		return
	}
	v := e.Verb.declared()
	r.count(v, e)
	v.apply(r, e)
	if r.timer.of != r.timed() {
		r.timer = timer{}
	}
	if v.begins {
		r.ended = false
	}
}

// Can returns nil if somebody may append an entry now, or the refusal. It authorises every change of a room. The server
// finds out what an entry claims about the world outside (a run is there and belongs to the room, a choice is right, a
// challenge is solved) and never takes a visitor's word for it.
func (r *Room) Can(who Who, e Entry) error {
	switch {
	case r.code == "" || e.Verb == VerbOpen:
		return r.possible(e)
	case r.over:
		return ErrOver
	}
	who = r.known(who)
	if err := r.may(who, e); err != nil {
		return err
	}
	if err := r.possible(e); err != nil {
		return err
	}
	return r.fits(who, e)
}

// Allowed returns the verbs whose single control somebody may press now, in the order of Verbs. It asks Can for each.
// A press that changes nothing is allowed.
func (r *Room) Allowed(who Who) []Verb {
	var allowed []Verb
	for i := range verbs {
		v := &verbs[i]
		if v.control == nil {
			continue
		}
		e := v.control(r, who)
		e.Verb = v.name
		if err := r.Can(who, e); err == nil || errors.Is(err, ErrSame) {
			allowed = append(allowed, v.name)
		}
	}
	return allowed
}

// known strips a seat that the room does not have.
func (r *Room) known(who Who) Who {
	if r.seat(who.Seat) == nil {
		who.Seat = 0
	}
	return who
}

// may refuses a person who may not do that, whatever the room's state.
func (r *Room) may(who Who, e Entry) error {
	v := e.Verb.declared()
	if v == nil {
		return ErrMalformed
	}
	return v.who(r, who, e)
}

// possible refuses what cannot follow on the room's state, whoever asks. Apply relies on it alone, as a log does not
// say who asked.
func (r *Room) possible(e Entry) error {
	switch {
	case r.code == "" && e.Verb != VerbOpen:
		return ErrUnopened
	case r.code != "" && e.Verb == VerbOpen:
		return ErrOpened
	case r.over:
		return ErrOver
	case e.ID != "" && !isShort(e.ID, maxID):
		return ErrMalformed
	}
	v := e.Verb.declared()
	switch {
	case v == nil:
		return ErrMalformed
	case v.possible == nil:
		return nil
	}
	return v.possible(r, e)
}

// end ends the room, and all that goes on in it.
func end(r *Room, e Entry) {
	r.drop()
	r.home()
	r.over, r.replay = true, e.Run
}

// drop takes the poll away.
func (r *Room) drop() {
	if r.poll != nil && r.poll.phase != Revealed { // a revealed one is in the record
		r.keepPoll(r.poll)
	}
	r.poll = nil
}

// home ends the exercise, and records it if anybody has begun.
func (r *Room) home() {
	if r.exercise != nil {
		r.keepExercise(r.outcome())
		r.exercise = nil
	}
}
