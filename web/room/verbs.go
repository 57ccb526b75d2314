package room

import "slices"

// A rule is all that the room knows about a verb. A new verb is a constant in entry.go and a rule here.
type rule struct {
	verb     Verb
	who      func(*Room, Who, Entry) error // refuses a person who may not do this in any state of the room
	possible func(*Room, Entry) error      // refuses an entry that cannot follow on the room's state; nil: refuses none
	apply    func(*Room, Entry)            // changes the room
	read     func(Who, Form) Entry         // reads the entry from a form; nil: no form holds all of it
	from     source                        // whose part of the log an entry fills
	last     func(Entry) bool              // reports whether an entry fits beyond MaxEntries, up to MaxLast; nil: no entry does
	control  func(*Room, Who) Entry        // returns what the verb's control would append now; nil: it has no single control
}

// A source tells whose part of the log the entries of a verb fill.
type source int

const (
	fromPresenter source = iota
	fromNewcomer
	fromSeat   // Entry.Seat appends it for itself
	fromDriver // a seat appends it while it drives
)

// calms marks the verbs that calm a room, answer an open question, or lead to the end: they keep their place in a full log.
func calms(Entry) bool { return true }

// rules has every verb, in the order of entry.go.
var rules = []rule{
	// The room and the people in it.
	{verb: VerbOpen, who: nobody, possible: (*Room).canOpen, apply: (*Room).open},
	{
		verb: VerbPair, who: onlyPresenter,
		possible: (*Room).canPair,
		apply:    func(r *Room, e Entry) { r.keys[e.Key] = Who{Presenter: true} },
	},
	{
		verb: VerbRevoke, who: onlyPresenter,
		possible: (*Room).canRevoke,
		apply:    func(r *Room, e Entry) { r.revoke(e.Key) },
		last:     calms,
	},
	{
		verb: VerbJoin, who: onlyNewcomer,
		possible: func(r *Room, e Entry) error { return r.canJoin(e.Key) },
		apply:    func(r *Room, e Entry) { r.join(e.Key) },
		from:     fromNewcomer,
	},
	{
		verb: VerbRemove, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return r.canRemove(e.Seats) },
		apply:    (*Room).removeAll,
		read:     func(_ Who, f Form) Entry { return Entry{Seats: f.seats("seat")} },
		last:     calms,
	},
	{
		verb: VerbLock, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return same(e.On == r.locked) },
		apply:    func(r *Room, e Entry) { r.locked = e.On },
		read:     readOn,
		last:     calms,
		control:  func(r *Room, _ Who) Entry { return Entry{On: !r.locked} },
	},
	{
		verb: VerbName, who: (*Room).mayName,
		possible: (*Room).canName,
		apply:    (*Room).rename,
		read:     readName,
		from:     fromSeat,
		last:     Entry.takesAway,
	},
	{
		verb: VerbSwitch, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return same(e.Free == r.free && e.Rosters == r.rosters) },
		apply:    func(r *Room, e Entry) { r.free, r.rosters = e.Free, e.Rosters },
		read:     func(_ Who, f Form) Entry { return Entry{Free: f.on("free"), Rosters: f.on("roster")} },
		control:  func(r *Room, _ Who) Entry { return Entry{Free: !r.free, Rosters: r.rosters} },
	},
	{
		verb: VerbEnd, who: onlyPresenter,
		possible: canEnd,
		apply:    func(r *Room, e Entry) { r.end(e.Run) },
		control:  bare,
	},

	// The run that everybody sees.
	{
		verb: VerbShow, who: (*Room).mayShow,
		possible: (*Room).canShow,
		apply:    (*Room).show,
		from:     fromDriver,
		last:     calms,
	},
	{
		verb: VerbDrive, who: (*Room).mayDrive,
		possible: (*Room).canDrive,
		apply:    func(r *Room, e Entry) { r.driver, r.turn = e.Seat, 0 },
		read:     func(_ Who, f Form) Entry { return Entry{Seat: f.Number("seat")} },
		last:     calms,
		control:  bare,
	},
	{
		verb: VerbCursor, who: onlyDriver,
		possible: (*Room).canCursor,
		apply:    func(r *Room, e Entry) { r.cursor = e.At },
		read:     func(_ Who, f Form) Entry { return Entry{At: f.Number("at")} },
		from:     fromDriver,
		control:  func(r *Room, _ Who) Entry { return Entry{At: r.cursor} },
	},
	{
		verb: VerbGather, who: onlyPresenter,
		apply:   func(r *Room, _ Entry) { r.gathered++ },
		read:    readNothing,
		control: bare,
	},
	{
		verb: VerbBlack, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return same(e.On == r.black) },
		apply:    func(r *Room, e Entry) { r.black = e.On },
		read:     readOn,
		last:     calms,
		control:  func(r *Room, _ Who) Entry { return Entry{On: !r.black} },
	},

	// Phones are clients.
	{
		verb: VerbLanes, who: onlyPresenter,
		possible: canLanes,
		apply:    func(r *Room, e Entry) { r.deal(e.Lanes, e.Size) },
		control:  bare,
	},
	{
		verb: VerbPlace, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return r.canPlace(e.Seat, e.Lane) },
		apply:    func(r *Room, e Entry) { r.place(e.Seat, e.Lane) },
		read:     func(_ Who, f Form) Entry { return Entry{Seat: f.Number("seat"), Lane: f("lane")} },
	},

	// Polls.
	{
		verb: VerbAsk, who: (*Room).mayAsk,
		possible: func(r *Room, e Entry) error { return r.canAsk(e.Poll) },
		apply:    func(r *Room, e Entry) { r.ask(e.Poll) },
		from:     fromDriver,
		control:  anyQuestion,
	},
	{
		verb: VerbVote, who: onlyOwnSeat,
		possible: (*Room).canVote,
		apply:    func(r *Room, e Entry) { r.poll.vote(e.Seat, e.Choice) },
		read: func(who Who, f Form) Entry {
			return Entry{Seat: who.Seat, Choice: f.Number("choice"), Ballot: max(0, f.Number("ballot"))}
		},
		from:    fromSeat,
		control: func(_ *Room, who Who) Entry { return Entry{Seat: who.Seat} },
	},
	{
		verb: VerbRound, who: onlyPollster,
		possible: (*Room).canRound,
		apply:    func(r *Room, _ Entry) { r.round() },
		read:     readNothing,
		from:     fromDriver,
		last:     calms,
		control:  bare,
	},
	{
		verb: VerbReveal, who: onlyPollster,
		possible: func(r *Room, e Entry) error { return r.canReveal(e.Choice) },
		apply:    func(r *Room, e Entry) { r.reveal(e.Choice) },
		from:     fromDriver,
		last:     calms,
		control:  func(*Room, Who) Entry { return Entry{Choice: None} },
	},
	{
		verb: VerbDrop, who: onlyPollster,
		possible: (*Room).canDrop,
		apply:    func(r *Room, _ Entry) { r.drop() },
		read:     readNothing,
		from:     fromDriver,
		last:     calms,
		control:  bare,
	},

	// Sandboxes.
	{
		verb: VerbFork, who: onlyPresenter,
		possible: canFork,
		apply:    func(r *Room, e Entry) { r.begin(Exercise{Kind: Fork, Run: e.Run, At: e.At}) },
		control:  func(r *Room, _ Who) Entry { return Entry{Run: r.run, At: End} },
	},
	{
		verb: VerbChallenge, who: onlyPresenter,
		possible: canChallenge,
		apply:    func(r *Room, e Entry) { r.begin(Exercise{Kind: Challenge, Task: e.Task}) },
		control:  func(*Room, Who) Entry { return Entry{Task: "any"} },
	},
	{
		verb: VerbOwn, who: onlyOwnSeat,
		possible: (*Room).canOwn,
		apply:    func(r *Room, e Entry) { r.own(e.Seat, e.Run) },
		from:     fromSeat,
		control:  func(_ *Room, who Who) Entry { return Entry{Seat: who.Seat, Run: "any"} },
	},
	{verb: VerbMark, who: onlyOwnSeat, possible: (*Room).canMark, apply: (*Room).mark, from: fromSeat},
	{verb: VerbClaim, who: onlyOwnSeat, possible: (*Room).canClaim, apply: (*Room).claim, from: fromSeat},
	{
		verb: VerbHome, who: onlyPresenter,
		possible: (*Room).canHome,
		apply:    func(r *Room, _ Entry) { r.home() },
		read:     readNothing,
		last:     calms,
		control:  bare,
	},

	// The timer.
	{
		verb: VerbTimer, who: onlyPresenter,
		possible: (*Room).canTimer,
		apply:    (*Room).setTimer,
		last:     func(e Entry) bool { return !e.On },
		control:  func(r *Room, _ Who) Entry { return Entry{On: true, Now: max(1, r.timer.until)} },
	},

	// Tests.
	{
		verb: VerbTest, who: onlyPresenter,
		possible: (*Room).canTest,
		apply:    (*Room).setTest,
		last:     func(e Entry) bool { return e.Form == "" },
		control:  (*Room).nextTest,
	},
	{
		verb: VerbHand, who: onlyOwnSeat,
		possible: (*Room).canHand,
		apply:    (*Room).hand,
		from:     fromSeat,
		control:  (*Room).anyGiven,
	},

	// The playlist.
	{
		verb: VerbPlan, who: onlyPresenter,
		possible: (*Room).canPlan,
		apply:    func(r *Room, e Entry) { r.setPlan(e.Plan) },
		control:  func(*Room, Who) Entry { return Entry{Plan: []PlanItem{{Kind: PlanPoll}}} },
	},
	{
		verb: VerbNext, who: onlyPresenter,
		possible: (*Room).canNext,
		apply:    func(r *Room, e Entry) { r.now = e.Item },
		last:     calms,
		control:  func(r *Room, _ Who) Entry { return Entry{Item: r.now + 1} },
	},
}

// ruleOf returns the rule of a verb; nil: the verb is unknown.
func ruleOf(v Verb) *rule {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.verb == v })
	if i < 0 {
		return nil
	}
	return &rules[i]
}

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

// onlyPollster lets the person who leads the open poll pass.
func onlyPollster(r *Room, who Who, _ Entry) error {
	return r.mayPoll(who, r.poll != nil && r.poll.question.Kind == Network)
}
