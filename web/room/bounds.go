package room

// Bounds of a room.
//
// One bound covers a room's whole log, and another covers the seats' part of it: no student can use up the entries that the
// presenter needs to lead the class and to end it. A class of 300 needs in a morning:
//
//	300 seats × (1 join + 1 name)                        600
//	300 seats × 20 polls × 2 rounds × 1 vote          12,000
//	300 seats × 2 exercises × (1 sandbox + 4 marks)    3,000
//	300 seats × 2 forms of a test × 1                    600
//	votes that change, branches of sandboxes, drivers    800
//	                                                  17,000  MaxSeated
//	the presenter: 20 polls × 6, 2,500 looks, others   3,000  and all that the seats leave
//	                                                  20,000  MaxEntries
//
// A class of 1,000 has eight polls of two rounds in the same log.
//
// A seat appends only what the presenter asks for: 6 votes in a round, 15 names, 500 entries in a turn as driver. A
// thousand hostile seats fill their part neither with names (1,000 × 16) nor with the votes of a round (1,000 × 7).
//
// Each vote is an entry. Several votes in one entry would be acknowledged before they are in the log, or wait for
// one another. A vote that overwrites the one before would change a log that other servers have read.
//
// Entries of removed seats are in the log, and count.
const (
	MaxSeats  = 1000      // at once
	MaxJoined = Names - 1 // seats ever taken: no number is given twice, and no two seats have the same generated name
	MaxKeys   = 20        // of the presenter

	MaxEntries     = 20_000  // of the whole log
	MaxSeated      = 17_000  // of them from newcomers, seats and drivers
	MaxLast        = 21_000  // entries, for verbs that calm a room and lead to its end; the last place is reserved for the end itself
	MaxSeatEntries = 200     // from one seat
	MaxVotes       = 6       // of a seat in one round of a poll
	MaxNames       = 15      // of a seat, removed ones included
	MaxClaims      = 5       // of a seat that count in one exercise
	MaxTurn        = 500     // entries from a driver, each time the presenter hands over control
	MaxAsked       = 1 << 20 // bytes of all questions together, with their choices, and of all verdicts
	MaxPlanned     = 1 << 20 // bytes of all playlists together: each change of a playlist is a whole one
	MaxTimer       = 60      // minutes from now to the end of a timer; its presses fill the presenter's part of MaxEntries

	MaxName     = 24 // letters
	MaxRoster   = 60 // letters
	MaxLanes    = 12
	MaxChoices  = 8    // of a prediction
	MaxGiven    = 8    // answers to a form of a test
	MaxMessages = 12   // for the network to choose from
	MaxPlan     = 40   // items of a playlist
	MaxText     = 2000 // bytes of a question or a choice in one language
	MaxQuestion = 200  // letters of a question of the presenter's own
	MaxAnswer   = 100  // letters of an answer to it
	MaxAnswers  = 4    // to it

	maxID    = 64  // bytes of an id: a request's, a run's, a client's, a choice's
	maxSite  = 300 // bytes of an address
	maxTask  = 200 // bytes of a challenge's path
	maxTitle = 200 // bytes of an item's title in one language
	maxAt    = 1_000_000
)

// A source tells whose part of the log the entries of a verb fill.
type source int

const (
	fromPresenter source = iota
	fromNewcomer
	fromSeat   // Entry.Seat appends it for itself
	fromDriver // a seat appends it while it drives
)

// A pile is what bytes of text are counted for.
type pile int

const (
	questions pile = iota // and verdicts
	playlists
)

// mostOf bounds each pile.
var mostOf = [...]int{questions: MaxAsked, playlists: MaxPlanned}

// An extent is how much of its log a room has filled.
type extent struct {
	entries int
	theirs  int              // entries from newcomers, seats and drivers
	texts   [len(mostOf)]int // bytes
}

// Len counts the entries that are folded into the room.
func (x *extent) Len() int { return x.entries }

// Recorded returns how many bytes of text the record has at most, beside the log.
func (x *extent) Recorded() int64 { return int64(x.texts[questions]) }

// fits refuses an entry when its part of the log is full. Only Can calls it: an entry in the log was accepted once and
// stays, even if the bounds have changed since.
func (r *Room) fits(who Who, e Entry) error {
	v := e.Verb.declared()
	switch {
	case e.Verb == VerbEnd:
		return nil // there is only one
	case r.entries >= v.most(e):
		return ErrLong
	case v.size(e) > 0 && r.texts[v.pile]+v.size(e) > mostOf[v.pile]:
		return ErrLong
	case who.Presenter, e.Verb == VerbDrive:
		return nil
	case r.entries >= MaxEntries, r.theirs >= MaxSeated:
		return ErrLong
	}
	s := r.seat(who.Seat)
	switch {
	case v.often != nil && v.often(r, e),
		v.from == fromDriver && r.turn >= MaxTurn,
		s != nil && s.entries >= MaxSeatEntries:
		return ErrBusy
	}
	return nil
}

// most returns how long the log may be for an entry.
func (v *verb) most(e Entry) int {
	if v.last != nil && v.last(e) {
		return MaxLast - 1
	}
	return MaxEntries
}

// size counts the bytes of an entry's text.
func (v *verb) size(e Entry) int {
	if v.bytes == nil {
		return 0
	}
	return v.bytes(e)
}

// count puts an entry down to the part of the log that it fills.
func (r *Room) count(v *verb, e Entry) {
	r.texts[v.pile] += v.size(e)
	switch v.from {
	case fromNewcomer:
		r.theirs++
	case fromSeat:
		r.theirs++
		r.seat(e.Seat).entries++
	case fromDriver:
		if r.driver != 0 {
			r.theirs++
			r.turn++
		}
	}
}
