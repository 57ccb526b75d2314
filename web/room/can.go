package room

// Can says whether somebody may append an entry now: nil, or the refusal. It is the
// whole authorisation of what changes a room. What an entry says of the world
// outside (that a run is there and belongs to the room, which choice is right,
// that a challenge is solved) is found out by the server and never taken
// from whoever asks.
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

// known is somebody as far as the room knows them.
func (r *Room) known(who Who) Who {
	if r.seat(who.Seat) == nil {
		who.Seat = 0
	}
	return who
}

// drives reports the driver.
func (r *Room) drives(who Who) bool {
	if r.driver == 0 {
		return who.Presenter
	}
	return who.Seat == r.driver
}

// may refuses whoever is not the one to do that, whatever the state of the room.
func (r *Room) may(who Who, e Entry) error {
	switch e.Verb {
	case VerbPair, VerbRevoke, VerbRemove, VerbLock, VerbSwitch, VerbEnd, VerbGather, VerbBlack, VerbLanes, VerbPlace, VerbFork, VerbChallenge, VerbHome:
		if !who.Presenter {
			return ErrPresenterOnly
		}
	case VerbJoin:
		if who != (Who{}) {
			return ErrJoined
		}
	case VerbDrive:
		givesBack := who.Seat != 0 && who.Seat == r.driver && e.Seat == 0
		if !who.Presenter && !givesBack {
			return ErrPresenterOnly
		}
	case VerbCursor:
		if !r.drives(who) {
			return ErrDriverOnly
		}
	case VerbShow:
		if !who.Presenter && !r.drives(who) {
			return ErrDriverOnly
		}
		// A driver opens branches, and does not show what another does alone.
		if owner := r.sandboxes[e.Run]; !who.Presenter && owner != 0 && owner != who.Seat {
			return ErrPresenterOnly
		}
	case VerbAsk:
		return r.mayPoll(who, e.Poll != nil && e.Poll.Kind == Network)
	case VerbRound, VerbReveal, VerbDrop:
		return r.mayPoll(who, r.poll != nil && r.poll.question.Kind == Network)
	case VerbName:
		// The presenter may take a name away, and give none.
		if who.Presenter && e.takesAway() {
			return nil
		}
		return mayAs(who, e.Seat)
	case VerbVote, VerbOwn, VerbMark:
		return mayAs(who, e.Seat)
	default:
		return ErrMalformed
	}
	return nil
}

// mayPoll refuses whoever does not lead a poll: that is the presenter and, since asking the network is a way
// of acting on the run, the driver.
func (r *Room) mayPoll(who Who, network bool) error {
	switch {
	case who.Presenter:
		return nil
	case !network:
		return ErrPresenterOnly
	case !r.drives(who):
		return ErrDriverOnly
	}
	return nil
}

// mayAs refuses whoever does not have that seat.
func mayAs(who Who, seat int) error {
	switch who.Seat {
	case 0:
		return ErrSeatOnly
	case seat:
		return nil
	}
	return ErrNotYours
}

// possible refuses what cannot follow on the room's state, whoever asks. It is what Apply
// goes by, as a log does not say who has asked.
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
	switch e.Verb {
	case VerbOpen:
		if !isCode(e.Code) || !isHash(e.Key) || !isShort(e.Run, maxID) || e.Name < 0 {
			return ErrMalformed
		}
	case VerbPair:
		if err := r.canKey(e.Key); err != nil {
			return err
		}
		if e.Revoked != r.revoked {
			return ErrRevoked
		}
		if 1+r.remotes() >= MaxKeys {
			return ErrKeys
		}
	case VerbRevoke:
		if !r.keys[e.Key].Presenter {
			return ErrMalformed
		}
	case VerbJoin:
		return r.canJoin(e.Key)
	case VerbRemove:
		return r.canRemove(e.Seats)
	case VerbLock:
		return same(e.On == r.locked)
	case VerbName:
		return r.canName(e)
	case VerbSwitch:
		return same(e.Free == r.free && e.Rosters == r.rosters)
	case VerbEnd:
		if e.Run != "" && !isShort(e.Run, maxID) {
			return ErrMalformed
		}

	case VerbShow:
		if !isShort(e.Run, maxID) {
			return ErrMalformed
		}
		if owner, own := r.sandboxes[e.Run]; own && r.seat(owner) == nil {
			return ErrNoSeat
		}
		return same(e.Run == r.run)
	case VerbDrive:
		if e.Seat != 0 && r.seat(e.Seat) == nil {
			return ErrNoSeat
		}
		return same(e.Seat == r.driver)
	case VerbCursor:
		if e.At < End || e.At > maxAt {
			return ErrMalformed
		}
		return same(e.At == r.cursor)
	case VerbGather:
	case VerbBlack:
		return same(e.On == r.black)

	case VerbLanes:
		return canLanes(e.Lanes, e.Size)
	case VerbPlace:
		return r.canPlace(e.Seat, e.Lane)

	case VerbAsk:
		return r.canAsk(e.Poll)
	case VerbVote:
		return r.canVote(e.Seat, e.Choice)
	case VerbRound:
		return r.canRound()
	case VerbReveal:
		return r.canReveal(e.Choice)
	case VerbDrop:
		if r.poll == nil {
			return ErrNoPoll
		}

	case VerbFork:
		if !isShort(e.Run, maxID) || e.At < End || e.At > maxAt {
			return ErrMalformed
		}
	case VerbChallenge:
		if !isShort(e.Task, maxTask) {
			return ErrMalformed
		}
	case VerbOwn:
		return r.canOwn(e)
	case VerbMark:
		return r.canMark(e)
	case VerbHome:
		if r.exercise == nil {
			return ErrNoExercise
		}
	default:
		return ErrMalformed
	}
	return nil
}

func same(is bool) error {
	if is {
		return ErrSame
	}
	return nil
}

// canKey refuses a key that is none or is known.
func (r *Room) canKey(hash string) error {
	if !isHash(hash) {
		return ErrMalformed
	}
	if r.Knows(hash) {
		return ErrKey
	}
	return nil
}
