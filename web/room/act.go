package room

import "slices"

// ofALane are the actions that whoever holds a client may do with it. They have the names
// that they have in a scenario; what they do is not this package's business.
var ofALane = []string{"step", "deliver", "receive", "pause", "resume", "crash", "restart"}

// MayAct says whether somebody may do an action in a run of the room. The owner is the
// seat whose sandbox the run is, 0 for one of the room's, as the run's own log
// says; verb and client are those of the action.
func (r *Room) MayAct(who Who, run string, owner int, verb, client string) error {
	who = r.known(who)
	shown := run == r.run
	switch {
	case r.code == "":
		return ErrUnopened
	case r.over:
		return ErrOver
	case owner != 0 && who.Seat == owner:
		return nil
	case shown && r.drives(who) && (owner == 0 || who.Presenter): // the presenter shows what could be done; a neighbour does not
		return nil
	case owner != 0:
		return ErrNotYours
	case !shown && who.Presenter:
		return nil // a branch that is prepared, and shown later
	case !shown:
		return ErrNotShown
	case who.Seat == 0, r.lanes == nil, client == "", !slices.Contains(ofALane, verb):
		return ErrDriverOnly
	case r.seat(who.Seat).lane != client:
		return ErrNotYours
	}
	return nil
}

// MayLook says whether somebody may see a run of the room, of which the owner is as for MayAct.
// It is so after the end as before.
func (r *Room) MayLook(who Who, run string, owner int) error {
	who = r.known(who)
	switch {
	case r.code == "":
		return ErrUnopened
	case owner == 0, run == r.run, who.Presenter, who.Seat == owner:
		return nil
	}
	return ErrNotYours
}
