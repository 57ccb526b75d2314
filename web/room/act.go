package room

import "slices"

// laneActions are the actions that the holder of a client may do with it, under their names in a scenario. What they do
// is the engine's business.
var laneActions = []string{"step", "deliver", "receive", "pause", "resume", "crash", "restart"}

// MayAct returns nil if somebody may do an action in a run of the room, or the refusal. The owner is the seat whose
// sandbox the run is, as the run's own log says, and 0 for a run of the room. verb and client belong to the action.
func (r *Room) MayAct(who Who, run string, owner int, verb, client string) error {
	who = r.known(who)
	shown := run == r.run
	switch {
	case r.code == "":
		return ErrUnopened
	case r.over:
		return ErrOver
	case shown && r.frozen():
		return ErrFrozen
	case owner != 0 && who.Seat == owner:
		return nil
	case shown && r.drives(who) && (owner == 0 || who.Presenter): // the presenter demonstrates in a sandbox; another driver does not
		return nil
	case owner != 0:
		return ErrNotYours
	case !shown && who.Presenter:
		return nil // the presenter prepares a branch and shows it later
	case !shown:
		return ErrNotShown
	case who.Seat == 0, !r.HasLanes(), client == "", !slices.Contains(laneActions, verb):
		return ErrDriverOnly
	case r.seat(who.Seat).lane != client:
		return ErrNotYours
	}
	return nil
}

// MayLook returns nil if somebody may see a run of the room, or the refusal. The owner is as for MayAct. The end of the
// room changes nothing.
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
