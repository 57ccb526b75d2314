package room

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

// known strips a seat that the room does not have.
func (r *Room) known(who Who) Who {
	if r.seat(who.Seat) == nil {
		who.Seat = 0
	}
	return who
}

// drives reports whether somebody is the driver.
func (r *Room) drives(who Who) bool {
	if r.driver == 0 {
		return who.Presenter
	}
	return who.Seat == r.driver
}

// may refuses a person who may not do that, whatever the room's state.
func (r *Room) may(who Who, e Entry) error {
	rule := ruleOf(e.Verb)
	if rule == nil {
		return ErrMalformed
	}
	return rule.who(r, who, e)
}

// mayDrive lets the presenter hand over control, and the driver give it back.
func (r *Room) mayDrive(who Who, e Entry) error {
	givesBack := who.Seat != 0 && who.Seat == r.driver && e.Seat == 0
	if givesBack {
		return nil
	}
	return onlyPresenter(r, who, e)
}

// mayShow lets the presenter show any run. The driver opens branches, and does not show another seat's sandbox. Another run would drop
// an open prediction, which the presenter leads.
func (r *Room) mayShow(who Who, e Entry) error {
	switch owner := r.sandboxes[e.Run]; {
	case who.Presenter:
		return nil
	case e.Verdict != nil:
		return ErrPresenterOnly
	case !r.drives(who):
		return ErrDriverOnly
	case r.frozen():
		return ErrFrozen
	case owner != 0 && owner != who.Seat:
		return ErrPresenterOnly
	}
	return nil
}

// mayName lets each seat name itself, and the presenter take a name away without giving another.
func (r *Room) mayName(who Who, e Entry) error {
	if who.Presenter && e.takesAway() {
		return nil
	}
	return onlyOwnSeat(r, who, e)
}

// mayAsk lets the person who would lead the poll open it.
func (r *Room) mayAsk(who Who, e Entry) error {
	return r.mayPoll(who, e.Poll != nil && e.Poll.Kind == Network)
}

// mayPoll lets the presenter lead every poll. The driver leads a poll of the network, which is a way to act on the run.
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
	rule := ruleOf(e.Verb)
	switch {
	case rule == nil:
		return ErrMalformed
	case rule.possible == nil:
		return nil
	}
	return rule.possible(r, e)
}

func (r *Room) canOpen(e Entry) error {
	return formed(isCode(e.Code) && isHash(e.Key) && isShort(e.Run, maxID) && e.Name >= 0 && (e.Site == "" || isShort(e.Site, maxSite)))
}

func (r *Room) canPair(e Entry) error {
	if err := r.canKey(e.Key); err != nil {
		return err
	}
	switch {
	case e.Revoked != r.revoked:
		return ErrRevoked
	case 1+r.remotes() >= MaxKeys:
		return ErrKeys
	}
	return nil
}

func (r *Room) canRevoke(e Entry) error { return formed(r.keys[e.Key].Presenter) }

func canEnd(_ *Room, e Entry) error { return formed(e.Run == "" || isShort(e.Run, maxID)) }

func (r *Room) canShow(e Entry) error {
	if !e.Verdict.isFormed() {
		return ErrMalformed
	}
	if !isShort(e.Run, maxID) {
		return ErrMalformed
	}
	if owner, own := r.sandboxes[e.Run]; own && r.seat(owner) == nil {
		return ErrNoSeat
	}
	return same(e.Run == r.run)
}

func (r *Room) canDrive(e Entry) error {
	if e.Seat != 0 && r.seat(e.Seat) == nil {
		return ErrNoSeat
	}
	return same(e.Seat == r.driver)
}

func (r *Room) canCursor(e Entry) error {
	if !isPosition(e.At) {
		return ErrMalformed
	}
	return same(e.At == r.cursor)
}

func canFork(_ *Room, e Entry) error { return formed(isShort(e.Run, maxID) && isPosition(e.At)) }

func canChallenge(_ *Room, e Entry) error { return formed(isShort(e.Task, maxTask)) }

func isPosition(at int) bool { return at >= End && at <= maxAt }

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

// canKey refuses a malformed key and a key that is in use.
func (r *Room) canKey(hash string) error {
	if !isHash(hash) {
		return ErrMalformed
	}
	if r.Knows(hash) {
		return ErrKey
	}
	return nil
}
