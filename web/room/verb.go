package room

import "slices"

// A Verb is what an entry does to the room.
type Verb string

// A verb is all that the room knows about a Verb. A new one is declared beside its subject, in the subject's list.
type verb struct {
	name     Verb
	who      func(*Room, Who, Entry) error // refuses a person who may not do this in any state of the room
	possible func(*Room, Entry) error      // refuses an entry that cannot follow on the room's state; nil: refuses none
	apply    func(*Room, Entry)            // changes the room
	read     func(Who, Form) Entry         // reads the entry from a form; nil: no form holds all of it
	control  func(*Room, Who) Entry        // returns what the verb's control would append now; nil: it has no single control

	// Its part of the log.
	from  source
	last  func(Entry) bool        // reports whether an entry fits beyond MaxEntries, up to MaxLast; nil: no entry does
	bytes func(Entry) int         // counts the bytes of an entry's text; nil: they are bounded by the number of entries
	pile  pile                    // which bytes of others they are counted with
	often func(*Room, Entry) bool // reports whether a seat has appended as many as it may; nil: MaxSeatEntries alone bounds them

	begins bool // something begins: an exercise that has ended is no longer what was on last
	crowd  bool // many people append it at once, so others may hear of it a moment later
	wide   bool // it goes through all seats, or the record counts them
}

// verbs has them all. Pages list them in this order.
var verbs = slices.Concat(doorVerbs, peopleVerbs, endVerbs, displayVerbs, laneVerbs, pollVerbs, exerciseVerbs, timerVerbs, testVerbs, playlistVerbs)

// Verbs returns every verb.
func Verbs() []Verb {
	var all []Verb
	for _, v := range verbs {
		all = append(all, v.name)
	}
	return all
}

// declared returns what the room knows about the verb; nil: it knows no such verb.
func (v Verb) declared() *verb {
	i := slices.IndexFunc(verbs, func(d verb) bool { return d.name == v })
	if i < 0 {
		return nil
	}
	return &verbs[i]
}

// CanWait reports whether others may hear of an entry a moment later, as many people append such entries at once.
func (v Verb) CanWait() bool { d := v.declared(); return d != nil && d.crowd }

// IsWide reports whether the room goes through all seats to apply an entry, or to record what is over.
func (v Verb) IsWide() bool { d := v.declared(); return d != nil && d.wide }

// calms marks the verbs that calm a room, answer an open question, or lead to the end: they keep their place in a full log.
func calms(Entry) bool { return true }

// bare is an entry without fields.
func bare(*Room, Who) Entry { return Entry{} }

// nobody refuses everybody: a room that is open is not opened again. Can lets the first entry in.
func nobody(*Room, Who, Entry) error { return ErrOpened }

func onlyPresenter(_ *Room, who Who, _ Entry) error {
	if !who.Presenter {
		return ErrPresenterOnly
	}
	return nil
}

func onlyNewcomer(_ *Room, who Who, _ Entry) error {
	if who != (Who{}) {
		return ErrJoined
	}
	return nil
}

func onlyDriver(r *Room, who Who, _ Entry) error {
	if !r.drives(who) {
		return ErrDriverOnly
	}
	return nil
}

func onlyOwnSeat(_ *Room, who Who, e Entry) error {
	switch who.Seat {
	case 0:
		return ErrSeatOnly
	case e.Seat:
		return nil
	}
	return ErrNotYours
}

// formed refuses an entry with a field that no page sends.
func formed(ok bool) error {
	if !ok {
		return ErrMalformed
	}
	return nil
}

// same refuses a change that would change nothing.
func same(is bool) error {
	if is {
		return ErrSame
	}
	return nil
}
